/* Sizes as they are written on the command line. */
#include "cli/sizes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void every_way_of_writing_sizes_is_read(void **state)
{
    (void)state;
    struct size_list list = {0};
    assert_int_equal(size_list_add(&list, "1024"), SIZES_OK);
    assert_int_equal(size_list_add(&list, "64x32x16@4096,7"), SIZES_OK);
    assert_int_equal(size_list_add(&list, "9..11"), SIZES_OK);
    assert_int_equal(list.count, 6);
    assert_int_equal(list.cases[0].rank, 1);
    assert_int_equal(list.cases[0].size[0], 1024);
    assert_int_equal(list.cases[0].batch, 1);
    assert_int_equal(list.cases[1].rank, 3);
    assert_int_equal(list.cases[1].size[1], 32);
    assert_int_equal(list.cases[1].batch, 4096);
    assert_false(list.cases[0].batched);
    assert_true(list.cases[1].batched);
    assert_int_equal(list.cases[2].size[0], 7);
    assert_int_equal(list.cases[5].size[0], 11);
    size_list_free(&list);
    assert_null(list.cases);
}

static void a_size_is_written_as_it_is_read(void **state)
{
    (void)state;
    const char *const texts[] = {"1", "1000x1009@8", "1x2x3x4x5x6x7x8", "1099511627776"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct size_list list = {0};
        char text[SIZE_TEXT_CAPACITY];
        assert_int_equal(size_list_add(&list, texts[i]), SIZES_OK);
        assert_string_equal(size_case_text(&list.cases[0], text), texts[i]);
        size_list_free(&list);
    }
}

static void what_is_no_size_is_refused(void **state)
{
    (void)state;
    const char *const texts[] = {
        "",
        "0",
        "-4",
        " 4",
        "4 ",
        "x4",
        "4x",
        "4xx4",
        "4@",
        "4@0",
        "4x0",
        "4,",
        ",4",
        "4..",
        "4..3",
        "4..8@2",
        "4.5",
        "1e3",
        "1099511627777",
        "99999999999999999999999",
        "1048576x1048577",
        "1048576x1048576@2",
        "1..1048577",
        "1x1x1x1x1x1x1x1x1",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct size_list list = {0};
        assert_int_equal(size_list_add(&list, texts[i]), SIZES_MALFORMED);
        size_list_free(&list);
    }
}

static void elements_bytes_and_parameters_follow_from_a_size(void **state)
{
    (void)state;
    struct size_list list = {0};
    assert_int_equal(size_list_add(&list, "10x6@5"), SIZES_OK);
    const struct size_case *dims = &list.cases[0];
    assert_int_equal(size_case_points(dims), 60);
    assert_int_equal(size_case_elements(dims), 300);
    assert_int_equal(size_case_bytes(dims, WEFT_F32), 2400);
    assert_int_equal(size_case_bytes(dims, WEFT_F64), 4800);
    weft_params params = size_case_params(dims, WEFT_F64, 3);
    assert_int_equal(params.rank, 2);
    assert_int_equal(params.size[1], 6);
    assert_int_equal(params.batch, 5);
    assert_int_equal(params.precision, WEFT_F64);
    assert_int_equal(params.threads, 3);
    size_list_free(&list);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_way_of_writing_sizes_is_read),
        cmocka_unit_test(a_size_is_written_as_it_is_read),
        cmocka_unit_test(what_is_no_size_is_refused),
        cmocka_unit_test(elements_bytes_and_parameters_follow_from_a_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

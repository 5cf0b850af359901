/* The reader and the writer of .npy files. */
#include "cli/input.h"
#include "cli/npy.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static bool parses(const char *text, npy_header *header)
{
    failure why = {""};
    bool good = npy_header_parse(text, header, &why);
    assert_true(good || why.text[0]);
    return good;
}

static void a_header_is_understood_in_any_order_and_notation(void **state)
{
    (void)state;
    npy_header header;
    assert_true(parses("{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }  \n", &header));
    assert_int_equal(header.rank, 2);
    assert_int_equal(header.size[0], 3);
    assert_int_equal(header.size[1], 4);
    assert_false(header.fortran_order);
    assert_int_equal(header.type->bytes, 8);
    assert_true(parses("{\"shape\":(7L,),\"fortran_order\":True,\"descr\":\"|u1\"}", &header));
    assert_int_equal(header.rank, 1);
    assert_int_equal(header.size[0], 7);
    assert_true(header.fortran_order);
    assert_true(parses("{'descr': '=c16', 'fortran_order': False, 'shape': ()}", &header));
    assert_int_equal(header.rank, 0);
}

static void a_header_that_numpy_would_not_write_is_refused(void **state)
{
    (void)state;
    static const char *const wrong[] = {
        "",
        "{",
        "{}",
        "[]",
        "{'descr': '<f8', 'fortran_order': False}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4)",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (3 4)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (-3,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': 3}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (9223372036854775808,)}",
        "{'descr': '<f8', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}",
        "{'descr': '<f8', 'fortran_order': Maybe, 'shape': (3,)}",
        "{'descr': '<f8', 'descr': '<f8', 'shape': (3,)}",
        "{'descr': '<f7', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '<f08x', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': '|O', 'fortran_order': False, 'shape': (3,)}",
        "{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (3,)}",
        "{'descr': 'a name that is longer than any type has', 'shape': (3,)}",
    };
    npy_header header;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_false(parses(wrong[i], &header));
    }
}

static double load(const char *descr, const void *bytes)
{
    npy_header header = {0};
    failure why;
    double re, im;
    assert_true(npy_type_find(descr, &header.type, &header.swapped, &why));
    npy_element_load(&header, bytes, &re, &im);
    return re;
}

static void half_precision_numbers_are_exact(void **state)
{
    (void)state;
    assert_true(load("<f2", "\x00\x3c") == 1);
    assert_true(load("<f2", "\x00\xc0") == -2);
    assert_true(load("<f2", "\xff\x7b") == 65504);
    assert_true(load("<f2", "\x01\x00") == ldexp(1, -24)); /* the smallest subnormal */
    assert_true(load("<f2", "\xff\x03") == 1023 * ldexp(1, -24));
    assert_true(load("<f2", "\x00\x04") == ldexp(1, -14)); /* the smallest normal */
    assert_true(load("<f2", "\x00\x80") == 0 && signbit(load("<f2", "\x00\x80")));
    assert_true(load("<f2", "\x00\xfc") == -INFINITY);
    assert_true(isnan(load("<f2", "\x01\x7c")));
    assert_true(load(">f2", "\x3c\x00") == 1);
}

static void integers_keep_their_sign_and_booleans_are_one_or_zero(void **state)
{
    (void)state;
    assert_true(load("|i1", "\xff") == -1);
    assert_true(load("|u1", "\xff") == 255);
    assert_true(load(">i4", "\xff\xff\xff\xfe") == -2);
    assert_true(load("<u8", "\xff\xff\xff\xff\xff\xff\xff\xff") == ldexp(1, 64));
    assert_true(load("|b1", "\x02") == 1);
    assert_true(load("|b1", "\x00") == 0);
}

/* Writes an array and reads it back. */
static void there_and_back(const array *a, array *back)
{
    failure why;
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_true(npy_write(file, a, &why));
    assert_int_equal((ftell(file) - (long)array_bytes(a)) % 64, 0);
    int64_t bytes = ftell(file);
    rewind(file);
    assert_true(input_read_npy(file, bytes, PRECISION_AUTOMATIC, back, &why));
    fclose(file);
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    static const int64_t size[WEFT_MAX_RANK] = {2, 1, 3, 1, 2, 1, 1, 5};
    for (int rank = 1; rank <= WEFT_MAX_RANK; rank++) {
        for (int precision = WEFT_F32; precision <= WEFT_F64; precision++) {
            array a, back;
            failure why;
            assert_true(array_create(&a, rank, size, (weft_precision)precision, &why));
            for (int64_t i = 0; i < a.count; i++) array_set(&a, i, (double)i, 0.5 - (double)i);
            there_and_back(&a, &back);
            assert_int_equal(back.rank, rank);
            assert_int_equal(back.precision, precision);
            assert_memory_equal(back.size, a.size, sizeof a.size);
            assert_memory_equal(back.data, a.data, array_bytes(&a));
            array_destroy(&a);
            array_destroy(&back);
        }
    }
}

static void arrays_beyond_memory_are_refused(void **state)
{
    (void)state;
    array a;
    failure why;
    const int64_t huge[] = {INT64_C(1) << 40, INT64_C(1) << 40};
    const int64_t large[] = {INT64_C(1) << 60};
    const int64_t empty[] = {3, 0};
    const int64_t negative[] = {3, -1};
    assert_false(array_create(&a, 2, huge, WEFT_F32, &why));
    assert_false(array_create(&a, 1, large, WEFT_F32, &why));
    assert_false(array_create(&a, 2, empty, WEFT_F32, &why));
    assert_false(array_create(&a, 2, negative, WEFT_F32, &why));
    assert_false(array_create(&a, 0, NULL, WEFT_F32, &why));
    assert_null(a.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_header_is_understood_in_any_order_and_notation),
        cmocka_unit_test(a_header_that_numpy_would_not_write_is_refused),
        cmocka_unit_test(half_precision_numbers_are_exact),
        cmocka_unit_test(integers_keep_their_sign_and_booleans_are_one_or_zero),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(arrays_beyond_memory_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

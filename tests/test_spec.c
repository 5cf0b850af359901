/* Problems, limits and passes as text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/error.h"
#include "spec/limits.h"
#include "spec/lone_lines.h"
#include "spec/pass.h"
#include "spec/problem.h"

static void a_problem_is_printed_with_all_that_tells_it_apart(void **state)
{
    (void)state;
    struct problem p = {.precision = WEFT_F64, .format = WEFT_PLANAR, .axes = 2, .loops = 1,
                        .axis = {{1000, 1009, -1009}, {1009, 1, 1}}, .loop = {{8, 0, 1009000}},
                        .scale = {1, 0.25}, .threads = 2};
    struct text text = TEXT_EMPTY;
    problem_print(&text, &p);
    assert_string_equal(text_chars(&text), "c2c f64 planar 1000:1009:-1009x1009:1:1 "
                                           "batch 8:0:1009000 threads 2 scale 1.0:0.25");
    text_free(&text);
    assert_int_equal(problem_elements(&p), 8072000);
}

static void a_problem_without_axes_is_a_copy_and_an_empty_batch_has_no_elements(void **state)
{
    (void)state;
    struct problem p = {.loops = 1, .loop = {{0, 1, 1}}, .scale = {1, 1}, .threads = 1};
    struct text text = TEXT_EMPTY;
    problem_print(&text, &p);
    assert_string_equal(text_chars(&text),
                        "c2c f32 interleaved copy batch 0:1:1 threads 1 scale 1.0:1.0");
    text_free(&text);
    assert_int_equal(problem_elements(&p), 0);
    p.loops = 0;
    assert_int_equal(problem_elements(&p), 1);
}

static void precisions_have_their_bytes(void **state)
{
    (void)state;
    assert_int_equal(precision_bytes(WEFT_F32), 4);
    assert_int_equal(precision_bytes(WEFT_F64), 8);
}

static void limits_are_read_by_name(void **state)
{
    (void)state;
    struct limits limits;
    limits_default_gpu(&limits);
    int64_t memory = limits.memory_bytes;
    assert_int_equal(limits_parse(&limits, "shared=16384,threads=256,simd=64,coalescing=32,"
                                           "registers=48,cores=8"),
                     WEFT_OK);
    assert_int_equal(limits.shared_bytes, 16384);
    assert_int_equal(limits.threads, 256);
    assert_int_equal(limits.simd_width, 64);
    assert_int_equal(limits.coalescing_bytes, 32);
    assert_int_equal(limits.registers, 48);
    assert_int_equal(limits.cores, 8);
    assert_int_equal(limits.memory_bytes, memory);
    assert_int_equal(limits_parse(&limits, ""), WEFT_OK);
}

static void what_is_no_limit_is_refused_and_changes_nothing(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "share=1",     "shared",    "shared=",       "shared=x",    "shared=-1",
        "shared= 128", "threads=0", "threads=65537", "simd=1.5",    "cores=9999999999999999999",
        ",shared=128", "shared=8,", "cores=2;simd=2", "cores=2 ",   "=4",
    };
    struct limits before, limits;
    limits_default_cpu(&before);
    limits = before;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(limits_parse(&limits, texts[i]), WEFT_ERROR_ARGUMENT);
        assert_memory_equal(&limits, &before, sizeof limits);
    }
    limits_parse(&limits, "thread=4");
    assert_non_null(strstr(error_last(), "threads"));
}

static void default_limits_have_the_radices_of_the_codelets(void **state)
{
    (void)state;
    struct limits cpu, gpu;
    limits_default_cpu(&cpu);
    limits_default_gpu(&gpu);
    assert_true(cpu.step[2] && cpu.step[16] && cpu.step[31] && cpu.step[32]);
    assert_false(cpu.step[1] || cpu.step[18] || cpu.step[64] || gpu.step[64]);
    assert_true(cpu.vector_bytes > 0 && gpu.vector_bytes == 0);
}

static void a_pass_counts_its_lines(void **state)
{
    (void)state;
    struct pass pass = {.line = {8, 1, 1}, .spectrum_table = PASS_NO_TABLE};
    assert_int_equal(pass_lines(&pass), 1);
    pass.loops = 2;
    pass.loop[0] = (struct dim){3, 8, 8};
    pass.loop[1] = (struct dim){5, 24, 24};
    assert_int_equal(pass_lines(&pass), 15);
}

static void few_lines_are_taken_one_by_one(void **state)
{
    (void)state;
    struct limits limits, gpu;
    limits_default_cpu(&limits);
    limits_default_gpu(&gpu);
    limits.vector_bytes = 64;
    assert_true(lone_lines(&limits, WEFT_F64, 3, false) && lone_lines(&limits, WEFT_F64, 7, true));
    assert_false(lone_lines(&limits, WEFT_F64, 4, false) || lone_lines(&limits, WEFT_F64, 8, true));
    assert_true(lone_lines(&limits, WEFT_F32, 15, true));
    limits.vector_bytes = 16;
    assert_true(lone_lines(&limits, WEFT_F64, 1, false));
    assert_false(lone_lines(&limits, WEFT_F64, 2, true) || lone_lines(&gpu, WEFT_F64, 2, true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_problem_is_printed_with_all_that_tells_it_apart),
        cmocka_unit_test(a_problem_without_axes_is_a_copy_and_an_empty_batch_has_no_elements),
        cmocka_unit_test(precisions_have_their_bytes),
        cmocka_unit_test(limits_are_read_by_name),
        cmocka_unit_test(what_is_no_limit_is_refused_and_changes_nothing),
        cmocka_unit_test(default_limits_have_the_radices_of_the_codelets),
        cmocka_unit_test(a_pass_counts_its_lines),
        cmocka_unit_test(few_lines_are_taken_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

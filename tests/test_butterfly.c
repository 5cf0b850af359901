/* The butterflies as IR: what they compute, run by the evaluator, and how many operations they
 * take. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "ir/ir.h"
#include "kernel/butterfly.h"
#include "kernel/sines.h"
#include "math/roots.h"

#define MAX_RADIX 64

/* Loads x from one buffer, interleaved, and stores its transform into another. */
static const struct ir *build(arena *a, int radix)
{
    struct ir_complex x[MAX_RADIX];
    struct ir_builder *b = ir_begin(a, "butterfly", 1);
    int in = ir_buffer(b, "in", IR_GLOBAL, false, 0);
    int out = ir_buffer(b, "out", IR_GLOBAL, true, 0);
    for (int j = 0; j < radix; j++) {
        x[j].re = ir_load(b, in, ir_int(b, 2 * j));
        x[j].im = ir_load(b, in, ir_int(b, 2 * j + 1));
    }
    butterfly(b, WEFT_F64, radix, x);
    for (int k = 0; k < radix; k++) {
        ir_store(b, out, ir_int(b, 2 * k), x[k].re);
        ir_store(b, out, ir_int(b, 2 * k + 1), x[k].im);
    }
    return ir_finish(b);
}

static void direct_sum(int radix, const double *in, double *out)
{
    for (int k = 0; k < radix; k++) {
        out[2 * k] = out[2 * k + 1] = 0;
        for (int j = 0; j < radix; j++) {
            double re, im;
            root_double(j * k, radix, &re, &im);
            out[2 * k] += in[2 * j] * re - in[2 * j + 1] * im;
            out[2 * k + 1] += in[2 * j] * im + in[2 * j + 1] * re;
        }
    }
}

static double relative_error(int radix, const double *got, const double *expected)
{
    double error = 0, norm = 0;
    for (int i = 0; i < 2 * radix; i++) {
        error += (got[i] - expected[i]) * (got[i] - expected[i]);
        norm += expected[i] * expected[i];
    }
    return sqrt(error / norm);
}

static void evaluate(const struct ir *kernel, double *in, double *out, int64_t count)
{
    struct ir_launch launch = {.blocks = 1,
                               .threads = 1,
                               .coalescing_bytes = 32,
                               .simd_width = 32,
                               .banks = 32,
                               .buffer = {in, out},
                               .buffer_count = {count, count}};
    struct ir_report report;
    assert_int_equal(ir_evaluate(kernel, &launch, &report), WEFT_OK);
    assert_int_equal(report.out_of_bounds, 0);
}

static void every_radix_matches_the_direct_sum(void **state)
{
    (void)state;
    for (int radix = 1; radix <= MAX_RADIX; radix++) {
        double in[2 * MAX_RADIX], out[2 * MAX_RADIX], expected[2 * MAX_RADIX];
        arena *a = arena_create();
        const struct ir *kernel = build(a, radix);
        assert_non_null(kernel);
        for (int i = 0; i < 2 * radix; i++)
            in[i] = (double)rand() / RAND_MAX - 0.5;
        evaluate(kernel, in, out, 2 * radix);
        direct_sum(radix, in, expected);
        assert_true(relative_error(radix, out, expected) < 1e-15);
        arena_destroy(&a);
    }
}

/* Additions and multiplications of FFTW 3's n1_<radix> codelets, from the comments in its
 * generated sources (dft/scalar/codelets). */
static const struct {
    int radix, adds, multiplies;
} published[] = {
    {2, 4, 0},     {3, 12, 4},    {4, 16, 0},     {5, 32, 12},   {6, 36, 8},     {7, 60, 36},
    {8, 52, 4},    {9, 80, 40},   {10, 84, 24},   {12, 96, 16},  {14, 148, 72},  {15, 156, 56},
    {16, 144, 24}, {20, 208, 48}, {25, 352, 184}, {32, 372, 84}, {64, 912, 248},
};

static void operation_counts_are_near_the_published_minimum(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++) {
        arena *a = arena_create();
        const struct ir *kernel = build(a, published[i].radix);
        assert_non_null(kernel);
        struct ir_counts counts = ir_count(kernel);
        int operations = counts.adds + counts.multiplies + 2 * counts.fmas;
        assert_true(10 * operations <= 11 * (published[i].adds + published[i].multiplies));
        assert_int_equal(counts.negations, 0);
        arena_destroy(&a);
    }
}

/* Roots that the last sums of a butterfly take up with their scales (Linzer and Feig 1993). */
static void fused_operations_are_few(void **state)
{
    static const int fused[][2] = {{8, 52}, {16, 144}, {32, 376}};
    (void)state;
    for (size_t i = 0; i < sizeof fused / sizeof fused[0]; i++) {
        arena *a = arena_create();
        const struct ir *kernel = ir_form_fma(a, build(a, fused[i][0]));
        assert_non_null(kernel);
        const struct ir_counts counts = ir_count(kernel);
        assert_int_equal(counts.adds + counts.multiplies + counts.fmas, fused[i][1]);
        arena_destroy(&a);
    }
}

static double root_product_error(int k, int n)
{
    double in[2] = {0.3, -0.7}, out[2], re, im;
    arena *a = arena_create();
    struct ir_builder *b = ir_begin(a, "root", 1);
    int from = ir_buffer(b, "in", IR_GLOBAL, false, 0),
        to = ir_buffer(b, "out", IR_GLOBAL, true, 0);
    struct ir_complex x = {ir_load(b, from, ir_int(b, 0)), ir_load(b, from, ir_int(b, 1))};
    x = ir_complex_root(b, x, k, n);
    ir_store(b, to, ir_int(b, 0), x.re);
    ir_store(b, to, ir_int(b, 1), x.im);
    const struct ir *kernel = ir_finish(b);
    assert_non_null(kernel);
    evaluate(kernel, in, out, 2);
    arena_destroy(&a);
    root_double(k, n, &re, &im);
    return hypot(out[0] - (in[0] * re - in[1] * im), out[1] - (in[0] * im + in[1] * re));
}

static void products_with_roots_of_all_octants_are_right(void **state)
{
    (void)state;
    for (int n = 1; n <= 24; n++) {
        for (int k = -n; k <= 2 * n; k++)
            assert_true(root_product_error(k, n) < 4e-16);
    }
}

/* Relative, in units of half the distance between neighbouring numbers. */
static double scale_error(weft_precision precision, int turn)
{
    struct sines sines;
    sines_rounded(3, 1, precision, turn, &sines);
    const struct extended exact = root_extended(-1, 3).im;
    const double unit = precision == WEFT_F32 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
    assert_true(sines.scale.lo == 0);
    return ((sines.scale.hi - exact.hi) - exact.lo) / exact.hi / unit;
}

static void sines_of_one_step_make_up_for_those_of_the_step_before(void **state)
{
    (void)state;
    assert_true(fabs(scale_error(WEFT_F64, 0)) > 0.5);
    assert_true(fabs(scale_error(WEFT_F64, 0) + scale_error(WEFT_F64, 1)) < 0.15);
    assert_true(fabs(scale_error(WEFT_F64, 1) + scale_error(WEFT_F64, 2)) < 0.15);
    /* No pair of single numbers is as good, but three below make up for one above. */
    double sum = 0;
    for (int turn = 0; turn < 4; turn++) sum += scale_error(WEFT_F32, turn);
    assert_true(fabs(sum) < 0.1);
}

static void sines_are_numbers_of_the_precision_next_to_the_exact_ones(void **state)
{
    (void)state;
    for (int radix = 3; radix <= 31; radix += 2) {
        for (int k = 1; k <= radix / 2; k++) {
            struct sines sines;
            sines_rounded(radix, k, WEFT_F32, k % 3, &sines);
            for (int j = 1; j <= sines.count; j++) {
                double exact = root_extended(-j * k, radix).im.hi;
                double got = sines.scale.hi * sines.ratio[j].hi;
                assert_true(sines.ratio[j].hi == (float)sines.ratio[j].hi);
                assert_true(fabs(got - exact) < 2 * FLT_EPSILON * fabs(exact) + 1e-16);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_radix_matches_the_direct_sum),
        cmocka_unit_test(operation_counts_are_near_the_published_minimum),
        cmocka_unit_test(fused_operations_are_few),
        cmocka_unit_test(products_with_roots_of_all_octants_are_right),
        cmocka_unit_test(sines_of_one_step_make_up_for_those_of_the_step_before),
        cmocka_unit_test(sines_are_numbers_of_the_precision_next_to_the_exact_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

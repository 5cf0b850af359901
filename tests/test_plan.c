/* Planning: what programs compute, with no device at all. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "plan/planner.h"
#include "support/interpreter.h"
#include "support/random.h"

static struct random chance = {1};

/* ---- problems in any layout ---- */

/* One side's memory: strides of the dimensions, what they span, and where (0, ..., 0) lies. */
struct layout {
    int64_t stride[PROBLEM_MAX_DIMS];
    int64_t span, origin;
};

/* Packed row-major; or in random order, with gaps and negative strides. */
static struct layout make_layout(int dims, const int64_t *n, bool packed)
{
    struct layout layout = {.span = 1};
    int order[PROBLEM_MAX_DIMS];
    for (int i = 0; i < dims; i++)
        order[i] = dims - 1 - i;
    for (int i = dims - 1; i > 0 && !packed; i--) {
        int j = (int)random_between(&chance, 0, i), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (int i = 0; i < dims; i++) {
        int64_t stride = layout.span + (packed ? 0 : random_between(&chance, 0, 2));
        bool negative = !packed && random_between(&chance, 0, 3) == 0;
        layout.span = stride * n[order[i]];
        layout.stride[order[i]] = negative ? -stride : stride;
        if (negative) layout.origin += stride * (n[order[i]] - 1);
    }
    return layout;
}

/* A problem in the making: its dimensions, which of them are axes, and both layouts. */
struct trial {
    int dims;
    int64_t n[PROBLEM_MAX_DIMS];
    uint32_t axes;
    struct layout in, out;
    struct problem problem;
};

static struct trial make_trial(int dims, const int64_t *n, uint32_t axes, bool packed,
                               bool in_place)
{
    struct trial t = {.dims = dims, .axes = axes};
    memcpy(t.n, n, (size_t)dims * sizeof *n);
    t.in = make_layout(dims, n, packed);
    t.out = in_place ? t.in : make_layout(dims, n, packed);
    t.problem.precision = WEFT_F32;
    t.problem.scale[WEFT_FORWARD] = 0.5;
    t.problem.scale[WEFT_INVERSE] = 3;
    t.problem.threads = 1;
    for (int i = 0; i < dims; i++) {
        struct dim dim = {n[i], t.in.stride[i], t.out.stride[i]};
        if (n[i] == 1) continue;
        if (axes >> i & 1)
            t.problem.axis[t.problem.axes++] = dim;
        else
            t.problem.loop[t.problem.loops++] = dim;
    }
    return t;
}

static int64_t trial_elements(const struct trial *t)
{
    int64_t elements = 1;
    for (int i = 0; i < t->dims; i++)
        elements *= t->n[i];
    return elements;
}

/* Where the e-th element in row-major order lies in a layout, from its element (0, ..., 0). */
static int64_t element_place(const struct trial *t, const struct layout *layout, int64_t e)
{
    int64_t place = 0;
    for (int i = t->dims - 1; i >= 0; i--) {
        place += e % t->n[i] * layout->stride[i];
        e /= t->n[i];
    }
    return place;
}

/* Transforms x, packed row-major, along the trial's axes by the definition. */
static void reference(const struct trial *t, weft_direction direction, double complex *x)
{
    int64_t elements = trial_elements(t), stride = elements;
    for (int i = 0; i < t->dims; i++) {
        int64_t n = t->n[i];
        stride /= n;
        if (!(t->axes >> i & 1)) continue;
        double complex *line = malloc((size_t)n * sizeof *line);
        assert_non_null(line);
        for (int64_t first = 0; first < elements; first++) {
            if (first / stride % n != 0) continue;
            for (int64_t j = 0; j < n; j++)
                line[j] = x[first + j * stride];
            dft(n, direction == WEFT_INVERSE, line, line);
            for (int64_t j = 0; j < n; j++)
                x[first + j * stride] = line[j];
        }
        free(line);
    }
    for (int64_t e = 0; e < elements; e++)
        x[e] *= t->problem.scale[direction];
}

static double complex *random_array(int64_t n)
{
    double complex *x = malloc((size_t)n * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        x[i] = random_number(&chance) + I * random_number(&chance);
    return x;
}

static double relative_error(const struct trial *t, const double complex *out,
                             const double complex *expected)
{
    double difference = 0, norm = 0;
    for (int64_t e = 0; e < trial_elements(t); e++) {
        double d = cabs(out[element_place(t, &t->out, e)] - expected[e]);
        difference += d * d;
        norm += creal(expected[e] * conj(expected[e]));
    }
    return norm > 0 ? sqrt(difference / norm) : sqrt(difference);
}

static void fail_with(const struct problem *problem, const struct program *program,
                      const struct limits *limits, double error)
{
    struct text text = TEXT_EMPTY;
    problem_print(&text, problem);
    text_append(&text, "\n");
    program_print(&text, program, limits);
    for (int i = 0; i < program->passes; i++) {
        pass_print(&text, &program->pass[i]);
        text_append(&text, "\n");
    }
    print_error("%s", text_chars(&text));
    text_free(&text);
    fail_msg("relative error %g", error);
}

/* Runs a program on random data and compares with the definition. */
static void check_program(const struct trial *t, const struct program *program,
                          const struct limits *limits, bool in_place)
{
    weft_direction direction = random_between(&chance, 0, 1) ? WEFT_INVERSE : WEFT_FORWARD;
    int64_t elements = trial_elements(t);
    double complex *expected = random_array(elements), *in = random_array(t->in.span);
    for (int64_t e = 0; e < elements; e++)
        in[t->in.origin + element_place(t, &t->in, e)] = expected[e];
    reference(t, direction, expected);
    double complex *kept = malloc((size_t)t->in.span * sizeof *kept);
    assert_non_null(kept);
    memcpy(kept, in, (size_t)t->in.span * sizeof *kept);
    double complex *out = in_place ? in : random_array(t->out.span);
    interpret_program(program, direction, random_between(&chance, 0, 1), in + t->in.origin,
                      out + t->out.origin);
    double error = relative_error(t, out + t->out.origin, expected);
    if (!(error < 1e-11)) fail_with(&t->problem, program, limits, error);
    if (!in_place) {
        assert_memory_equal(kept, in, (size_t)t->in.span * sizeof *kept);
        free(out);
    }
    free(kept);
    free(in);
    free(expected);
}

static void check_trial(const struct trial *t, const struct limits *limits, bool in_place)
{
    arena *a = arena_create();
    assert_non_null(a);
    const struct plan_node *tree;
    const struct program *program;
    if (plan_best(a, &t->problem, limits, &tree)) fail_msg("%s", error_last());
    if (plan_lower(a, &t->problem, limits, tree, &program)) fail_msg("%s", error_last());
    check_program(t, program, limits, in_place);
    arena_destroy(&a);
}

static void check_line(int64_t n, const struct limits *limits)
{
    struct trial t = make_trial(1, &n, 1, true, false);
    check_trial(&t, limits, false);
}

/* A device whose fast memory holds so many single-precision elements, twice on a CPU. */
static struct limits small_cpu(int64_t elements)
{
    struct limits limits;
    limits_default_cpu(&limits);
    limits.shared_bytes = elements * 16;
    return limits;
}

static struct limits small_gpu(int64_t elements)
{
    struct limits limits;
    limits_default_gpu(&limits);
    limits.shared_bytes = elements * 8;
    return limits;
}

/* ---- what programs compute ---- */

static void every_length_to_300_is_transformed(void **state)
{
    (void)state;
    struct limits cpu, gpu;
    limits_default_cpu(&cpu);
    limits_default_gpu(&gpu);
    for (int64_t n = 1; n <= 300; n++) {
        check_line(n, &cpu);
        check_line(n, &gpu);
    }
}

static void larger_lengths_of_every_sort_are_transformed(void **state)
{
    (void)state;
    static const int64_t lengths[] = {509,  1009, 1018, 1024, 1189, 1331,
                                      1517, 2018, 2048, 2187, 2209};
    struct limits cpu;
    limits_default_cpu(&cpu);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        check_line(lengths[i], &cpu);
}

static void little_fast_memory_makes_splits_of_any_depth(void **state)
{
    (void)state;
    static const int64_t room[] = {8, 11, 16, 32, 64};
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) {
        struct limits cpu = small_cpu(room[i]), gpu = small_gpu(room[i]);
        if (i % 2) cpu.cache_bytes[2] = 16 * room[i]; /* convolutions leave them */
        for (int k = 0; k < 30; k++) {
            check_line(random_between(&chance, 2, 400), &cpu);
            check_line(random_between(&chance, 2, 400), &gpu);
        }
        check_line(720, &cpu);
        check_line(1024, &cpu);
        check_line(1009, &gpu);
        check_line(1013 * 2, &cpu);
    }
}

static void few_radices_are_enough(void **state)
{
    (void)state;
    struct limits limits = small_cpu(128);
    memset(limits.step, 0, sizeof limits.step);
    memset(limits.last, 0, sizeof limits.last);
    limits.step[2] = limits.last[2] = true;
    for (int64_t n = 2; n <= 130; n++)
        check_line(n, &limits);
}

/* Any rank, axes, strides and batch. */
static struct trial random_trial(bool in_place, int64_t most_elements)
{
    int64_t n[4];
    int dims = (int)random_between(&chance, 1, 4);
    int64_t elements = 1;
    for (int i = 0; i < dims; i++) {
        int64_t most = most_elements / elements;
        if (most > 90) most = 90;
        n[i] = random_between(&chance, 1, most < 1 ? 1 : most);
        elements *= n[i];
    }
    return make_trial(dims, n, (uint32_t)random_between(&chance, 0, (1 << dims) - 1),
                      random_between(&chance, 0, 1), in_place);
}

static void random_problems_are_transformed_in_and_out_of_place(void **state)
{
    (void)state;
    static const int64_t room[] = {8, 24, 100, 32768};
    for (int k = 0; k < 800; k++) {
        bool in_place = k % 2, cpu = k / 2 % 2;
        struct trial t = random_trial(in_place, 4000);
        int64_t elements = room[k / 4 % 4];
        struct limits limits = cpu ? small_cpu(elements) : small_gpu(elements);
        /* Caches so small that stages have steps. */
        if (cpu && k % 3 == 0) limits.cache_bytes[1] = 16 * random_between(&chance, 1, 2000);
        if (cpu && k % 3 == 1) limits.cache_bytes[2] = 16 * random_between(&chance, 1, 2000);
        if (!cpu && k % 3 == 0) limits.memory_bytes = 64 * random_between(&chance, 100, 2000);
        t.problem.threads = (int)random_between(&chance, 1, 3);
        limits.cores = 2;
        check_trial(&t, &limits, in_place);
    }
}

static void every_candidate_computes_the_same(void **state)
{
    (void)state;
    static const int64_t lengths[] = {64, 97, 360, 1009, 1024, 1018};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct limits limits = small_cpu(i % 2 ? 2048 : 100);
        struct trial t = make_trial(1, &lengths[i], 1, true, false);
        arena *a = arena_create();
        const struct plan_node *tree[40];
        int count;
        assert_int_equal(plan_candidates(a, &t.problem, &limits, 40, tree, &count), WEFT_OK);
        assert_true(count > 1);
        for (int k = 0; k < count; k++) {
            const struct program *program;
            assert_int_equal(plan_lower(a, &t.problem, &limits, tree[k], &program), WEFT_OK);
            assert_true(k == 0 || tree[k]->seconds >= tree[k - 1]->seconds);
            assert_true(program->seconds == tree[k]->seconds);
            check_program(&t, program, &limits, false);
        }
        arena_destroy(&a);
    }
}

static void an_empty_batch_has_no_passes(void **state)
{
    (void)state;
    struct limits limits;
    limits_default_cpu(&limits);
    struct problem problem = {.axes = 1,
                              .axis = {{100, 1, 1}},
                              .loops = 1,
                              .loop = {{0, 100, 100}},
                              .scale = {1, 1},
                              .threads = 1};
    arena *a = arena_create();
    const struct plan_node *tree;
    const struct program *program;
    assert_int_equal(plan_best(a, &problem, &limits, &tree), WEFT_OK);
    assert_int_equal(plan_lower(a, &problem, &limits, tree, &program), WEFT_OK);
    assert_int_equal(program->passes, 0);
    assert_int_equal(program->scratch_elements, 0);
    arena_destroy(&a);
}

/* Bluestein's convolution would be split there, so that no codelet multiplies by its twiddles. */
static void columns_of_long_primes_are_resampled(void **state)
{
    (void)state;
    struct limits limits;
    limits_default_cpu(&limits);
    struct problem problem = {.precision = WEFT_F64,
                              .axes = 1,
                              .axis = {{20011, 16, 16}},
                              .loops = 1,
                              .loop = {{16, 1, 1}},
                              .scale = {1, 1},
                              .threads = 1};
    arena *a = arena_create();
    const struct plan_node *tree;
    assert_int_equal(plan_best(a, &problem, &limits, &tree), WEFT_OK);
    assert_int_equal(tree->kind, PLAN_RESAMPLED);
    arena_destroy(&a);
}

/* Numbers between the axes of C2R images that lie beside each other at both ends, or at one. */
static void check_between(bool beside)
{
    struct limits limits;
    limits_default_cpu(&limits);
    enum { IMAGES = 20, ROWS = 12, REALS = 10, HALF = REALS / 2 + 1 };
    struct problem problem = {
        .kind = WEFT_C2R,
        .axes = 2,
        .axis = {{ROWS, HALF * IMAGES, beside ? REALS * IMAGES : REALS},
                 {REALS, IMAGES, beside ? IMAGES : 1}},
        .loops = 1,
        .loop = {{IMAGES, 1, beside ? 1 : ROWS * REALS}},
        .scale = {1, 1},
        .threads = 1};
    arena *a = arena_create();
    const struct plan_node *tree;
    const struct program *program;
    assert_int_equal(plan_best(a, &problem, &limits, &tree), WEFT_OK);
    assert_int_equal(plan_lower(a, &problem, &limits, tree, &program), WEFT_OK);
    const struct pass *columns = &program->pass[0];
    assert_int_equal(columns->to, PASS_WORK);
    assert_int_equal(columns->line.out_stride, beside ? HALF * IMAGES : HALF);
    arena_destroy(&a);
}

static void images_beside_each_other_are_so_between_axes(void **state)
{
    (void)state;
    check_between(true);
    check_between(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_to_300_is_transformed),
        cmocka_unit_test(larger_lengths_of_every_sort_are_transformed),
        cmocka_unit_test(little_fast_memory_makes_splits_of_any_depth),
        cmocka_unit_test(few_radices_are_enough),
        cmocka_unit_test(random_problems_are_transformed_in_and_out_of_place),
        cmocka_unit_test(every_candidate_computes_the_same),
        cmocka_unit_test(an_empty_batch_has_no_passes),
        cmocka_unit_test(columns_of_long_primes_are_resampled),
        cmocka_unit_test(images_beside_each_other_are_so_between_axes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

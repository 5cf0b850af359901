/* What interprets callers' expressions on the CPU computes what the evaluator makes of their
 * kernels, bit for bit, though it takes from tables what depends on one index alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hook/hook.h"
#include "hook/program.h"
#include "support/random.h"

enum { BATCH = 3, ROWS = 7, COLUMNS = 41, ELEMENTS = BATCH * ROWS * COLUMNS };

/* Results that a window, a condition, one number in all places, and no table at all stand for. */
static const char *const sources[] = {
    "x * (0.5 - 0.5 * cos(2 * pi * k / n))",
    "k0 < n0 / 2 ? x : 0",
    "x * sin(pi * k / n) * sin(pi * k0 / n0) * pick(batch, 1, 0.5, 0.25)",
    "let t = 0.3 * k0 + 0.7 * k; x * cos(t) + sqrt(k) * (inverse ? 2 : 3)",
    "x",
    "k + 1 / (1 + batch)",
    "exp(-norm(x)) + log(1 + k0) - floor(k / 3) + (k == 5 || batch < 1 ? 1 : re(x))",
};
enum { SOURCES = sizeof sources / sizeof *sources };

static struct problem problem_of(const char *source, bool real, bool single)
{
    static const int64_t length[] = {BATCH, ROWS, COLUMNS};
    struct problem p = {.kind = real ? WEFT_DCT2 : WEFT_C2C,
                        .precision = single ? WEFT_F32 : WEFT_F64};
    strcpy(p.hooks.source[0], source);
    p.hooks.dims = 3;
    for (int i = 0; i < 3; i++)
        p.hooks.size[i] = p.hooks.length[0][i] = p.hooks.length[1][i] = length[i];
    return p;
}

/* An interpreter, whatever it computes with. */
struct interpreter {
    bool single, there;
    void (*begin)(const struct hook_program *, void *, bool);
    void (*run_f32)(const struct hook_program *, void *, int, const int64_t *, float *, float *);
    void (*run_f64)(const struct hook_program *, void *, int, const int64_t *, double *, double *);
};

/* The elements' parts, before and after. */
struct elements {
    double re[ELEMENTS], im[ELEMENTS];
};

static void evaluate(const struct ir *kernel, bool single, bool inverse, const struct elements *x,
                     struct elements *y)
{
    static float narrow[4][ELEMENTS];
    const int64_t params[] = {inverse};
    struct ir_launch launch = {.blocks = 1, .threads = ELEMENTS, .single = single,
                               .coalescing_bytes = 128, .simd_width = 32, .banks = 32,
                               .params = params};
    const double *const wide[] = {x->re, x->im, y->re, y->im};
    for (int b = 0; b < 4; b++) {
        for (int i = 0; i < ELEMENTS; i++) narrow[b][i] = (float)wide[b][i];
        launch.buffer[b] = single ? (void *)narrow[b] : (void *)wide[b];
        launch.buffer_count[b] = ELEMENTS;
    }
    struct ir_report report;
    assert_int_equal(ir_evaluate(kernel, &launch, &report), WEFT_OK);
    assert_string_equal(report.first, "");
    for (int i = 0; single && i < ELEMENTS; i++) {
        y->re[i] = narrow[2][i];
        y->im[i] = narrow[3][i];
    }
}

/* Elements from `first` on, in place. */
static void run(const struct interpreter *with, const struct hook_program *program, void *workspace,
                int first, int count, struct elements *x)
{
    int64_t position[HOOK_RUN];
    float re[HOOK_RUN], im[HOOK_RUN];
    for (int i = 0; i < count; i++) {
        position[i] = first + i;
        re[i] = (float)x->re[first + i];
        im[i] = (float)x->im[first + i];
    }
    if (!with->single) {
        with->run_f64(program, workspace, count, position, x->re + first, x->im + first);
        return;
    }
    with->run_f32(program, workspace, count, position, re, im);
    for (int i = 0; i < count; i++) {
        x->re[first + i] = re[i];
        x->im[first + i] = im[i];
    }
}

static void compare(const struct interpreter *with, const char *source, bool real, bool inverse,
                    struct random *random)
{
    static struct elements x, exact;
    const struct problem problem = problem_of(source, real, with->single);
    arena *a = arena_create();
    assert_non_null(a);
    const struct ir *kernel = hook_kernel(a, &problem, false);
    const struct hook_program *program = hook_compile(a, &problem, false);
    assert_true(kernel && program);
    void *workspace = arena_alloc(a, hook_workspace_bytes(program));
    assert_non_null(workspace);
    for (int i = 0; i < ELEMENTS; i++) {
        x.re[i] = (float)random_number(random);
        x.im[i] = (float)random_number(random);
    }
    exact = x;
    evaluate(kernel, with->single, inverse, &x, &exact);
    with->begin(program, workspace, inverse);
    for (int done = 0, count; done < ELEMENTS; done += count) {
        count = (int)random_between(random, 1, HOOK_RUN);
        if (count > ELEMENTS - done) count = ELEMENTS - done;
        run(with, program, workspace, done, count, &x);
    }
    for (int i = 0; i < ELEMENTS; i++)
        if (x.re[i] != exact.re[i] || (!real && x.im[i] != exact.im[i]))
            fail_msg("%s: element %d is %g %g, not %g %g", source, i, x.re[i], x.im[i],
                     exact.re[i], exact.im[i]);
    arena_destroy(&a);
}

static void it_computes_what_the_evaluator_does(void **state)
{
    (void)state;
    const struct interpreter interpreters[] = {
        {true, true, hook_begin_f32, hook_run_f32, NULL},
        {false, true, hook_begin_f64, NULL, hook_run_f64},
#if defined(__x86_64__)
        {true, __builtin_cpu_supports("avx2"), hook_begin_avx2_f32, hook_run_avx2_f32, NULL},
        {false, __builtin_cpu_supports("avx2"), hook_begin_avx2_f64, NULL, hook_run_avx2_f64},
#endif
    };
    struct random random = {random_seed()};
    for (size_t i = 0; i < sizeof interpreters / sizeof *interpreters; i++) {
        for (int s = 0; interpreters[i].there && s < SOURCES; s++) {
            compare(&interpreters[i], sources[s], true, s % 2, &random);
            compare(&interpreters[i], sources[s], false, s % 2 == 0, &random);
        }
    }
}

static int tables_of(const char *source)
{
    const struct problem problem = problem_of(source, false, true);
    arena *a = arena_create();
    assert_non_null(a);
    const struct hook_program *program = hook_compile(a, &problem, false);
    assert_non_null(program);
    const int bytes = (int)hook_table_bytes(program);
    arena_destroy(&a);
    return bytes / (int)sizeof(float);
}

static void what_depends_on_one_index_is_computed_once(void **state)
{
    (void)state;
    assert_int_equal(tables_of("x"), 0);
    assert_int_equal(tables_of("x * 3 + k"), 0);
    assert_int_equal(tables_of("x * cos(k)"), COLUMNS);
    assert_int_equal(tables_of("x * cos(k) * cos(k0)"), COLUMNS + ROWS);
    assert_int_equal(tables_of("x * exp(batch)"), BATCH);
    assert_int_equal(tables_of("x * cos(k + k0)"), 0);
    assert_int_equal(tables_of("x * cos(inverse ? k : 1)"), 0);
    assert_int_equal(tables_of("k < 3 ? x : 0"), COLUMNS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_computes_what_the_evaluator_does),
        cmocka_unit_test(what_depends_on_one_index_is_computed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

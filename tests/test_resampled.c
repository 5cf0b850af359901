/* Lines interpolated among the numbers of longer ones (math/window.h), against Bluestein's
 * algorithm: of any length and kind, by every instruction set, wherever they lie. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/handles.h"
#include "plan/planner.h"
#include "run/runner.h"
#include "support/assert_status.h"
#include "support/devices.h"
#include "support/numbers.h"

static struct random numbers;

struct trial {
    struct problem problem;
    char tree[2][240]; /* interpolated, and by Bluestein */
    int64_t lines;     /* one behind the other */
};

/* A smooth length from n on: a power of two, or thrice one, or five times. */
static int64_t smooth_from(int64_t n, int64_t odd)
{
    while (odd < n) odd *= 2;
    return odd;
}

/* "2.2.2.3" */
static void print_radices(int64_t n, char *text, size_t size)
{
    size_t at = 0;
    for (int64_t p = 2; n > 1;) {
        const int64_t radix = n % 16 == 0 ? 16 : n % p == 0 ? p : 0;
        if (radix) at += (size_t)snprintf(text + at, size - at, "%s%d", at ? "." : "", (int)radix);
        if (radix) n /= radix;
        else p++;
    }
}

static void print_block(int64_t n, char *text, size_t size)
{
    char radices[60];
    print_radices(n, radices, sizeof radices);
    (void)snprintf(text, size, "block(%d: %s)", (int)n, radices);
}

static void print_split(int64_t n, char *text, size_t size)
{
    char columns[40], rows[90];
    print_block(16, columns, sizeof columns);
    print_block(n / 16, rows, sizeof rows);
    (void)snprintf(text, size, "split(%d: %s, %s)", (int)n, columns, rows);
}

/* Writes a tree for the problem's axis, of which `line` does n numbers, and makes it as long. */
static void print_around(struct problem *p, int64_t n, bool twice, const char *line, char *text,
                         size_t size)
{
    const char *kind = p->kind == WEFT_R2C || p->kind == WEFT_C2R ? "real" : "trigonometric";
    p->axis[0].n = p->kind == WEFT_DCT1 ? n + 1 : p->kind == WEFT_DST1 ? n - 1 : twice ? 2 * n : n;
    if (p->kind == WEFT_C2C)
        (void)snprintf(text, size, "%s", line);
    else
        (void)snprintf(text, size, "%s(%d: %s)", kind, (int)p->axis[0].n, line);
}

/* That there are at an end of a line. */
static int64_t count_reals(const struct problem *p, bool out)
{
    const int64_t n = p->axis[0].n;
    if (p->kind == WEFT_C2C) return 2 * n;
    return p->kind == (out ? WEFT_R2C : WEFT_C2R) ? n / 2 * 2 + 2 : n;
}

/* Whether an end's strides count reals. */
static bool has_reals(const struct problem *p, bool out)
{
    return p->kind != WEFT_C2C && p->kind != (out ? WEFT_R2C : WEFT_C2R);
}

/* Elements of which, one of them from each line, are neighbours at either end, or at both. */
static void set_columns(struct problem *p, int64_t lines)
{
    const int which = (int)random_between(&numbers, 1, 3);
    p->loops = 1;
    p->loop[0] = (struct dim){lines, p->axis[0].n, p->axis[0].n};
    if (which & 1) p->axis[0].in_stride = lines, p->loop[0].in_stride = 1;
    if (which & 2) p->axis[0].out_stride = lines, p->loop[0].out_stride = 1;
}

/* Two reals, or a number, lie between them: where rows begin at any real, two are no number. */
static void set_lines(struct problem *p, int64_t lines)
{
    int64_t stride[2];
    if (lines == 1) return;
    if (p->kind == WEFT_C2C && random_chance(&numbers, 0.5)) {
        set_columns(p, lines);
        return;
    }
    for (int out = 0; out < 2; out++) {
        stride[out] = count_reals(p, out) + 2;
        if (!has_reals(p, out)) stride[out] /= 2;
    }
    p->loops = 1;
    p->loop[0] = (struct dim){lines, stride[0], stride[1]};
}

/* Of all lines. */
static int64_t count_all(const struct trial *t, bool out)
{
    const struct dim *loop = &t->problem.loop[0];
    const int64_t stride = out ? loop->out_stride : loop->in_stride;
    if (t->lines > 1 && stride == 1) return 2 * t->lines * t->problem.axis[0].n;
    const int64_t before = t->lines > 1 ? (t->lines - 1) * stride : 0;
    return before * (has_reals(&t->problem, out) ? 1 : 2) + count_reals(&t->problem, out);
}

static weft_kind random_kind(bool pairs)
{
    static const weft_kind kinds[] = {WEFT_R2C,  WEFT_C2R,  WEFT_DCT1, WEFT_DCT2,
                                      WEFT_DCT3, WEFT_DCT4, WEFT_DST1, WEFT_DST2,
                                      WEFT_DST3, WEFT_DST4, WEFT_DHT};
    return pairs ? WEFT_C2C : kinds[random_between(&numbers, 0, 10)];
}

static struct trial random_trial(bool pairs, bool splits)
{
    static const int64_t odds[] = {1, 3, 5, 9, 15, 7};
    const int64_t h =
        smooth_from(random_between(&numbers, 72, 1500), odds[random_between(&numbers, 0, 5)]);
    const bool twice = !pairs && random_chance(&numbers, 0.5);
    const int64_t n = (h + random_between(&numbers, -(h / 17), h / 44 - 1)) | !(pairs || twice);
    struct trial t = {
        .problem = {.format = WEFT_INTERLEAVED, .axes = 1, .axis = {{n, 1, 1}}, .scale = {1, 0.5}}};
    char child[200], line[220];
    t.problem.kind = random_kind(pairs);
    t.problem.threads = (int)random_between(&numbers, 1, 4);
    t.lines = random_chance(&numbers, 0.5) ? 1 : random_between(&numbers, 2, 9);
    t.problem.precision = random_chance(&numbers, 0.5) ? WEFT_F32 : WEFT_F64;
    if (splits && h % 32 == 0)
        print_split(h, child, sizeof child);
    else
        print_block(h, child, sizeof child);
    (void)snprintf(line, sizeof line, "resampled(%d: %s)", (int)n, child);
    print_around(&t.problem, n, twice, line, t.tree[0], sizeof t.tree[0]);
    print_block(smooth_from(2 * n, 1), child, sizeof child);
    (void)snprintf(line, sizeof line, "bluestein(%d: %s)", (int)n, child);
    print_around(&t.problem, n, twice, line, t.tree[1], sizeof t.tree[1]);
    set_lines(&t.problem, t.lines);
    return t;
}

/* An odd length that every device has vectors for. */
static int64_t random_odd(int64_t most)
{
    int64_t n = 17 + 2 * random_between(&numbers, 0, 30);
    while (random_chance(&numbers, 0.7)) {
        const int64_t next = n * (2 * random_between(&numbers, 1, 4) + 1);
        if (next <= most) n = next;
    }
    return n;
}

/* Odd lines of reals, cut to rows, of which there are half. */
static struct trial opened_trial(void)
{
    const int64_t r = 2 * random_between(&numbers, 1, 15) + 1, m = random_odd(4000 / r), n = r * m;
    struct trial t = {
        .problem = {.format = WEFT_INTERLEAVED, .axes = 1, .axis = {{n, 1, 1}}, .scale = {1, 0.5}}};
    char child[200], line[220];
    const bool half = random_chance(&numbers, 0.6);
    do t.problem.kind = random_kind(false);
    while (half != (t.problem.kind == WEFT_R2C || t.problem.kind == WEFT_C2R) ||
           t.problem.kind == WEFT_DCT1 || t.problem.kind == WEFT_DST1);
    t.problem.threads = (int)random_between(&numbers, 1, 4);
    t.lines = !half || random_chance(&numbers, 0.6) ? 1 : random_between(&numbers, 2, 5);
    t.problem.precision = random_chance(&numbers, 0.5) ? WEFT_F32 : WEFT_F64;
    for (int i = 0; i < 2; i++) {
        const int64_t length = i == 0 ? m : n;
        print_block(smooth_from(2 * length, 1), child, sizeof child);
        (void)snprintf(line, sizeof line, "bluestein(%d: %s)", (int)length, child);
        (void)snprintf(t.tree[i], sizeof t.tree[i], "%s(%d: %s)",
                       half ? "real" : "trigonometric", (int)n, line);
    }
    if (m > 127 && random_chance(&numbers, 0.5)) { /* rows are interpolated */
        int64_t h = smooth_from(m - m / 44, 1);
        for (int64_t odd = 3; odd < 16; odd += 2) {
            const int64_t other = smooth_from(m - m / 44, odd);
            if (other < h) h = other;
        }
        print_block(h, child, sizeof child);
        if (h <= m + m / 17)
            (void)snprintf(t.tree[0], sizeof t.tree[0], "%s(%d: resampled(%d: %s))",
                           half ? "real" : "trigonometric", (int)n, (int)m, child);
    }
    if (t.lines % 2 != 0 && t.lines > 1) { /* two by two, the last one cut */
        (void)snprintf(line, sizeof line, "%s", strchr(t.tree[0], ':') + 2);
        (void)snprintf(t.tree[0], sizeof t.tree[0], "%.*s, %s", (int)strlen(t.tree[1]) - 1,
                       t.tree[1], line);
    }
    set_lines(&t.problem, t.lines);
    return t;
}

static const struct program *make_program(arena *a, const struct device *device,
                                          const struct problem *problem, const char *text)
{
    const struct plan_node *tree;
    const struct program *program;
    const struct limits *limits = device_limits(device, problem->precision);
    assert_done(plan_parse(a, &text, &tree));
    assert_done(plan_check(problem, limits, tree));
    assert_done(plan_lower(a, problem, limits, tree, &program));
    /* However short: threads share what they may. */
    for (int i = 0; i < program->passes; i++)
        ((struct program *)(uintptr_t)program)->pass[i].shared = problem->threads > 1;
    return program;
}

static void transform(struct device *device, const struct problem *problem, const char *tree,
                      weft_direction direction, void *in, void *out)
{
    arena *a = arena_create();
    struct executable *executable = NULL;
    struct runner *runner = NULL;
    const struct runner_aids aids = {0};
    const struct device_memory from = {.re = in}, to = {.re = out};
    assert_done(executable_create(device, make_program(a, device, problem, tree), &executable));
    assert_done(runner_create(executable, &runner));
    assert_done(runner_run(runner, direction, from, to, &aids));
    runner_destroy(&runner);
    executable_destroy(&executable);
    arena_destroy(&a);
}

static void compare(const void *found, const void *wanted, weft_precision precision, int64_t reals)
{
    double error = 0, norm = 0;
    for (int64_t i = 0; i < reals; i++) {
        const double want = number_at(precision, wanted, i);
        error += pow(number_at(precision, found, i) - want, 2);
        norm += want * want;
    }
    assert_true(sqrt(error / norm) <= (precision == WEFT_F32 ? 6e-7 : 1.5e-15));
}

static void fill(void *x, weft_precision precision, int64_t reals)
{
    for (int64_t i = 0; i < reals; i++) {
        if (precision == WEFT_F32) ((float *)x)[i] = (float)random_number(&numbers);
        else ((double *)x)[i] = random_number(&numbers);
    }
}

/* Anywhere that a pair may begin, and nothing beyond the last one. */
static void try_trial(struct device *device, const struct trial *t)
{
    const int64_t in_reals = count_all(t, false), reals = count_all(t, true);
    const int64_t most = in_reals > reals ? in_reals : reals;
    const int64_t bytes = precision_bytes(t->problem.precision);
    const size_t begin = 2 * (size_t)(bytes * random_between(&numbers, 0, 4));
    const size_t all = (size_t)(most * bytes);
    char *in = malloc(begin + all), *out[2] = {malloc(begin + all), malloc(begin + all)};
    assert_true(in && out[0] && out[1]);
    for (int d = 0; d < 2; d++) {
        fill(in + begin, t->problem.precision, in_reals);
        for (int i = 0; i < 2; i++) {
            const bool in_place = t->lines == 1 && random_chance(&numbers, 0.3);
            memset(out[i], 0, begin + all); /* what lies between lines */
            if (in_place) memcpy(out[i] + begin, in + begin, all);
            transform(device, &t->problem, t->tree[i], (weft_direction)d,
                      (in_place ? out[i] : in) + begin, out[i] + begin);
        }
        compare(out[0] + begin, out[1] + begin, t->problem.precision, reals);
    }
    free(in);
    for (int i = 0; i < 2; i++) free(out[i]);
}

/* Of devices without a third level all weights leave the caches. */
static void try_trials(bool pairs, bool splits, bool cached)
{
    struct test_device devices[8];
    numbers = (struct random){random_seed()};
    const int count = devices_open_cpus(8, devices);
    for (int d = 0; d < count; d++) {
        if (!cached) devices[d].device->device.limits.cache_bytes[LIMITS_CACHES - 1] = 0;
        for (int i = 0; i < 40; i++) {
            const struct trial t = random_trial(pairs, splits);
            try_trial(&devices[d].device->device, &t);
        }
    }
    devices_close(count, devices);
}

static void interpolated_lines_are_those_of_bluestein(void **state)
{
    (void)state;
    try_trials(true, false, true);
}

static void splits_of_the_longer_lines_serve_too(void **state)
{
    (void)state;
    try_trials(true, true, true);
}

static void weights_may_be_made_as_they_are_used(void **state)
{
    (void)state;
    try_trials(true, false, false);
}

static void lines_of_reals_are_interpolated_too(void **state)
{
    (void)state;
    try_trials(false, false, true);
    try_trials(false, true, false);
}

static void odd_lines_of_reals_are_half_of_their_rows(void **state)
{
    struct test_device devices[8];
    (void)state;
    numbers = (struct random){random_seed()};
    const int count = devices_open_cpus(8, devices);
    for (int d = 0; d < count; d++) {
        for (int i = 0; i < 60; i++) {
            const struct trial t = opened_trial();
            try_trial(&devices[d].device->device, &t);
        }
    }
    devices_close(count, devices);
}

static void problems_it_is_not_for_are_refused(void **state)
{
    (void)state;
    const char *text = "resampled(1009: block(1024: 16.16.4))";
    const struct plan_node *tree;
    struct limits limits;
    arena *a = arena_create();
    assert_done(plan_parse(a, &text, &tree));
    limits_default_cpu(&limits);
    struct problem problem = {.format = WEFT_INTERLEAVED, .axes = 1, .axis = {{1009, 1, 1}},
                              .scale = {1, 1}, .threads = 1};
    assert_done(plan_check(&problem, &limits, tree));
    problem.format = WEFT_PLANAR;
    assert_int_equal(plan_check(&problem, &limits, tree), WEFT_ERROR_UNSUPPORTED);
    text = "resampled(1080: block(1008: 16.9.7))";
    assert_int_equal(plan_parse(a, &text, &tree), WEFT_ERROR_ARGUMENT);
    text = "resampled(960: block(1024: 16.16.4))";
    assert_int_equal(plan_parse(a, &text, &tree), WEFT_ERROR_ARGUMENT);
    arena_destroy(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(interpolated_lines_are_those_of_bluestein),
        cmocka_unit_test(splits_of_the_longer_lines_serve_too),
        cmocka_unit_test(lines_of_reals_are_interpolated_too),
        cmocka_unit_test(odd_lines_of_reals_are_half_of_their_rows),
        cmocka_unit_test(weights_may_be_made_as_they_are_used),
        cmocka_unit_test(problems_it_is_not_for_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

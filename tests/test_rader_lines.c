/* Lines of primes, and of multiples of them, that Rader's algorithm takes in steps between pairs,
 * by the instruction sets that have those: they are what they are without vectors, wherever they
 * lie. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/handles.h"
#include "plan/planner.h"
#include "support/devices.h"
#include "support/numbers.h"
#include "support/trees.h"
#include "support/two_trees.h"

static struct random numbers;

enum { MOST_LINES = 5, MOST_STRIDE = 3, TRIALS = 60 };

struct lines {
    weft_params params;
    weft_direction direction;
    int64_t stride;
    bool in_place;
};

static int64_t reals_of(const struct lines *l)
{
    return 2 * l->params.size[0] * l->params.batch * l->stride;
}

static size_t bytes_of(const struct lines *l)
{
    return (size_t)reals_of(l) * number_bytes(l->params.precision);
}

static void transform(weft_device *device, const struct lines *l, const char *in, char *out)
{
    weft_params params = l->params;
    char *from = malloc(bytes_of(l));
    assert_non_null(from);
    memcpy(l->in_place ? out : from, in, bytes_of(l));
    params.in_stride = params.out_stride = &l->stride;
    params.in_distance = params.out_distance = l->stride * params.size[0];
    numbers_transform(device, &params, l->direction, l->in_place ? out : from, bytes_of(l), out,
                      bytes_of(l));
    free(from);
}

static void compare(const struct lines *l, const char *found, const char *expected)
{
    const weft_precision precision = l->params.precision;
    double off = 0, norm = 0;
    for (int64_t i = 0; i < reals_of(l); i++) {
        const double x = number_at(precision, found, i), y = number_at(precision, expected, i);
        off += (x - y) * (x - y);
        norm += y * y;
    }
    if (!(sqrt(off / norm) <= (precision == WEFT_F64 ? 2e-15 : 1e-6)))
        fail_msg("%lld lines of %lld, stride %lld, precision %d, direction %d, in place %d: off by "
                 "%g",
                 (long long)l->params.batch, (long long)l->params.size[0], (long long)l->stride,
                 (int)precision, (int)l->direction, l->in_place, sqrt(off / norm));
}

static struct lines random_lines(void)
{
    static const int lengths[] = {61,  67,  97,  101, 127,  151,  157,  197,  211, 251,  257,  401,
                                 463, 541, 74,  202, 303,  356,  505,  602,  755, 1010, 1009, 1111,
                                 1201, 1313, 1616, 2018, 2311, 3027, 4801};
    struct lines l = {.params = WEFT_PARAMS_DEFAULT};
    l.params.precision = random_chance(&numbers, 0.5) ? WEFT_F64 : WEFT_F32;
    l.params.size[0] = lengths[random_between(&numbers, 0, sizeof lengths / sizeof *lengths - 1)];
    l.params.batch = random_between(&numbers, 1, MOST_LINES);
    l.params.forward_scale = random_chance(&numbers, 0.3) ? 0.25 : 0;
    l.direction = random_chance(&numbers, 0.5) ? WEFT_INVERSE : WEFT_FORWARD;
    l.stride = random_chance(&numbers, 0.5) ? 1 : random_between(&numbers, 2, MOST_STRIDE);
    l.in_place = random_chance(&numbers, 0.3);
    return l;
}

static void check(weft_device *plain, weft_device *device, const struct lines *l)
{
    char *in = malloc(bytes_of(l)), *expected = malloc(bytes_of(l)), *found = malloc(bytes_of(l));
    assert_true(in && expected && found);
    numbers_fill(l->params.precision, in, reals_of(l), &numbers);
    memcpy(expected, in, bytes_of(l)); /* what lies between numbers stays */
    memcpy(found, in, bytes_of(l));
    transform(plain, l, in, expected);
    transform(device, l, in, found);
    compare(l, found, expected);
    free(in);
    free(expected);
    free(found);
}

static void lines_of_primes_are_the_same_in_pairs(void **state)
{
    static const char *const isas[] = {"avx512", "avx2"};
    weft_device *plain = devices_open_cpu("scalar");
    (void)state;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int trial = 0; device && trial < TRIALS; trial++) {
            const struct lines lines = random_lines();
            check(plain, device, &lines);
        }
        weft_device_close(&device);
    }
    weft_device_close(&plain);
}

/* Or the other test would be of something else. */
static void they_are_steps_between_pairs(void **state)
{
    char text[4096];
    weft_params params = WEFT_PARAMS_DEFAULT;
    weft_device *device = devices_open_cpu("avx2");
    weft_plan *plan = NULL;
    (void)state;
    if (!device) skip();
    params.size[0] = 401;
    assert_int_equal(weft_plan_create(device, &params, &plan), WEFT_OK);
    assert_true(weft_plan_source(plan, 0, text, sizeof text) > 0);
    assert_non_null(strstr(text, "rader, lines of 400"));
    assert_non_null(strstr(text, "pairs_open"));
    weft_plan_destroy(&plan);
    weft_device_close(&device);
}

/* Of pairs that follow one another, as which reals may be read or written. */
static void lines_of_a_multiple_are_joined(void **state)
{
    static const struct {
        weft_kind kind;
        weft_format format;
        int64_t n;
    } cases[] = {{WEFT_C2C, WEFT_INTERLEAVED, 505},
                 {WEFT_R2C, WEFT_INTERLEAVED, 1010},
                 {WEFT_C2R, WEFT_INTERLEAVED, 1010},
                 {WEFT_C2C, WEFT_PLANAR, 505}};
    char text[4096];
    weft_device *device = devices_open_cpu("avx2");
    (void)state;
    if (!device) skip();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        weft_plan *plan = NULL;
        params.kind = cases[i].kind;
        params.size[0] = cases[i].n;
        params.precision = WEFT_F64;
        params.format = cases[i].format;
        assert_int_equal(weft_plan_create(device, &params, &plan), WEFT_OK);
        assert_true(weft_plan_text(plan, text, sizeof text) > 0);
        assert_int_equal(strstr(text, "5 lines joined") != NULL,
                         cases[i].format == WEFT_INTERLEAVED);
        weft_plan_destroy(&plan);
    }
    weft_device_close(&device);
}

/* One for each radix of the last step. */
static const struct two_trees joined[] = {
    {58, {"split(58: rader(29: block(28: 4.7)), block(2: 2))", "bluestein(58: block(120: 15.8))"}},
    {111, {"split(111: rader(37: block(36: 6.6)), block(3: 3))",
           "bluestein(111: block(224: 7.2.16))"}},
    {164, {"split(164: rader(41: block(40: 10.4)), block(4: 4))",
           "bluestein(164: block(336: 16.7.3))"}},
    {505, {"split(505: rader(101: block(100: 10.10)), block(5: 5))",
           "bluestein(505: block(1024: 16.8.8))"}},
    {582, {"split(582: rader(97: block(96: 12.8)), block(6: 6))",
           "bluestein(582: block(1200: 16.15.5))"}},
    {427, {"split(427: rader(61: block(60: 6.10)), block(7: 7))",
           "bluestein(427: block(900: 15.15.4))"}},
    {808, {"split(808: rader(101: block(100: 10.10)), block(8: 8))",
           "bluestein(808: block(1680: 16.15.7))"}},
    {333, {"split(333: rader(37: block(36: 6.6)), block(9: 9))",
           "bluestein(333: block(672: 12.8.7))"}},
    {730, {"split(730: rader(73: block(72: 9.8)), block(10: 10))",
           "bluestein(730: block(1500: 15.10.10))"}},
    {1067, {"split(1067: rader(97: block(96: 12.8)), block(11: 11))",
            "bluestein(1067: block(2160: 16.15.9))"}},
    {492, {"split(492: rader(41: block(40: 10.4)), block(12: 12))",
           "bluestein(492: block(1000: 10.10.10))"}},
    {1313, {"split(1313: rader(101: block(100: 10.10)), block(13: 13))",
            "bluestein(1313: block(2700: 15.15.12))"}},
    {915, {"split(915: rader(61: block(60: 6.10)), block(15: 15))",
           "bluestein(915: block(1920: 16.15.8))"}},
    {1616, {"split(1616: rader(101: block(100: 10.10)), block(16: 16))",
            "bluestein(1616: block(3240: 9.9.5.8))"}},
    {725, {"split(725: rader(29: block(28: 4.7)), block(25: 25))",
           "bluestein(725: block(1500: 15.10.10))"}},
};

static void joined_lines_are_what_a_convolution_is(void **state)
{
    (void)state;
    two_trees_compare(sizeof joined / sizeof *joined, joined);
}

/* Or the other test would be of something else. */
static void expect_one_pass(const struct device *device, weft_precision precision, const char *text)
{
    arena *a = arena_create();
    const struct plan_node *tree = tree_parse(a, text);
    const struct program *program;
    assert_non_null(tree);
    struct problem problem = tree_line(tree->n);
    problem.precision = precision;
    assert_int_equal(
        plan_lower(a, &problem, device_limits(device, precision), tree, &program), WEFT_OK);
    assert_int_equal(program->passes, 1);
    arena_destroy(&a);
}

static void their_trees_are_one_pass(void **state)
{
    static const char *const isas[] = {"avx512", "avx2"};
    (void)state;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (size_t t = 0; device && t < sizeof joined / sizeof *joined; t++) {
            expect_one_pass(&device->device, WEFT_F32, joined[t].tree[0]);
            expect_one_pass(&device->device, WEFT_F64, joined[t].tree[0]);
        }
        weft_device_close(&device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_are_steps_between_pairs),
        cmocka_unit_test(lines_of_primes_are_the_same_in_pairs),
        cmocka_unit_test(lines_of_a_multiple_are_joined),
        cmocka_unit_test(joined_lines_are_what_a_convolution_is),
        cmocka_unit_test(their_trees_are_one_pass),
    };
    numbers.state = random_seed();
    return cmocka_run_group_tests_name("Rader's lines", tests, NULL, NULL);
}

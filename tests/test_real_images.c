/* Small images and volumes of reals that a GPU's block has whole, on evaluated devices: against the
 * same axis by axis on the CPU, in double precision. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "plan/planner.h"
#include "support/devices.h"
#include "support/quota.h"
#include "support/random.h"
#include "support/trial.h"

enum { MOST_DEVICES = 32, IMAGES = 20, LONGEST = 40, MOST_NUMBERS = 3000 };

static uint64_t seed;
static struct test_device devices[MOST_DEVICES];
static int device_count;

static int open_devices(void **state)
{
    (void)state;
    seed = random_seed();
    device_count = devices_open(MOST_DEVICES, devices);
    return 0;
}

static int close_devices(void **state)
{
    (void)state;
    devices_close(device_count, devices);
    return 0;
}

static weft_plan *plan_of(weft_device *device, const struct trial *trial)
{
    const weft_params params = trial_params(trial);
    weft_plan *plan = NULL;
    if (weft_plan_create(device, &params, &plan)) fail_msg("%s", weft_last_error());
    return plan;
}

static double error_of(const struct trial *trial, const double *found, const double *expected)
{
    double difference = 0, norm = 0;
    for (int64_t i = 0; i < 2 * trial_side_elements(trial, &trial->out); i++) {
        if (trial->out.real && i % 2) continue;
        difference += (found[i] - expected[i]) * (found[i] - expected[i]);
        norm += expected[i] * expected[i];
    }
    return sqrt(difference / (norm > 0 ? norm : 1));
}

static void run(const struct trial *trial, weft_device *device, const weft_plan *plan,
                weft_direction direction, double *in, double *out)
{
    const char *wrong = trial_run(trial, plan, device, direction, in, out);
    if (wrong) fail_msg("%s: %s", trial_text(trial), wrong);
}

/* Whatever the spectra are: what no reals have is left out of them either way. */
static void compare(const struct trial *trial, const struct test_device *on, const weft_plan *plan,
                    weft_direction direction, struct random *random)
{
    struct trial twin = *trial;
    twin.params.precision = WEFT_F64;
    weft_plan *exact = plan_of(devices[0].device, &twin);
    const size_t numbers = (size_t)(2 * trial_elements(trial) + 2 * trial_points(trial) + 2);
    double *in = calloc(numbers, sizeof *in), *out = calloc(numbers, sizeof *out);
    double *expected = calloc(numbers, sizeof *expected);
    if (!in || !out || !expected) abort();
    for (size_t i = 0; i < numbers; i++) in[i] = random_number(random);
    run(trial, on->device, plan, direction, in, out);
    run(&twin, devices[0].device, exact, direction, in, expected);
    const double error = error_of(trial, out, expected);
    if (!(error < (trial->params.precision == WEFT_F32 ? 1e-6 : 2e-15)))
        fail_msg("%s: %s, direction %d: error %g", on->name, trial_text(trial), (int)direction,
                 error);
    weft_plan_destroy(&exact);
    free(in);
    free(out);
    free(expected);
}

static struct trial random_images(struct random *random)
{
    static const weft_kind kinds[] = {WEFT_R2C,  WEFT_C2R,  WEFT_DCT2,
                                      WEFT_DCT3, WEFT_DST2, WEFT_DST3};
    const int rank = (int)random_between(random, 2, 3);
    int64_t size[3], left = MOST_NUMBERS;
    for (int i = 0; i < rank; i++) {
        size[i] = random_between(random, 1, left < LONGEST ? left : LONGEST);
        left /= size[i];
    }
    size[rank - 1] += size[rank - 1] % 2;
    struct trial trial = trial_packed(rank, size, random_between(random, 1, 4));
    trial.params.kind = kinds[random_between(random, 0, 5)];
    trial.params.orthonormal = trial.params.kind >= WEFT_DCT1 && random_between(random, 0, 1);
    trial.params.precision = random_between(random, 0, 2) ? WEFT_F32 : WEFT_F64;
    trial.params.format = random_between(random, 0, 2) ? WEFT_INTERLEAVED : WEFT_PLANAR;
    trial.params.forward_scale = 0.5 * (double)random_between(random, 0, 1);
    trial_set_sides(&trial);
    trial_pack(&trial);
    return trial;
}

/* Whether it was taken as an image. */
static bool attempt(const struct test_device *on, struct random *random)
{
    const struct trial trial = random_images(random);
    weft_plan *plan = plan_of(on->device, &trial);
    char text[4096];
    (void)weft_plan_text(plan, text, sizeof text);
    compare(&trial, on, plan, WEFT_FORWARD, random);
    compare(&trial, on, plan, WEFT_INVERSE, random);
    weft_plan_destroy(&plan);
    return (strstr(text, "real(") || strstr(text, "trigonometric(")) && strstr(text, "image(");
}

static void images_are_what_they_are_axis_by_axis(void **state)
{
    (void)state;
    for (int d = 0; d < device_count; d++) {
        struct random random = {seed + (uint64_t)d};
        struct quota quota = {.wanted = devices[d].evaluated ? IMAGES : 0};
        while (quota_open(&quota)) quota.done += attempt(&devices[d], &random);
    }
}

static weft_status check(weft_kind kind, const struct limits *limits, const char *text)
{
    const int64_t width = kind == WEFT_R2C || kind == WEFT_C2R ? 9 : 16;
    const struct problem problem = {.kind = kind, .scale = {1, 1}, .axes = 2,
                                    .axis = {{8, 16, width}, {16, 1, 1}}};
    const struct plan_node *tree;
    arena *a = arena_create();
    assert_int_equal(plan_parse(a, &text, &tree), WEFT_OK);
    const weft_status status = plan_check(&problem, limits, tree);
    arena_destroy(&a);
    return status;
}

/* As many numbers as there are reals, which lines alone may have. */
static void trees_of_odd_numbers_are_none(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "axes(25: real(25: image(25: block(5: 5), block(5: 5))))",
        "axes(25: trigonometric(25: image(25: block(5: 5), block(5: 5))))",
        "axes(26: trigonometric(26: image(25: block(5: 5), block(5: 5))))",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *text = texts[i];
        const struct plan_node *tree;
        arena *a = arena_create();
        assert_int_equal(plan_parse(a, &text, &tree), WEFT_ERROR_ARGUMENT);
        arena_destroy(&a);
    }
}

static void trees_of_them_must_fit(void **state)
{
    (void)state;
    static const char image[] = "axes(128: real(128: image(64: block(8: 8), block(8: 8))))";
    static const char *const others[] = {
        "axes(128: real(128: image(64: block(16: 16), block(4: 4))))",
        "axes(128: image(128: block(8: 8), block(16: 16)))",
        "real(64: image(32: block(4: 4), block(8: 8)))",
    };
    struct limits gpu, cpu;
    limits_default_gpu(&gpu);
    limits_default_cpu(&cpu);
    assert_int_equal(check(WEFT_R2C, &gpu, image), WEFT_OK);
    assert_int_equal(check(WEFT_C2R, &gpu, image), WEFT_OK);
    assert_int_equal(check(WEFT_C2C, &gpu, image), WEFT_ERROR_UNSUPPORTED);
    assert_int_equal(check(WEFT_R2C, &cpu, image), WEFT_ERROR_UNSUPPORTED);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(check(WEFT_R2C, &gpu, others[i]), WEFT_ERROR_UNSUPPORTED);
}

/* Of types II and III, of three axes at most, of one child for both ways. */
static void trees_of_cosines_must_be_for_them(void **state)
{
    (void)state;
#define BLOCK "block(8: 8)"
    static const char image[] = "axes(128: trigonometric(128: image(64: " BLOCK ", " BLOCK ")))";
    static const char *const others[] = {
        "axes(128: trigonometric(128: image(64: block(16: 16), block(4: 4))))",
        "axes(128: real(128: image(64: " BLOCK ", " BLOCK ")))",
        "axes(128: trigonometric(128: image(64: " BLOCK ", " BLOCK "), image(64: " BLOCK ", " BLOCK
        ")))",
    };
    struct limits gpu, cpu;
    limits_default_gpu(&gpu);
    limits_default_cpu(&cpu);
    for (weft_kind kind = WEFT_C2C; kind <= WEFT_DHT; kind++) {
        const bool may = kind == WEFT_DCT2 || kind == WEFT_DCT3 || kind == WEFT_DST2 ||
                         kind == WEFT_DST3;
        const weft_status expected = may ? WEFT_OK : WEFT_ERROR_UNSUPPORTED;
        assert_int_equal(check(kind, &gpu, image), expected);
    }
    assert_int_equal(check(WEFT_DCT2, &cpu, image), WEFT_ERROR_UNSUPPORTED);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_int_equal(check(WEFT_DCT2, &gpu, others[i]), WEFT_ERROR_UNSUPPORTED);
#undef BLOCK
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_of_them_must_fit),
        cmocka_unit_test(trees_of_odd_numbers_are_none),
        cmocka_unit_test(trees_of_cosines_must_be_for_them),
        cmocka_unit_test(images_are_what_they_are_axis_by_axis),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}

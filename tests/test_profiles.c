/* The profiles of chips: every algorithm on each of them, evaluated, and on some of them through a
 * driver of Vulkan that is held to their limits. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv */
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "spec/profile.h"
#include "support/drivers.h"
#include "support/exact_check.h"
#include "support/trial.h"

static struct random numbers = {1};

/* One pass and two, small images and axes, Rader and Bluestein. */
static const int64_t sizes[][2] = {{1, 8},    {1, 1000}, {1, 101},  {1, 179},
                                   {1, 4096}, {1, 8192}, {16, 16}, {40, 101}};

static struct trial trial_of(const int64_t size[2], weft_precision precision)
{
    struct trial trial = trial_packed(2, size, 3);
    trial.params.precision = precision;
    return trial;
}

static void run(weft_device *device, const char *name, const struct trial *trial)
{
    const weft_params params = trial_params(trial);
    weft_plan *plan = NULL;
    if (weft_plan_create(device, &params, &plan))
        fail_msg("%s: %s: %s", name, trial_text(trial), weft_last_error());
    const struct exact_check check = {name, device, trial, plan, 1};
    exact_check(&check, &numbers, WEFT_FORWARD);
    weft_plan_destroy(&plan);
}

static void run_all(const char *backend, const struct profile *profile)
{
    char name[64];
    weft_device *device = NULL;
    snprintf(name, sizeof name, "%s%s", backend, profile->name);
    if (weft_device_open(name, &device)) fail_msg("%s: %s", name, weft_last_error());
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const bool twice = profile->doubles && i % 2;
        const struct trial trial = trial_of(sizes[i], twice ? WEFT_F64 : WEFT_F32);
        run(device, name, &trial);
    }
    weft_device_close(&device);
}

static void every_algorithm_runs_on_every_profile(void **state)
{
    (void)state;
    for (int i = 0; i < profile_count; i++)
        run_all("null:", &profile_table[i]);
}

/* Chips whose blocks can share a line: as much memory as one block has, and as little. */
static void lines_are_shared_by_clusters(void **state)
{
    (void)state;
    static const struct {
        const char *device;
        int64_t size[2];
    } shared[] = {{"null:shared=232448,threads=1024,cluster=8", {1, 16384}},
                  {"null:shared=232448,threads=1024,cluster=8", {1, 32768}},
                  {"null:shared=16384,threads=256,cluster=8", {1, 8192}},
                  {"null:shared=16384,threads=256,cluster=8", {1, 30000}},
                  {"null:shared=16384,threads=256,simd=64,cluster=3", {2, 6561}},
                  {"null:shared=32768,threads=128,simd=16,cluster=5", {1, 15625}}};
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++) {
        weft_device *device = NULL;
        assert_int_equal(weft_device_open(shared[i].device, &device), WEFT_OK);
        const struct trial trial = trial_of(shared[i].size, i % 2 ? WEFT_F64 : WEFT_F32);
        run(device, shared[i].device, &trial);
        weft_device_close(&device);
    }
}

/* The smallest, and the two with the oddest limits: kernels take long to compile. */
static void a_driver_can_be_held_to_a_profile(void **state)
{
    (void)state;
    static const char *const names[] = {"rpi5", "least"};
    weft_device *device = NULL;
    if (weft_device_open("vulkan:0", &device)) {
        print_message("%s\n", weft_last_error());
        skip();
    }
    weft_device_close(&device);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        run_all("vulkan:0,", profile_find(names[i], strlen(names[i])));
    assert_int_equal(weft_device_open("vulkan:0,rpi6", &device), WEFT_ERROR_ARGUMENT);
    assert_non_null(strstr(weft_last_error(), "rpi5"));
}

static void doubles_are_only_where_they_are(void **state)
{
    (void)state;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = 8;
    params.precision = WEFT_F64;
    assert_int_equal(weft_device_open("null:m1", &device), WEFT_OK);
    assert_int_equal(weft_plan_create(device, &params, &plan), WEFT_ERROR_UNSUPPORTED);
    weft_device_close(&device);
}

static void every_profile_has_a_name_a_chip_and_a_source(void **state)
{
    (void)state;
    for (int i = 0; i < profile_count; i++) {
        const struct profile *p = &profile_table[i];
        assert_ptr_equal(profile_find(p->name, strlen(p->name)), p);
        assert_true(p->chip[0] && p->source[0]);
        assert_true(p->threads >= 128 && p->shared_bytes >= 16384); /* what Vulkan 1.0 requires */
    }
    assert_null(profile_find("rpi", 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_profile_has_a_name_a_chip_and_a_source),
        cmocka_unit_test(every_algorithm_runs_on_every_profile),
        cmocka_unit_test(lines_are_shared_by_clusters),
        cmocka_unit_test(a_driver_can_be_held_to_a_profile),
        cmocka_unit_test(doubles_are_only_where_they_are),
    };
    unsetenv("WEFT_VULKAN");
    drivers_keep_in("WEFT_CACHE_DIR", WEFT_BINARY_DIR, "kernels");
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Trees that say in which order axes are taken: each order gives what the sum says, whichever the
 * planner would choose. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <unistd.h>

#include "api/handles.h"
#include "support/assert_status.h"
#include "support/devices.h"
#include "support/exact_check.h"
#include "support/random.h"

enum { MOST_TEXT = 4096 };

static struct random numbers = {5};

/* ---- trees by name ---- */

struct file {
    char path[64];
    char text[MOST_TEXT];
};

static void open_file(struct file *file)
{
    *file = (struct file){.path = "/tmp/weft-test-axes-XXXXXX"};
    const int handle = mkstemp(file->path);
    assert_true(handle >= 0);
    close(handle);
}

static void read_file(struct file *file)
{
    FILE *stream = fopen(file->path, "r");
    assert_non_null(stream);
    const size_t length = fread(file->text, 1, MOST_TEXT - 1, stream);
    assert_true(length > 0 && length < MOST_TEXT - 1);
    file->text[length] = 0;
    assert_int_equal(fclose(stream), 0);
}

static void write_file(const struct file *file)
{
    FILE *stream = fopen(file->path, "w");
    assert_non_null(stream);
    fputs(file->text, stream);
    assert_int_equal(fclose(stream), 0);
}

/* The tree of the one problem that the text of wisdom is about, if its axes are taken one by one;
 * else NULL. It ends where its order would be said. */
static char *find_tree(char *text)
{
    char *tree = strstr(text, " -> axes(");
    if (!tree || strstr(tree, "image(")) return NULL;
    tree += strlen(" -> ");
    char *order = strstr(tree, " as ");
    if (!order) order = strrchr(tree, ')');
    *order = 0;
    return tree;
}

/* The trial's plan with its axes in that order. NULL: the device takes several axes at once. */
static weft_plan *plan_in_order(weft_device *device, const struct trial *trial, const char *order)
{
    const weft_params params = trial_params(trial);
    weft_tuning tuning;
    weft_plan *plan = NULL;
    struct file file;
    char text[MOST_TEXT];
    open_file(&file);
    assert_done(weft_tune(device, &params, &tuning));
    assert_done(weft_wisdom_export(device, file.path));
    read_file(&file);
    char *tree = find_tree(file.text);
    if (tree) {
        snprintf(tree + strlen(tree), 32, " as %s)\n", order);
        write_file(&file);
        assert_done(weft_wisdom_import(device, file.path));
        assert_done(weft_plan_create(device, &params, &plan));
        weft_plan_text(plan, text, sizeof text);
        assert_int_equal(strncmp(text, tree, strlen(tree)), 0);
    }
    assert_int_equal(unlink(file.path), 0);
    return plan;
}

/* ---- results ---- */

/* On a device of its own, whose wisdom is this tree alone. */
static bool check_order(const char *name, const struct trial *trial, const char *order)
{
    struct test_device on = {.evaluated = false};
    snprintf(on.name, sizeof on.name, "%s", name);
    assert_done(weft_device_open(name, &on.device));
    weft_plan *plan = plan_in_order(on.device, trial, order);
    char told[96];
    snprintf(told, sizeof told, "%s as %s", name, order);
    const struct exact_check check = {told, on.device, trial, plan, 1};
    for (int direction = WEFT_FORWARD; plan && direction <= WEFT_INVERSE; direction++)
        exact_check(&check, &numbers, (weft_direction)direction);
    const bool checked = plan != NULL;
    weft_plan_destroy(&plan);
    weft_device_close(&on.device);
    return checked;
}

static struct trial cube(weft_kind kind, bool ranged)
{
    static const int64_t size[] = {6, 5, 8};
    struct trial trial = trial_packed(3, size, 2);
    trial.params.kind = kind;
    trial_set_sides(&trial);
    trial_pack(&trial);
    if (!ranged) return trial;
    trial_range_whole(&trial, &trial.in);
    trial_range_whole(&trial, &trial.out);
    for (int i = 1; i < trial.dims; i++) {
        trial.in.count[i] = trial.in.n[i] / 2;
        trial.in.first[i] = i;
        trial.out.count[i] = trial.out.n[i] - 1;
    }
    return trial;
}

static void every_order_of_axes_is_right(void **state)
{
    (void)state;
    static const char *const orders[] = {"0.2.1", "1.0.2", "1.2.0", "2.0.1", "2.1.0"};
    static const weft_kind kinds[] = {WEFT_C2C, WEFT_DCT2, WEFT_R2C, WEFT_C2R};
    static const char *const names[] = {"cpu", "null"};
    int checked[2] = {0, 0};
    for (size_t i = 0; i < 2 * sizeof kinds / sizeof *kinds; i++) {
        const struct trial trial = cube(kinds[i / 2], i % 2);
        for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
            const bool last_stays = orders[o][4] == '2';
            if (trial_is_half(&trial) && !last_stays) continue;
            for (int d = 0; d < 2; d++) checked[d] += check_order(names[d], &trial, orders[o]);
        }
    }
    assert_true(checked[0] >= 20 && checked[1] >= 10);
}

/* Columns of several steps, rows that mostly begin with lines of a cache. */
static struct trial random_image(struct random *random)
{
    const int rank = (int)random_between(random, 2, 3);
    const int64_t size[] = {random_between(random, 12, 32), random_between(random, 2, 9),
                            random_between(random, 1, 12) * 4};
    const int64_t flat[] = {size[0], 2 * size[1] * size[2]};
    const int64_t batch = random_between(random, 1, 3);
    static const weft_kind kinds[] = {WEFT_C2C, WEFT_R2C, WEFT_C2R};
    struct trial trial = trial_packed(rank, rank == 2 ? flat : size, batch);
    trial.params.kind = kinds[random_between(random, 0, 2)];
    trial_set_sides(&trial);
    trial_pack(&trial);
    trial.params.precision = random_chance(random, 0.5) ? WEFT_F64 : WEFT_F32;
    trial.params.format = random_chance(random, 0.2) ? WEFT_PLANAR : WEFT_INTERLEAVED;
    trial.params.threads = (int)random_between(random, 1, 4);
    trial.in_place = !trial_is_half(&trial) && random_chance(random, 0.3);
    if (random_chance(random, 0.3))
        trial.in_shift = trial.out_shift = (int)random_between(random, 0, 15);
    return trial;
}

/* Of which some is zero, or not wanted. */
static struct trial random_part(struct random *random)
{
    struct trial trial = random_image(random);
    const int64_t sides = random_between(random, 1, 3);
    if (sides & 1) trial_range_random(random, &trial, &trial.in);
    if (sides & 2) trial_range_random(random, &trial, &trial.out);
    return trial;
}

/* On a CPU that keeps hardly any image in its caches. */
static void check_beyond_the_caches(struct trial (*choose)(struct random *), int trials)
{
    struct test_device devices[16];
    const int count = devices_open(16, devices);
    struct random random = {random_seed()};
    for (int d = 0; d < count; d++) {
        if (strcmp(devices[d].name, "cpu (small)") != 0) continue;
        devices[d].device->device.limits.cache_bytes[1] = 16384;
        for (int i = 0; i < trials; i++) {
            const struct trial trial = choose(&random);
            const weft_params params = trial_params(&trial);
            weft_plan *plan = NULL;
            assert_done(weft_plan_create(devices[d].device, &params, &plan));
            const struct exact_check check = {devices[d].name, devices[d].device, &trial, plan, 1};
            exact_check(&check, &random, (weft_direction)(i % 2));
            weft_plan_destroy(&plan);
        }
    }
    devices_close(count, devices);
}

/* Columns come first. */
static void images_beyond_the_caches_match_the_sum(void **state)
{
    (void)state;
    check_beyond_the_caches(random_image, 400);
}

/* What lies between axes is a step's own, and a draft that has no more than is wanted. */
static void ranges_beyond_the_caches_match_the_sum(void **state)
{
    (void)state;
    check_beyond_the_caches(random_part, 600);
}

/* Half of a cube's spectrum that no cache holds, or half of the reals of it. */
static struct trial half_cube(bool out)
{
    static const int64_t size[] = {48, 12, 16};
    struct trial trial = trial_packed(3, size, 1);
    trial.params.kind = WEFT_C2R;
    trial_set_sides(&trial);
    trial_pack(&trial);
    struct trial_side *side = out ? &trial.out : &trial.in;
    trial_range_whole(&trial, side);
    for (int i = 1; i < trial.dims; i++) side->count[i] = side->n[i] / 2;
    return trial;
}

static void spectra_with_ranges_come_back_in_steps(void **state)
{
    (void)state;
    struct test_device devices[16];
    const int count = devices_open(16, devices);
    int checked = 0;
    for (int d = 0; d < count; d++) {
        if (strcmp(devices[d].name, "cpu (small)") != 0) continue;
        devices[d].device->device.limits.cache_bytes[1] = 16384;
        for (int out = 0; out < 2; out++) {
            const struct trial trial = half_cube(out);
            const weft_params params = trial_params(&trial);
            weft_plan *plan = NULL;
            char text[MOST_TEXT];
            assert_done(weft_plan_create(devices[d].device, &params, &plan));
            weft_plan_text(plan, text, sizeof text);
            assert_non_null(strstr(text, "for each of"));
            assert_non_null(strstr(text, "draft    work"));
            assert_non_null(strstr(text, "work     output"));
            weft_plan_destroy(&plan);
            checked++;
        }
    }
    devices_close(count, devices);
    assert_int_equal(checked, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_order_of_axes_is_right),
        cmocka_unit_test(ranges_beyond_the_caches_match_the_sum),
        cmocka_unit_test(images_beyond_the_caches_match_the_sum),
        cmocka_unit_test(spectra_with_ranges_come_back_in_steps),
    };
    setenv("WEFT_CACHE_DIR", "", 1); /* what is measured here is nobody's wisdom */
    return cmocka_run_group_tests(tests, NULL, NULL);
}

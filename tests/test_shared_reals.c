/* Lines of reals that the blocks of a cluster share, unfolded by these as they leave them and
 * folded as they take them: trees by name and those that are planned, on evaluated devices, and on
 * $WEFT_TEST_DEVICE in place of the last of them, against the exact transform. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/handles.h"
#include "kernel/block_state.h"
#include "spec/block_tile.h"
#include "spec/plan.h"
#include "support/assert_status.h"
#include "support/exact.h"
#include "support/passes.h"
#include "support/random.h"
#include "support/trial.h"

/* Of few threads, which have two butterflies of a step; of many; such as share odd lengths; and as
 * large as a GPU's. */
static const char *devices[] = {
    "null:shared=16384,threads=1024,cluster=8",
    "null:shared=16384,threads=16,simd=16,cluster=8",
    "null:shared=8192,threads=8,simd=8,coalescing=64,cluster=6",
    "null:shared=232448,threads=1024,cluster=8",
};
enum { DEVICES = sizeof devices / sizeof *devices, LARGE = DEVICES - 1, TRIALS = 40 };

static uint64_t seed;
static weft_device *device[DEVICES];

static int open_devices(void **state)
{
    (void)state;
    seed = random_seed();
    setenv("WEFT_CACHE_DIR", "", 1); /* trees by name are nobody's wisdom */
    const char *other = getenv("WEFT_TEST_DEVICE");
    if (other) devices[LARGE] = other;
    int failed = 0;
    for (int d = 0; d < DEVICES; d++)
        failed |= weft_device_open(devices[d], &device[d]);
    return failed;
}

static int close_devices(void **state)
{
    (void)state;
    for (int d = 0; d < DEVICES; d++)
        weft_device_close(&device[d]);
    return 0;
}

static weft_plan *plan_of(int d, const struct trial *trial)
{
    const weft_params params = trial_params(trial);
    weft_plan *plan = NULL;
    if (weft_plan_create(device[d], &params, &plan))
        fail_msg("%s: %s", trial_text(trial), weft_last_error());
    return plan;
}

/* Whether every pass of it is one of blocks that share lines. */
static bool shares_all(const weft_plan *plan)
{
    const struct program *program = plan->program;
    bool shares = true;
    for (int i = 0; i < program->passes; i++)
        shares = shares && program->pass[i].cluster > 0;
    return shares;
}

static void check(int d, const struct trial *trial, const weft_plan *plan, weft_direction direction,
                  struct random *random)
{
    const size_t numbers = (size_t)(2 * trial_elements(trial));
    double *in = malloc(numbers * sizeof *in), *out = malloc(numbers * sizeof *out);
    if (!in || !out) abort();
    for (size_t i = 0; i < numbers; i++)
        in[i] = out[i] = random_number(random);
    const char *wrong = trial_run(trial, plan, device[d], direction, in, out);
    if (wrong) fail_msg("%s, %s: %s", devices[d], trial_text(trial), wrong);
    const double error = exact_error(trial, direction, in, out);
    const double limit = exact_limit(trial, devices[d]);
    if (!(error <= limit))
        fail_msg("%s, %s: error %g, limit %g", devices[d], trial_text(trial), error, limit);
    free(in);
    free(out);
}

static struct trial random_lines(struct random *random, weft_kind kind, int64_t length,
                                 int64_t least)
{
    const int rank = (int)random_between(random, 1, 2);
    const int64_t size[2] = {rank == 1 ? length : random_between(random, 2, 3), length};
    struct trial trial = trial_packed(rank, size, random_between(random, least, least + 2));
    trial.params.kind = kind;
    trial.params.axes = 1u << (rank - 1);
    trial.params.precision = random_between(random, 0, 1) ? WEFT_F32 : WEFT_F64;
    trial.params.format = random_between(random, 0, 2) ? WEFT_INTERLEAVED : WEFT_PLANAR;
    trial.params.forward_scale = 0.5 * (double)random_between(random, 0, 1);
    trial.params.inverse_scale = 0.25 * (double)random_between(random, 0, 1);
    trial.params.orthonormal = kind >= WEFT_DCT1 && random_between(random, 0, 1);
    trial.in_place = kind >= WEFT_DCT1 && random_between(random, 0, 1);
    for (int i = 0; i < rank; i++)
        trial.transformed[i + 1] = i == rank - 1;
    trial_set_sides(&trial);
    trial_pack(&trial);
    return trial;
}

/* ---- trees by name ---- */

/* Of half the reals: one row a block and its mirror, rows of one step, odd radices, and columns and
 * rows of two steps, where threads may have mirrored butterflies; and lines that a block has, three
 * and six of them. */
static const struct {
    int64_t reals;
    const char *block;
} trees[] = {
    {64, "block(32: 4.8 over 2)"},          {96, "block(48: 4.12 over 2)"},
    {768, "block(384: 4.6.16 over 2)"},     {1440, "block(720: 12.6.10 over 3)"},
    {2000, "block(1000: 10.10.10 over 5)"}, {4096, "block(2048: 16.8.16 over 4)"},
    {4096, "block(2048: 16.16.8 over 8)"},  {1728, "block(864: 12.6.12 over 6)"},
    {1080, "block(540: 6.15.6 over 3)"},    {1200, "block(600: 12.5.10 over 2)"},
    {512, "block(256: 4.4.4.4 over 2)"},    {2048, "block(1024: 4.4.8.8 over 4)"},
    {2048, "block(1024: 8.8.4.4 over 4)"},  {4096, "block(2048: 8.8.8.4 over 4)"},
    {4096, "block(2048: 4.8.8.8 over 8)"},  {2592, "block(1296: 6.6.6.6 over 3)"},
    {4800, "block(2400: 4.20.6.5 over 2)"}, {120, "block(60: 6.10 by 3)"},
    {250, "block(125: 5.5.5 by 6)"},        {686, "block(343: 7.7.7 by 3)"},
};

/* Makes the tree the plan of the problem, where the device can have it. */
static bool keep_tree(int d, const struct trial *trial, int64_t reals, const char *block)
{
    char text[160];
    const weft_kind kind = trial->params.kind;
    const bool half = kind == WEFT_R2C || kind == WEFT_C2R;
    snprintf(text, sizeof text, "%s(%d: %s)", half ? "real" : "trigonometric", (int)reals, block);
    const char *at = text;
    const struct plan_node *tree;
    weft_plan *plan = plan_of(d, trial);
    arena *a = arena_create();
    assert_int_equal(plan_parse(a, &at, &tree), WEFT_OK);
    wisdom_keep(device[d]->wisdom, plan->problem, tree);
    const bool kept = wisdom_find(device[d]->wisdom, plan->problem, a) != NULL;
    arena_destroy(&a);
    weft_plan_destroy(&plan);
    return kept;
}

/* What a block has, so that one is full. */
static int64_t lines_of(const char *block)
{
    const char *by = strstr(block, " by ");
    return by ? strtol(by + strlen(" by "), NULL, 10) : 1;
}

static void trees_by_name_are_right(void **state)
{
    (void)state;
    static const weft_kind kinds[] = {WEFT_R2C,  WEFT_C2R,  WEFT_DCT2, WEFT_DCT3,
                                      WEFT_DST2, WEFT_DST3, WEFT_DHT};
    struct random random = {seed};
    int tried = 0;
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
            const int d = (int)(i + k) % DEVICES;
            const int64_t least = lines_of(trees[i].block);
            const struct trial trial = random_lines(&random, kinds[k], trees[i].reals, least);
            if (!keep_tree(d, &trial, trees[i].reals, trees[i].block)) continue;
            weft_plan *plan = plan_of(d, &trial);
            check(d, &trial, plan, WEFT_FORWARD, &random);
            check(d, &trial, plan, WEFT_INVERSE, &random);
            weft_plan_destroy(&plan);
            tried++;
        }
    }
    assert_true(tried > 40);
}

/* What a block sends lies at places that are differences, of which a GPU took a term for an address
 * where lines are long (experiment "clusters" in docs/experiments). */
static void long_lines_are_right(void **state)
{
    (void)state;
    static const struct {
        weft_kind kind;
        int64_t reals;
        const char *block;
    } lines[] = {
        {WEFT_R2C, 78624, "block(39312: 18.12.13.14 over 2)"},
        {WEFT_DHT, 280800, "block(140400: 30.12.13.30 over 6)"},
    };
    struct random random = {seed};
    if (device_limits(&device[LARGE]->device, WEFT_F32)->cluster < 2) skip();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        struct trial trial = trial_packed(1, &lines[i].reals, 1);
        trial.params.kind = lines[i].kind;
        trial_set_sides(&trial);
        trial_pack(&trial);
        assert_true(keep_tree(LARGE, &trial, lines[i].reals, lines[i].block));
        weft_plan *plan = plan_of(LARGE, &trial);
        assert_true(shares_all(plan));
        check(LARGE, &trial, plan, WEFT_FORWARD, &random);
        weft_plan_destroy(&plan);
    }
}

/* ---- planned ones ---- */

static void planned_lines_are_right(void **state)
{
    (void)state;
    static const int64_t lengths[] = {4096, 4608, 5120, 5760, 6000, 7200, 8192};
    struct random random = {seed};
    int shared = 0;
    for (int i = 0; i < TRIALS; i++) {
        const int64_t length = lengths[random_between(&random, 0, 6)];
        const weft_kind kind = (weft_kind)random_between(&random, WEFT_R2C, WEFT_DHT);
        const int d = (int)random_between(&random, 0, DEVICES - 1);
        const struct trial trial = random_lines(&random, kind, length, 1);
        weft_plan *plan = plan_of(d, &trial);
        check(d, &trial, plan, WEFT_FORWARD, &random);
        check(d, &trial, plan, WEFT_INVERSE, &random);
        shared += shares_all(plan);
        weft_plan_destroy(&plan);
    }
    assert_true(shared > 3);
}

/* Of whole lines, by the model: hardly worse than by any such number. */
static void three_lines_are_tried_where_they_unfold(void **state)
{
    (void)state;
    static const int64_t lengths[] = {250, 630, 676, 686, 1000, 1250, 1470};
    struct random random = {seed};
    struct limits limits;
    int by_threes = 0;
    limits_default_gpu(&limits);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const struct trial trial = random_lines(&random, WEFT_DCT2, lengths[i], 1000);
        weft_plan *plan = plan_of(0, &trial);
        struct pass pass = plan->program->pass[0];
        struct block_tile best, other;
        assert_true(block_tile_choose(&pass, WEFT_F32, &limits, INT64_MAX, &best));
        by_threes += best.columns % 3 == 0;
        for (pass.columns = 3; pass.columns <= 12; pass.columns *= 2)
            if (block_tile_choose(&pass, WEFT_F32, &limits, INT64_MAX, &other))
                assert_true(best.share * 1.02 >= other.share);
        weft_plan_destroy(&plan);
    }
    assert_true(by_threes > 0);
}

/* ---- what they are made of ---- */

static struct pass shared_pass(const int *radix, int cluster, enum pass_half half)
{
    struct pass pass = pass_transform(1024, radix);
    pass.cluster = cluster;
    pass.one_way = true;
    pass.half = half;
    pass.half_n = 2048;
    pass.half_stride = 1;
    pass.half_map.line = 1;
    return pass;
}

static struct block_shape shape_of(const struct pass *pass, const char *text)
{
    struct limits limits;
    struct block_shape shape;
    struct program *program = pass_program(pass);
    limits_default_gpu(&limits);
    assert_int_equal(limits_parse(&limits, text), WEFT_OK);
    assert_true(block_choose_shape(&shape, program, &program->pass[0], &limits));
    free(program);
    return shape;
}

/* Threads that have two butterflies of the last step need no exchange to unfold, and those of the
 * first have each number once. */
static void threads_have_mirrors_where_they_can(void **state)
{
    (void)state;
    const char *few = "shared=16384,threads=16,simd=16,cluster=8";
    const char *many = "shared=16384,threads=1024,cluster=8";
    const struct pass out = shared_pass((const int[]){8, 8, 4, 4, 0}, 4, PASS_HALF_SPREAD);
    const struct pass in = shared_pass((const int[]){4, 4, 8, 8, 0}, 4, PASS_HALF_FOLD);
    struct block_shape shape = shape_of(&out, few);
    assert_int_equal(shape.steps, 4);
    assert_true(shape.step[3].paired && shape.mirrors[1]);
    const struct pass wide = shared_pass((const int[]){8, 8, 2, 8, 0}, 4, PASS_HALF_SPREAD);
    shape = shape_of(&wide, many);
    assert_int_equal(shape.steps, 5);
    assert_true(shape.step[4].mirrored && shape.mirrors[1]);
    shape = shape_of(&in, few);
    assert_true(shape.step[0].paired && shape.mirrors[0]);
    assert_false(shape.mirrors[1]);
}

/* Of the sending step a block has results and their mirrors, so of twice as many as there are
 * blocks; else results are unfolded in a sweep of their own. */
static void others_are_unfolded_in_a_sweep(void **state)
{
    (void)state;
    static const struct {
        const char *block;
        int passes;
    } cases[] = {{"block(1024: 16.4.16 over 8)", 1}, {"block(1024: 8.8.16 over 8)", 2}};
    struct random random = {seed};
    for (int i = 0; i < 2; i++) {
        struct trial trial = random_lines(&random, WEFT_R2C, 2048, 1);
        assert_true(keep_tree(0, &trial, 2048, cases[i].block));
        weft_plan *plan = plan_of(0, &trial);
        assert_int_equal(plan->program->passes, cases[i].passes);
        check(0, &trial, plan, WEFT_FORWARD, &random);
        weft_plan_destroy(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trees_by_name_are_right),
        cmocka_unit_test(long_lines_are_right),
        cmocka_unit_test(planned_lines_are_right),
        cmocka_unit_test(three_lines_are_tried_where_they_unfold),
        cmocka_unit_test(threads_have_mirrors_where_they_can),
        cmocka_unit_test(others_are_unfolded_in_a_sweep),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}

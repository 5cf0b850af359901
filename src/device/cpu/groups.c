#include "device/cpu/groups.h"

#include <string.h>

#include "device/cpu/steps.h"
#include "device/cpu/turned.h"

/* Larger butterflies overflow the registers, the sooner the fewer lanes they are called for. */
#define GROUPED_RADIX 16

/* Lanes as far apart as pages cost more than the cache gains. */
#define GROUPED_LANE_BYTES 4096

static int64_t grouped_length(const struct pass *pass)
{
    return (int64_t)pass->radix[pass->radices - 2] * pass->radix[pass->radices - 1];
}

bool groups_suit(const struct pipeline_builder *b, struct transform_end to)
{
    const struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    if (b->across || b->pipeline->columns > 1 || to.operand != CPU_TO) return false;
    if (pass->radices < 2 * GROUPED_STEPS || turned_suits(kernel)) return false;
    const int *last = &pass->radix[pass->radices - GROUPED_STEPS];
    if (last[0] > GROUPED_RADIX || last[1] > GROUPED_RADIX) return false;
    const int64_t *cache = kernel->device->limits.cache_bytes, bytes = 2 * kernel->real_bytes;
    const int64_t length = grouped_length(pass), lanes = pass->length / length;
    const int64_t width = cpu_widest_lanes(kernel);
    const int64_t line = kernel->device->limits.coalescing_bytes;
    if (width * kernel->real_bytes < line || lanes % width != 0) return false;
    if (lanes * kernel->real_bytes >= GROUPED_LANE_BYTES) return false;
    if (2 * pass_lines(pass) * pass->length * bytes > cache[1]) return false;
    return 2 * pass->length * bytes > 4 * cache[0] && 3 * length * width * bytes <= 2 * cache[0];
}

static void place_group(struct cpu_tile *group, const struct cpu_tile *tile,
                        enum cpu_operand operand, int64_t bytes)
{
    group->base[operand] = tile->base[operand] + bytes;
    group->re[operand] = tile->re[operand] + bytes;
    group->im[operand] = cpu_further(tile->im[operand], bytes);
}

/* What lies between the two steps has the place of the other tile buffer, even where that one is
 * borrowed: there are results already. */
static void run_groups(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const int64_t buffer = 2 * tile->kernel->tile_plane * tile->kernel->real_bytes;
    const int64_t away = op->from == CPU_TILE_A ? buffer : -buffer;
    const enum cpu_operand between = op->grouped[0].to;
    struct cpu_tile group = *tile;
    group.base[between] = group.re[between] = tile->re[op->from] + away;
    group.im[between] = tile->im[op->from] + away;
    for (int64_t lane = 0; lane < op->lanes; lane += op->group) {
        place_group(&group, tile, op->from, lane * op->from_bytes);
        place_group(&group, tile, op->to, lane * op->to_bytes);
        for (int s = 0; s < GROUPED_STEPS; s++)
            pipeline_run_codelet(&op->grouped[s], &group);
    }
}

/* A group is a tile of columns: they are built as one, and then made one operation of. */
void groups_add(struct pipeline_builder *b, struct transform_end from, struct transform_end to)
{
    const struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const int64_t length = grouped_length(pass), lanes = pass->length / length;
    struct cpu_pipeline *const line = b->pipeline;
    struct cpu_pipeline group = {.columns = cpu_widest_lanes(kernel),
                                 .operations = line->operations};
    const struct step step = {.s = group.columns, .m = length};
    b->pipeline = &group;
    b->across = true;
    from.stride = lanes;
    to.stride *= lanes;
    steps_add(b, step, pass->radices - GROUPED_STEPS, pass->radices, from, to, false,
              (struct transform_twiddle){0, 0});
    b->pipeline = line;
    b->across = false;
    const size_t bytes = GROUPED_STEPS * sizeof b->operation[0];
    struct cpu_operation *grouped = arena_alloc(kernel->arena, bytes);
    b->failed = b->failed || !grouped;
    if (b->failed) return;
    memcpy(grouped, &b->operation[line->operations], bytes);
    struct cpu_operation *op = pipeline_add(b, run_groups);
    op->from = from.operand;
    op->to = to.operand;
    op->from_bytes = kernel->real_bytes;
    op->to_bytes = to.stride / lanes * kernel->real_bytes * (to.pair ? 2 : 1);
    op->to_pair = to.pair;
    op->grouped = grouped;
    op->lanes = lanes;
    op->group = group.columns;
}

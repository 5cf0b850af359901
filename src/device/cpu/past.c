#include "device/cpu/past.h"

#include <string.h>

#include "device/cpu/ahead.h"
#include "device/cpu/mirror.h"
#include "device/cpu/paired.h"
#include "device/cpu/run.h"
#include "device/cpu/tiles.h"

/* Of results: shorter lines are streams as they are, those that are unfolded to half a spectrum up
 * to twice that, and of longer ones what a tile leaves to be written at once takes as long as
 * fetching where it goes. A tile is shorter lines up to that. (Experiment "lines past the caches"
 * in docs/experiments.) */
#define SHORTEST_LINE 384
#define SHORTEST_HALF 768
#define LONGEST_LINE  3000
#define TILE_BYTES    1024

/* Both ends take more than this share of the third level, which others use too. */
#define PAST_SHARE 1.6

/* How many times as long the pitch of what is read may be as results: all of it is asked for. */
#define MOST_PITCH 2

static int64_t row_bytes(const struct kernel *kernel, enum cpu_operand end)
{
    const struct dim *lines = &kernel->pass->loop[0];
    return (end == CPU_TO ? lines->out_stride : lines->in_stride) * 2 * kernel->real_bytes;
}

/* Whether nothing lies between the lines' results, and little between what is read. */
static bool is_packed(const struct pass *pass)
{
    const int64_t results =
        pass->half == PASS_HALF_SPREAD ? pass->half_n / 2 + 1 : pass->line.n;
    const struct dim *lines = &pass->loop[0];
    return pass->line.in_stride == 1 && pass->line.out_stride == 1 &&
           lines->out_stride == results && lines->in_stride > 0 &&
           lines->in_stride <= MOST_PITCH * results;
}

static bool is_between_callers(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const bool whole = pass->loops == 1 && !pass->slice_columns && !kernel->laid;
    const bool copied = kernel->staged[CPU_FROM].storage || kernel->staged[CPU_TO].storage;
    return whole && !copied && !pass->hook[CPU_FROM] && !pass->hook[CPU_TO] &&
           pass->from == PASS_INPUT && pass->to == PASS_OUTPUT && is_packed(pass);
}

bool past_suits(const struct kernel *kernel, const struct program *program)
{
    if (!mirrors_of(kernel)->lines_streamed || program->passes > 1) return false;
    if (!is_between_callers(kernel)) return false;
    const int64_t bytes = row_bytes(kernel, CPU_TO);
    const bool unfolds = kernel->pass->half == PASS_HALF_SPREAD;
    if (bytes < (unfolds ? SHORTEST_HALF : SHORTEST_LINE) || bytes > LONGEST_LINE) return false;
    if (kernel->ranged || !ahead_leaves_share(kernel, PAST_SHARE)) return false;
    const bool lines = tiles_line(kernel) && tiles_prefer_line_of_pairs(kernel);
    return !kernel->products && (lines || paired_suits(kernel));
}

int64_t past_columns(const struct kernel *kernel, int64_t columns)
{
    const int64_t lines = TILE_BYTES / row_bytes(kernel, CPU_TO);
    if (lines < 1 || !(tiles_line(kernel) || paired_takes_lines(kernel))) return 1;
    return lines < columns ? lines : columns;
}

void past_make_room(struct kernel *kernel)
{
    const int64_t share = kernel->tiles / (kernel->threads * TILES_A_THREAD);
    const int64_t widest = kernel->main.columns + kernel->rest.columns;
    const int64_t lines = widest * row_bytes(kernel, CPU_TO) / CODELET_LINE_BYTES + 2;
    kernel->past_start = kernel->workspace;
    kernel->workspace += (size_t)(lines * CODELET_LINE_BYTES);
    if (kernel->grain < share) kernel->grain = share;
}

/* ---- results on their way ---- */

struct flow {
    const struct cpu_mirrors *mirrors;
    char *to;      /* where the line of the cache goes that comes next, */
    char *results; /* ... and is until it is whole */
    size_t kept;   /* bytes of it that are there, */
    size_t others; /* ... the first of which are not this run's */
};

static void put_own(const struct flow *flow, size_t end)
{
    memcpy(flow->to + flow->others, flow->results + flow->others, end - flow->others);
}

/* So many bytes are there beside those that were kept. */
static void go_on(struct flow *flow, size_t bytes)
{
    const size_t line = CODELET_LINE_BYTES, all = flow->kept + bytes, whole = all / line * line;
    const size_t begin = flow->others > 0 ? line : 0;
    flow->kept = all - whole;
    if (whole == 0) return;
    if (begin) put_own(flow, line);
    flow->mirrors->lines_streamed(flow->to + begin, flow->results + begin, whole - begin);
    if (flow->kept) memcpy(flow->results, flow->results + whole, CODELET_LINE_BYTES);
    flow->others = 0;
    flow->to += whole;
}

/* ---- tiles ---- */

/* For the part-th of `parts` shares of what lies behind so many bytes. (gcc leaves out by -Os what
 * does nothing else.) */
static void ask(const char *tile, int64_t bytes, int part, int parts)
{
    const int64_t share = (bytes + parts - 1) / parts, first = bytes + part * share;
    for (int64_t at = first; at < first + share; at += CODELET_LINE_BYTES)
        __builtin_prefetch((const void *)((uintptr_t)tile + (uintptr_t)at), 0, 3);
}

static void run_tile(const struct kernel *kernel, const struct cpu_pipeline *tile,
                     weft_direction direction, char *const *place)
{
    const int64_t bytes = tile->columns * row_bytes(kernel, CPU_FROM);
    for (int o = 0; o < tile->operations; o++) {
        ask(place[CPU_FROM], bytes, o, tile->operations);
        run_plain_operation(kernel, &tile->operation[o], direction, place);
    }
}

static char *place_of(const struct kernel *kernel, enum cpu_operand operand,
                      const struct device_memory *end, int64_t tile)
{
    const int64_t element = kernel->pass->offset[operand] + tile * kernel->tile_step[operand];
    return (char *)end->re + run_bytes_to(kernel, operand, end, element);
}

bool past_is_in_place(const struct kernel *kernel, const struct device_memory end[2])
{
    return place_of(kernel, CPU_FROM, &end[CPU_FROM], 0) ==
           place_of(kernel, CPU_TO, &end[CPU_TO], 0);
}

void past_run(const struct kernel *kernel, const struct device_memory end[2],
              weft_direction direction, char *workspace, int64_t first, int64_t last)
{
    const int64_t plane = kernel->tile_plane * kernel->real_bytes;
    char *const to = place_of(kernel, CPU_TO, &end[CPU_TO], first);
    const size_t begun = (uintptr_t)to % CODELET_LINE_BYTES;
    struct flow flow = {.mirrors = mirrors_of(kernel),
                        .to = to - begun,
                        .results = workspace + kernel->past_start,
                        .kept = begun,
                        .others = begun};
    char *place[CPU_OPERANDS] = {[CPU_FROM] = place_of(kernel, CPU_FROM, &end[CPU_FROM], first),
                                 [CPU_TILE_A] = workspace,
                                 [CPU_TILE_B] = workspace + 2 * plane};
    for (int64_t i = first; i < last; i++) {
        const struct cpu_pipeline *tile = i < kernel->full_tiles ? &kernel->main : &kernel->rest;
        place[CPU_TO] = flow.results + flow.kept;
        run_tile(kernel, tile, direction, place);
        place[CPU_FROM] += tile->columns * row_bytes(kernel, CPU_FROM);
        go_on(&flow, (size_t)(tile->columns * row_bytes(kernel, CPU_TO)));
    }
    put_own(&flow, flow.kept);
    flow.mirrors->fence();
}

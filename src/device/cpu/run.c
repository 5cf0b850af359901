/* Runs a kernel's pipeline over the tiles of a pass. */
#include <string.h>

#include "base/memory.h"
#include "device/cpu/ahead.h"
#include "device/cpu/engine.h"
#include "device/cpu/extended.h"
#include "device/cpu/general.h"
#include "device/cpu/laid.h"
#include "device/cpu/odd.h"
#include "device/cpu/past.h"
#include "device/cpu/ragged.h"
#include "device/cpu/resample.h"
#include "device/cpu/run.h"
#include "device/cpu/staged.h"

/* One run of one kernel, shared by its workers. */
struct run {
    const struct kernel *kernel;
    const struct pass_arguments *arguments;
    struct device_memory end[2]; /* the caller's, or copies of all of it */
    char *workspace;             /* of the workers */
    int64_t first;               /* of the tiles that it takes */
};

static void place_tile_buffers(struct cpu_tile *tile, char *workspace)
{
    const int64_t plane = tile->kernel->tile_plane * tile->kernel->real_bytes;
    tile->base[CPU_TILE_A] = tile->re[CPU_TILE_A] = workspace;
    tile->im[CPU_TILE_A] = workspace + plane;
    tile->base[CPU_TILE_B] = tile->re[CPU_TILE_B] = workspace + 2 * plane;
    tile->im[CPU_TILE_B] = workspace + 3 * plane;
}

#define BEHIND_BYTES 64
void run_clear_behind(const struct kernel *kernel, char *workspace)
{
    const int64_t plane = kernel->tile_plane * kernel->real_bytes;
    for (int i = 0; i < 4; i++)
        memset(workspace + i * plane + kernel->behind, 0, BEHIND_BYTES);
}

static void place_hooks(struct cpu_tile *tile, const struct pass_arguments *arguments,
                        char *workspace)
{
    for (int out = 0; out < 2; out++) {
        tile->hook_workspace[out] = workspace + tile->kernel->hook_offset[out];
        tile->position[out] = arguments->position[out];
    }
}

/* Bytes from the memory's beginning to the element. An array of reals is counted in reals up to its
 * element 0 even where it is taken for one of pairs. */
int64_t run_bytes_to(const struct kernel *kernel, enum cpu_operand operand,
                     const struct device_memory *memory, int64_t element)
{
    const int64_t unit = kernel->format[operand] == WEFT_INTERLEAVED ? 2 : 1;
    const int64_t first = memory->first * (kernel->real_place[operand] ? 1 : unit);
    return (first + element * unit) * kernel->real_bytes;
}

/* A line's results are pairs where its last step but one may leave planes: with one buffer less the
 * first-level cache holds lines half as long again. (Experiment "borrowing" in
 * docs/experiments.) */
void run_borrow(const struct kernel *kernel, const char *from, char *to, char **re, char **im,
                char **base)
{
    if (kernel->borrowed == CPU_TO || (uintptr_t)to % MEMORY_ALIGNMENT != 0) return;
    if (kernel->borrowed_first && from == to) return;
    base[kernel->borrowed] = re[kernel->borrowed] = to;
    im[kernel->borrowed] = to + kernel->pass->length * kernel->real_bytes;
}

/* Imaginary parts of reals lie some way behind, or nowhere. */
static char *imaginary_reals(const struct pass *pass, char *re, int real_bytes)
{
    return pass->lone ? NULL : re + pass->pair * real_bytes;
}

/* The caller's array at its element `element`; re and im exchanged for the inverse direction. */
static void place_caller(struct cpu_tile *tile, enum cpu_operand operand,
                         const struct device_memory *memory, int64_t element)
{
    const struct kernel *kernel = tile->kernel;
    const bool pair = kernel->format[operand] == WEFT_INTERLEAVED;
    const int64_t at = run_bytes_to(kernel, operand, memory, element);
    char *re = (char *)memory->re + at;
    char *im = pair                            ? re + kernel->real_bytes
               : kernel->real_place[operand] ? imaginary_reals(kernel->pass, re, kernel->real_bytes)
                                               : (char *)memory->im + at;
    tile->base[operand] = re;
    tile->re[operand] = tile->exchange ? im : re;
    tile->im[operand] = tile->exchange ? re : im;
}

/* Sets the counters to those of the index-th tile of the pass. */
static void find_tile(struct cpu_tile *tile, int64_t index)
{
    const struct kernel *kernel = tile->kernel;
    const struct pass *pass = kernel->pass;
    tile->index = 0;
    for (int l = 0; l < pass->loops; l++)
        tile->counter[l] = 0;
    if (index == 0) return; /* most runs: spares small transforms the divisions */
    int64_t outer = index / kernel->tiles;
    tile->index = index % kernel->tiles;
    if (kernel->meets)
        tile->index = tile->index % 2 ? kernel->tiles - 1 - tile->index / 2 : tile->index / 2;
    tile->counter[0] = tile->index * kernel->main.columns;
    for (int l = 1; l < pass->loops; l++) {
        tile->counter[l] = outer % pass->loop[l].n;
        outer /= pass->loop[l].n;
    }
}

/* Moves the counters to the next tile. */
static void next_tile(struct cpu_tile *tile)
{
    const struct kernel *kernel = tile->kernel;
    const struct pass *pass = kernel->pass;
    tile->counter[0] += kernel->main.columns;
    if (++tile->index < kernel->tiles) return;
    tile->index = 0;
    tile->counter[0] = 0;
    for (int l = 1; l < pass->loops; l++) {
        if (++tile->counter[l] < pass->loop[l].n) return;
        tile->counter[l] = 0;
    }
}

/* Sets the counters to those of the done-th tile from the last one on. */
static void find_descending(struct cpu_tile *tile, int64_t begin, int64_t end, int64_t done)
{
    find_tile(tile, end - 1 - done);
    tile->begins = done == 0 || tile->index == tile->kernel->tiles - 1;
    tile->ends = end - 1 - done == begin || tile->index == 0;
}

/* Where the tile begins at its ends, in elements. */
struct tile_place {
    int64_t element[2];
};

static struct tile_place find_place(const struct cpu_tile *tile)
{
    const struct kernel *kernel = tile->kernel;
    const struct pass *pass = kernel->pass;
    struct tile_place place = {
        {pass->offset[CPU_FROM] + tile->index * kernel->tile_step[CPU_FROM],
         pass->offset[CPU_TO] + tile->index * kernel->tile_step[CPU_TO]}};
    for (int l = 1; l < pass->loops; l++) {
        place.element[CPU_FROM] += tile->counter[l] * pass->loop[l].in_stride;
        place.element[CPU_TO] += tile->counter[l] * pass->loop[l].out_stride;
    }
    return place;
}

/* Which number along the axis of an end's range the tile's first element is. */
static int64_t first_number(const struct cpu_tile *tile, enum cpu_operand end)
{
    const struct pass *pass = tile->kernel->pass;
    const struct pass_map *map = &pass->range[end == CPU_TO].map;
    int64_t number = 0;
    for (int l = 0; l < pass->loops; l++) number += tile->counter[l] * map->loop[l];
    return number;
}

static struct staged_part part_of_tile(const struct cpu_tile *tile, const struct tile_place *place,
                                       enum cpu_operand end, int64_t columns)
{
    return (struct staged_part){place->element[end], first_number(tile, end), columns};
}

static bool copies_tiles(const struct kernel *kernel, enum cpu_operand end)
{
    return kernel->staged[end].storage && !kernel->staged[end].whole;
}

static void run_operations(const struct cpu_pipeline *pipeline, const struct cpu_tile *tile)
{
    const bool fetches = tile->kernel->ahead.wanted;
    for (int o = 0; o < pipeline->operations; o++) {
        pipeline->operation[o].run(&pipeline->operation[o], tile);
        if (fetches) ahead_fetch(tile, o, pipeline->operations);
    }
}

/* Works on copies of what the tile has at some end. */
static void run_staged(const struct cpu_pipeline *pipeline, struct cpu_tile *tile,
                       const struct run *run, char *workspace)
{
    const struct kernel *kernel = tile->kernel;
    const struct tile_place place = find_place(tile);
    struct device_memory copy[2];
    for (int e = CPU_FROM; e <= CPU_TO; e++) {
        const enum cpu_operand end = (enum cpu_operand)e;
        const bool copied = copies_tiles(kernel, end);
        if (copied) copy[end] = staged_memory(kernel, end, workspace);
        place_caller(tile, end, copied ? &copy[end] : &run->end[end],
                     copied ? 0 : place.element[end]);
    }
    if (copies_tiles(kernel, CPU_FROM)) {
        const struct staged_part part = part_of_tile(tile, &place, CPU_FROM, pipeline->columns);
        staged_load(kernel, &run->end[CPU_FROM], &part, &copy[CPU_FROM]);
    }
    run_operations(pipeline, tile);
    if (copies_tiles(kernel, CPU_TO)) {
        const struct staged_part part = part_of_tile(tile, &place, CPU_TO, pipeline->columns);
        staged_store(kernel, &run->end[CPU_TO], &part, &copy[CPU_TO]);
    }
}

static void run_placed(const struct cpu_pipeline *pipeline, struct cpu_tile *tile, char *workspace)
{
    if (tile->kernel->borrowed != CPU_TO) {
        place_tile_buffers(tile, workspace);
        run_borrow(tile->kernel, tile->base[CPU_FROM], tile->base[CPU_TO], tile->re, tile->im,
                   tile->base);
    }
    run_operations(pipeline, tile);
}

static void run_tile(const struct cpu_pipeline *pipeline, struct cpu_tile *tile,
                     const struct run *run, char *workspace)
{
    const struct tile_place place = find_place(tile);
    place_caller(tile, CPU_FROM, &run->end[CPU_FROM], place.element[CPU_FROM]);
    place_caller(tile, CPU_TO, &run->end[CPU_TO], place.element[CPU_TO]);
    run_placed(pipeline, tile, workspace);
}

static const struct cpu_pipeline *pipeline_of(const struct cpu_tile *tile)
{
    const struct kernel *kernel = tile->kernel;
    return tile->index < kernel->full_tiles ? &kernel->main : &kernel->rest;
}

/* Where an end of the tile is, the done-th of those whose lines are copied at once. */
static void place_laid(struct cpu_tile *tile, enum cpu_operand end, const struct run *run,
                       char *workspace, int64_t done)
{
    const struct kernel *kernel = tile->kernel;
    const struct pass *pass = kernel->pass;
    const struct laid_end *laid = &kernel->laid->end[end];
    const int64_t column = end == CPU_TO ? pass->loop[0].out_stride : pass->loop[0].in_stride;
    const struct device_memory copy = {.re = workspace + laid->start};
    if (laid->laid) place_caller(tile, end, &copy, done * kernel->main.columns * column);
    else place_caller(tile, end, &run->end[end], find_place(tile).element[end]);
}

/* As many tiles along loop[0] as are laid at once, of `left` that are still to come. Returns how
 * many. */
static int64_t run_laid(struct cpu_tile *tile, const struct run *run, char *workspace, int64_t left)
{
    const struct kernel *kernel = tile->kernel;
    const struct tile_place place = find_place(tile);
    int64_t tiles = kernel->tiles - tile->index;
    if (tiles > left) tiles = left;
    if (tiles > kernel->laid->tiles) tiles = kernel->laid->tiles;
    const bool full = tile->index + tiles <= kernel->full_tiles;
    const int64_t last = full ? kernel->main.columns : kernel->rest.columns;
    const int64_t lines = (tiles - 1) * kernel->main.columns + last;
    laid_gather(kernel, &run->end[CPU_FROM], place.element[CPU_FROM], workspace, lines);
    for (int64_t done = 0; done < tiles; done++) {
        place_laid(tile, CPU_FROM, run, workspace, done);
        place_laid(tile, CPU_TO, run, workspace, done);
        run_placed(pipeline_of(tile), tile, workspace);
        next_tile(tile);
    }
    laid_scatter(kernel, &run->end[CPU_TO], place.element[CPU_TO], workspace, lines);
    return tiles;
}

/* Of this tile and of others along loop[0], of `left` that are still to come. Returns how many. */
static int64_t fill_tiles(const struct cpu_tile *tile, const struct run *run, int64_t left)
{
    const struct kernel *kernel = tile->kernel;
    const struct tile_place place = find_place(tile);
    int64_t tiles = kernel->tiles - tile->index;
    if (tiles > left) tiles = left;
    if (tiles > kernel->fill.tiles) tiles = kernel->fill.tiles;
    const bool full = tile->index + tiles <= kernel->full_tiles;
    const struct cpu_pipeline *last = full ? &kernel->main : &kernel->rest;
    const int64_t columns = (tiles - 1) * kernel->main.columns + last->columns;
    staged_fill(kernel, &run->end[CPU_FROM], place.element[CPU_FROM], columns);
    return tiles;
}

/* Of the kernel of a convolution whose turn it is; NULL: the pass multiplies by none. */
static const void *find_spectrum(const struct kernel *kernel, const struct device_memory *place)
{
    if (!place->re) return NULL;
    return (const char *)place->re + 2 * place->first * kernel->real_bytes;
}

static bool descends(const struct run *run)
{
    const struct kernel *kernel = run->kernel;
    const struct device_memory *to = &run->end[CPU_TO];
    const int64_t first = run_bytes_to(kernel, CPU_TO, to, kernel->pass->offset[CPU_TO]);
    return ragged_descends(kernel, (uintptr_t)to->re + (uintptr_t)first);
}

static void run_tiles(void *context, int64_t begin, int64_t end, int worker)
{
    const struct run *run = context;
    const struct kernel *kernel = run->kernel;
    struct cpu_tile tile;
    tile.kernel = kernel;
    tile.direction = run->arguments->direction;
    tile.spectrum = find_spectrum(kernel, &run->arguments->place[PASS_SPECTRUM]);
    tile.exchange = tile.direction == WEFT_INVERSE && !kernel->pass->one_way;
    tile.descends = descends(run);
    char *workspace = NULL;
    if (kernel->workspace) {
        workspace = run->workspace + (size_t)worker * kernel->workspace;
        place_tile_buffers(&tile, workspace);
        if (kernel->behind) run_clear_behind(kernel, workspace);
        place_hooks(&tile, run->arguments, workspace);
        tile.carried = workspace + kernel->carried;
    }
    find_tile(&tile, run->first + begin);
    if (kernel->past) {
        past_run(kernel, run->end, tile.direction, workspace, run->first + begin, run->first + end);
        return;
    }
    while (kernel->laid && begin < end)
        begin += run_laid(&tile, run, workspace, end - begin);
    int64_t filled = begin;
    for (int64_t i = begin; i < end; i++) {
        if (tile.descends)
            find_descending(&tile, run->first + begin, run->first + end, i - begin);
        else if (kernel->meets)
            find_tile(&tile, run->first + i);
        else if (i > begin)
            next_tile(&tile);
        const struct cpu_pipeline *pipeline = pipeline_of(&tile);
        if (kernel->fill.runs && i == filled) filled += fill_tiles(&tile, run, end - i);
        if (kernel->own_pass) run_staged(pipeline, &tile, run, workspace);
        else run_tile(pipeline, &tile, run, workspace);
    }
    if (kernel->staged_streams) staged_end_streams();
}

static void run_all_tiles(struct run *run)
{
    const struct kernel *kernel = run->kernel;
    const int64_t tiles = kernel->outer_tiles * kernel->tiles / pass_slices(kernel->pass);
    if (kernel->pass->slice_columns) run->first = run->arguments->slice * tiles;
    if (!kernel->pool || tiles == 1) {
        run_tiles(run, 0, tiles, 0);
    } else {
        thread_pool_run(kernel->pool, tiles, kernel->grain, run_tiles, run);
    }
}

/* Works on copies of all that the pass touches at some end. */
static void run_whole_copies(struct run *run)
{
    const struct kernel *kernel = run->kernel;
    const struct device_memory from = run->end[CPU_FROM], to = run->end[CPU_TO];
    char *copies = run->workspace;
    const struct staged_part all[2] = {{kernel->staged[CPU_FROM].offset, 0, 0},
                                       {kernel->staged[CPU_TO].offset, 0, 0}};
    run->workspace += kernel->staged_whole_bytes;
    if (kernel->staged[CPU_FROM].whole) {
        run->end[CPU_FROM] = staged_memory(kernel, CPU_FROM, copies);
        staged_load(kernel, &from, &all[CPU_FROM], &run->end[CPU_FROM]);
    }
    if (kernel->staged[CPU_TO].whole) run->end[CPU_TO] = staged_memory(kernel, CPU_TO, copies);
    run_all_tiles(run);
    if (kernel->staged[CPU_TO].whole)
        staged_store(kernel, &to, &all[CPU_TO], &run->end[CPU_TO]);
}

weft_status cpu_pass_run(struct device *device, const struct kernel *kernel,
                         const struct pass_arguments *arguments)
{
    (void)device;
    if (kernel->extended) {
        cpu_extended_run(kernel, arguments);
        return WEFT_OK;
    }
    if (kernel->resampling) {
        resample_run(kernel, arguments);
        return WEFT_OK;
    }
    if (kernel->opening) {
        odd_run(kernel, arguments);
        return WEFT_OK;
    }
    const struct pass *pass = kernel->pass;
    struct run run = {kernel, arguments, {arguments->place[pass->from], arguments->place[pass->to]},
                      arguments->workspace, 0};
    if (kernel->past && past_is_in_place(kernel, run.end)) run.kernel = kernel = kernel->in_place;
    if (kernel->straight) {
        straight_run(kernel, arguments);
        return WEFT_OK;
    }
    if (kernel->swept) ahead_sweep(kernel, &arguments->place[pass->from]);
    if (kernel->staged_whole_bytes) run_whole_copies(&run);
    else run_all_tiles(&run);
    return WEFT_OK;
}

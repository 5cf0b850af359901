/* A pass made ready for the CPU. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/cpu/ahead.h"
#include "device/cpu/blocks.h"
#include "device/cpu/extended.h"
#include "device/cpu/halves.h"
#include "device/cpu/handed.h"
#include "device/cpu/laid.h"
#include "device/cpu/odd.h"
#include "device/cpu/paired.h"
#include "device/cpu/pipeline.h"
#include "device/cpu/ragged.h"
#include "device/cpu/resample.h"
#include "device/cpu/tiles.h"
#include "device/cpu/turned.h"
#include "hook/run.h"
#include "spec/joined_lines.h"

static bool build_pipeline(struct kernel *kernel, struct cpu_pipeline *pipeline,
                           int64_t first_column, int64_t tiles, const void *const *tables,
                           const struct program *program)
{
    if (!pipeline->columns) return true;
    struct cpu_operation operation[CPU_MAX_OPERATIONS]; /* nobody clears what has none */
    struct pipeline_builder b = {.kernel = kernel,
                                 .program = program,
                                 .tables = tables,
                                 .pipeline = pipeline,
                                 .operation = operation,
                                 .first_column = first_column,
                                 .tiles = tiles};
    const struct shape_of_pass shape = tiles_shape(kernel->pass);
    b.general = cpu_general_of(kernel);
    b.across = tiles_go_across(kernel, &shape);
    pipeline_build(&b);
    const size_t bytes = (size_t)pipeline->operations * sizeof b.operation[0];
    pipeline->operation = arena_alloc(kernel->arena, bytes);
    if (!pipeline->operation || b.failed) return false;
    memcpy(pipeline->operation, b.operation, bytes);
    return true;
}

int cpu_pass_threads(const struct program *program, int index)
{
    /* The cost of double-double is a GPU's, which knows no threads. */
    const bool extended = program->problem.precision == WEFT_DD;
    return extended || program->pass[index].shared ? program->problem.threads : 1;
}

static struct kernel *make_kernel(struct device *device, const struct program *program, int index)
{
    arena *memory = arena_create();
    if (!memory) return NULL;
    struct kernel *kernel = arena_alloc(memory, sizeof *kernel);
    if (!kernel) {
        arena_destroy(&memory);
        return NULL;
    }
    struct cpu_state *state = device->state;
    kernel->arena = memory;
    kernel->device = device;
    kernel->sets = &state->sets;
    kernel->precision = program->problem.precision;
    kernel->real_bytes = precision_bytes(kernel->precision);
    kernel->threads = cpu_pass_threads(program, index);
    if (kernel->threads > 1) kernel->pool = cpu_pool_for(state, kernel->threads);
    const struct pass *pass = &program->pass[index];
    if (pass_joins_lines(pass))
        kernel->pair_steps =
            joined_lines_steps(&device->limits, kernel->precision, pass->length + 1);
    else if (pass->radices > 1)
        kernel->pair_steps =
            pair_steps_of(&device->limits, kernel->precision, pass->length, pass_lines(pass));
    return kernel;
}

/* Behind the tiles of a workspace. */
static bool make_hooks(struct kernel *kernel, const struct program *program, int index)
{
    const struct program_stage *stage = program_stage_of(program, index);
    kernel->turned = stage && stage->turned;
    for (int out = 0; out < 2; out++) {
        if (!kernel->pass->hook[out]) continue;
        kernel->hook[out] = hook_compile(kernel->arena, &program->problem, out);
        if (!kernel->hook[out]) return false;
        kernel->hook_offset[out] = kernel->workspace;
        kernel->workspace += (hook_workspace_bytes(kernel->hook[out]) + 63) / 64 * 64;
        kernel->table_bytes += hook_table_bytes(kernel->hook[out]);
    }
    return true;
}

/* Whether its tiles are so far apart at both ends, and each is done without regard to others, by
 * nothing but codelets as they are. (Experiment "planes" in docs/experiments.) */
static bool has_even_tiles(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    for (int o = 0; o < kernel->main.operations; o++)
        if (kernel->main.operation[o].run != pipeline_run_codelet) return false;
    return !pass->slice_columns && kernel->threads == 1 && !kernel->ahead.wanted &&
           !kernel->descends && !kernel->meets && !kernel->streams;
}

/* Whether it is from PASS_WORK to there, by tiles of the only loop which are all alike. (Experiment
 * "one call" in docs/experiments.) */
static bool is_inner(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const bool alike = pass->loops <= 1 && kernel->full_tiles == kernel->tiles && !kernel->laid;
    return pass->from == PASS_WORK && pass->to == PASS_WORK && alike;
}

/* Whether all its tiles are one, or one for each counter of the second loop. */
static bool has_straight_tiles(const struct kernel *kernel)
{
    if (kernel->tiles == 1 && kernel->outer_tiles == 1) return true;
    if (!has_even_tiles(kernel)) return false;
    return kernel->tiles == 1 ? kernel->pass->loops == 2 : is_inner(kernel);
}

static bool is_straight(const struct kernel *kernel)
{
    if (!has_straight_tiles(kernel)) return false;
    for (int end = CPU_FROM; end <= CPU_TO; end++) {
        const bool reals = kernel->real_place[end] && kernel->format[end] != WEFT_INTERLEAVED;
        if (reals && !kernel->pass->lone && !kernel->products) return false;
        if (kernel->pass->offset[end] != 0 && !is_inner(kernel)) return false;
    }
    for (int o = 0; o < kernel->main.operations; o++) {
        const struct cpu_operation *op = &kernel->main.operation[o];
        if (!op->codelet[0] || op->swap_from || op->swap_to) return false;
        if ((op->from_bytes || op->to_bytes) && op->run != pipeline_run_codelet) return false;
    }
    return true;
}

/* Whether an end of an operation is one place, of pairs or of reals. */
static bool has_one_place(const struct kernel *kernel, enum cpu_operand operand, bool pair)
{
    return pair || (operand <= CPU_TO && kernel->real_place[operand]);
}

static bool is_plain(const struct kernel *kernel)
{
    if (!kernel->straight) return false;
    for (int o = 0; o < kernel->main.operations; o++) {
        const struct cpu_operation *op = &kernel->main.operation[o];
        if (op->parts || !has_one_place(kernel, op->from, op->from_pair)) return false;
        if (!has_one_place(kernel, op->to, op->to_pair)) return false;
    }
    return true;
}

static void find_straight_bytes(struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const int loop = kernel->tiles > 1 ? 0 : 1;
    kernel->straight_tiles = loop == 0 ? kernel->tiles : kernel->outer_tiles;
    if (pass->loops <= loop) return;
    for (int end = CPU_FROM; end <= CPU_TO; end++) {
        const struct cpu_laid *laid = kernel->laid;
        const int64_t unit = laid ? laid_caller_bytes(&laid->end[end]) / kernel->real_bytes
                             : kernel->format[end] == WEFT_INTERLEAVED ? 2
                                                                       : 1;
        const struct dim *dim = &pass->loop[loop];
        const int64_t stride = end == CPU_TO ? dim->out_stride : dim->in_stride;
        kernel->straight_bytes[end] =
            stride * unit * kernel->real_bytes * (loop == 0 ? kernel->main.columns : 1);
    }
}

static weft_status create_extended(struct device *device, const struct program *program, int index,
                                   const void *const *tables, struct kernel **kernel)
{
    struct kernel *made = make_kernel(device, program, index);
    if (!made) return error_memory("a kernel");
    weft_status status = cpu_extended_create(made, program, index, tables);
    if (status) cpu_pass_destroy(device, &made);
    else *kernel = made;
    return status;
}

/* A pass that is no pipeline. */
static weft_status create_other(struct device *device, const struct program *program, int index,
                                struct kernel **kernel)
{
    struct kernel *made = make_kernel(device, program, index);
    if (!made) return error_memory("a kernel");
    weft_status status = pass_opens(&program->pass[index])
                             ? odd_create(made, program, index)
                             : resample_create(made, program, index);
    if (status) cpu_pass_destroy(device, &made);
    else *kernel = made;
    return status;
}

/* Whether no pass comes after it, in any direction that it runs in. */
static bool is_last(const struct program *program, int index)
{
    int s = 0;
    while (program->stage[s].first + program->stage[s].passes <= index) s++;
    const struct program_stage *stage = &program->stage[s];
    if (stage->first + stage->passes != index + 1) return false;
    for (int later = s + 1; later < program->stages; later++) {
        for (int d = 0; d < 2; d++)
            if (stage->runs[d] && program->stage[later].runs[d]) return false;
    }
    return true;
}

/* Both ends of a pass keep to this share of the third level, or what it writes is not read from
 * there. (Experiment "scratch sooner" in docs/experiments.) */
#define SCRATCH_SHARE 2.2

/* Likewise of an output that was folded to. (Experiment "folded apart".) */
#define FOLDED_SHARE 3

/* Likewise of an output that the last pass unfolds where it lies, and of such where vectors are
 * half a line of the cache or the third level is far. (Experiments "reals past the caches" and
 * "unfolded from memory".) */
#define UNFOLDED_LATER  2
#define UNFOLDED_SOONER 6

static bool is_unfolded_last(const struct program *program, int index)
{
    if (index + 1 == program->passes) return false;
    const struct pass *next = program->pass + index + 1;
    return next->half == PASS_HALF_UNFOLD && pass_sweeps_half(next) && is_last(program, index + 1);
}

static bool leaves_unfolding(const struct kernel *kernel)
{
    const struct limits *limits = &kernel->device->limits;
    const bool sooner = limits_halve_lines(limits) || limits_far_third(limits);
    return ahead_leaves_share(kernel, sooner ? UNFOLDED_SOONER : UNFOLDED_LATER);
}

/* Where vectors are half a line of the cache, memory takes long for results apart by multiples of
 * so many bytes: they stay in the third level while both ends keep to this share of it. (Experiment
 * "half a line" in docs/experiments.) */
#define CLOSE_BYTES 256
#define CLOSE_SHARE 8

/* What one of many lines leaves in the third level others drive out, if the second has no room for
 * a line. */
static bool rows_leave_caches(const struct kernel *kernel, int64_t bytes)
{
    const struct limits *limits = &kernel->device->limits;
    const int64_t apart = kernel->pass->line.out_stride * 2 * kernel->real_bytes;
    if (bytes <= limits->cache_bytes[1]) return false;
    if (!limits_halve_lines(limits) || apart % CLOSE_BYTES != 0) return true;
    const int64_t step = 4 * pass_lines(kernel->pass) * kernel->pass->line.n * kernel->real_bytes;
    const int64_t both_ends = step > limits->cache_bytes[1] ? 2 * bytes : step;
    return both_ends > limits->cache_bytes[2] / CLOSE_SHARE;
}

/* Whether the pass writes a whole output that no cache keeps until it is read again, or such
 * scratch: lines of it would only be fetched to be written. (Experiment "streams" in
 * docs/experiments.) */
static bool wants_streams(const struct kernel *kernel, const struct program *program, int index)
{
    const struct pass *pass = &program->pass[index];
    const int64_t bytes = problem_elements(&program->problem) * 2 * kernel->real_bytes;
    if (kernel->staged[CPU_TO].storage || kernel->laid) return false;
    if (turned_sweeps(kernel)) return is_last(program, index) && ahead_results_leave(kernel);
    if (pass->from == PASS_SCRATCH && pass->to == PASS_WORK)
        return ahead_leaves_share(kernel, AHEAD_AXIS_SHARE);
    if (pass->to == PASS_SCRATCH)
        return pass->from != PASS_SCRATCH && ahead_leaves_share(kernel, SCRATCH_SHARE);
    if (tiles_stream_columns(kernel)) return true;
    /* Lines of the output that a sweep before the transform left there are near. */
    const bool folded = pass_sweeps_half(&program->pass[0]) && index > 0;
    if (folded && !ahead_leaves_share(kernel, FOLDED_SHARE)) return false;
    const bool rows = pass->from == PASS_SCRATCH && pass->to == PASS_OUTPUT;
    if (rows && is_unfolded_last(program, index)) return leaves_unfolding(kernel);
    return is_last(program, index) && rows && rows_leave_caches(kernel, bytes);
}

/* Likewise of what is copied there. */
static bool wants_staged_streams(const struct kernel *kernel)
{
    const struct cpu_staged *staged = &kernel->staged[CPU_TO];
    return staged->storage && !staged->whole && ahead_writes_far(kernel);
}

/* Room for what a tile leaves to the next, of which threads take runs: numbers of a line of a cache
 * for each element, with a vector before them. */
static void make_carried(struct kernel *kernel)
{
    const int64_t tiles = kernel->tiles * kernel->outer_tiles;
    const int64_t share = tiles / (kernel->threads * TILES_A_THREAD);
    kernel->descends = true;
    kernel->carried = kernel->workspace + STREAM_ALIGNMENT;
    kernel->workspace += (size_t)(kernel->pass->length + 1) * STREAM_ALIGNMENT;
    if (kernel->ragged) kernel->workspace += ragged_bytes(kernel);
    if (kernel->grain < share) kernel->grain = share;
}

/* The buffer that the last operation does not read. */
static void set_borrowed(struct kernel *kernel, const struct cpu_operation *first,
                         const struct cpu_operation *last)
{
    kernel->borrowed = last->from == CPU_TILE_A ? CPU_TILE_B : CPU_TILE_A;
    kernel->borrowed_first = first->to == kernel->borrowed;
}

/* Whether steps before the last one may read and write lanes that a line has not, for which a
 * buffer of the workspace has room. */
static bool reach_beyond(const struct cpu_operation *first, const struct cpu_operation *last)
{
    for (const struct cpu_operation *op = first; op < last; op++)
        if (op->set && op->shape[0].lanes < op->set->lanes) return true;
    return false;
}

/* Whether one reads planes by more lanes than these have. */
static bool reads_behind(const struct cpu_pipeline *pipeline)
{
    const struct cpu_operation *end = pipeline->operation + pipeline->operations;
    for (const struct cpu_operation *op = pipeline->operation; op < end; op++)
        if (!op->from_pair && reach_beyond(op, op + 1)) return true;
    return false;
}

/* Planes of two parities have others in the middle. */
static int64_t bytes_before_reads(const struct kernel *kernel)
{
    if (kernel->tile_plane == 0 || pass_parts_parities(kernel->pass)) return 0;
    const bool rest = kernel->rest.operations > 0 && reads_behind(&kernel->rest);
    if (!reads_behind(&kernel->main) && !rest) return 0;
    const int64_t columns = rest ? kernel->rest.columns : kernel->main.columns;
    return kernel->pass->length * columns * kernel->real_bytes;
}

/* The step before it. */
static const struct cpu_operation *step_before(const struct cpu_operation *op)
{
    do op--;
    while (op->scales);
    return op;
}

/* But for what scales. */
static int count_steps(const struct cpu_pipeline *pipeline)
{
    int steps = 0;
    for (int o = 0; o < pipeline->operations; o++)
        steps += !pipeline->operation[o].scales;
    return steps;
}

/* Lines of pairs, one after the other, through steps between both buffers: the last step reads the
 * one, the other is free to lie elsewhere; or the first may, if the last step leaves its results
 * where it reads. What mirrors numbers comes before or after the steps. */
static void find_borrowed(struct kernel *kernel)
{
    const struct cpu_pipeline *main = &kernel->main;
    const struct pass *pass = kernel->pass;
    const bool mirrors = tiles_mirrors(kernel), folds = mirrors && pass->half == PASS_HALF_FOLD;
    const int steps = count_steps(main) - mirrors;
    kernel->borrowed = CPU_TO;
    if (kernel->own_pass || kernel->past || main->columns != 1 || steps < 2) return;
    const int unfolds = mirrors && !folds;
    const struct cpu_operation *first = &main->operation[folds];
    const struct cpu_operation *last = step_before(&main->operation[main->operations - unfolds]);
    if (pass->line.out_stride != 1 || pass->line.n != pass->length) return;
    if (paired_lies_over(last)) {
        /* What was folded is there, and would be written over as it is read. */
        if (folds && first->to == last->from) return;
        kernel->borrowed = last->from;
        kernel->borrowed_first = first->to == last->from;
        return;
    }
    if (steps < 3) return;
    if (pass->length * kernel->real_bytes % MEMORY_ALIGNMENT != 0) return;
    if (reach_beyond(first, last)) return;
    if (turned_suits(kernel)) {
        set_borrowed(kernel, first, last);
        return;
    }
    for (const struct cpu_operation *op = first; op <= last; op++) {
        const bool ends = op == first || op == last;
        if (!(op->codelet[0] || op->grouped) || op->swap_from || op->swap_to) return;
        if (!ends && (op->from_pair || op->to_pair)) return;
    }
    if (!first->from_pair || !last->to_pair || last->to != CPU_TO) return;
    if (folds && first->to != last->from) return; /* not over what was folded */
    set_borrowed(kernel, first, last);
}

/* A pipeline; `stays`: of results that lie where they came from. */
static weft_status create_pipeline(struct device *device, const struct program *program, int index,
                                   const void *const *tables, bool stays, struct kernel **kernel)
{
    struct kernel *made = make_kernel(device, program, index);
    if (made) made->stays = stays;
    if (!made || !blocks_describe(made, program, index) || !make_hooks(made, program, index)) {
        cpu_pass_destroy(device, &made);
        return error_memory("a kernel");
    }
    made->streams = wants_streams(made, program, index);
    made->staged_streams = wants_staged_streams(made);
    made->ragged = ragged_suits(made);
    if (halves_stream(made) || made->ragged) make_carried(made);
    made->meets = halves_meet(made) || turned_enters(made, made->main.columns);
    if (made->threads > 1 && made->workspace) made->workspace += THREADS_APART;
    if (!made->laid) {
        ahead_choose(made);
        ahead_choose_sweep(made);
    }
    const int64_t rest_column = made->full_tiles * made->main.columns;
    if (!build_pipeline(made, &made->main, 0, made->full_tiles, tables, program) ||
        !build_pipeline(made, &made->rest, rest_column, 1, tables, program)) {
        cpu_pass_destroy(device, &made);
        return error_memory("a kernel's tables");
    }
    tables_done(made);
    if (index + 1 < program->passes || made->past) handed_on(made);
    else handed_end(made);
    find_borrowed(made);
    made->behind = bytes_before_reads(made);
    if (!ahead_divide(made) || (!made->laid && !ahead_go_onward(made, &made->main))) {
        cpu_pass_destroy(device, &made);
        return error_memory("a kernel");
    }
    find_straight_bytes(made);
    made->straight = !made->swept && !made->own_pass && !made->fill.runs && is_straight(made);
    made->plain = is_plain(made);
    *kernel = made;
    return WEFT_OK;
}

/* The kernel that does the pass in place. */
static weft_status add_in_place(struct kernel *kernel, const struct program *program, int index,
                                const void *const *tables)
{
    struct device *device = kernel->device;
    const weft_status status =
        create_pipeline(device, program, index, tables, true, &kernel->in_place);
    if (status) return status;
    kernel->table_bytes += kernel->in_place->table_bytes;
    if (kernel->workspace < kernel->in_place->workspace)
        kernel->workspace = kernel->in_place->workspace;
    return WEFT_OK;
}

weft_status cpu_pass_create(struct device *device, const struct program *program, int index,
                            const void *const *tables, struct kernel **kernel)
{
    if (program->problem.precision == WEFT_DD)
        return create_extended(device, program, index, tables, kernel);
    if (pass_resamples(&program->pass[index]) || pass_opens(&program->pass[index]))
        return create_other(device, program, index, kernel);
    if (program->pass[index].folds > 0) {
        return error_set(WEFT_ERROR_UNSUPPORTED, "the CPU has no passes over whole images");
    }
    weft_status status = create_pipeline(device, program, index, tables, false, kernel);
    if (status || !(*kernel)->past) return status;
    status = add_in_place(*kernel, program, index, tables);
    if (status) cpu_pass_destroy(device, kernel);
    return status;
}

void cpu_pass_destroy(struct device *device, struct kernel **kernel)
{
    if (!*kernel) return;
    cpu_pass_destroy(device, &(*kernel)->in_place);
    tables_free(*kernel);
    resample_free(*kernel);
    arena *memory = (*kernel)->arena;
    arena_destroy(&memory);
    *kernel = NULL;
}

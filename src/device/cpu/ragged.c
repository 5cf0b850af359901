/* (Experiment "ragged rows" in docs/experiments.) */
#include "device/cpu/ragged.h"

#include "device/cpu/ahead.h"
#include "device/cpu/mirror.h"

static int64_t number_bytes(const struct kernel *kernel)
{
    return 2 * kernel->real_bytes;
}

/* From a row in the workspace to the next. */
static int64_t row_numbers(const struct kernel *kernel)
{
    return kernel->main.columns + STREAM_ALIGNMENT / number_bytes(kernel);
}

static int64_t rows_bytes(const struct kernel *kernel)
{
    return kernel->pass->length * row_numbers(kernel) * number_bytes(kernel);
}

/* Beside both tile buffers. */
static bool fits_second(const struct kernel *kernel)
{
    const int64_t tile = kernel->pass->length * kernel->main.columns * number_bytes(kernel);
    return 2 * tile + rows_bytes(kernel) <= kernel->device->limits.cache_bytes[1];
}

/* Rows of pairs, as the last step writes them. */
static bool writes_rows(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct shape_of_pass shape = tiles_shape(pass);
    const bool plain = pass->body == PASS_TRANSFORM && pass->half == PASS_NO_HALF &&
                       !pass->backward && !pass->twiddle_order && !pass_reflects(pass) &&
                       !tiles_scatters_some(pass);
    return plain && pass->radices > 1 && tiles_go_across(kernel, &shape) && shape.column_out &&
           kernel->format[CPU_TO] == WEFT_INTERLEAVED && !kernel->own_pass && !kernel->fill.runs;
}

static bool is_lines(const struct kernel *kernel, int64_t numbers)
{
    return numbers * number_bytes(kernel) % STREAM_ALIGNMENT == 0;
}

bool ragged_suits(const struct kernel *kernel)
{
    const bool streams = kernel->streams && mirrors_of(kernel)->rows_streamed;
    if (!streams || !writes_rows(kernel)) return false;
    return is_lines(kernel, kernel->main.columns) && kernel->full_tiles > 1 && fits_second(kernel);
}

size_t ragged_bytes(const struct kernel *kernel)
{
    return (size_t)rows_bytes(kernel);
}

bool ragged_descends(const struct kernel *kernel, uintptr_t place)
{
    const struct pass *pass = kernel->pass;
    if (!kernel->ragged) return kernel->descends;
    bool lines = place % STREAM_ALIGNMENT == 0 && is_lines(kernel, pass->line.out_stride);
    for (int l = 1; l < pass->loops; l++)
        lines = lines && is_lines(kernel, pass->loop[l].out_stride);
    return !lines;
}

static bool goes_past(const struct cpu_tile *tile)
{
    const uintptr_t place = (uintptr_t)tile->base[CPU_TO];
    const bool apart = tile->base[CPU_FROM] != tile->base[CPU_TO];
    return apart && tile->descends && place % (uintptr_t)number_bytes(tile->kernel) == 0;
}

/* The step, to the workspace. */
static void run_step(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    struct cpu_tile rows = *tile;
    rows.base[CPU_TO] = tile->carried;
    pipeline_run_codelet(op->ragged, &rows);
}

static void stream_rows(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct kernel *kernel = tile->kernel;
    const bool begins = tile->begins || tile->index + 1 == kernel->full_tiles;
    struct codelet_onward onward = ahead_onward(op, tile);
    onward.lines = ahead_lines_a_row(op);
    const struct codelet_shape shape = {.rows = kernel->pass->length,
                                        .lanes = op->columns,
                                        .in_row = row_numbers(kernel),
                                        .out_row = kernel->pass->line.out_stride,
                                        .in_leg = begins,
                                        .out_leg = tile->ends,
                                        .onward = op->onward ? &onward : NULL};
    mirrors_of(kernel)->rows_streamed(&shape, tile->carried, NULL, tile->base[CPU_TO], NULL, NULL,
                                      NULL);
}

static void run_ragged(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    if (!goes_past(tile)) {
        ahead_run(op, tile);
        return;
    }
    run_step(op, tile);
    stream_rows(op, tile);
}

void ragged_use(struct pipeline_builder *b, struct cpu_operation *op)
{
    const struct kernel *kernel = b->kernel;
    /* What is scaled later has to be in its place. */
    if (kernel->scales_apart && !b->scaled) return;
    if (!kernel->ragged || op->to != CPU_TO || op->kind != CODELET_LEAVE || !op->set) return;
    if (b->pipeline != &kernel->main) return;
    struct cpu_operation *step = arena_alloc(kernel->arena, sizeof *step);
    if (!step) {
        b->failed = true;
        return;
    }
    *step = *op;
    step->streamed = NULL;
    struct codelet_shape *shape = &step->shape[WEFT_FORWARD];
    const int64_t stride = kernel->pass->line.out_stride, row = row_numbers(kernel);
    shape->out_row = shape->out_row / stride * row;
    shape->out_leg = shape->out_leg / stride * row;
    step->shape[WEFT_INVERSE] = pipeline_turned(step->kind, step->radix, *shape);
    op->ragged = step;
    op->run = run_ragged;
}

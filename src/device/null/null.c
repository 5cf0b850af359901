#include "device/null/null.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "device/gpu/pass.h"
#include "device/null/source.h"
#include "kernel/block.h"

struct null_state {
    pthread_mutex_t lock; /* passes may run at once */
    struct ir_report total;
};

/* One end of a pass: where its data are, and the places from the lowest to the highest touched,
 * relative to element 0, in complex elements. */
struct end {
    enum pass_place place;
    weft_format format;
    size_t real_bytes;
    bool one_way; /* the direction exchanges no planes */
    int64_t low, high;
};

/* Lives in an arena of its own. */
struct kernel {
    arena *arena;
    const struct ir *ir;
    struct block_kernel info;
    struct end in, out;
    int64_t slices; /* pass_slices() */
    size_t table_bytes;
    void *table[BLOCK_MAX_TABLES];
};

/* ---- the device ---- */

static weft_status null_open(const char *argument, struct device *device)
{
    limits_default_gpu(&device->limits);
    limits_add_long_steps(&device->limits);
    snprintf(device->limits.name, sizeof device->limits.name, "null");
    weft_status status = argument ? limits_parse(&device->limits, argument) : WEFT_OK;
    if (status) return status;
    struct null_state *state = memory_alloc_zeroed(sizeof *state);
    if (!state) return error_memory("the null device");
    pthread_mutex_init(&state->lock, NULL);
    device->limits.storages = LIMITS_ALL_STORAGES;
    device->state = state;
    device->host_memory = true;
    device->scratch_format = WEFT_INTERLEAVED;
    snprintf(device->description, sizeof device->description,
             "GPU kernels evaluated on the host: %d threads, %lld bytes of shared memory a block",
             device->limits.threads, (long long)device->limits.shared_bytes);
    return WEFT_OK;
}

static bool null_by_itself(int index)
{
    (void)index;
    return false;
}

static void null_close(struct device *device)
{
    struct null_state *state = device->state;
    if (!state) return;
    pthread_mutex_destroy(&state->lock);
    memory_free(state);
    device->state = NULL;
}

static weft_status null_alloc(struct device *device, size_t bytes, void **memory)
{
    (void)device;
    void *block = memory_alloc_zeroed(bytes);
    if (!block) return error_memory("a buffer");
    *memory = block;
    return WEFT_OK;
}

static void null_free(struct device *device, void *memory)
{
    (void)device;
    memory_free(memory);
}

static weft_status null_upload(struct device *device, void *memory, size_t offset,
                               const void *data, size_t bytes)
{
    (void)device;
    memcpy((char *)memory + offset, data, bytes);
    return WEFT_OK;
}

static weft_status null_download(struct device *device, const void *memory, size_t offset,
                                 void *data, size_t bytes)
{
    (void)device;
    memcpy(data, (const char *)memory + offset, bytes);
    return WEFT_OK;
}

/* ---- making a pass ready ---- */

static void reach(struct end *end, int64_t n, int64_t stride)
{
    if (stride < 0) end->low += (n - 1) * stride;
    else end->high += (n - 1) * stride;
}

/* A line as a whole, where only some of its elements are touched: those with a place in the chirp,
 * or in half a spectrum. */
struct partial {
    int64_t elements; /* 0: all are touched */
    const struct pass_map *map;
};

static struct partial partial_of(const struct pass *pass, bool out)
{
    const bool chirp = out ? pass->chirp_after : pass->chirp_before;
    const int64_t half = pass_half_elements(pass, out);
    if (half > 0) return (struct partial){half, pass_number_map(pass, out)};
    return (struct partial){chirp ? pass->chirp_n : 0, &pass->chirp_map};
}

static struct end end_of(const struct device *device, const struct program *program,
                         const struct pass *pass, bool out)
{
    struct end end = {.place = out ? pass->to : pass->from, .one_way = pass->one_way};
    const weft_storage storage = program_storage(program, end.place);
    end.format = program_format(program, pass, out, device->scratch_format);
    end.real_bytes = (size_t)(storage ? storage_bytes(storage)
                                      : precision_bytes(program->problem.precision));
    const struct partial partial = partial_of(pass, out);
    int64_t unit = 0; /* between neighbours of the line as a whole */
    for (int l = -1; l < pass->loops; l++) {
        const struct dim *dim = l < 0 ? &pass->line : &pass->loop[l];
        int64_t places = l < 0 ? partial.map->line : partial.map->loop[l];
        int64_t stride = out ? dim->out_stride : dim->in_stride;
        if (partial.elements && places) unit = stride / places;
        else reach(&end, dim->n, stride);
    }
    for (int f = 0; f < pass->folds; f++) {
        const struct dim *dim = &pass->fold[f].dim;
        reach(&end, dim->n, out ? dim->out_stride : dim->in_stride);
    }
    if (partial.elements) reach(&end, partial.elements, unit);
    if ((out ? pass->real_out : pass->real_in) && !pass->lone) reach(&end, 2, pass->pair);
    if (pass_half_pairs(pass) && pass_scatters_half(pass) == out) reach(&end, 2, pass->half_pair);
    end.low += pass->offset[out];
    end.high += pass->offset[out];
    return end;
}

static weft_status fill_tables(struct kernel *kernel, const struct program *program,
                               const void *const *tables)
{
    const struct block_kernel *info = &kernel->info;
    for (int i = 0; i < info->tables; i++) {
        size_t bytes = block_table_bytes(info, &info->table[i]);
        kernel->table[i] = arena_alloc(kernel->arena, bytes);
        if (!kernel->table[i]) return error_memory("a table");
        kernel->table_bytes += bytes;
        weft_status status =
            block_table_fill(info, &info->table[i], program, tables, kernel->table[i]);
        if (status) return status;
    }
    return WEFT_OK;
}

static void null_pass_destroy(struct device *device, struct kernel **kernel)
{
    (void)device;
    if (!*kernel) return;
    arena *a = (*kernel)->arena;
    arena_destroy(&a);
    *kernel = NULL;
}

/* A kernel that was not built is either too large for the limits, as block_build has said, or there
 * was no memory. */
static weft_status build(struct kernel *kernel, const struct device *device,
                         const struct program *program, int index)
{
    kernel->ir = block_build(kernel->arena, program, index, &device->limits, kernel->in.format,
                             kernel->out.format, &kernel->info);
    if (kernel->ir && kernel->info.precision == WEFT_DD)
        kernel->ir = ir_form_extended(kernel->arena, kernel->ir, true);
    if (kernel->ir) return WEFT_OK;
    return arena_failed(kernel->arena) ? WEFT_ERROR_MEMORY : WEFT_ERROR_UNSUPPORTED;
}

static weft_status null_pass_create(struct device *device, const struct program *program,
                                    int index, const void *const *tables,
                                    struct kernel **kernel)
{
    arena *a = arena_create();
    struct kernel *made = a ? arena_alloc(a, sizeof *made) : NULL;
    if (!made) {
        arena_destroy(&a);
        return error_memory("a kernel");
    }
    made->arena = a;
    made->slices = pass_slices(&program->pass[index]);
    made->in = end_of(device, program, &program->pass[index], false);
    made->out = end_of(device, program, &program->pass[index], true);
    weft_status status = build(made, device, program, index);
    if (!status) status = fill_tables(made, program, tables);
    if (status) null_pass_destroy(device, &made);
    else *kernel = made;
    return status;
}

static size_t null_pass_table_bytes(const struct kernel *kernel)
{
    return kernel->table_bytes;
}

/* ---- running ---- */

/* Binds the buffers `re` and `re + 1` to what the pass reaches of its memory. */
static void bind(struct ir_launch *launch, int re, const struct end *end,
                 const struct pass_arguments *arguments)
{
    const struct device_memory *memory = &arguments->place[end->place];
    bool planar = end->format == WEFT_PLANAR;
    bool swap = planar && arguments->direction == WEFT_INVERSE && !end->one_way;
    const int64_t unit = (int64_t)end->real_bytes * (planar ? 1 : 2);
    char *parts[2] = {swap ? memory->im : memory->re, swap ? memory->re : memory->im};
    for (int i = 0; i < 2 && parts[i] && (planar || i == 0); i++) {
        launch->buffer[re + i] = parts[i] + (memory->first + end->low) * unit;
        launch->buffer_count[re + i] = end->high - end->low + 1;
    }
}

static void bind_tables(struct ir_launch *launch, const struct kernel *kernel)
{
    for (int i = 0; i < kernel->info.tables; i++) {
        const struct block_table *table = &kernel->info.table[i];
        launch->buffer[table->buffer] = kernel->table[i];
        launch->buffer_count[table->buffer] = table->length;
    }
}

/* A pair of extended reals is two pairs, unless it is stored as another type, see
 * ir_form_extended(). Which buffers held pairs their kernel does not say any more. */
static void count_extended(struct ir_launch *launch, const struct kernel *kernel)
{
    const struct block_kernel *info = &kernel->info;
    if (info->in_format == WEFT_INTERLEAVED && !info->in_storage)
        launch->buffer_count[BLOCK_IN_RE] *= 2;
    if (info->out_format == WEFT_INTERLEAVED && !info->out_storage)
        launch->buffer_count[BLOCK_OUT_RE] *= 2;
    if (info->spectrum_elements > 0) launch->buffer_count[info->spectrum] *= 2;
    for (int i = 0; i < info->tables; i++) {
        const struct block_table *table = &info->table[i];
        if (block_table_is_complex(table)) launch->buffer_count[table->buffer] *= 2;
    }
}

static void bind_spectrum(struct ir_launch *launch, const struct kernel *kernel,
                          const struct pass_arguments *arguments)
{
    if (kernel->info.spectrum_elements == 0) return;
    launch->buffer[kernel->info.spectrum] = arguments->place[PASS_SPECTRUM].re;
    launch->buffer_count[kernel->info.spectrum] = kernel->info.spectrum_elements;
}

static weft_status evaluate(const struct device *device, const struct kernel *kernel,
                            const struct pass_arguments *arguments, struct ir_report *report)
{
    const int64_t blocks = kernel->info.blocks / kernel->slices;
    int64_t params[BLOCK_PARAM_COUNT] = {
        [BLOCK_FIRST] = kernel->slices > 1 ? arguments->slice * blocks : 0,
        [BLOCK_IN_BASE] = -kernel->in.low,
        [BLOCK_OUT_BASE] = -kernel->out.low,
        [BLOCK_SWAP] = arguments->direction == WEFT_INVERSE,
        [BLOCK_IN_POSITION] = arguments->position[0],
        [BLOCK_OUT_POSITION] = arguments->position[1],
    };
    struct ir_launch launch = {
        .blocks = blocks,
        .threads = kernel->info.threads,
        .single = kernel->info.precision == WEFT_F32,
        .coalescing_bytes = device->limits.coalescing_bytes,
        .simd_width = device->limits.simd_width,
        .banks = 32,
        .params = params,
    };
    bind(&launch, BLOCK_IN_RE, &kernel->in, arguments);
    bind(&launch, BLOCK_OUT_RE, &kernel->out, arguments);
    bind_tables(&launch, kernel);
    bind_spectrum(&launch, kernel, arguments);
    if (kernel->info.precision == WEFT_DD) count_extended(&launch, kernel);
    return ir_evaluate(kernel->ir, &launch, report);
}

static void add_to_total(struct null_state *state, const struct ir_report *report)
{
    struct ir_report *total = &state->total;
    pthread_mutex_lock(&state->lock);
    total->races += report->races;
    total->out_of_bounds += report->out_of_bounds;
    total->divergent_barriers += report->divergent_barriers;
    total->bank_conflicts += report->bank_conflicts;
    total->shared_accesses += report->shared_accesses;
    total->transactions += report->transactions;
    total->ideal_transactions += report->ideal_transactions;
    if (!total->first[0]) memcpy(total->first, report->first, sizeof total->first);
    pthread_mutex_unlock(&state->lock);
}

static weft_status null_pass_run(struct device *device, const struct kernel *kernel,
                                 const struct pass_arguments *arguments)
{
    struct ir_report report;
    weft_status status = evaluate(device, kernel, arguments, &report);
    if (status) return status;
    add_to_total(device->state, &report);
    if (report.first[0]) return error_set(WEFT_ERROR_DEVICE, "%s", report.first);
    return WEFT_OK;
}

void null_device_report(const struct device *device, struct ir_report *total)
{
    struct null_state *state = device->state;
    pthread_mutex_lock(&state->lock);
    *total = state->total;
    pthread_mutex_unlock(&state->lock);
}

const struct device_ops null_device_ops = {
    .name = "null",
    .by_itself = null_by_itself,
    .open = null_open,
    .close = null_close,
    .alloc = null_alloc,
    .free = null_free,
    .upload = null_upload,
    .download = null_download,
    .pass_create = null_pass_create,
    .pass_destroy = null_pass_destroy,
    .pass_table_bytes = null_pass_table_bytes,
    .pass_run = null_pass_run,
    .pass_source = null_pass_source,
};

#include "device/cpu/extended.h"

#include <string.h>

#include "base/error.h"
#include "device/cpu/machine.h"
#include "device/gpu/pass.h"
#include "kernel/block.h"
#include "print/opencl.h"

struct cpu_extended {
    struct block_kernel info;
    struct machine *machine;
    const struct machine_arithmetic *arithmetic;
    void *table[IR_MAX_BUFFERS];
};

/* ---- limits ---- */

/* A block's elements lie twice in a second-level cache of usual size: in registers and in shared
 * memory. With more threads an operation is done for more numbers at once, with fewer more of them
 * stay in the first-level cache. (Experiment "extended" in docs/experiments.) */
#define THREADS         128
#define SHARED_BYTES    (128 * 1024)
#define REGISTER_FILE   (SHARED_BYTES / 2)
#define FLOPS           1.5e9 /* of a core */
#define OTHERS          1e9   /* addresses, loads and stores a second */
#define LAUNCH_SECONDS  5e-6

void cpu_extended_limits(struct limits *limits, const struct limits *processor)
{
    limits_default_gpu(limits);
    memcpy(limits->name, processor->name, sizeof limits->name);
    memcpy(limits->cache_bytes, processor->cache_bytes, sizeof limits->cache_bytes);
    memcpy(limits->bandwidth, processor->bandwidth, sizeof limits->bandwidth);
    limits->precisions = processor->precisions;
    limits->cores = 1;
    limits->threads = limits->resident_threads = THREADS;
    limits->simd_width = MACHINE_LANES;
    limits->registers = limits->register_file = REGISTER_FILE;
    limits->shared_bytes = limits->shared_total = SHARED_BYTES;
    limits->coalescing_bytes = processor->coalescing_bytes;
    limits->largest_buffer = processor->largest_buffer;
    limits->memory_bytes = processor->memory_bytes;
    limits->flops[WEFT_F32] = OTHERS;
    limits->flops[WEFT_DD] = FLOPS;
    limits->launch_seconds = LAUNCH_SECONDS;
}

/* ---- making ---- */

static weft_status fill_tables(struct kernel *kernel, const struct program *program,
                               const void *const *tables)
{
    struct cpu_extended *extended = kernel->extended;
    const struct block_kernel *info = &extended->info;
    for (int i = 0; i < info->tables; i++) {
        const struct block_table *table = &info->table[i];
        const size_t bytes = block_table_bytes(info, table);
        void *data = arena_alloc(kernel->arena, bytes);
        if (!data) return error_memory("a table");
        extended->table[table->buffer] = data;
        kernel->table_bytes += bytes;
        weft_status status = block_table_fill(info, table, program, tables, data);
        if (status) return status;
    }
    return WEFT_OK;
}

static const struct ir *build(struct kernel *kernel, const struct program *program, int index)
{
    const struct device *device = kernel->device;
    const struct pass *pass = &program->pass[index];
    const weft_format scratch = device->scratch_format;
    return block_build(kernel->arena, program, index, device_limits(device, WEFT_DD),
                       program_format(program, pass, false, scratch),
                       program_format(program, pass, true, scratch), &kernel->extended->info);
}

weft_status cpu_extended_create(struct kernel *kernel, const struct program *program, int index,
                                const void *const *tables)
{
    struct cpu_extended *extended = arena_alloc(kernel->arena, sizeof *extended);
    if (!extended) return error_memory("a kernel");
    kernel->extended = extended;
    kernel->pass = &program->pass[index];
    extended->arithmetic = kernel->sets->extended;
    const struct ir *ir = build(kernel, program, index);
    if (!ir) return arena_failed(kernel->arena) ? WEFT_ERROR_MEMORY : WEFT_ERROR_UNSUPPORTED;
    extended->machine = machine_create(kernel->arena, ir, extended->arithmetic);
    if (!extended->machine) return error_memory("a kernel");
    kernel->workspace = extended->machine->worker_bytes;
    return fill_tables(kernel, program, tables);
}

/* ---- running ---- */

/* The inverse direction exchanges planes. */
static void bind(const struct kernel *kernel, const struct pass_arguments *arguments,
                 enum pass_place place, int buffer, struct machine_run *run)
{
    const struct device_memory *memory = &arguments->place[place];
    const bool inverse = arguments->direction == WEFT_INVERSE;
    const bool exchange = memory->im && inverse && !kernel->pass->one_way;
    run->buffer[buffer] = exchange ? memory->im : memory->re;
    run->buffer[buffer + 1] = exchange ? memory->re : memory->im;
}

struct loop {
    const struct kernel *kernel;
    const struct machine_run *run;
    char *workspace;
};

static void run_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const struct loop *loop = context;
    machine_run(loop->run, begin, end, loop->workspace + (size_t)worker * loop->kernel->workspace);
}

void cpu_extended_run(const struct kernel *kernel, const struct pass_arguments *arguments)
{
    const struct cpu_extended *extended = kernel->extended;
    const struct pass *pass = kernel->pass;
    const int64_t blocks = extended->info.blocks / pass_slices(pass);
    const int64_t params[BLOCK_PARAM_COUNT] = {
        [BLOCK_FIRST] = pass->slice_columns ? arguments->slice * blocks : 0,
        [BLOCK_IN_BASE] = arguments->place[pass->from].first,
        [BLOCK_OUT_BASE] = arguments->place[pass->to].first,
        [BLOCK_SWAP] = arguments->direction == WEFT_INVERSE,
    };
    struct machine_run run = {
        .machine = extended->machine, .arithmetic = extended->arithmetic, .params = params};
    memcpy(run.buffer, extended->table, sizeof run.buffer);
    bind(kernel, arguments, pass->from, BLOCK_IN_RE, &run);
    bind(kernel, arguments, pass->to, BLOCK_OUT_RE, &run);
    if (extended->info.spectrum_elements > 0)
        run.buffer[extended->info.spectrum] = arguments->place[PASS_SPECTRUM].re;
    struct loop loop = {kernel, &run, arguments->workspace};
    if (kernel->pool && blocks > 1) thread_pool_run(kernel->pool, blocks, 1, run_blocks, &loop);
    else run_blocks(&loop, 0, blocks, 0);
}

/* ---- showing ---- */

weft_status cpu_extended_source(struct device *device, const struct program *program, int index,
                                struct text *text)
{
    const struct gpu_printer printer = {
        .name = "opencl", .fma = true, .rounds_once = true, .print = gpu_print_c_like,
        .language = &opencl_dialect};
    struct gpu_pass pass;
    weft_status status = gpu_pass_build(device, program, index, &printer, NULL, &pass);
    if (status) return status;
    text_append(text,
                "/* run on the processor, all threads of a block together, here as OpenCL C; "
                "blocks %lld, threads %d */\n%s",
                (long long)pass.info.blocks, pass.info.threads, text_chars(&pass.source));
    gpu_pass_forget_source(&pass);
    return text_failed(text) ? error_memory("the source of a pass") : WEFT_OK;
}

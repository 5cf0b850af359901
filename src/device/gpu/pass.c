#include "device/gpu/pass.h"

#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "device/gpu/printed.h"

/* Larger tables stay by themselves: with others they might be more than a buffer may be. */
#define MOST_JOINED_BYTES ((size_t)1 << 20)

/* ---- the source ---- */

weft_status gpu_print_c_like(const struct gpu_printer *printer, const struct ir *ir,
                             struct gpu_pass *pass)
{
    const struct c_like_target target = {.dialect = printer->language,
                                         .single = pass->info.precision == WEFT_F32,
                                         .fma = printer->fma};
    c_like_print(&pass->source, &target, ir);
    pass->dynamic_shared_bytes = c_like_dynamic_bytes(&target, ir);
    return text_failed(&pass->source) ? error_memory("the source of a kernel") : WEFT_OK;
}

/* The buffer in whose memory joined tables lie. */
static int first_joined(const struct gpu_tables *tables)
{
    int first = 0;
    while (first < IR_MAX_BUFFERS && !tables->joined[first]) first++;
    return first;
}

static uint32_t aligned(size_t bytes)
{
    return (uint32_t)((bytes + MEMORY_ALIGNMENT - 1) / MEMORY_ALIGNMENT * MEMORY_ALIGNMENT);
}

static void join_tables(struct gpu_pass *pass)
{
    uint32_t end = 0;
    for (int i = 0; i < pass->info.tables; i++) {
        const struct block_table *table = &pass->info.table[i];
        const size_t bytes = block_table_bytes(&pass->info, table);
        if (!pass->tables.read[table->buffer] || bytes > MOST_JOINED_BYTES) continue;
        pass->tables.joined[table->buffer] = true;
        pass->tables.start[table->buffer] = end;
        end += aligned(bytes);
    }
}

static weft_status print_kernel(const struct gpu_printer *printer, const struct ir *ir,
                                struct gpu_pass *pass)
{
    struct gpu_tables *tables = &pass->tables;
    snprintf(pass->name, sizeof pass->name, "weft_%s", ir->name);
    for (int i = 0; i < ir->buffer_count; i++)
        tables->read[i] = ir_is_bound(&ir->buffer[i]) && ir_buffer_used(ir, i);
    if (printer->joins_tables) join_tables(pass);
    for (int i = 0; i < ir->buffer_count; i++) {
        const bool further = tables->joined[i] && i != first_joined(tables);
        if (tables->read[i] && !further) pass->buffer[pass->buffers++] = i;
    }
    return printer->print(printer, ir, pass);
}

/* A kernel that was not built is either too large for the limits, as block_build has said, or there
 * was no memory. */
static weft_status build_in(arena *a, const struct device *device, const struct program *program,
                            const struct gpu_printer *printer, struct gpu_pass *pass)
{
    const struct pass *which = &program->pass[pass->info.pass];
    const weft_format scratch = device->scratch_format;
    const weft_precision precision = program->problem.precision;
    const struct ir *ir = block_build(a, program, pass->info.pass, device_limits(device, precision),
                                      program_format(program, which, false, scratch),
                                      program_format(program, which, true, scratch), &pass->info);
    if (ir && precision == WEFT_DD) ir = ir_form_extended(a, ir, printer->rounds_once);
    else if (ir && printer->fma) ir = ir_form_fma(a, ir);
    if (!ir) return arena_failed(a) ? WEFT_ERROR_MEMORY : WEFT_ERROR_UNSUPPORTED;
    return print_kernel(printer, ir, pass);
}

static weft_status build(const struct device *device, const struct program *program,
                         const struct gpu_printer *printer, struct gpu_pass *pass)
{
    arena *a = arena_create();
    if (!a) return error_memory("a kernel");
    weft_status status = build_in(a, device, program, printer, pass);
    arena_destroy(&a);
    if (status) gpu_pass_forget_source(pass);
    return status;
}

weft_status gpu_pass_build(const struct device *device, const struct program *program, int index,
                           const struct gpu_printer *printer, struct store *store,
                           struct gpu_pass *pass)
{
    *pass = (struct gpu_pass){
        .info = {.pass = index}, .from = program->pass[index].from, .to = program->pass[index].to,
        .one_way = program->pass[index].one_way, .slices = pass_slices(&program->pass[index])};
    struct text key = TEXT_EMPTY;
    if (store) gpu_printed_key(&key, device, program, index, printer);
    const bool keeps = store && !text_failed(&key);
    weft_status status = WEFT_OK;
    if (!keeps || !gpu_printed_get(store, &key, pass)) {
        status = build(device, program, printer, pass);
        if (keeps && !status) gpu_printed_put(store, &key, pass);
    }
    text_free(&key);
    return status;
}

weft_status gpu_pass_show(const struct device *device, const struct program *program, int index,
                          const struct gpu_printer *printer, const char *options, struct text *text)
{
    struct gpu_pass pass;
    weft_status status = gpu_pass_build(device, program, index, printer, NULL, &pass);
    if (status) return status;
    text_append(text,
                "/* compiled by %s; launched with %lld blocks of %d threads and %lld bytes of "
                "shared memory */\n%s",
                options, (long long)pass.info.blocks, pass.info.threads,
                (long long)pass.info.shared_bytes, text_chars(&pass.source));
    gpu_pass_forget_source(&pass);
    return WEFT_OK;
}

void gpu_pass_forget_source(struct gpu_pass *pass)
{
    text_free(&pass->source);
}

/* ---- tables ---- */

static size_t joined_bytes(const struct gpu_pass *pass)
{
    size_t bytes = 0;
    for (int i = 0; i < pass->info.tables; i++) {
        const struct block_table *table = &pass->info.table[i];
        if (pass->tables.joined[table->buffer])
            bytes += aligned(block_table_bytes(&pass->info, table));
    }
    return bytes;
}

static weft_status upload_table(struct device *device, const struct program *program,
                                const void *const *tables, struct gpu_pass *pass,
                                const struct block_table *table)
{
    const struct gpu_tables *where = &pass->tables;
    const size_t bytes = block_table_bytes(&pass->info, table);
    const size_t all = where->joined[table->buffer] ? joined_bytes(pass) : bytes;
    void **memory =
        &pass->table[where->joined[table->buffer] ? first_joined(where) : table->buffer];
    void *data = memory_alloc_large(bytes);
    if (!data) return error_memory("a table");
    weft_status status = block_table_fill(&pass->info, table, program, tables, data);
    if (!status && !*memory) {
        status = device->ops->alloc(device, all, memory);
        pass->table_bytes += all;
    }
    if (!status)
        status = device->ops->upload(device, *memory, where->start[table->buffer], data, bytes);
    memory_free(data);
    return status;
}

weft_status gpu_pass_upload_tables(struct device *device, const struct program *program,
                                   const void *const *tables, struct gpu_pass *pass)
{
    for (int i = 0; i < pass->info.tables; i++) {
        const struct block_table *table = &pass->info.table[i];
        if (!pass->tables.read[table->buffer]) continue;
        weft_status status = upload_table(device, program, tables, pass, table);
        if (status) return status;
    }
    return WEFT_OK;
}

void gpu_pass_destroy(struct device *device, struct gpu_pass *pass)
{
    for (int i = 0; i < IR_MAX_BUFFERS; i++)
        if (pass->table[i]) device->ops->free(device, pass->table[i]);
    gpu_pass_forget_source(pass);
    *pass = (struct gpu_pass){0};
}

/* ---- launches ---- */

/* The inverse direction exchanges the planes. */
static void *plane_of(const struct gpu_pass *pass, const struct pass_arguments *arguments,
                      enum pass_place place, bool im)
{
    const struct device_memory *memory = &arguments->place[place];
    const bool swap = memory->im && arguments->direction == WEFT_INVERSE && !pass->one_way;
    return im != swap ? memory->im : memory->re;
}

static void *handle_of(const struct gpu_pass *pass, const struct pass_arguments *arguments,
                       int buffer)
{
    switch (buffer) {
    case BLOCK_IN_RE:
        return plane_of(pass, arguments, pass->from, false);
    case BLOCK_IN_IM:
        return plane_of(pass, arguments, pass->from, true);
    case BLOCK_OUT_RE:
        return plane_of(pass, arguments, pass->to, false);
    case BLOCK_OUT_IM:
        return plane_of(pass, arguments, pass->to, true);
    default:
        if (pass->info.spectrum_elements > 0 && buffer == pass->info.spectrum)
            return arguments->place[PASS_SPECTRUM].re;
        return pass->table[buffer];
    }
}

struct gpu_launch gpu_launch_start(const struct gpu_pass *pass,
                                   const struct pass_arguments *arguments)
{
    const int64_t blocks = pass->info.blocks / pass->slices;
    const int64_t first = pass->slices > 1 ? arguments->slice * blocks : 0;
    struct gpu_launch launch = {
        .end = first + blocks,
        .param = {[BLOCK_FIRST] = first,
                  [BLOCK_IN_BASE] = arguments->place[pass->from].first,
                  [BLOCK_OUT_BASE] = arguments->place[pass->to].first,
                  [BLOCK_SWAP] = arguments->direction == WEFT_INVERSE,
                  [BLOCK_IN_POSITION] = arguments->position[0],
                  [BLOCK_OUT_POSITION] = arguments->position[1]},
    };
    for (int i = 0; i < pass->buffers; i++)
        launch.buffer[i] = handle_of(pass, arguments, pass->buffer[i]);
    return launch;
}

bool gpu_launch_next(const struct gpu_pass *pass, int64_t most_blocks, struct gpu_launch *launch)
{
    launch->param[BLOCK_FIRST] += launch->blocks;
    const int64_t rest = launch->end - launch->param[BLOCK_FIRST];
    const int64_t most = most_blocks - most_blocks % pass->info.cluster;
    launch->blocks = rest < most ? rest : most;
    return rest > 0;
}

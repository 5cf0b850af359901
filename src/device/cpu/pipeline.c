/* What a pass needs: its ends, its body, its tables, chosen by its strides. */
#include "device/cpu/pipeline.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/factor.h"

/* Tiles of this many bytes a plane and more are spread over memory so that re and im, A and B do
 * not meet in the same cache sets: 4 KB aliasing. */
#define PLANE_PADDING_BYTES 192

struct shape_of_pass {
    bool column_in, column_out; /* loop[0] has the unit stride */
    bool line_in, line_out;     /* the line has */
    int64_t columns;            /* counts of loop[0]; 1 without loops */
};

static struct shape_of_pass look(const struct pass *pass)
{
    struct shape_of_pass shape = {.columns = 1};
    shape.line_in = pass->line.in_stride == 1;
    shape.line_out = pass->line.out_stride == 1;
    if (pass->loops) {
        shape.columns = pass->loop[0].n;
        shape.column_in = pass->loop[0].in_stride == 1;
        shape.column_out = pass->loop[0].out_stride == 1;
    }
    return shape;
}

/* Whether the lanes of the vectors shall be columns. */
static bool go_across(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    const int narrowest = 16 / kernel->real_bytes;
    if (shape->line_in && shape->line_out) return false;
    return shape->columns >= narrowest;
}

/* ---- passes of one step, without a tile ---- */

static bool is_whole(const struct pass *pass)
{
    return pass->body == PASS_TRANSFORM && pass->radices == 1 && !pass->backward &&
           !pass->chirp_n && !pass->twiddle_order;
}

/* Small transforms lying one behind the other, the lanes of a packed codelet. */
static bool is_packed(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    const struct pass *pass = kernel->pass;
    return shape->line_in && shape->line_out && pass->loops &&
           pass->loop[0].in_stride == pass->length && pass->loop[0].out_stride == pass->length &&
           kernel->format[0] == WEFT_INTERLEAVED && kernel->format[1] == WEFT_INTERLEAVED &&
           codelet_exists(CODELET_PACK, pass->radix[0]);
}

static enum codelet_kind whole_kind(const struct kernel *kernel)
{
    const bool in = kernel->format[CPU_FROM] == WEFT_INTERLEAVED;
    const bool out = kernel->format[CPU_TO] == WEFT_INTERLEAVED;
    if (in) return out ? CODELET_WHOLE : CODELET_ENTER;
    return out ? CODELET_LEAVE : CODELET_STEP_PLAIN;
}

static void build_whole(struct pipeline_builder *b, const struct shape_of_pass *shape)
{
    struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const int radix = pass->radix[0];
    const struct transform_twiddle none = {0, 0};
    struct codelet_shape s = {.rows = 1, .lanes = b->pipeline->columns};
    s.in_leg = pass->line.in_stride;
    s.out_leg = pass->line.out_stride;
    if (is_packed(kernel, shape)) {
        pipeline_whole(b, CODELET_PACK, radix, s, radix, none);
        return;
    }
    if (!(shape->column_in && shape->column_out) && pass->loops) {
        s.rows = b->pipeline->columns;
        s.lanes = 1;
        s.in_row = pass->loop[0].in_stride;
        s.out_row = pass->loop[0].out_stride;
    }
    pipeline_whole(b, whole_kind(kernel), radix, s, 1, none);
}

/* The codelet for a split's columns in one step. Large primes have none that takes pairs. */
static enum codelet_kind split_kind(const struct kernel *kernel)
{
    return kernel->format[CPU_FROM] == WEFT_INTERLEAVED ? CODELET_ENTER_SPLIT : CODELET_STEP_SPLIT;
}

/* A split's columns in one step, from place to place. */
static bool is_whole_split(const struct kernel *kernel, const struct shape_of_pass *shape)
{
    const struct pass *pass = kernel->pass;
    return pass->body == PASS_TRANSFORM && pass->radices == 1 && !pass->backward &&
           !pass->chirp_n && pass->twiddle_order && pass->twiddle_loop == 0 &&
           !pass->twiddle_conjugate && shape->column_in && shape->column_out &&
           codelet_exists(split_kind(kernel), pass->radix[0]);
}

static void build_whole_split(struct pipeline_builder *b)
{
    const struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const struct transform_twiddle twiddle = {pass->twiddle_order, pass->loop[0].n};
    struct codelet_shape s = {.rows = 1, .lanes = b->pipeline->columns};
    s.in_leg = pass->line.in_stride;
    s.out_leg = pass->line.out_stride;
    pipeline_whole(b, split_kind(kernel), pass->radix[0], s, 1, twiddle);
}

/* ---- passes on a tile ---- */

static struct transform_end caller_end(const struct kernel *kernel, enum cpu_operand operand)
{
    const struct pass *pass = kernel->pass;
    const bool pair = kernel->format[operand] == WEFT_INTERLEAVED;
    return (struct transform_end){
        operand, pair, operand == CPU_FROM ? pass->line.in_stride : pass->line.out_stride};
}

static void use_chirp(struct pipeline_builder *b, struct cpu_operation *op)
{
    const struct pass *pass = b->kernel->pass;
    const struct cpu_table *chirp = table_chirp(b->kernel, pass->chirp_n);
    if (!chirp) {
        b->failed = true;
        return;
    }
    op->table = chirp->data;
    op->table_plane = chirp->plane;
    op->table_map = pass->chirp_map;
    op->table_end = pass->chirp_n;
}

static struct cpu_operation *add_general(struct pipeline_builder *b, cpu_operation_function *run,
                                         enum cpu_operand from, enum cpu_operand to)
{
    const struct pass *pass = b->kernel->pass;
    struct cpu_operation *op = pipeline_add(b, run);
    op->from = from;
    op->to = to;
    op->elements = pass->line.n;
    op->length = pass->length;
    return op;
}

static struct transform_end add_gather(struct pipeline_builder *b, const int64_t *permutation)
{
    const struct pass *pass = b->kernel->pass;
    if (!permutation && !pass->chirp_before && pass->line.n == pass->length && pass->loops &&
        pipeline_transpose(b, caller_end(b->kernel, CPU_FROM), pass->loop[0].in_stride,
                           tile_end(b, CPU_TILE_A))) {
        return tile_end(b, CPU_TILE_A);
    }
    struct cpu_operation *op = add_general(b, b->general->gather, CPU_FROM, CPU_TILE_A);
    op->permutation = permutation;
    if (permutation) op->elements = pass->length;
    if (pass->chirp_before) use_chirp(b, op);
    return tile_end(b, CPU_TILE_A);
}

static void add_scatter(struct pipeline_builder *b, struct transform_end from,
                        const int64_t *permutation)
{
    const struct pass *pass = b->kernel->pass;
    struct cpu_operation *op = add_general(b, b->general->scatter, from.operand, CPU_TO);
    op->permutation = permutation;
    if (permutation) op->elements = pass->length;
    if (pass->chirp_after) {
        use_chirp(b, op);
        op->scaled = pass->scaled;
    }
}

/* Multiplies the tile by the split's twiddle, where no step does it. */
static void add_twiddle(struct pipeline_builder *b, struct transform_end at,
                        const int64_t *permutation)
{
    const struct pass *pass = b->kernel->pass;
    int shift = 0;
    while (INT64_C(1) << 2 * shift < pass->twiddle_order)
        shift++;
    const struct cpu_table *table = table_roots(b->kernel, pass->twiddle_order, shift);
    if (!table) {
        b->failed = true;
        return;
    }
    struct cpu_operation *op = add_general(b, b->general->twiddle, at.operand, at.operand);
    op->length = permutation ? pass->length : pass->line.n;
    op->permutation = permutation;
    op->table = table->data;
    op->table_plane = table->plane;
    op->shift = shift;
    op->conjugate = pass->twiddle_conjugate;
}

static void build_transform(struct pipeline_builder *b, const struct shape_of_pass *shape)
{
    const struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const bool plain = !pass->backward;
    bool in = plain && !pass->chirp_before && (b->across ? shape->column_in : shape->line_in);
    bool out = plain && !pass->chirp_after && (b->across ? shape->column_out : shape->line_out);
    struct transform_twiddle twiddle = {0, 0};
    if (pass->twiddle_order) {
        const bool fused = b->across && pass->twiddle_loop == 0 && !pass->twiddle_conjugate &&
                           kernel->format[CPU_TO] == WEFT_PLANAR;
        out = out && fused;
        if (out) twiddle = (struct transform_twiddle){pass->twiddle_order, pass->loop[0].n};
        if (out && pass->radices == 1) in = false; /* see split_kind() */
    }
    const struct transform_end from = in ? caller_end(kernel, CPU_FROM) : add_gather(b, NULL);
    const struct transform_end to = out ? caller_end(kernel, CPU_TO) : tile_end(b, CPU_TILE_B);
    const struct transform_end end = pipeline_transform(b, from, to, pass->backward, twiddle);
    if (out) return;
    if (pass->twiddle_order) add_twiddle(b, end, NULL);
    add_scatter(b, end, NULL);
}

static void use_spectrum(struct cpu_operation *op, const struct pass *pass,
                         const struct cpu_table *spectrum)
{
    op->table = spectrum->data;
    op->table_plane = spectrum->plane;
    op->table_map = pass->spectrum_map;
}

static void build_convolution(struct pipeline_builder *b, const struct cpu_table *spectrum)
{
    const struct pass *pass = b->kernel->pass;
    const struct transform_twiddle none = {0, 0};
    struct transform_end at = add_gather(b, NULL);
    at = pipeline_transform(b, at, at, false, none);
    use_spectrum(add_general(b, b->general->multiply, at.operand, at.operand), pass, spectrum);
    at = pipeline_transform(b, at, at, true, none);
    if (pass->twiddle_order) add_twiddle(b, at, NULL);
    add_scatter(b, at, NULL);
}

/* g^(sign q) mod n for q = 0 .. n-2. */
static const int64_t *powers(struct pipeline_builder *b, int64_t n, uint64_t base)
{
    int64_t *power = arena_array(b->kernel->arena, (size_t)n, sizeof *power);
    if (!power) {
        b->failed = true;
        return NULL;
    }
    uint64_t value = 1;
    for (int64_t q = 0; q < n - 1; q++) {
        power[q] = (int64_t)value;
        value = multiply_mod(value, base, (uint64_t)n);
    }
    return power;
}

static void build_rader(struct pipeline_builder *b, const struct cpu_table *spectrum)
{
    const struct pass *pass = b->kernel->pass;
    const struct transform_twiddle none = {0, 0};
    const int64_t n = pass->line.n;
    const uint64_t root = (uint64_t)primitive_root(n);
    const int64_t *forth = powers(b, n, root);
    const int64_t *back = powers(b, n, inverse_mod(root, (uint64_t)n));
    struct transform_end at = add_gather(b, back);
    at = pipeline_transform(b, at, at, false, none);
    use_spectrum(add_general(b, b->general->rader, at.operand, at.operand), pass, spectrum);
    at = pipeline_transform(b, at, at, true, none);
    /* y_0 is at its place already, where its twiddle is 1. */
    if (pass->twiddle_order) add_twiddle(b, at, forth);
    add_scatter(b, at, forth);
}

/* ---- a kernel ---- */

/* Between the inner parts of a very long convolution a copy carries a twiddle. */
static bool is_bare_copy(const struct pass *pass)
{
    return pass->body == PASS_COPY && !pass->twiddle_order;
}

static void build_body(struct pipeline_builder *b, const double *const *tables,
                       const struct program *program)
{
    const struct pass *pass = b->kernel->pass;
    const struct shape_of_pass shape = look(pass);
    const struct cpu_table *spectrum = NULL;
    if (pass->body == PASS_CONVOLUTION || pass->body == PASS_RADER) {
        const int t = pass->spectrum_table;
        spectrum = table_of_pairs(b->kernel, tables[t], program->table[t].m);
        if (!spectrum) {
            b->failed = true;
            return;
        }
    }
    if (is_bare_copy(pass)) {
        add_general(b, b->general->copy, CPU_FROM, CPU_TO);
    } else if (pass->body == PASS_COPY) {
        const struct transform_end at = add_gather(b, NULL);
        add_twiddle(b, at, NULL);
        add_scatter(b, at, NULL);
    } else if (pass->body == PASS_CONVOLUTION) {
        build_convolution(b, spectrum);
    } else if (pass->body == PASS_RADER) {
        build_rader(b, spectrum);
    } else if (is_whole(pass)) {
        build_whole(b, &shape);
    } else if (is_whole_split(b->kernel, &shape)) {
        build_whole_split(b);
    } else {
        build_transform(b, &shape);
    }
    if (pass->scaled && !pass->chirp_after &&
        (b->kernel->scale[0] != 1 || b->kernel->scale[1] != 1))
        add_general(b, b->general->scale, CPU_TO, CPU_TO);
}

static bool build_pipeline(struct kernel *kernel, struct cpu_pipeline *pipeline,
                           int64_t first_column, int64_t tiles, const double *const *tables,
                           const struct program *program)
{
    if (!pipeline->columns) return true;
    struct pipeline_builder b = {
        .kernel = kernel, .pipeline = pipeline, .first_column = first_column, .tiles = tiles};
    const struct shape_of_pass shape = look(kernel->pass);
    b.general = kernel->precision == WEFT_F32 ? &cpu_general_f32 : &cpu_general_f64;
    b.across = go_across(kernel, &shape);
    build_body(&b, tables, program);
    const size_t bytes = (size_t)pipeline->operations * sizeof b.operation[0];
    pipeline->operation = arena_alloc(kernel->arena, bytes);
    if (!pipeline->operation || b.failed) return false;
    memcpy(pipeline->operation, b.operation, bytes);
    return true;
}

/* Whether the pass has no tile: its lines go from place to place at once. */
static bool is_tileless(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct shape_of_pass shape = look(pass);
    return is_bare_copy(pass) || is_whole(pass) || is_whole_split(kernel, &shape);
}

/* Columns of a split that has one step: the fine twiddles of a tile shall stay in the first-level
 * cache, and calls shall be few. */
#define WHOLE_SPLIT_ELEMENTS 1024

/* Tiles in flight for every thread, so that the last ones to finish leave nobody waiting long. */
#define TILES_A_THREAD 4
#define TILELESS_GRAIN 64

static int64_t tileless_columns(const struct kernel *kernel, int64_t columns)
{
    if (kernel->threads == 1) return columns;
    const int64_t share = columns / (kernel->threads * TILES_A_THREAD);
    const int64_t tile = (share + TILELESS_GRAIN - 1) / TILELESS_GRAIN * TILELESS_GRAIN;
    return tile > columns || tile == 0 ? columns : tile;
}

/* Columns of a tile across: a cache line of them, more while both buffers fit the first-level
 * cache, fewer (to a narrow vector) while they do not fit the second. */
static int64_t across_columns(const struct kernel *kernel, int64_t columns)
{
    const struct limits *limits = &kernel->device->limits;
    const int64_t column_bytes = 4 * kernel->pass->length * kernel->real_bytes;
    int64_t tile = limits->coalescing_bytes / kernel->real_bytes;
    while (2 * tile <= columns && 2 * tile * column_bytes <= limits->cache_bytes[0] / 4 * 3) {
        tile *= 2;
    }
    while (tile * column_bytes > limits->shared_bytes && tile > 16 / kernel->real_bytes)
        tile /= 2;
    return tile < columns ? tile : columns;
}

static void choose_tiles(struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct shape_of_pass shape = look(pass);
    int64_t tile = 1;
    if (is_whole_split(kernel, &shape)) {
        tile = (WHOLE_SPLIT_ELEMENTS / pass->length + 15) / 16 * 16;
        if (tile > shape.columns) tile = shape.columns;
    } else if (is_tileless(kernel)) {
        tile = tileless_columns(kernel, shape.columns);
    } else if (go_across(kernel, &shape)) {
        tile = across_columns(kernel, shape.columns);
    }
    kernel->full_tiles = shape.columns / tile;
    kernel->main.columns = tile;
    kernel->rest.columns = shape.columns % tile;
    /* A last tile of a few columns would waste its vectors: rather one that is half as wide again.
     */
    if (kernel->rest.columns && kernel->rest.columns < tile / 2 && kernel->full_tiles > 1) {
        kernel->rest.columns += tile;
        kernel->full_tiles--;
    }
    kernel->tiles = kernel->full_tiles + (kernel->rest.columns > 0);
    kernel->outer_tiles = 1;
    for (int l = 1; l < pass->loops; l++)
        kernel->outer_tiles *= pass->loop[l].n;
    if (is_tileless(kernel)) return;
    const int64_t widest =
        kernel->rest.columns > tile ? kernel->rest.columns : kernel->main.columns;
    const int64_t padding = PLANE_PADDING_BYTES / kernel->real_bytes;
    kernel->tile_plane = (widest * pass->length + 15) / 16 * 16 + padding;
    kernel->workspace = (size_t)(4 * kernel->tile_plane * kernel->real_bytes + 63) / 64 * 64;
}

static weft_format place_format(const struct program *program, const struct device *device,
                                enum pass_place place)
{
    return place == PASS_SCRATCH ? device->scratch_format : program->problem.format;
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
    kernel->pass = &program->pass[index];
    kernel->sets = &state->sets;
    kernel->precision = program->problem.precision;
    kernel->real_bytes = precision_bytes(kernel->precision);
    kernel->format[CPU_FROM] = place_format(program, device, kernel->pass->from);
    kernel->format[CPU_TO] = place_format(program, device, kernel->pass->to);
    for (int d = 0; d < 2; d++) {
        kernel->scale[d] = kernel->pass->scaled ? program->problem.scale[d] : 1;
    }
    kernel->threads = program->problem.threads;
    if (kernel->threads > 1) kernel->pool = cpu_pool_for(state, kernel->threads);
    if (!kernel->pool) kernel->threads = 1;
    return kernel;
}

static bool is_straight(const struct kernel *kernel)
{
    if (kernel->tiles != 1 || kernel->outer_tiles != 1) return false;
    for (int o = 0; o < kernel->main.operations; o++) {
        const struct cpu_operation *op = &kernel->main.operation[o];
        if (!op->codelet[0] || op->swap_from || op->swap_to) return false;
        if (op->from_bytes || op->to_bytes) return false;
    }
    return true;
}

weft_status cpu_pass_create(struct device *device, const struct program *program, int index,
                            const double *const *tables, struct kernel **kernel)
{
    struct kernel *made = make_kernel(device, program, index);
    if (!made) return error_memory("a kernel");
    choose_tiles(made);
    const int64_t rest_column = made->full_tiles * made->main.columns;
    if (!build_pipeline(made, &made->main, 0, made->full_tiles, tables, program) ||
        !build_pipeline(made, &made->rest, rest_column, 1, tables, program)) {
        cpu_pass_destroy(device, &made);
        return error_memory("a kernel's tables");
    }
    tables_done(made);
    made->straight = is_straight(made);
    *kernel = made;
    return WEFT_OK;
}

void cpu_pass_destroy(struct device *device, struct kernel **kernel)
{
    (void)device;
    if (!*kernel) return;
    tables_free(*kernel);
    arena *memory = (*kernel)->arena;
    arena_destroy(&memory);
    *kernel = NULL;
}

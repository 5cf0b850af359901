/* What the pipeline of a pass consists of: its ends, its body, its tables, by its strides. */
#include "device/cpu/pipeline.h"

#include "device/cpu/abreast.h"
#include "device/cpu/beside.h"
#include "device/cpu/halves.h"
#include "device/cpu/matrix.h"
#include "device/cpu/mirror.h"
#include "device/cpu/moved.h"
#include "device/cpu/paired.h"
#include "device/cpu/pairs.h"
#include "device/cpu/parity.h"
#include "device/cpu/rader.h"
#include "device/cpu/scaling.h"
#include "device/cpu/spectrum.h"
#include "device/cpu/tiles.h"
#include "device/cpu/turned.h"

struct cpu_operation *pipeline_add(struct pipeline_builder *b, cpu_operation_function *run)
{
    /* Tiles add their offsets to the twiddles even where there are none. */
    static const struct cpu_operation empty = {.twiddles = ""};
    if (b->pipeline->operations == CPU_MAX_OPERATIONS) {
        b->failed = true;
        b->pipeline->operations--;
    }
    struct cpu_operation *op = &b->operation[b->pipeline->operations++];
    *op = empty;
    op->run = run;
    op->columns = b->pipeline->columns;
    return op;
}

struct transform_end tile_end(const struct pipeline_builder *b, enum cpu_operand operand)
{
    return (struct transform_end){operand, false, b->pipeline->columns, NULL, false};
}

int64_t pipeline_stride(const struct dim *dim, enum cpu_operand operand)
{
    return operand == CPU_FROM ? dim->in_stride : dim->out_stride;
}

static struct transform_end caller_end(const struct kernel *kernel, enum cpu_operand operand)
{
    return (struct transform_end){operand, kernel->format[operand] == WEFT_INTERLEAVED,
                                  pipeline_stride(&kernel->pass->line, operand), NULL, false};
}

enum cpu_operand pipeline_source(const struct pipeline_builder *b)
{
    const bool folds = tiles_mirrors(b->kernel) && b->kernel->pass->half == PASS_HALF_FOLD;
    return folds ? CPU_TO : CPU_FROM;
}

bool pipeline_has_pairs(const struct pipeline_builder *b, bool out)
{
    const struct pass *pass = b->kernel->pass;
    const bool reals = pass->half != PASS_NO_HALF || pass->real_in || pass->real_out;
    return !reals && !pass->hook[out] && b->kernel->format[out] == WEFT_INTERLEAVED;
}

static void use_chirp(const struct pipeline_builder *b, struct cpu_operation *op)
{
    const struct pass *pass = b->kernel->pass;
    op->table = b->tables[pass->chirp_table];
    op->table_plane = pass->chirp_n;
    op->table_map = pass->chirp_map;
    op->table_end = pass->chirp_n;
}

static void use_turn(struct pipeline_builder *b, struct cpu_operation *op, bool out)
{
    const struct reals *reals = &b->kernel->pass->reals[out];
    if (!reals->parts || !reals_turn(reals)) return;
    const struct cpu_table *turn = table_turn(b->kernel, out);
    if (!turn) {
        b->failed = true;
        return;
    }
    op->turn_table[out] = turn->data;
    op->turn_plane[out] = turn->plane;
}

/* The roots that go with half a spectrum, and with reals that stand for more at the end, if any
 * do. */
static void use_end(struct pipeline_builder *b, struct cpu_operation *op, bool out)
{
    const struct pass *pass = b->kernel->pass;
    use_turn(b, op, out);
    if (!pass_half_turns(pass)) return;
    const struct cpu_table *half = table_half(b->kernel, pass->half_n);
    if (!half) {
        b->failed = true;
        return;
    }
    op->half_table = half->data;
    op->half_plane = half->plane;
}

static void use_beside(struct pipeline_builder *b, struct cpu_operation *op, bool out)
{
    op->joined = b->joined;
    b->failed = b->failed || (beside_suits(b->kernel, op, out) && !beside_use(b->kernel, op, out));
}

static void use_ends(struct pipeline_builder *b, struct cpu_operation *op)
{
    use_end(b, op, false);
    use_end(b, op, true);
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

static struct transform_end add_gather(struct pipeline_builder *b, const int32_t *permutation)
{
    const struct pass *pass = b->kernel->pass;
    const bool plain = !permutation && !tiles_gathers_general(pass);
    if (!permutation && halves_suit_gather(b->kernel)) {
        halves_add_gather(b);
        return tile_end(b, CPU_TILE_A);
    }
    if (!permutation && halves_join(b)) return tile_end(b, CPU_TILE_A);
    const struct transform_end caller = caller_end(b->kernel, CPU_FROM);
    if (plain && pass->line.n == pass->length && pass->loops &&
        pipeline_transpose(b, caller, tile_end(b, CPU_TILE_A), pass->length))
        return tile_end(b, CPU_TILE_A);
    struct cpu_operation *op = add_general(b, b->general->gather, CPU_FROM, CPU_TILE_A);
    op->permutation = permutation;
    if (permutation) op->elements = pass->length;
    if (pass->chirp_before) use_chirp(b, op);
    use_end(b, op, false);
    use_beside(b, op, false);
    return tile_end(b, CPU_TILE_A);
}

/* The roots that a split's twiddles are. */
static void use_roots(struct pipeline_builder *b, struct cpu_operation *op)
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
    op->table = table->data;
    op->table_plane = table->plane;
    op->shift = shift;
    op->conjugate = pass->twiddle_conjugate;
}

/* Likewise of two columns at once, those of a tile's in two factors. */
static void use_column_roots(struct pipeline_builder *b, struct cpu_operation *op)
{
    const struct pass *pass = b->kernel->pass;
    const int64_t lanes = 2 * b->pipeline->columns, length = pass->length;
    const int64_t columns = pass->twiddle_order / length;
    if (pass->twiddle_loop != 0) {
        use_roots(b, op);
        return;
    }
    const struct cpu_table *coarse =
        table_coarse(b->kernel, length, columns, 2 * b->first_column, lanes, b->tiles);
    const struct cpu_table *fine = table_fine(b->kernel, length, columns, lanes);
    b->failed = b->failed || !coarse || !fine;
    if (b->failed) return;
    op->twiddles = coarse->data;
    if (b->tiles > 1) op->twiddle_tile_bytes = 2 * length * b->kernel->real_bytes;
    op->fine = fine->data;
    op->shape[0].twiddle_plane = coarse->plane;
    op->shape[0].fine_plane = fine->plane;
}

static void add_scatter(struct pipeline_builder *b, struct transform_end from,
                        const int32_t *permutation)
{
    const struct pass *pass = b->kernel->pass;
    if (!permutation && halves_suit(b->kernel)) {
        struct cpu_operation *op = halves_add_scatter(b, from);
        if (pass->half == PASS_HALF_PART) use_column_roots(b, op);
        return;
    }
    struct cpu_operation *op = add_general(b, b->general->scatter, from.operand, CPU_TO);
    op->from_pair = from.pair;
    op->permutation = permutation;
    if (permutation) op->elements = pass->length;
    if (pass->chirp_after) use_chirp(b, op);
    if (pass->half == PASS_HALF_PART && pass->twiddle_order) use_column_roots(b, op);
    use_end(b, op, true);
    use_beside(b, op, true);
}

/* Multiplies the tile by the split's twiddle, where no step does it. */
static void add_twiddle(struct pipeline_builder *b, struct transform_end at,
                        const int32_t *permutation)
{
    const struct pass *pass = b->kernel->pass;
    struct cpu_operation *op = add_general(b, b->general->twiddle, at.operand, at.operand);
    op->length = permutation ? pass->length : pass->line.n;
    op->permutation = permutation;
    use_roots(b, op);
}

/* Whether the scatter multiplies by it: a line's results that become neighbours. */
static bool scatters_twiddled(const struct pipeline_builder *b, const struct shape_of_pass *shape)
{
    const struct pass *pass = b->kernel->pass;
    return !b->across && b->pipeline->columns == 1 && shape->line_out && !pass->slice_columns &&
           !tiles_scatters_some(pass);
}

static void add_twiddled_scatter(struct pipeline_builder *b, struct transform_end from)
{
    struct kernel *kernel = b->kernel;
    const int64_t length = kernel->pass->length, columns = kernel->pass->twiddle_order / length;
    const int64_t runs = (length + CPU_TWIDDLED_RUN - 1) / CPU_TWIDDLED_RUN;
    const struct cpu_table *coarse =
        table_coarse(kernel, columns, length, 0, CPU_TWIDDLED_RUN, runs);
    const struct cpu_table *fine = table_fine(kernel, columns, length, CPU_TWIDDLED_RUN);
    struct cpu_operation *op = add_general(b, b->general->scatter, from.operand, CPU_TO);
    b->failed = b->failed || !coarse || !fine;
    if (b->failed) return;
    op->twiddles = coarse->data;
    op->fine = fine->data;
    op->shape[0].twiddle_plane = coarse->plane;
    op->shape[0].fine_plane = fine->plane;
    op->conjugate = kernel->pass->twiddle_conjugate;
}

/* Scatters what is to be multiplied by the split's twiddle, by steps or sweeps apart. */
static void add_twiddle_and_scatter(struct pipeline_builder *b, const struct shape_of_pass *shape,
                                    struct transform_end at)
{
    const struct pass *pass = b->kernel->pass;
    if (pass->twiddle_order && scatters_twiddled(b, shape)) {
        add_twiddled_scatter(b, at);
        return;
    }
    if (pass->twiddle_order && pass->half != PASS_HALF_PART) add_twiddle(b, at, NULL);
    add_scatter(b, at, NULL);
}

/* The last one that was added. */
static struct cpu_operation *last_operation(struct pipeline_builder *b)
{
    return &b->operation[b->pipeline->operations - 1];
}

/* Of lines two by two: steps have half as many columns. */
static void build_joined(struct pipeline_builder *b)
{
    const int64_t columns = b->pipeline->columns;
    const struct transform_twiddle none = {0, 0};
    b->joined = true;
    add_gather(b, NULL);
    b->pipeline->columns = beside_joined(columns);
    const struct transform_end end = pipeline_transform(
        b, tile_end(b, CPU_TILE_A), tile_end(b, CPU_TILE_B), b->kernel->pass->backward, none);
    b->pipeline->columns = columns;
    add_scatter(b, end, NULL);
    b->joined = false;
}

static void build_transform(struct pipeline_builder *b, const struct shape_of_pass *shape)
{
    const struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const bool mirrors = tiles_mirrors(kernel);
    const bool takes = !pass->backward || kernel->format[CPU_FROM] == WEFT_PLANAR;
    bool in = takes && (mirrors || !tiles_gathers_general(pass)) &&
              (b->across ? shape->column_in : shape->line_in && !kernel->piece);
    bool out = (mirrors || !tiles_scatters_some(pass)) &&
               (b->across ? shape->column_out : shape->line_out);
    struct transform_twiddle twiddle = {0, 0};
    if (pass->twiddle_order) {
        const bool fused = b->across && pass->twiddle_loop == 0 && !pass->twiddle_conjugate &&
                           !pass->slice_columns && kernel->format[CPU_TO] == WEFT_PLANAR;
        out = out && fused && codelet_exists(CODELET_STEP_SPLIT, pass->radix[pass->radices - 1]);
        if (out) twiddle.order = pass->twiddle_order;
        if (out) twiddle.columns = pass->twiddle_order / pass->length;
        if (out && pass->radices == 1) in = false; /* no codelet does all that at once */
    }
    if (pass->radices == 1 && (pass->backward || !codelet_exists(CODELET_ENTER, pass->radix[0])))
        in = false;
    if (!in && !out && beside_joins(kernel, b->pipeline->columns)) {
        build_joined(b);
        return;
    }
    struct beside_legs legs;
    const bool reals = !in && b->across && beside_has_legs(kernel, b->pipeline->columns, &legs);
    struct transform_end from = {CPU_FROM, false, reals ? legs.number : 0, &legs, false};
    if (!in && b->across && turned_enters(kernel, b->pipeline->columns))
        from = (struct transform_end){CPU_FROM, false, pass->half_map.line, NULL, true};
    else if (!reals) from = in ? caller_end(kernel, pipeline_source(b)) : add_gather(b, NULL);
    const struct transform_end to = out ? caller_end(kernel, CPU_TO) : tile_end(b, CPU_TILE_B);
    const struct transform_end end = pipeline_transform(b, from, to, pass->backward, twiddle);
    if (!out) add_twiddle_and_scatter(b, shape, end);
}

/* Half a spectrum folded before, or unfolded after a transform of the pairs of reals. */
static void add_mirror(struct pipeline_builder *b)
{
    struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const bool folds = pass->half == PASS_HALF_FOLD;
    const struct cpu_mirrors *mirrors = mirrors_of(kernel);
    const struct dim *lines = &pass->loop[0]; /* without strides where there are no loops */
    const struct cpu_table *roots = table_mirror(kernel, pass->half_n, folds);
    const struct cpu_table *factors = table_mirror_factors(kernel, folds);
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    b->failed = b->failed || !roots || !factors;
    if (b->failed) return;
    op->from = pass_sweeps_half(pass) || folds ? CPU_FROM : CPU_TO;
    op->to = CPU_TO;
    op->from_pair = op->to_pair = op->directed = true;
    op->twiddles = roots->data;
    op->fine = factors->data;
    for (int d = 0; d < 2; d++) {
        op->codelet[d] = folds ? mirrors->fold : mirrors->unfold;
        op->shape[d] = (struct codelet_shape){.rows = op->columns,
                                              .lanes = pass->half_n / 2,
                                              .in_row = pipeline_stride(lines, op->from),
                                              .out_row = lines->out_stride,
                                              .fine_row = TABLE_FACTORS_A_DIRECTION * d};
    }
}

static void use_spectrum(struct pipeline_builder *b, struct cpu_operation *op)
{
    const struct pass *pass = b->kernel->pass;
    const struct program_table *t = &b->program->table[pass->spectrum_table];
    op->table = b->tables[pass->spectrum_table];
    op->table_plane = t->m;
    op->table_map = pass->spectrum_map;
    if (pass->spectrum_map.line == 1 || b->across) return;
    const bool even = t->kind == TABLE_BLUESTEIN_SPECTRUM && op->columns == 1;
    const struct spectrum_order order = spectrum_in_order(pass, even);
    const struct cpu_table *spectrum =
        table_spectrum(b->kernel, op->table, op->table_plane, &order);
    if (!spectrum) {
        b->failed = true;
        return;
    }
    op->table = spectrum->data;
    op->table_plane = spectrum->plane;
    op->table_map = order.map;
    op->table_mirrored = order.mirrored;
}

/* Whether the first step of a convolution can read the lines themselves, or the last one write
 * them. */
static bool is_direct_end(const struct pipeline_builder *b, bool out)
{
    const struct pass *pass = b->kernel->pass;
    const struct shape_of_pass shape = tiles_shape(pass);
    const bool whole = pass->line.n == pass->length && pass->radices > 1;
    if (out) {
        return whole && !tiles_scatters_some(pass) && !pass->twiddle_order &&
               (b->across ? shape.column_out : shape.line_out);
    }
    return whole && !tiles_gathers_general(pass) && (b->across ? shape.column_in : shape.line_in);
}

static void build_convolution(struct pipeline_builder *b, const struct shape_of_pass *shape)
{
    const struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const struct transform_twiddle none = {0, 0};
    const bool out = is_direct_end(b, true);
    struct transform_end at =
        is_direct_end(b, false) ? caller_end(kernel, CPU_FROM) : add_gather(b, NULL);
    at = pipeline_transform(b, at, tile_end(b, CPU_TILE_B), false, none);
    struct cpu_operation *middle =
        add_general(b, pass->spectrum_given ? b->general->product : b->general->multiply,
                    at.operand, at.operand);
    if (!pass->spectrum_given) use_spectrum(b, middle);
    at = pipeline_transform(b, at, out ? caller_end(kernel, CPU_TO) : at, true, none);
    if (!out) add_twiddle_and_scatter(b, shape, at);
}

static void build_parities(struct pipeline_builder *b)
{
    const struct transform_end first = add_gather(b, NULL);
    last_operation(b)->length = b->kernel->pass->length / 2;
    if (parity_has_end(b, false))
        parity_use_roots(b, last_operation(b));
    else
        parity_part(b);
    parity_convolve(b);
    if (!parity_has_end(b, true)) parity_join(b);
    add_scatter(b, first, NULL);
    if (parity_has_end(b, true)) parity_use_roots(b, last_operation(b));
}

/* Steps that read short lines as pairs wait for their stores. (Experiment "permutations".) */
#define SHORTEST_PAIRED_LINE 512

/* Whether a line of pairs is permuted as pairs, which the first step of the tile, or the last, has
 * at its end as it would have the caller's. */
static bool permutes_pairs(const struct pipeline_builder *b, bool out)
{
    const struct pass *pass = b->kernel->pass;
    if (b->pipeline->columns > 1 || b->across || pass->radices < 2) return false;
    if (b->kernel->format[out] != WEFT_INTERLEAVED) return false;
    if (out) return !tiles_scatters_some(pass) && !pass->twiddle_order;
    return !tiles_gathers_general(pass) && pass->length >= SHORTEST_PAIRED_LINE;
}

static struct transform_end gather_permuted(struct pipeline_builder *b, const int32_t *permutation)
{
    struct transform_end at = add_gather(b, permutation);
    at.pair = permutes_pairs(b, false);
    last_operation(b)->to_pair = at.pair;
    return at;
}

static void build_rader(struct pipeline_builder *b)
{
    const struct pass *pass = b->kernel->pass;
    const struct transform_twiddle none = {0, 0};
    const int64_t n = pass->length + 1;
    const int32_t *powers = pipeline_powers(b, n);
    const int32_t *inverse = pipeline_inverse_powers(b, n, powers);
    if (rader_build(b, inverse, powers)) return;
    struct transform_end at = gather_permuted(b, inverse);
    at = pipeline_transform(b, at, tile_end(b, CPU_TILE_B), false, none);
    struct cpu_operation *middle = add_general(b, b->general->rader, at.operand, at.operand);
    use_spectrum(b, middle);
    use_ends(b, middle);
    struct transform_end end = at;
    end.pair = permutes_pairs(b, true);
    at = pipeline_transform(b, at, end, true, none);
    /* y_0 is at its place already, where its twiddle is 1. */
    if (pass->twiddle_order) add_twiddle(b, at, powers);
    add_scatter(b, at, powers);
}

/* Whether its numbers are what is made of them; a lone one is its own transform. */
static bool is_copied(const struct pass *pass)
{
    return pass->body == PASS_COPY || (pass->body == PASS_TRANSFORM && pass->radices == 0);
}

/* All but what folds before it, or unfolds behind it. */
static void build_body(struct pipeline_builder *b)
{
    const struct pass *pass = b->kernel->pass;
    const struct shape_of_pass shape = tiles_shape(pass);
    if (turned_sweeps(b->kernel) || (turned_suits(b->kernel) && !b->across)) {
        turned_build(b);
    } else if (moved_suits(b->kernel)) {
        moved_build(b);
    } else if (tiles_bare_copy(pass)) {
        use_ends(b, add_general(b, b->general->copy, CPU_FROM, CPU_TO));
    } else if (is_copied(pass)) {
        const struct transform_end at = add_gather(b, NULL);
        if (pass->twiddle_order) add_twiddle(b, at, NULL);
        add_scatter(b, at, NULL);
    } else if (pass_parts_parities(pass)) {
        build_parities(b);
    } else if (pass->body == PASS_CONVOLUTION) {
        build_convolution(b, &shape);
    } else if (pass->body == PASS_RADER) {
        build_rader(b);
    } else if (abreast_suits(b->kernel)) {
        abreast_build(b);
    } else if (paired_suits(b->kernel)) {
        paired_build(b, pipeline_source(b), CPU_TO);
    } else if (!pipeline_build_short(b, &shape) && !pairs_build_line(b)) {
        build_transform(b, &shape);
    }
}

void pipeline_build(struct pipeline_builder *b)
{
    const struct kernel *kernel = b->kernel;
    const bool mirrors = tiles_mirrors(kernel), folds = kernel->pass->half == PASS_HALF_FOLD;
    if (kernel->products) matrix_build(b);
    else if (tiles_sums(kernel)) pipeline_build_sums(b);
    else if (pass_sweeps_half(kernel->pass)) add_mirror(b);
    else {
        if (mirrors && folds) add_mirror(b);
        build_body(b);
        if (mirrors && !folds) add_mirror(b);
    }
    scaling_at_end(b);
}

#include "device/cpu/turned.h"

#include "device/cpu/halves_parts.h"
#include "device/cpu/mirror.h"
#include "device/cpu/paired.h"

/* ---- which passes they are ---- */

struct turned_end turned_end(const struct pass *pass, bool out)
{
    const struct reals *reals = &pass->reals[out];
    const int64_t n = reals->n, count = reals->numbers == n ? n - 1 : n / 2 - 1;
    struct turned_end end = {.exists = false};
    if (reals->parts != 2 || n % 2 != 0 || n < 4 || pass->half_n != n) return end;
    const struct reals_run run[] = {reals_run_at(reals, 0, 1, 1), reals_run_at(reals, 1, 1, 1)};
    end.up = run[1].step == 1;
    const struct reals_run *up = &run[end.up], *down = &run[1 - end.up];
    end.o = up->real - 1;
    end.weight[0] = run[0].weight;
    end.weight[1] = run[1].weight * (out ? reals->im_sign : 1);
    end.exists = up->step == 1 && down->step == -1 && down->real == n - 1 + end.o &&
                 (end.o == 0 || end.o == -1) && up->count >= count && down->count >= count;
    return end;
}

bool turned_goes_there_and_back(const struct reals *reals, int64_t each)
{
    const int64_t step = 4 * each;
    return reals->parts == 2 && reals->first == 1 && reals->part[0].at == 1 &&
           reals->part[0].step == step && reals->part[1].at == 5 &&
           reals->part[1].step == step && !reals_turn(reals);
}

/* Two numbers of the line are one of pairs. */
static bool goes_there_and_back(const struct reals *reals)
{
    return turned_goes_there_and_back(reals, 2);
}

/* Each pair of neighbours. */
static bool are_pairs(const struct reals *reals)
{
    return reals->parts == 2 && reals->first == 0 && reals->part[0].at == 0 &&
           reals->part[0].step == 4 && reals->part[1].at == 2 && reals->part[1].step == 4 &&
           !reals_turn(reals);
}

static bool has_plain_lines(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    return pass->reals[0].stride == 1 && pass->reals[1].stride == 1 && pass_reflects_one(pass) &&
           pass->real_in && pass->real_out && !pass->hook[0] && !pass->hook[1];
}

/* Numbers of a codelet's line; a sweep's has no other length. */
static int64_t numbers_of(const struct pass *pass)
{
    return pass->half_n ? pass->half_n / 2 : pass->length;
}

static bool fills_vectors(const struct kernel *kernel)
{
    return numbers_of(kernel->pass) >= mirrors_of(kernel)->lanes;
}

/* The part of numbers k that is reals 2 k, where the other one is reals n - 1 - 2 k: of type IV;
 * -1: they are not. */
static int part_from_begin(const struct reals *reals)
{
    if (reals->parts != 2 || reals->numbers < reals->n / 2) return -1;
    const struct reals_run run[] = {reals_run_at(reals, 0, 0, 1), reals_run_at(reals, 1, 0, 1)};
    const int up = run[1].step == 2;
    const struct reals_run *begin = &run[up], *end = &run[1 - up];
    const bool all = begin->count >= reals->n / 2 && end->count >= reals->n / 2;
    const bool from_both = begin->step == 2 && begin->real == 0 && end->step == -2 &&
                           end->real == reals->n - 1;
    return all && from_both && begin->weight == 1 && end->weight == 1 ? up : -1;
}

static bool has_both_ends(const struct pass *pass, bool out)
{
    const int part = part_from_begin(&pass->reals[out]);
    return out ? part == 0 : part >= 0;
}

bool turned_suits(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const struct reals *in = &pass->reals[0], *out = &pass->reals[1];
    if (pass->body != PASS_TRANSFORM || pass->radices == 0 || pass->twiddle_order) return false;
    if (in->n != 2 * pass->length || out->n != in->n || !has_plain_lines(kernel)) return false;
    if (!fills_vectors(kernel)) return false;
    if (pass->half == PASS_NO_HALF && !pass->backward && has_both_ends(pass, false) &&
        has_both_ends(pass, true))
        return true;
    if (pass->half_n != in->n) return false;
    if (pass->half == PASS_HALF_SPREAD)
        return (goes_there_and_back(in) || are_pairs(in)) && turned_end(pass, true).exists;
    return pass->half == PASS_HALF_FOLD && goes_there_and_back(out) &&
           turned_end(pass, false).exists;
}

bool turned_sweeps(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const bool out = pass->reals[1].parts > 0;
    if (!pass_sweeps_line(pass) || pass->hook[0] || pass->hook[1]) return false;
    if (kernel->format[out ? CPU_FROM : CPU_TO] != WEFT_INTERLEAVED) return false;
    if (!fills_vectors(kernel)) return false;
    if (pass->half == (out ? PASS_HALF_UNFOLD : PASS_HALF_FOLD))
        return turned_end(pass, out).exists;
    if (pass->half != PASS_NO_HALF) return false;
    return goes_there_and_back(&pass->reals[out]) || has_both_ends(pass, out);
}

/* Neighbouring columns of a line, and nothing else. */
static bool has_columns(const struct pass *pass)
{
    const struct pass_map *map = &pass->half_map;
    for (int l = 1; l < pass->loops; l++) {
        if (map->loop[l] != 0) return false;
    }
    return pass->loops > 0 && map->loop[0] == 1 &&
           map->line * pass->length == pass->reals[0].numbers;
}

bool turned_enters(const struct kernel *kernel, int64_t columns)
{
    const struct pass *pass = kernel->pass;
    const struct reals *in = &pass->reals[0];
    const struct codelet_set *widest = kernel->sets->set[kernel->precision][0];
    if (pass->body != PASS_TRANSFORM || pass->backward || pass->radices < 2) return false;
    if (pass->half != PASS_NO_HALF || pass->line.n != pass->length) return false;
    if (!pass_reflects_one(pass) || !goes_there_and_back(in)) return false;
    if (in->stride != 1 || in->n != 2 * in->numbers) return false;
    if (kernel->own_pass || kernel->fill.runs || pass->hook[0] || !has_columns(pass)) return false;
    return columns >= widest->lanes && widest->function[CODELET_ENTER_PARTED][pass->radix[0]];
}

void turned_enter(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const int64_t bytes = tile->kernel->real_bytes, first = first_number(tile);
    const char *line = tile->base[op->from] - first * bytes;
    const int64_t away = CODELET_PARTED_REALS * first * bytes;
    op->codelet[0](&op->shape[0], line + away, line + op->part_bytes - away, tile->re[op->to],
                   tile->im[op->to], op->twiddles, op->fine);
}

/* Whether neighbours of the line, which are a number, are read where they lie. */
static bool reads_pairs(const struct kernel *kernel)
{
    return kernel->pass->half == PASS_HALF_SPREAD && are_pairs(&kernel->pass->reals[0]);
}

/* Parts of the first-level cache that the lines of a tile take: at both ends, and once between. */
#define TURNED_SHARE 2

int64_t turned_columns(const struct kernel *kernel, int64_t columns)
{
    const struct pass *pass = kernel->pass;
    const int64_t line = 3 * 2 * pass->length * kernel->real_bytes;
    const int64_t most = kernel->device->limits.cache_bytes[0] / TURNED_SHARE / line;
    const int64_t share = columns / (kernel->threads == 1 ? 1 : kernel->threads * TILES_A_THREAD);
    if (!tiles_line_set(kernel) && !paired_takes_lines(kernel) && !tiles_transforms_by_sums(kernel))
        return 1;
    if (!pass->loops || most < 2 || share < 2) return 1;
    if (reads_pairs(kernel) && pass->loop[0].in_stride % 2 != 0) return 1;
    return share < most ? share : most;
}

/* ---- their operations ---- */

/* Reals from one line of the tile to the next. */
static int64_t row_of(const struct kernel *kernel, enum cpu_operand operand)
{
    const struct pass *pass = kernel->pass;
    if (operand != CPU_FROM && operand != CPU_TO) return 2 * pass->length;
    return pass->loops ? pipeline_stride(&pass->loop[0], operand) : 0;
}

/* From one end to another; of mirror.h. */
static struct cpu_operation *add_codelet(struct pipeline_builder *b, codelet_function *codelet,
                                         enum cpu_operand from, enum cpu_operand to,
                                         const struct cpu_table *factors)
{
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    op->from = from;
    op->to = to;
    op->from_pair = from != CPU_FROM || !b->kernel->real_place[CPU_FROM];
    op->to_pair = to != CPU_TO || !b->kernel->real_place[CPU_TO];
    op->directed = true;
    for (int d = 0; d < 2; d++) {
        op->codelet[d] = codelet;
        op->shape[d] = (struct codelet_shape){.rows = b->pipeline->columns,
                                              .lanes = numbers_of(b->kernel->pass),
                                              .in_row = row_of(b->kernel, from),
                                              .out_row = row_of(b->kernel, to),
                                              .fine_row = TABLE_FACTORS_A_DIRECTION * d};
    }
    if (factors) op->fine = factors->data;
    else b->failed = true;
    return op;
}

static void add_turned(struct pipeline_builder *b, bool out, codelet_function *codelet,
                       enum cpu_operand from, enum cpu_operand to)
{
    struct kernel *kernel = b->kernel;
    const struct turned_end end = turned_end(kernel->pass, out);
    const struct cpu_table *turns = table_turned(kernel, out, end.up == 1);
    const struct cpu_table *factors = table_turned_factors(kernel, out, end.up, end.weight);
    struct cpu_operation *op = add_codelet(b, codelet, from, to, factors);
    if (!turns) {
        b->failed = true;
        return;
    }
    op->twiddles = turns->data;
    for (int d = 0; d < 2; d++)
        op->shape[d].turn = end.o;
}

/* The transform of the pairs: a tile buffer is lines of as many reals. */
static struct transform_end add_pairs(struct pipeline_builder *b, enum cpu_operand operand)
{
    const struct transform_end from = {operand, true, 1, NULL, false};
    const enum cpu_operand other = operand == CPU_TILE_A ? CPU_TILE_B : CPU_TILE_A;
    const struct transform_end to = {other, true, 1, NULL, false};
    const struct transform_twiddle none = {0, 0};
    const int64_t row = row_of(b->kernel, operand) / 2, to_row = row_of(b->kernel, other) / 2;
    if (pipeline_line(b, from, row, to, to_row) || pipeline_sums(b, from, row, to, to_row))
        return to;
    if (paired_takes(b->kernel))
        return (struct transform_end){paired_build(b, operand, other), true, 1, NULL, false};
    return pipeline_transform(b, from, to, false, none);
}

/* The steps of a long line, of which the first one reads the reals. */
static struct transform_end add_opened(struct pipeline_builder *b)
{
    const struct transform_end from = {CPU_FROM, false, 1, NULL, true};
    const struct transform_end to = {CPU_TILE_B, true, 1, NULL, false};
    return pipeline_transform(b, from, to, false, (struct transform_twiddle){0, 0});
}

/* The transform of the reals' pairs. */
static struct transform_end add_parted(struct pipeline_builder *b)
{
    struct kernel *kernel = b->kernel;
    const bool lines = tiles_line_set(kernel) || paired_takes_lines(kernel);
    if (paired_opens_parted(kernel))
        return (struct transform_end){paired_build_parted(b), true, 1, NULL, false};
    if (!lines && pipeline_opens_parted(kernel)) return add_opened(b);
    add_codelet(b, mirrors_of(kernel)->part, CPU_FROM, CPU_TILE_A,
                table_signs(kernel, false));
    return add_pairs(b, CPU_TILE_A);
}

static void add_ends(struct pipeline_builder *b, bool out, codelet_function *codelet,
                     enum cpu_operand from, enum cpu_operand to)
{
    const bool quarter = part_from_begin(&b->kernel->pass->reals[out]) == 1;
    const struct cpu_table *turns = table_ends(b->kernel, out, quarter);
    struct cpu_operation *op =
        add_codelet(b, codelet, from, to, table_ends_factors(b->kernel, out, quarter));
    if (turns) op->twiddles = turns->data;
    else b->failed = true;
}

static void build_ends(struct pipeline_builder *b)
{
    const struct cpu_mirrors *mirrors = mirrors_of(b->kernel);
    add_ends(b, false, mirrors->of_ends, CPU_FROM, CPU_TILE_A);
    const struct transform_end end = add_pairs(b, CPU_TILE_A);
    add_ends(b, true, mirrors->to_ends, end.operand, CPU_TO);
}

/* Whether a sweep's codelet writes past the caches. */
static bool goes_past(const struct kernel *kernel, const struct cpu_operation *op)
{
    const struct cpu_mirrors *mirrors = mirrors_of(kernel);
    const int64_t lanes = op->shape[0].lanes, row = op->shape[0].out_row;
    const bool vectors = lanes % (2 * mirrors->lanes) == 0 && row % mirrors->lanes == 0;
    return kernel->streams && vectors && op->shape[0].turn == 0;
}

static void build_sweep(struct pipeline_builder *b)
{
    struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const struct cpu_mirrors *mirrors = mirrors_of(kernel);
    struct cpu_operation *op = &b->operation[b->pipeline->operations];
    const bool out = pass->reals[1].parts > 0;
    if (pass->half != PASS_NO_HALF)
        add_turned(b, out, out ? mirrors->unfold_turned : mirrors->fold_turned, CPU_FROM, CPU_TO);
    else if (has_both_ends(pass, out))
        add_ends(b, out, out ? mirrors->to_ends : mirrors->of_ends, CPU_FROM, CPU_TO);
    else
        add_codelet(b, out ? mirrors->join : mirrors->part, CPU_FROM, CPU_TO,
                    table_signs(kernel, out));
    for (int d = 0; d < 2; d++)
        op->shape[d].out_leg = goes_past(kernel, op);
}

void turned_build(struct pipeline_builder *b)
{
    struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const struct cpu_mirrors *mirrors = mirrors_of(kernel);
    if (turned_sweeps(kernel)) {
        build_sweep(b);
    } else if (pass->half == PASS_NO_HALF) {
        build_ends(b);
    } else if (pass->half == PASS_HALF_SPREAD) {
        const struct transform_end end =
            reads_pairs(kernel) ? add_pairs(b, CPU_FROM) : add_parted(b);
        add_turned(b, true, mirrors->unfold_turned, end.operand, CPU_TO);
    } else {
        add_turned(b, false, mirrors->fold_turned, CPU_FROM, CPU_TILE_A);
        const struct transform_end end = add_pairs(b, CPU_TILE_A);
        add_codelet(b, mirrors->join, end.operand, CPU_TO, table_signs(kernel, true));
    }
}

#include "device/cpu/paired.h"

#include "device/cpu/abreast.h"
#include "device/cpu/pairs.h"
#include "device/cpu/scaling.h"
#include "device/cpu/tiles.h"
#include "device/cpu/turned.h"

/* Lines of a tile, if their two steps are done for all of them at once: so large a part of the
 * first level each, for both ends, what lies between, and half of it free. */
#define LINES_AT_ONCE 6

bool paired_takes(const struct kernel *kernel)
{
    return !tiles_line_set(kernel) && kernel->pair_steps.count > 0;
}

bool paired_suits(const struct kernel *kernel)
{
    const struct shape_of_pass shape = tiles_shape(kernel->pass);
    return shape.line_in && shape.line_out && !kernel->piece &&
           pairs_are_at_both_ends(kernel) && paired_takes(kernel) && !abreast_suits(kernel);
}

bool paired_takes_lines(const struct kernel *kernel)
{
    return paired_takes(kernel) && kernel->pair_steps.count == 2;
}

int64_t paired_columns(const struct kernel *kernel, int64_t columns)
{
    const int64_t line = LINES_AT_ONCE * 2 * kernel->pass->length * kernel->real_bytes;
    const int64_t most = kernel->device->limits.cache_bytes[0] / line;
    const int64_t share = columns / (kernel->threads == 1 ? 1 : kernel->threads * TILES_A_THREAD);
    const int64_t lines = share < most ? share : most;
    return lines > 1 && paired_takes_lines(kernel) ? lines : 1;
}

/* ---- operations ---- */

/* That which has the step in vectors of so many bytes. */
static const struct codelet_set *find_set(const struct kernel *kernel, enum codelet_kind kind,
                                          int radix, int bytes)
{
    for (int i = 0; i < kernel->sets->count[kernel->precision]; i++) {
        const struct codelet_set *set = kernel->sets->set[kernel->precision][i];
        if (set->lanes * kernel->real_bytes == bytes && set->function[kind][radix]) return set;
    }
    return NULL;
}

static int64_t pairs_of(const struct kernel *kernel, int bytes)
{
    return bytes / 2 / kernel->real_bytes;
}

static enum cpu_operand other_buffer(enum cpu_operand operand)
{
    return operand == CPU_TILE_A ? CPU_TILE_B : CPU_TILE_A;
}

/* From one line of the tile to the next. Pairs may be what the caller has as reals. */
static int64_t line_stride(const struct pipeline_builder *b, enum cpu_operand operand)
{
    const struct pass *pass = b->kernel->pass;
    if (operand == CPU_TILE_A || operand == CPU_TILE_B) return pass->length;
    const int64_t stride = pass->loops ? pipeline_stride(&pass->loop[0], operand) : 0;
    return turned_suits(b->kernel) ? stride / 2 : stride;
}

/* Of a tile, or of the prime whose multiple its line is. */
static int64_t lines_of(const struct pipeline_builder *b)
{
    const struct pass *pass = b->kernel->pass;
    return pass->body == PASS_RADER ? pass_cofactor(pass) : b->pipeline->columns;
}

/* Of a step behind others that have taken s numbers together, its rows are what lies beside these;
 * of one line in more than two steps, or of as many as there are in two. */
static struct codelet_shape shape_of(const struct pipeline_builder *b, enum cpu_operand from,
                                     enum cpu_operand to, int radix, int64_t s)
{
    const int64_t n = b->kernel->pass->length, lanes = s == 1 ? n / radix : s;
    const bool middle = n / radix > lanes;
    return (struct codelet_shape){.rows = middle ? n / radix / lanes : lines_of(b),
                                  .lanes = lanes,
                                  .in_row = middle ? lanes : line_stride(b, from),
                                  .in_leg = n / radix,
                                  .out_row = middle ? lanes * radix : line_stride(b, to),
                                  .out_leg = lanes};
}

/* Whether the last step has the scales, of which its table has planes by the direction that its
 * codelets run in. */
static bool scales_pairs(const struct pipeline_builder *b)
{
    return scaling_joins_steps(b) && !b->kernel->pass->one_way;
}

/* Parting and a line codelet take as long as steps up to so many numbers. (Experiment "parted
 * pairs" in docs/experiments.) */
#define PARTED_LINE 64

/* Whether steps that read parted lines are quicker than what else there may be. */
static bool parted_steps_gain(const struct kernel *kernel)
{
    const bool line = tiles_line_set(kernel) && kernel->pass->length > PARTED_LINE;
    return paired_takes(kernel) || (line && kernel->pair_steps.count == 2);
}

/* Beside wider vectors there are none. */
bool paired_opens_parted(const struct kernel *kernel)
{
    const struct codelet_set *widest = kernel->sets->set[kernel->precision][0];
    const struct pair_steps steps = kernel->pair_steps;
    if (steps.count == 0 || !parted_steps_gain(kernel)) return false;
    return widest->lanes * kernel->real_bytes == 32 &&
           find_set(kernel, CODELET_PAIRS_PARTED, steps.radix[0], steps.bytes[0]);
}

static void use_parted(struct pipeline_builder *b, struct cpu_operation *op)
{
    const struct cpu_table *signs = table_signs(b->kernel, false);
    const struct pass *pass = b->kernel->pass;
    op->shape[0].in_row = pass->loops ? pipeline_stride(&pass->loop[0], CPU_FROM) : 0;
    op->shape[1].in_row = op->shape[0].in_row;
    if (signs) op->fine = (const char *)signs->data + b->kernel->real_bytes;
    else b->failed = true;
}

struct cpu_operation *paired_add(struct pipeline_builder *b, enum cpu_operand from,
                                 enum cpu_operand to)
{
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    op->from = from;
    op->to = to;
    op->from_pair = op->to_pair = true;
    return op;
}

static void use_turns(struct pipeline_builder *b, struct cpu_operation *op,
                      const struct cpu_table *turns)
{
    b->failed = b->failed || !turns;
    if (b->failed) return;
    op->twiddles = turns->data;
    op->shape[WEFT_INVERSE].twiddle_plane = turns->plane;
}

/* The Stockham steps (steps.c) between pairs: of the first one lanes are butterflies, of the others
 * what the steps before have transformed. */
static void add_step(struct pipeline_builder *b, enum codelet_kind kind, enum cpu_operand from,
                     enum cpu_operand to, int radix, int bytes, int64_t s)
{
    struct kernel *kernel = b->kernel;
    const struct codelet_shape shape = shape_of(b, from, to, radix, s);
    const bool scales = s * radix == kernel->pass->length && scales_pairs(b);
    if (scales) scaling_before_pairs(b, from, &shape);
    struct cpu_operation *op = paired_add(b, from, to);
    op->shape[0] = shape;
    pipeline_set_codelet(b, op, find_set(kernel, kind, radix, bytes), kind, radix);
    if (kind == CODELET_PAIRS_PARTED) use_parted(b, op);
    if (s == 1) return;
    const struct cpu_table *turns = table_pairs_beside(kernel, s, radix, pairs_of(kernel, bytes));
    if (scales) turns = scaling_of_pairs(kernel, turns);
    use_turns(b, op, turns);
}

bool paired_lies_over(const struct cpu_operation *last)
{
    return last->kind == CODELET_PAIRS_LEAVE && last->set && last->to == CPU_TO &&
           last->shape[0].lanes % (last->set->lanes / 2) == 0;
}

static enum cpu_operand add_steps(struct pipeline_builder *b, enum codelet_kind first,
                                  enum cpu_operand from, enum cpu_operand to)
{
    const struct pair_steps steps = b->kernel->pair_steps;
    const bool caller = to == CPU_FROM || to == CPU_TO;
    int64_t s = 1;
    for (int t = 0; t < steps.count; t++) {
        const bool last = t == steps.count - 1;
        const bool stays = last && s % pairs_of(b->kernel, steps.bytes[t]) == 0;
        const enum cpu_operand next = last && caller ? to : stays ? from : other_buffer(from);
        add_step(b, t == 0 ? first : CODELET_PAIRS_LEAVE, from, next, steps.radix[t],
                 steps.bytes[t], s);
        s *= steps.radix[t];
        from = next;
    }
    return from;
}

enum cpu_operand paired_build(struct pipeline_builder *b, enum cpu_operand from,
                              enum cpu_operand to)
{
    return add_steps(b, CODELET_PAIRS_OPEN, from, to);
}

/* What is the one in a direction of the program is the other in the other. */
static void turn_back(struct cpu_operation *op)
{
    const struct codelet_shape shape = op->shape[WEFT_FORWARD];
    codelet_function *const codelet = op->codelet[WEFT_FORWARD];
    op->shape[WEFT_FORWARD] = op->shape[WEFT_INVERSE];
    op->codelet[WEFT_FORWARD] = op->codelet[WEFT_INVERSE];
    op->shape[WEFT_INVERSE] = shape;
    op->codelet[WEFT_INVERSE] = codelet;
}

enum cpu_operand paired_build_back(struct pipeline_builder *b, enum cpu_operand from)
{
    const int first = b->pipeline->operations;
    const enum cpu_operand at = add_steps(b, CODELET_PAIRS_OPEN, from, other_buffer(from));
    for (int o = first; o < b->pipeline->operations; o++)
        turn_back(&b->operation[o]);
    return at;
}

void paired_build_last(struct pipeline_builder *b, enum cpu_operand from)
{
    struct kernel *kernel = b->kernel;
    const int64_t prime = kernel->pass->length + 1, m = pass_cofactor(kernel->pass);
    const struct pair_steps last =
        pair_steps_last(&kernel->device->limits, kernel->precision, m, prime);
    const int bytes = last.bytes[0], radix = (int)m;
    struct cpu_operation *op = paired_add(b, from, CPU_TO);
    op->shape[0] =
        (struct codelet_shape){.rows = 1, .lanes = prime, .in_leg = prime, .out_leg = prime};
    pipeline_set_codelet(b, op, find_set(kernel, CODELET_PAIRS_LEAVE, radix, bytes),
                         CODELET_PAIRS_LEAVE, radix);
    use_turns(b, op, table_pairs_beside(kernel, prime, radix, pairs_of(kernel, bytes)));
}

enum cpu_operand paired_build_parted(struct pipeline_builder *b)
{
    return add_steps(b, CODELET_PAIRS_PARTED, CPU_FROM, CPU_TILE_B);
}

#include "device/cpu/paired.h"

#include "device/cpu/abreast.h"
#include "device/cpu/pairs.h"
#include "device/cpu/tiles.h"
#include "device/cpu/turned.h"

/* Longer lines have tables that leave the first level. */
#define LONGEST_LINE 2048

/* ---- their steps ---- */

#define VECTOR_BYTES 32

#define MOST_STEPS 3
struct steps {
    int count; /* 0: there are none */
    int radix[MOST_STEPS];
    double price;
};

/* Tenths of a nanosecond a vector, of a Zen 4; either kind takes as long. (Experiment "steps of
 * pairs" in docs/experiments.) */
static const short vector_price[CODELET_MAX_RADIX + 1] = {
    [4] = 18,   [5] = 30,   [6] = 31,   [7] = 52,   [8] = 47,   [9] = 84,   [10] = 67, [11] = 108,
    [12] = 80,  [13] = 148, [14] = 107, [15] = 124, [16] = 138, [20] = 165, [25] = 340,
};

/* Steps of three read and write more that is not near. */
#define THREE_STEPS 1.2

static int64_t pairs_of_vector(weft_precision precision)
{
    return VECTOR_BYTES / 2 / precision_bytes(precision);
}

static const struct codelet_set *find_set(const struct cpu_sets *sets, weft_precision precision,
                                          int64_t radix)
{
    if (radix > CODELET_MAX_RADIX) return NULL;
    for (int i = 0; i < sets->count[precision]; i++) {
        const struct codelet_set *set = sets->set[precision][i];
        if (set->function[CODELET_PAIRS_LEAVE][radix]) return set;
    }
    return NULL;
}

/* What steps are made of, and for. */
struct choice {
    const struct cpu_sets *sets;
    weft_precision precision;
    int64_t n, pairs; /* of a vector */
};

static struct choice choice_of(const struct cpu_sets *sets, weft_precision precision, int64_t n)
{
    return (struct choice){sets, precision, n, pairs_of_vector(precision)};
}

static bool has_step(const struct choice *choice, int64_t radix)
{
    return find_set(choice->sets, choice->precision, radix) != NULL;
}

static double step_price(const struct choice *choice, int radix, int64_t lanes)
{
    const int64_t vectors = (lanes + choice->pairs - 1) / choice->pairs;
    return (double)(choice->n / radix / lanes * vectors) * vector_price[radix];
}

static double price_of(const struct choice *choice, const struct steps *steps)
{
    double price = step_price(choice, steps->radix[0], choice->n / steps->radix[0]);
    int64_t lanes = steps->radix[0];
    for (int t = 1; t < steps->count; t++) {
        price += step_price(choice, steps->radix[t], lanes);
        lanes *= steps->radix[t];
    }
    return steps->count == MOST_STEPS ? THREE_STEPS * price : price;
}

/* Those of the first two radices, which divide the length; none if there is no such step. */
static struct steps steps_by(const struct choice *choice, int first, int second)
{
    const int64_t n = choice->n, left = n / first / second;
    struct steps steps = {left > 1 ? 3 : 2, {first, second, (int)left}, 0};
    const bool fills = first >= choice->pairs && n / first >= choice->pairs;
    if (fills && has_step(choice, second) && (left == 1 || has_step(choice, left)))
        steps.price = price_of(choice, &steps);
    else
        steps.count = 0;
    return steps;
}

static struct steps best_steps(const struct choice *choice)
{
    const int64_t n = choice->n;
    struct steps best = {0};
    if (n > LONGEST_LINE) return best;
    for (int first = 2; first <= n / 2 && first <= CODELET_MAX_RADIX; first++) {
        if (n % first != 0 || !has_step(choice, first)) continue;
        for (int second = 2; second <= n / first && second <= CODELET_MAX_RADIX; second++) {
            if (n / first % second != 0) continue;
            const struct steps steps = steps_by(choice, first, second);
            if (steps.count && (!best.count || steps.price <= best.price)) best = steps;
        }
    }
    return best;
}

static struct steps steps_of(const struct kernel *kernel)
{
    const struct choice choice =
        choice_of(kernel->sets, kernel->precision, kernel->pass->length);
    return best_steps(&choice);
}

bool paired_exist(const struct cpu_sets *sets, weft_precision precision, int64_t n)
{
    const struct choice choice = choice_of(sets, precision, n);
    const struct steps steps = best_steps(&choice);
    return steps.count > 0 && steps.count < MOST_STEPS;
}

/* ---- which lines take them ---- */

/* Lines of a tile, if their two steps are done for all of them at once: so large a part of the
 * first level each, for both ends, what lies between, and half of it free. */
#define LINES_AT_ONCE 6

/* Steps on wider vectors are as fast if they fill so large a part of their lanes, if at all: those
 * of three steps of pairs, and of two where units take as much at once. (Experiment "steps of
 * pairs" in docs/experiments, with all the numbers here.) */
#define WIDE_BYTES  64
#define FILLED      0.97
#define FILLED_FULL 0.9

/* Wide steps of this radix are around a core. */
#define CORE_RADIX 13

/* Where they take half as much, doubles' line codelets of full vectors are slower, too, if they are
 * longer than this and no such multiple of a vector's lanes. */
#define LONG_LINE       64
#define VECTORS_OF_LINE 2

/* The part of wide vectors' lanes that the steps of a line have. */
static double filled_lanes(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const int64_t widest = cpu_widest_lanes(kernel), n = pass->length;
    int64_t s = 1;
    double taken = 0;
    for (int t = 0; t < pass->radices; t++) {
        const int64_t lanes = t == 0 ? n / pass->radix[0] : s;
        taken += (double)((lanes + widest - 1) / widest * widest) / (double)lanes;
        s *= pass->radix[t];
    }
    return pass->radices / taken;
}

static bool are_units_halved(const struct limits *limits)
{
    return limits->unit_bytes < limits->vector_bytes;
}

static bool has_line(const struct kernel *kernel)
{
    const int64_t n = kernel->pass->length, multiple = VECTORS_OF_LINE * cpu_widest_lanes(kernel);
    const struct codelet_set *set = tiles_line_set(kernel);
    if (!set) return false;
    if (line_is_of_pairs(set->lanes, kernel->precision, (int)n)) return true;
    const bool slow = kernel->precision == WEFT_F64 && n > LONG_LINE && n % multiple != 0 &&
                      are_units_halved(&kernel->device->limits);
    return !slow;
}

static bool beat_wide_steps(const struct kernel *kernel, const struct steps *steps)
{
    const struct limits *limits = &kernel->device->limits;
    if (limits->vector_bytes < WIDE_BYTES) return true;
    const bool two = steps->count < MOST_STEPS;
    if (!are_units_halved(limits)) return two && filled_lanes(kernel) < FILLED_FULL;
    /* Doubles' batches gain more by wide stores. */
    const bool one_by_one = kernel->precision != WEFT_F64 || kernel->pass->loops == 0;
    if ((two && one_by_one) || kernel->pass->length % CORE_RADIX == 0) return true;
    return filled_lanes(kernel) < FILLED;
}

bool paired_takes(const struct kernel *kernel)
{
    if (kernel->pass->radices < 2 || has_line(kernel)) return false;
    const struct steps steps = steps_of(kernel);
    return steps.count > 0 && beat_wide_steps(kernel, &steps);
}

bool paired_suits(const struct kernel *kernel)
{
    const struct shape_of_pass shape = tiles_shape(kernel->pass);
    return shape.line_in && shape.line_out && !kernel->piece &&
           pairs_are_at_both_ends(kernel) && paired_takes(kernel) && !abreast_suits(kernel);
}

bool paired_takes_lines(const struct kernel *kernel)
{
    return paired_takes(kernel) && steps_of(kernel).count < MOST_STEPS;
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

/* Of a step behind others that have taken s numbers together, its rows are what lies beside these;
 * of one line in three steps, or of as many as there are in two. */
static struct codelet_shape shape_of(const struct pipeline_builder *b, enum cpu_operand from,
                                     enum cpu_operand to, int radix, int64_t s)
{
    const int64_t n = b->kernel->pass->length, lanes = s == 1 ? n / radix : s;
    const bool middle = n / radix > lanes;
    return (struct codelet_shape){.rows = middle ? n / radix / lanes : b->pipeline->columns,
                                  .lanes = lanes,
                                  .in_row = middle ? lanes : line_stride(b, from),
                                  .in_leg = n / radix,
                                  .out_row = middle ? lanes * radix : line_stride(b, to),
                                  .out_leg = lanes};
}

/* The Stockham steps (steps.c) between pairs: of the first one lanes are butterflies, of the others
 * what the steps before have transformed. */
static void add_step(struct pipeline_builder *b, enum cpu_operand from, enum cpu_operand to,
                     int radix, int64_t s)
{
    struct kernel *kernel = b->kernel;
    const enum codelet_kind kind = s == 1 ? CODELET_PAIRS_OPEN : CODELET_PAIRS_LEAVE;
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    op->from = from;
    op->to = to;
    op->from_pair = op->to_pair = true;
    op->shape[0] = shape_of(b, from, to, radix, s);
    pipeline_set_codelet(b, op, find_set(kernel->sets, kernel->precision, radix), kind, radix);
    if (s == 1) return;
    const struct cpu_table *turns = table_pairs_beside(kernel, s, radix);
    b->failed = b->failed || !turns;
    if (b->failed) return;
    op->twiddles = turns->data;
    op->shape[WEFT_INVERSE].twiddle_plane = turns->plane;
}

enum cpu_operand paired_build(struct pipeline_builder *b, enum cpu_operand from,
                              enum cpu_operand to)
{
    const struct steps steps = steps_of(b->kernel);
    const bool caller = to == CPU_FROM || to == CPU_TO;
    int64_t s = 1;
    for (int t = 0; t < steps.count; t++) {
        const bool last = t == steps.count - 1 && caller;
        const enum cpu_operand next = last ? to : other_buffer(from);
        add_step(b, from, next, steps.radix[t], s);
        s *= steps.radix[t];
        from = next;
    }
    return from;
}

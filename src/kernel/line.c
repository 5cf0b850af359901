#include "kernel/line.h"

#include "kernel/butterfly.h"
#include "kernel/codelet.h"
#include "math/factor.h"

#define PADDING   16
#define MOST_LEGS 16

/* By the lanes of sets, then by length: what was fastest of the orders of small radices and of the
 * widths. (Experiment "lines" in docs/experiments.) */
static const struct line lines[] = {
    {16, 9, 4, 2, {3, 3}, LINE_STEPS},
    {16, 12, 4, 2, {4, 3}, LINE_COPRIME},
    {16, 14, 4, 2, {2, 7}, LINE_STEPS},
    {16, 15, 4, 2, {3, 5}, LINE_COPRIME},
    {16, 18, 8, 3, {2, 3, 3}, LINE_STEPS},
    {16, 21, 8, 2, {3, 7}, LINE_STEPS},
    {16, 22, 8, 2, {2, 11}, LINE_STEPS},
    {16, 26, 8, 2, {2, 13}, LINE_STEPS},
    {16, 27, 16, 3, {3, 3, 3}, LINE_STEPS},
    {16, 33, 8, 2, {3, 11}, LINE_STEPS},
    {16, 39, 8, 2, {3, 13}, LINE_STEPS},
    {16, 125, 16, 3, {5, 5, 5}, LINE_STEPS},
    {8, 9, 4, 2, {3, 3}, LINE_STEPS},
    {8, 12, 4, 2, {4, 3}, LINE_COPRIME},
    {8, 14, 4, 2, {2, 7}, LINE_STEPS},
    {8, 15, 4, 2, {3, 5}, LINE_COPRIME},
    {8, 18, 8, 3, {3, 2, 3}, LINE_STEPS},
    {8, 21, 4, 2, {3, 7}, LINE_STEPS},
    {8, 27, 4, 2, {3, 9}, LINE_STEPS},
    {4, 4, 4, 2, {2, 2}, LINE_STEPS},
    {4, 6, 4, 2, {2, 3}, LINE_STEPS},
    {4, 8, 4, 2, {2, 4}, LINE_STEPS},
    {4, 9, 4, 2, {3, 3}, LINE_STEPS},
    {4, 10, 4, 2, {2, 5}, LINE_STEPS},
    {4, 12, 4, 2, {2, 6}, LINE_STEPS},
    {4, 14, 4, 2, {2, 7}, LINE_STEPS},
    {4, 15, 4, 2, {3, 5}, LINE_COPRIME},
    {4, 16, 4, 3, {2, 2, 4}, LINE_STEPS},
    {4, 18, 4, 2, {3, 6}, LINE_STEPS},
    {4, 20, 4, 3, {2, 2, 5}, LINE_STEPS},
    {4, 24, 4, 2, {4, 6}, LINE_STEPS},
    {4, 25, 4, 2, {5, 5}, LINE_STEPS},
    {4, 27, 4, 2, {3, 9}, LINE_STEPS},
    {4, 30, 4, 2, {3, 10}, LINE_STEPS},
    {4, 32, 4, 3, {2, 2, 8}, LINE_STEPS},
    {4, 36, 4, 3, {2, 2, 9}, LINE_STEPS},
    {4, 40, 4, 3, {2, 2, 10}, LINE_STEPS},
    {4, 48, 4, 3, {4, 2, 6}, LINE_STEPS},
    {4, 64, 4, 3, {8, 2, 4}, LINE_STEPS},
    {2, 8, 2, 2, {2, 4}, LINE_STEPS},
    {2, 9, 2, 2, {3, 3}, LINE_STEPS},
    {2, 10, 2, 2, {2, 5}, LINE_STEPS},
    {2, 12, 2, 2, {3, 4}, LINE_STEPS},
    {2, 15, 2, 2, {3, 5}, LINE_STEPS},
    {2, 16, 2, 2, {4, 4}, LINE_STEPS},
    {2, 18, 2, 2, {3, 6}, LINE_STEPS},
    {2, 20, 2, 2, {4, 5}, LINE_STEPS},
    {2, 24, 2, 2, {4, 6}, LINE_STEPS},
    {2, 25, 2, 2, {5, 5}, LINE_STEPS},
    {2, 27, 2, 2, {3, 9}, LINE_STEPS},
    {2, 30, 2, 2, {5, 6}, LINE_STEPS},
    {2, 32, 2, 2, {4, 8}, LINE_STEPS},
    {1, 2, 1, 1, {2}, LINE_STEPS},
    {1, 3, 1, 1, {3}, LINE_STEPS},
    {1, 4, 1, 1, {4}, LINE_STEPS},
    {1, 5, 1, 1, {5}, LINE_STEPS},
    {1, 6, 1, 1, {6}, LINE_STEPS},
    {1, 7, 1, 1, {7}, LINE_STEPS},
    {1, 8, 1, 1, {8}, LINE_STEPS},
    {1, 10, 1, 1, {10}, LINE_STEPS},
};

/* Of doubles alone: singles fill wider vectors. */
static const struct line lines_of_doubles[] = {{1, 12, 1, 1, {12}, LINE_STEPS}};

/* Steps between vectors of pairs, before all others. (Experiment "lines of two steps in registers"
 * in docs/experiments.) */
static const struct line pairs_of_singles[] = {
    {16, 64, 16, 2, {8, 8}, LINE_PAIRS},
    {16, 72, 16, 2, {8, 9}, LINE_PAIRS},
    {16, 80, 16, 2, {8, 10}, LINE_PAIRS},
    {16, 81, 16, 2, {9, 9}, LINE_PAIRS},
    {16, 88, 16, 2, {8, 11}, LINE_PAIRS},
    {16, 96, 16, 2, {8, 12}, LINE_PAIRS},
    {16, 104, 16, 2, {13, 8}, LINE_PAIRS},
    {16, 112, 16, 2, {8, 14}, LINE_PAIRS},
    {16, 120, 16, 2, {8, 15}, LINE_PAIRS},
    {16, 121, 16, 2, {11, 11}, LINE_PAIRS},
    {16, 126, 16, 2, {14, 9}, LINE_PAIRS},
    {16, 128, 16, 2, {8, 16}, LINE_PAIRS},
    {16, 144, 16, 2, {12, 12}, LINE_PAIRS},
    {16, 176, 16, 2, {16, 11}, LINE_PAIRS},
    {16, 180, 16, 2, {12, 15}, LINE_PAIRS},
    {16, 192, 16, 2, {16, 12}, LINE_PAIRS},
    {16, 200, 16, 2, {20, 10}, LINE_PAIRS},
    {16, 208, 16, 2, {13, 16}, LINE_PAIRS},
    {16, 224, 16, 2, {16, 14}, LINE_PAIRS},
    {16, 240, 16, 2, {16, 15}, LINE_PAIRS},
    {16, 256, 16, 2, {16, 16}, LINE_PAIRS},
    {8, 16, 8, 2, {4, 4}, LINE_PAIRS},
    {8, 20, 8, 2, {4, 5}, LINE_PAIRS},
    {8, 24, 8, 2, {6, 4}, LINE_PAIRS},
    {8, 25, 8, 2, {5, 5}, LINE_PAIRS},
    {8, 28, 8, 2, {4, 7}, LINE_PAIRS},
    {8, 30, 8, 2, {6, 5}, LINE_PAIRS},
    {8, 32, 8, 2, {4, 8}, LINE_PAIRS},
    {8, 35, 8, 2, {7, 5}, LINE_PAIRS},
    {8, 36, 8, 2, {6, 6}, LINE_PAIRS},
    {8, 40, 8, 2, {4, 10}, LINE_PAIRS},
    {8, 42, 8, 2, {7, 6}, LINE_PAIRS},
    {8, 44, 8, 2, {4, 11}, LINE_PAIRS},
    {8, 45, 8, 2, {5, 9}, LINE_PAIRS},
    {8, 48, 8, 2, {12, 4}, LINE_PAIRS},
    {8, 49, 8, 2, {7, 7}, LINE_PAIRS},
    {8, 50, 8, 2, {10, 5}, LINE_PAIRS},
    {8, 52, 8, 2, {4, 13}, LINE_PAIRS},
    {8, 54, 8, 2, {6, 9}, LINE_PAIRS},
    {8, 55, 8, 2, {11, 5}, LINE_PAIRS},
    {8, 56, 8, 2, {4, 14}, LINE_PAIRS},
    {8, 60, 8, 2, {4, 15}, LINE_PAIRS},
    {8, 63, 8, 2, {7, 9}, LINE_PAIRS},
    {8, 64, 8, 2, {8, 8}, LINE_PAIRS},
    {8, 65, 8, 2, {13, 5}, LINE_PAIRS},
    {8, 66, 8, 2, {6, 11}, LINE_PAIRS},
    {8, 70, 8, 2, {7, 10}, LINE_PAIRS},
    {8, 72, 8, 2, {6, 12}, LINE_PAIRS},
    {8, 75, 8, 2, {15, 5}, LINE_PAIRS},
    {8, 77, 8, 2, {7, 11}, LINE_PAIRS},
    {8, 78, 8, 2, {13, 6}, LINE_PAIRS},
    {8, 80, 8, 2, {8, 10}, LINE_PAIRS},
    {8, 81, 8, 2, {9, 9}, LINE_PAIRS},
    {8, 84, 8, 2, {12, 7}, LINE_PAIRS},
    {8, 88, 8, 2, {11, 8}, LINE_PAIRS},
    {8, 90, 8, 2, {15, 6}, LINE_PAIRS},
    {8, 91, 8, 2, {7, 13}, LINE_PAIRS},
    {8, 96, 8, 2, {12, 8}, LINE_PAIRS},
    {8, 98, 8, 2, {7, 14}, LINE_PAIRS},
    {8, 99, 8, 2, {11, 9}, LINE_PAIRS},
    {8, 100, 8, 2, {10, 10}, LINE_PAIRS},
    {8, 104, 8, 2, {13, 8}, LINE_PAIRS},
    {8, 105, 8, 2, {15, 7}, LINE_PAIRS},
    {8, 108, 8, 2, {9, 12}, LINE_PAIRS},
    {8, 110, 8, 2, {11, 10}, LINE_PAIRS},
    {8, 112, 8, 2, {16, 7}, LINE_PAIRS},
    {8, 117, 8, 2, {9, 13}, LINE_PAIRS},
    {8, 120, 8, 2, {12, 10}, LINE_PAIRS},
    {8, 121, 8, 2, {11, 11}, LINE_PAIRS},
    {8, 126, 8, 2, {9, 14}, LINE_PAIRS},
    {8, 128, 8, 2, {16, 8}, LINE_PAIRS},
};
static const struct line pairs_of_doubles[] = {
    {8, 16, 8, 2, {4, 4}, LINE_PAIRS},
    {8, 28, 8, 2, {4, 7}, LINE_PAIRS},
    {8, 32, 8, 2, {8, 4}, LINE_PAIRS},
    {8, 35, 8, 2, {7, 5}, LINE_PAIRS},
    {8, 42, 8, 2, {7, 6}, LINE_PAIRS},
    {8, 44, 8, 2, {4, 11}, LINE_PAIRS},
    {8, 48, 8, 2, {12, 4}, LINE_PAIRS},
    {8, 50, 8, 2, {10, 5}, LINE_PAIRS},
    {8, 52, 8, 2, {4, 13}, LINE_PAIRS},
    {8, 54, 8, 2, {9, 6}, LINE_PAIRS},
    {8, 55, 8, 2, {11, 5}, LINE_PAIRS},
    {8, 56, 8, 2, {14, 4}, LINE_PAIRS},
    {8, 60, 8, 2, {15, 4}, LINE_PAIRS},
    {8, 63, 8, 2, {7, 9}, LINE_PAIRS},
    {8, 64, 8, 2, {8, 8}, LINE_PAIRS},
    {8, 80, 8, 2, {8, 10}, LINE_PAIRS},
    {8, 96, 8, 2, {12, 8}, LINE_PAIRS},
    {8, 112, 8, 2, {8, 14}, LINE_PAIRS},
    {8, 128, 8, 2, {16, 8}, LINE_PAIRS},
    {8, 144, 8, 2, {12, 12}, LINE_PAIRS},
    {8, 176, 8, 2, {11, 16}, LINE_PAIRS},
    {8, 180, 8, 2, {15, 12}, LINE_PAIRS},
    {8, 192, 8, 2, {16, 12}, LINE_PAIRS},
    {8, 200, 8, 2, {20, 10}, LINE_PAIRS},
    {8, 208, 8, 2, {16, 13}, LINE_PAIRS},
    {8, 224, 8, 2, {16, 14}, LINE_PAIRS},
    {8, 256, 8, 2, {16, 16}, LINE_PAIRS},
    {4, 8, 4, 2, {2, 4}, LINE_PAIRS},
    {4, 9, 4, 2, {3, 3}, LINE_PAIRS},
    {4, 10, 4, 2, {2, 5}, LINE_PAIRS},
    {4, 14, 4, 2, {2, 7}, LINE_PAIRS},
    {4, 15, 4, 2, {5, 3}, LINE_PAIRS},
    {4, 16, 4, 2, {8, 2}, LINE_PAIRS},
    {4, 18, 4, 2, {6, 3}, LINE_PAIRS},
    {4, 20, 4, 2, {2, 10}, LINE_PAIRS},
    {4, 21, 4, 2, {7, 3}, LINE_PAIRS},
    {4, 22, 4, 2, {11, 2}, LINE_PAIRS},
    {4, 24, 4, 2, {12, 2}, LINE_PAIRS},
    {4, 25, 4, 2, {5, 5}, LINE_PAIRS},
    {4, 26, 4, 2, {13, 2}, LINE_PAIRS},
    {4, 27, 4, 2, {9, 3}, LINE_PAIRS},
    {4, 28, 4, 2, {14, 2}, LINE_PAIRS},
    {4, 30, 4, 2, {15, 2}, LINE_PAIRS},
    {4, 32, 4, 2, {8, 4}, LINE_PAIRS},
    {4, 33, 4, 2, {3, 11}, LINE_PAIRS},
    {4, 35, 4, 2, {7, 5}, LINE_PAIRS},
    {4, 36, 4, 2, {6, 6}, LINE_PAIRS},
    {4, 39, 4, 2, {13, 3}, LINE_PAIRS},
    {4, 40, 4, 2, {10, 4}, LINE_PAIRS},
    {4, 42, 4, 2, {7, 6}, LINE_PAIRS},
    {4, 44, 4, 2, {4, 11}, LINE_PAIRS},
    {4, 45, 4, 2, {15, 3}, LINE_PAIRS},
    {4, 48, 4, 2, {12, 4}, LINE_PAIRS},
    {4, 49, 4, 2, {7, 7}, LINE_PAIRS},
    {4, 50, 4, 2, {5, 10}, LINE_PAIRS},
    {4, 52, 4, 2, {13, 4}, LINE_PAIRS},
    {4, 54, 4, 2, {6, 9}, LINE_PAIRS},
    {4, 55, 4, 2, {11, 5}, LINE_PAIRS},
    {4, 56, 4, 2, {14, 4}, LINE_PAIRS},
    {4, 60, 4, 2, {15, 4}, LINE_PAIRS},
    {4, 63, 4, 2, {9, 7}, LINE_PAIRS},
    {4, 64, 4, 2, {8, 8}, LINE_PAIRS},
    {4, 66, 4, 2, {6, 11}, LINE_PAIRS},
    {4, 70, 4, 2, {10, 7}, LINE_PAIRS},
    {4, 72, 4, 2, {6, 12}, LINE_PAIRS},
    {4, 75, 4, 2, {5, 15}, LINE_PAIRS},
    {4, 80, 4, 2, {8, 10}, LINE_PAIRS},
    {4, 81, 4, 2, {9, 9}, LINE_PAIRS},
    {4, 84, 4, 2, {14, 6}, LINE_PAIRS},
    {4, 88, 4, 2, {11, 8}, LINE_PAIRS},
    {4, 90, 4, 2, {15, 6}, LINE_PAIRS},
    {4, 96, 4, 2, {12, 8}, LINE_PAIRS},
    {4, 98, 4, 2, {7, 14}, LINE_PAIRS},
    {4, 99, 4, 2, {9, 11}, LINE_PAIRS},
    {4, 100, 4, 2, {10, 10}, LINE_PAIRS},
    {4, 108, 4, 2, {9, 12}, LINE_PAIRS},
    {4, 110, 4, 2, {10, 11}, LINE_PAIRS},
    {4, 112, 4, 2, {8, 14}, LINE_PAIRS},
    {4, 120, 4, 2, {10, 12}, LINE_PAIRS},
    {4, 126, 4, 2, {9, 14}, LINE_PAIRS},
    {4, 128, 4, 2, {8, 16}, LINE_PAIRS},
};

static const struct line *find_among(const struct line *line, size_t count, int lanes, int n)
{
    for (size_t i = 0; i < count; i++) {
        if (line[i].lanes == lanes && line[i].n == n) return &line[i];
    }
    return NULL;
}

#define FIND_AMONG(lines, lanes, n) find_among(lines, sizeof(lines) / sizeof *(lines), lanes, n)

static const struct line *find_pairs(int lanes, weft_precision precision, int n)
{
    return precision == WEFT_F64 ? FIND_AMONG(pairs_of_doubles, lanes, n)
                                 : FIND_AMONG(pairs_of_singles, lanes, n);
}

bool line_is_of_pairs(int lanes, weft_precision precision, int n)
{
    return find_pairs(lanes, precision, n) != NULL;
}

/* Wide sets leave lines to those of half their lanes where these are of pairs. */
const struct line *line_find(int lanes, weft_precision precision, int n)
{
    const struct line *found = find_pairs(lanes, precision, n);
    if (!found && find_pairs(lanes / 2, precision, n)) return NULL;
    if (!found && precision == WEFT_F64) found = FIND_AMONG(lines_of_doubles, lanes, n);
    return found ? found : FIND_AMONG(lines, lanes, n);
}

/* A line codelet while it is built. */
struct builder {
    struct ir_builder *ir;
    const struct line *line;
    enum line_kind kind;
    weft_precision precision;
    ir_value param[CODELET_PARAM_COUNT];
    int buffer[CODELET_BUFFER_COUNT];
    int shared[2]; /* re and im of the exchange after the step being built */
};

/* What one step looks like. */
struct step {
    int radix, index;
    int64_t s, m; /* r_1 ... r_{t-1}, n / (r_1 ... r_t) */
};

static int64_t product(const struct line *line, int first, int end)
{
    int64_t n = 1;
    for (int t = first; t < end; t++)
        n *= line->radix[t];
    return n;
}

/* The step behind those that transform the same coprime factor of n as step t. */
static int factor_end(const struct line *line, int t)
{
    int end = line->form == LINE_COPRIME ? t + 1 : line->steps;
    while (gcd(product(line, 0, end), product(line, end, line->steps)) > 1)
        end++;
    return end;
}

int64_t line_order(const struct line *line, int t)
{
    return product(line, t, factor_end(line, t));
}

int64_t line_padded(int64_t threads)
{
    return (threads + PADDING - 1) / PADDING * PADDING;
}

int64_t line_twiddles(const struct line *line, int t)
{
    int64_t at = 0;
    for (int i = 0; i < t; i++)
        at += (line->radix[i] - 1) * line_padded(line->n / line->radix[i]);
    return at;
}

/* Element `index` of the caller's array. */
static ir_value place(const struct builder *b, enum codelet_param row, ir_value index, int part)
{
    struct ir_builder *ir = b->ir;
    const ir_value start =
        ir_int_mul(ir, ir_int_mul(ir, ir_block(ir), b->param[row]), ir_int(ir, 2));
    const ir_value element = ir_int_mul(ir, index, ir_int(ir, 2));
    return ir_int_add(
        ir, start, ir_int_add(ir, element, ir_int(ir, b->kind == LINE_INVERSE ? 1 - part : part)));
}

/* An element's index along the line, of one among the coprime factors (Good 1958): digits of `at`,
 * of the output with the first factor's as the lowest, of the input with the last one's. */
static ir_value coprime_index(const struct builder *b, ir_value at, bool output)
{
    struct ir_builder *ir = b->ir;
    const struct line *line = b->line;
    ir_value sum = ir_int(ir, 0);
    for (int t = 0, end; t < line->steps; t = end) {
        end = factor_end(line, t);
        const int64_t factor = product(line, t, end), others = line->n / factor;
        const int64_t lower = output ? product(line, 0, t) : product(line, end, line->steps);
        const uint64_t inverse = inverse_mod((uint64_t)(others % factor), (uint64_t)factor);
        const ir_value digit =
            ir_int_mod(ir, ir_int_div(ir, at, ir_int(ir, lower)), ir_int(ir, factor));
        const ir_value weight = ir_int(ir, output ? others * (int64_t)inverse : others);
        sum = ir_int_add(ir, sum, ir_int_mul(ir, digit, weight));
    }
    return ir_int_mod(ir, sum, ir_int(ir, line->n));
}

static struct ir_complex load(const struct builder *b, const struct step *step, int leg)
{
    struct ir_builder *ir = b->ir;
    const ir_value index = ir_int_add(ir, ir_thread(ir), ir_int(ir, leg * step->s * step->m));
    if (step->index > 0) {
        return (struct ir_complex){ir_load(ir, b->shared[0], index),
                                   ir_load(ir, b->shared[1], index)};
    }
    const int in = b->buffer[CODELET_IN_RE];
    const ir_value at = b->line->form == LINE_COPRIME ? coprime_index(b, index, false) : index;
    return (struct ir_complex){ir_load(ir, in, place(b, CODELET_IN_ROW, at, 0)),
                               ir_load(ir, in, place(b, CODELET_IN_ROW, at, 1))};
}

static struct ir_complex twiddle(const struct builder *b, const struct step *step, int leg)
{
    struct ir_builder *ir = b->ir;
    const int64_t start =
        line_twiddles(b->line, step->index) + (leg - 1) * line_padded(step->s * step->m);
    const ir_value re = ir_int_add(ir, ir_thread(ir), ir_int(ir, start));
    const ir_value im = ir_int_add(ir, re, ir_int(ir, line_twiddles(b->line, b->line->steps - 1)));
    const int table = b->buffer[CODELET_TWIDDLES];
    return (struct ir_complex){ir_load(ir, table, re), ir_load(ir, table, im)};
}

static void store(const struct builder *b, const struct step *step, int leg, struct ir_complex y)
{
    struct ir_builder *ir = b->ir;
    const ir_value s = ir_int(ir, step->s), q = ir_int_mod(ir, ir_thread(ir), s);
    const ir_value p = ir_int_div(ir, ir_thread(ir), s);
    const ir_value k = ir_int_add(ir, ir_int_mul(ir, p, ir_int(ir, step->radix)), ir_int(ir, leg));
    const ir_value index = ir_int_add(ir, q, ir_int_mul(ir, k, s));
    if (step->m > 1) {
        ir_store(ir, b->shared[0], index, y.re);
        ir_store(ir, b->shared[1], index, y.im);
    } else {
        const int out = b->buffer[CODELET_OUT_RE];
        const ir_value at = b->line->form == LINE_COPRIME ? coprime_index(b, index, true) : index;
        ir_store(ir, out, place(b, CODELET_OUT_ROW, at, 0), y.re);
        ir_store(ir, out, place(b, CODELET_OUT_ROW, at, 1), y.im);
    }
}

static void exchange_declare(struct builder *b, const struct step *step)
{
    static const char *const names[LINE_MAX_STEPS - 1][2] = {{"re_0", "im_0"}, {"re_1", "im_1"}};
    for (int part = 0; part < 2; part++) {
        b->shared[part] = ir_buffer(b->ir, names[step->index][part], IR_SHARED, true, b->line->n);
    }
}

static void step_build(struct builder *b, const struct step *step)
{
    struct ir_builder *ir = b->ir;
    struct ir_complex x[MOST_LEGS];
    ir_if(ir, ir_less(ir, ir_thread(ir), ir_int(ir, step->s * step->m)));
    for (int leg = 0; leg < step->radix; leg++)
        x[leg] = load(b, step, leg);
    butterfly(ir, b->precision, step->radix, x);
    if (step->m > 1) exchange_declare(b, step);
    const bool turns = line_order(b->line, step->index) > step->radix;
    for (int leg = 0; leg < step->radix; leg++) {
        if (turns && leg > 0) x[leg] = ir_complex_mul(ir, x[leg], twiddle(b, step, leg));
        store(b, step, leg, x[leg]);
    }
    ir_end(ir);
    if (step->m > 1) ir_barrier(ir);
}

static int most_threads(const struct line *line)
{
    int most = 0;
    for (int t = 0; t < line->steps; t++)
        most = line->n / line->radix[t] > most ? line->n / line->radix[t] : most;
    return most;
}

const char *line_name(enum line_kind kind)
{
    static const char *const names[LINE_KINDS] = {"line", "line_inverse"};
    return names[kind];
}

const struct ir *line_build(arena *a, const struct line *line, enum line_kind kind,
                            weft_precision precision)
{
    const char *name = arena_printf(a, "%s_%d", line_name(kind), line->n);
    if (!name) return NULL;
    struct builder b = {.ir = ir_begin(a, name, most_threads(line)),
                        .line = line,
                        .kind = kind,
                        .precision = precision};
    if (!b.ir) return NULL;
    codelet_declare(b.ir, b.param, b.buffer);
    struct step step = {.s = 1, .m = line->n};
    for (step.index = 0; step.index < line->steps; step.index++) {
        step.radix = line->radix[step.index];
        step.m /= step.radix;
        step_build(&b, &step);
        step.s *= step.radix;
    }
    return ir_finish(b.ir);
}

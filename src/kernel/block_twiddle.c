/* The tables a kernel multiplies with: which it needs, and the products. */
#include "kernel/block_cluster.h"
#include "spec/spectrum_order.h"

/* Split twiddles of orders up to this come from one table, so they are exact; above it they are
 * products of two, whose lengths are about the square root of the order. */
#define DIRECT_ORDER 4096

static int declare(struct block *k, const char *name, struct block_table table)
{
    bool integers = table.kind == BLOCK_POWERS || table.kind == BLOCK_INVERSE_POWERS;
    if (integers) table.buffer = ir_buffer(k->b, name, IR_TABLE, false, 0);
    else if (table.kind == BLOCK_SCALE) table.buffer = ir_buffer(k->b, name, IR_GLOBAL, false, 0);
    else table.buffer = ir_pair_buffer(k->b, name, IR_GLOBAL, false, 0);
    if (k->info->tables < BLOCK_MAX_TABLES) k->info->table[k->info->tables++] = table;
    return table.buffer;
}

/* Step after step, each some rows of `before`: neighbouring threads read neighbours. */
static void declare_step_roots(struct block *k)
{
    int64_t length = 0;
    for (int s = 0; s < k->shape.steps; s++) {
        const struct block_step *step = &k->shape.step[s];
        const int64_t before = step->before * step->turned;
        k->step_root[s] = length;
        if (before == 1) continue;
        length += block_root_rows(step->radix, before) * before;
    }
    if (length == 0) return;
    k->step_roots = declare(k, "roots", (struct block_table){.kind = BLOCK_STEP_ROOTS,
                                            .order = k->pass->length, .length = length});
}

static struct block_roots declare_roots(struct block *k, const char *coarse, const char *fine,
                                        int64_t order)
{
    struct block_roots roots = {.order = order, .fine_count = order};
    if (order > DIRECT_ORDER) {
        for (roots.fine_count = 1; roots.fine_count * roots.fine_count < order;)
            roots.fine_count *= 2;
        roots.coarse = declare(k, coarse, (struct block_table){.kind = BLOCK_ROOTS, .order = order,
                                   .step = roots.fine_count,
                                   .length = (order + roots.fine_count - 1) / roots.fine_count});
    }
    roots.fine = declare(k, fine, (struct block_table){.kind = BLOCK_ROOTS, .order = order,
                                                       .step = 1, .length = roots.fine_count});
    return roots;
}

/* How far apart the results of the last butterfly are, where neighbouring threads have neighbours
 * of a row: a butterfly's split twiddles are that of its first result, times roots that depend on
 * the row alone, which all threads of the row read in one place. 0: every result's is looked up,
 * for neighbours have different columns, whose roots are different, or the order is small. */
static int64_t split_apart(const struct block *k)
{
    const struct block_step *last = &k->shape.step[k->shape.steps - 1];
    const int64_t order = k->pass->twiddle_order, apart = last->before * last->inner;
    const bool rows = !last->columns_first && k->pass->half == PASS_NO_HALF;
    if (k->shape.cluster > 1 || !rows || order <= DIRECT_ORDER) return 0;
    if (apart == 1 || order % apart != 0) return 0;
    return order / apart <= DIRECT_ORDER ? apart : 0;
}

static void declare_split(struct block *k)
{
    const int64_t order = k->pass->twiddle_order;
    k->split = declare_roots(k, "coarse", "fine", order);
    k->split_apart = split_apart(k);
    if (k->split_apart > 0)
        k->split_leg = declare_roots(k, "coarse_legs", "legs", order / k->split_apart);
}

/* The caller's. */
static void declare_given_spectrum(struct block *k)
{
    const struct problem *p = &k->program->problem;
    k->spectrum = ir_pair_buffer(k->b, "spectrum", IR_GLOBAL, false, 0);
    k->spectrum_map = k->pass->spectrum_map;
    k->info->spectrum = k->spectrum;
    k->info->spectrum_elements = problem_spectrum_elements(p) * p->kernel.n;
}

static void declare_convolution(struct block *k)
{
    const struct pass *pass = k->pass;
    if (pass->body != PASS_RADER) {
        const struct spectrum_order order = spectrum_in_order(pass, false);
        k->spectrum = declare(k, "spectrum", (struct block_table){.kind = BLOCK_SPECTRUM,
                                  .length = order.entries, .source = pass->spectrum_table});
        k->spectrum_map = order.map;
        return;
    }
    k->spectrum = declare(k, "spectrum", (struct block_table){.kind = BLOCK_PROGRAM,
                              .length = pass->length, .source = pass->spectrum_table});
    k->gather = declare(k, "gather", (struct block_table){.kind = BLOCK_INVERSE_POWERS,
                            .order = pass->line.n, .length = pass->length});
    k->scatter = declare(k, "scatter", (struct block_table){.kind = BLOCK_POWERS,
                             .order = pass->line.n, .length = pass->length});
}

static bool scales(const struct block *k)
{
    return k->pass->scaled && problem_scales(&k->program->problem);
}

/* Both ends have the same one, if they have any. 0: numbers are not multiplied by different roots.
 */
static int64_t turn_order(const struct pass *pass)
{
    for (int out = 0; out < 2; out++) {
        if (pass->reals[out].parts && pass->reals[out].turn_step) return pass->reals[out].order;
    }
    return 0;
}

void block_declare_tables(struct block *k)
{
    const struct pass *pass = k->pass;
    declare_step_roots(k);
    if (pass->twiddle_order) declare_split(k);
    int64_t turn = turn_order(pass);
    if (turn > 0) k->turn = declare_roots(k, "turn_coarse", "turn_fine", turn);
    if (pass_half_turns(pass) && (turn == 0 || turn % pass->half_n != 0))
        k->half = declare_roots(k, "half_coarse", "half_fine", pass->half_n);
    if (pass->chirp_n) {
        k->chirp = declare(k, "chirp", (struct block_table){.kind = BLOCK_PROGRAM,
                               .length = pass->chirp_n, .source = pass->chirp_table});
    }
    if (pass->spectrum_given) declare_given_spectrum(k);
    else if (pass_convolves(pass)) declare_convolution(k);
    if (scales(k)) {
        k->scale = declare(k, "scale", (struct block_table){.kind = BLOCK_SCALE, .length = 2});
    }
}

static struct ir_complex entry(struct block *k, int buffer, ir_value place)
{
    ir_value pair = ir_load_pair(k->b, buffer, place);
    return (struct ir_complex){ir_first(k->b, pair), ir_second(k->b, pair)};
}

/* Which of a step's twiddles a butterfly has. The rows of a cluster's split go on where its columns
 * ended, as one transform by all the radices: row r has its own among the columns' lengths. */
static ir_value root_position(struct block *k, int step, ir_value index)
{
    struct ir_builder *b = k->b;
    const struct block_step *s = &k->shape.step[step];
    ir_value i = block_axis_index(k, step, index);
    ir_value position = ir_int_mod(b, i, ir_int(b, s->before));
    if (s->turned == 1) return position;
    ir_value row = block_dealt_number(k, true, ir_int_mod(b, index, ir_int(b, k->shape.run[1])));
    return ir_int_add(b, ir_int_mul(b, position, ir_int(b, s->turned)), row);
}

/* Inputs j of a step are turned by exp(-2 pi i (index mod before) j / (before radix)), `before`
 * being the product of all radices before it. */
void block_step_twiddle(struct block *k, int step, ir_value index, struct ir_complex *x)
{
    const struct block_step *s = &k->shape.step[step];
    int64_t before = s->before * s->turned;
    if (before == 1) return;
    ir_value position = root_position(k, step, index);
    struct ir_complex root[LIMITS_MAX_RADIX];
    for (int j = 1; j < s->radix; j++) {
        int row = block_root_row(s->radix, before, j), rest = j % BLOCK_ROOT_STEP;
        ir_value first = ir_int(k->b, k->step_root[step] + row * before);
        if (row >= 0) root[j] = entry(k, k->step_roots, ir_int_add(k->b, position, first));
        else root[j] = ir_complex_mul(k->b, root[j - rest], root[rest]);
        x[j] = ir_complex_mul(k->b, x[j], root[j]);
    }
}

/* exp(-2 pi i turn / order), 0 <= turn < order. */
static struct ir_complex root_entry(struct block *k, const struct block_roots *roots,
                                    ir_value turn)
{
    ir_value fine_count = ir_int(k->b, roots->fine_count);
    struct ir_complex root = entry(k, roots->fine, ir_int_mod(k->b, turn, fine_count));
    if (roots->fine_count == roots->order) return root;
    ir_value coarse = ir_int_div(k->b, turn, fine_count);
    return ir_complex_mul(k->b, root, entry(k, roots->coarse, coarse));
}

struct ir_complex block_half_twiddle(struct block *k, ir_value index, struct ir_complex x)
{
    if (k->half.order > 0) return ir_complex_mul(k->b, x, root_entry(k, &k->half, index));
    ir_value turn = ir_int_mul(k->b, index, ir_int(k->b, k->turn.order / k->pass->half_n));
    return ir_complex_mul(k->b, x, block_turn(k, turn));
}

struct ir_complex block_turn(struct block *k, ir_value turn)
{
    return root_entry(k, &k->turn, turn);
}

/* exp(-2 pi i x y / order) */
static struct ir_complex root_of_product(struct block *k, const struct block_roots *roots,
                                         ir_value x, ir_value y)
{
    return root_entry(k, roots, ir_int_mod(k->b, ir_int_mul(k->b, x, y),
                                           ir_int(k->b, roots->order)));
}

static struct ir_complex split_root(struct block *k, ir_value element, ir_value counter)
{
    struct ir_builder *b = k->b;
    const int64_t apart = k->split_apart;
    const int64_t legs = apart > 0 ? ir_int_offset(b, element) / apart : 0;
    if (legs <= 0) return root_of_product(k, &k->split, element, counter);
    element = ir_int_sub(b, element, ir_int(b, legs * apart));
    const struct ir_complex root = root_of_product(k, &k->split, element, counter);
    return ir_complex_mul(b, root, root_of_product(k, &k->split_leg, ir_int(b, legs), counter));
}

struct ir_complex block_split_twiddle(struct block *k, ir_value column, ir_value element, int line,
                                      struct ir_complex x)
{
    const struct pass *pass = k->pass;
    if (!pass->twiddle_order) return x;
    struct pass_map map = {0};
    const int64_t group = pass->twiddle_group;
    const int64_t step = pass->half == PASS_HALF_PART && !group ? 2 : 1;
    map.loop[pass->twiddle_loop] = step;
    if (pass->slice_columns) map.loop[pass->loops - 1] = step * pass->slice_columns;
    if (group) map.loop[pass->group_loop] = 2 * group;
    ir_value counter = block_map(k, &map, column, element);
    counter = ir_int_add(k->b, counter, ir_int(k->b, line * (group ? group : 1)));
    struct ir_complex root = split_root(k, element, counter);
    if (pass->twiddle_conjugate) root.im = ir_neg(k->b, root.im);
    return ir_complex_mul(k->b, x, root);
}

struct ir_complex block_chirp(struct block *k, ir_value place, struct ir_complex x)
{
    return ir_complex_mul(k->b, x, entry(k, k->chirp, place));
}

/* The other half of what reals have is the conjugate of the first. */
static struct ir_complex half_spectrum(struct block *k, ir_value place)
{
    struct ir_builder *b = k->b;
    const int64_t n = k->pass->spectrum_half_n;
    ir_value at = ir_int_mod(b, place, ir_int(b, n)), length = ir_int(b, n / 2 + 1);
    ir_value stored = ir_less(b, at, length);
    ir_value before = ir_int_mul(b, ir_int_div(b, place, ir_int(b, n)), length);
    at = ir_select(b, stored, at, ir_int_sub(b, ir_int(b, n), at));
    struct ir_complex factor = entry(k, k->spectrum, ir_int_add(b, before, at));
    factor.im = ir_select(b, stored, factor.im, ir_neg(b, factor.im));
    return factor;
}

struct ir_complex block_spectrum(struct block *k, ir_value column, ir_value element,
                                 struct ir_complex x)
{
    const struct pass *pass = k->pass;
    ir_value place = element;
    if (pass->body != PASS_RADER) place = block_map(k, &k->spectrum_map, column, element);
    struct ir_complex factor =
        pass->spectrum_half_n > 0 ? half_spectrum(k, place) : entry(k, k->spectrum, place);
    if (pass->spectrum_conjugate) factor.im = ir_neg(k->b, factor.im);
    return ir_complex_mul(k->b, x, factor);
}

struct ir_complex block_scale(struct block *k, struct ir_complex x)
{
    if (!scales(k)) return x;
    ir_value scale = ir_load(k->b, k->scale, k->swap);
    return (struct ir_complex){ir_mul(k->b, x.re, scale), ir_mul(k->b, x.im, scale)};
}

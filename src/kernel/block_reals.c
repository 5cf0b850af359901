/* Reals that stand for more at the end of a kernel (spec/reals.h). */
#include "kernel/block_state.h"

/* Where a part of a number is. */
struct spot {
    ir_value real;
    ir_value exists; /* whether it is one of the line's; IR_NONE: always */
    ir_value weight;
};

/* The highest coordinate of a part, if none is reduced. */
static int64_t highest(const struct reals *reals, int p)
{
    const struct reals_part *part = &reals->part[p];
    const int64_t last = part->at + part->step * (reals->numbers - 1);
    if (p == 0 && reals->eighths) return INT64_MAX;
    return last > part->at ? last : part->at;
}

static ir_value coordinate_of(struct block *k, const struct reals *reals, int p, ir_value number)
{
    struct ir_builder *b = k->b;
    const struct reals_part *part = &reals->part[p];
    ir_value at = ir_int_add(b, ir_int(b, part->at), ir_int_mul(b, number, ir_int(b, part->step)));
    if (p == 0 && reals->eighths) {
        ir_value turns = ir_int_mul(b, number, ir_int(b, reals->eighths));
        ir_value eighths = ir_int_mod(b, turns, ir_int(b, 8));
        at = ir_int_add(b, at, ir_int_mul(b, eighths, ir_int(b, reals->mirror / 2)));
    }
    if (highest(reals, p) < 4 * reals->mirror) return at;
    return ir_int_mod(b, at, ir_int(b, 4 * reals->mirror));
}

/* In single and double precision lo changes nothing: a constant is rounded to its hi. */
static ir_value extended_real(struct block *k, struct extended x)
{
    return ir_real(k->b, x.hi, x.lo);
}

ir_value block_factor(struct block *k, double factor)
{
    return extended_real(k, reals_extended_factor(factor));
}

static ir_value weight_where(struct block *k, ir_value condition, double factor, ir_value weight)
{
    if (factor == 1) return weight;
    ir_value other = ir_mul(k->b, weight, block_factor(k, factor));
    return ir_select(k->b, condition, other, weight);
}

/* Between the mirrors; the weight takes the signs of those that it was reflected by. */
static ir_value reflect(struct block *k, const struct reals *reals, int p, ir_value at,
                        ir_value *weight)
{
    struct ir_builder *b = k->b;
    const int64_t high = highest(reals, p);
    ir_value mirror = ir_int(b, reals->mirror), twice = ir_int(b, 2 * reals->mirror);
    if (high >= 2 * reals->mirror) {
        ir_value beyond = ir_less(b, ir_int(b, 2 * reals->mirror - 1), at);
        at = ir_select(b, beyond, ir_int_sub(b, at, twice), at);
        *weight = weight_where(k, beyond, reals->left * reals->right, *weight);
    }
    if (high > reals->mirror) {
        ir_value beyond = ir_less(b, mirror, at);
        at = ir_select(b, beyond, ir_int_sub(b, twice, at), at);
        *weight = weight_where(k, beyond, reals->right, *weight);
    }
    if (reals->on_mirror != 1) {
        *weight = weight_where(k, ir_equal(b, at, ir_int(b, 0)), reals->on_mirror, *weight);
        *weight = weight_where(k, ir_equal(b, at, mirror), reals->on_mirror, *weight);
    }
    return at;
}

static struct spot spot_of(struct block *k, const struct reals *reals, int p, ir_value number)
{
    struct ir_builder *b = k->b;
    struct spot spot = {.exists = IR_NONE, .weight = ir_real(b, 1, 0)};
    ir_value at = coordinate_of(k, reals, p, number);
    at = ir_int_sub(b, reflect(k, reals, p, at, &spot.weight), ir_int(b, reals->first));
    /* A real is missing at the mirrors only. */
    if (reals->first > 1 || reals->mirror - reals->first >= 2 * reals->n) {
        spot.exists = ir_and(b, ir_less(b, ir_int(b, -1), at),
                             ir_less(b, at, ir_int(b, 2 * reals->n)));
    }
    spot.real = ir_int_div(b, at, ir_int(b, 2));
    return spot;
}

/* Leaves out what is not in the range of that end. */
static void take_range(struct block *k, bool out, struct spot *spot)
{
    if (k->pass->range[out].range.count == 0) return;
    ir_value has = block_in_range(k, out, spot->real);
    spot->exists = spot->exists == IR_NONE ? has : ir_and(k->b, spot->exists, has);
}

/* Of a real, where `address` is that of real `at`, or would be. */
static ir_value real_address(struct block *k, const struct reals *reals, ir_value address,
                             ir_value at, ir_value real)
{
    ir_value steps = ir_int_sub(k->b, real, at);
    return ir_int_add(k->b, address, ir_int_mul(k->b, steps, ir_int(k->b, reals->stride)));
}

/* What is missing is loaded as the first real that there is. */
static ir_value load_part(struct block *k, int p, ir_value address, ir_value at, ir_value number)
{
    const struct reals *reals = &k->pass->reals[0];
    ir_value zero = ir_real(k->b, 0, 0);
    if (p == reals->parts) return zero;
    struct spot spot = spot_of(k, reals, p, number);
    take_range(k, false, &spot);
    if (spot.exists != IR_NONE) {
        ir_value first = ir_int(k->b, k->pass->range[0].range.first);
        spot.real = ir_select(k->b, spot.exists, spot.real, first);
    }
    ir_value from = real_address(k, reals, address, at, spot.real);
    ir_value x = ir_mul(k->b, spot.weight, ir_load(k->b, BLOCK_IN_RE, from));
    return spot.exists == IR_NONE ? x : ir_select(k->b, spot.exists, x, zero);
}

/* A factor that is a root of all numbers' own. */
static bool turns_by_number(const struct reals *reals)
{
    return reals->parts > 0 && reals->turn_step != 0;
}

static struct ir_complex constant_root(struct block *k, struct extended_root root)
{
    return (struct ir_complex){extended_real(k, root.re), extended_real(k, root.im)};
}

/* Of a number that has one. */
static struct ir_complex root_of(struct block *k, const struct reals *reals, ir_value number)
{
    struct ir_builder *b = k->b;
    ir_value turn = ir_int_mul(b, number, ir_int(b, reals->turn_step));
    turn = ir_int_add(b, turn, ir_int(b, reals->turn));
    return block_turn(k, ir_int_mod(b, turn, ir_int(b, reals->order)));
}

static struct ir_complex turned(struct block *k, const struct reals *reals, ir_value number,
                                struct ir_complex x)
{
    if (!reals_turn(reals)) return x;
    if (!turns_by_number(reals))
        return ir_complex_mul(k->b, x, constant_root(k, reals_extended_turn(reals)));
    return block_times(k, reals->factor, ir_complex_mul(k->b, x, root_of(k, reals, number)));
}

/* ---- both numbers of what is unfolded ---- */

double block_spread_factor(const struct pass *pass)
{
    return turns_by_number(&pass->reals[1]) ? pass->reals[1].factor : 1;
}

/* The roots of k and h - k multiply to one that is the same for all k. */
static struct ir_complex mirrored_root(struct block *k, const struct reals *reals,
                                       struct ir_complex root)
{
    const int64_t both = 2 * reals->turn + reals->turn_step * (k->pass->half_n / 2);
    return ir_complex_mul(k->b, constant_root(k, root_extended(both % reals->order, reals->order)),
                          block_conjugate(k, root));
}

void block_turn_spread(struct block *k, ir_value index, struct block_spread *spread)
{
    struct ir_builder *b = k->b;
    const struct reals *reals = &k->pass->reals[1];
    if (reals->parts == 0) return;
    if (!turns_by_number(reals)) {
        spread->own = turned(k, reals, index, spread->own);
        spread->other = turned(k, reals, index, spread->other);
        spread->middle = turned(k, reals, index, spread->middle);
        return;
    }
    const struct ir_complex root = root_of(k, reals, index);
    const int64_t middle = reals->turn + reals->turn_step * (k->pass->half_n / 4);
    const struct extended_root exact = root_extended(middle % reals->order, reals->order);
    spread->own = ir_complex_mul(b, spread->own, root);
    spread->other = ir_complex_mul(b, spread->other, mirrored_root(k, reals, root));
    spread->middle = ir_complex_mul(b, spread->middle, constant_root(k, exact));
}

/* ---- a number's reals ---- */

struct ir_complex block_load_number(struct block *k, ir_value address, ir_value at,
                                    ir_value number)
{
    struct ir_complex x = {load_part(k, 0, address, at, number),
                           load_part(k, 1, address, at, number)};
    return turned(k, &k->pass->reals[0], number, x);
}

static void store_part(struct block *k, int p, ir_value address, ir_value number, ir_value x)
{
    const struct reals *reals = &k->pass->reals[1];
    struct spot spot = spot_of(k, reals, p, number);
    take_range(k, true, &spot);
    ir_value to = real_address(k, reals, address, number, spot.real);
    if (spot.exists != IR_NONE) ir_if(k->b, spot.exists);
    ir_store(k->b, BLOCK_OUT_RE, to, ir_mul(k->b, spot.weight, x));
    if (spot.exists != IR_NONE) ir_end(k->b);
}

void block_store_number(struct block *k, ir_value address, ir_value number, struct ir_complex x)
{
    const struct reals *reals = &k->pass->reals[1];
    if (k->pass->half != PASS_HALF_SPREAD) x = turned(k, reals, number, x);
    store_part(k, 0, address, number, x.re);
    if (reals->parts < 2) return;
    store_part(k, 1, address, number, reals->im_sign < 0 ? ir_neg(k->b, x.im) : x.im);
}

/* ---- rows ---- */

bool block_reorders_rows(const struct pass *pass, bool out)
{
    return pass->folds > 0 && pass->reals[out].parts > 0 && pass_scatters_half(pass) != out;
}

/* As the numbers of a line of odd length, which are reals by themselves. */
static struct spot row_spot(struct block *k, bool out, int fold, ir_value row)
{
    struct reals reals = k->pass->reals[out];
    reals.n = reals.numbers = k->pass->fold[fold].dim.n;
    reals.mirror = 2 * reals.n;
    reals.parts = 1;
    reals.part[0].step = 4;
    return spot_of(k, &reals, 0, row);
}

ir_value block_row_real(struct block *k, bool out, int fold, ir_value row)
{
    return row_spot(k, out, fold, row).real;
}

struct ir_complex block_row_signed(struct block *k, bool out, ir_value place, struct ir_complex x)
{
    struct ir_builder *b = k->b;
    const struct pass *pass = k->pass;
    if (!block_reorders_rows(pass, out) || pass->reals[out].right > 0) return x;
    ir_value row = ir_int_div(b, place, ir_int(b, pass->line.n));
    for (int i = 0; i < pass->folds; i++) {
        ir_value n = ir_int(b, pass->fold[i].dim.n);
        ir_value sign = row_spot(k, out, i, ir_int_mod(b, row, n)).weight;
        x = (struct ir_complex){ir_mul(b, sign, x.re), ir_mul(b, sign, x.im)};
        row = ir_int_div(b, row, n);
    }
    return x;
}

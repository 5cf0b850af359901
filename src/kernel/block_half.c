/* Half a spectrum at the end of a kernel (enum pass_half). */
#include "kernel/block_state.h"

struct ir_complex block_conjugated(struct block *k, struct ir_complex x)
{
    struct ir_builder *b = k->b;
    if (!pass_half_directed(k->pass)) return x;
    ir_value inverse = ir_less(b, ir_int(b, 0), k->swap);
    ir_value sign = ir_select(b, inverse, ir_real(b, -1, 0), ir_real(b, 1, 0));
    return (struct ir_complex){x.re, ir_mul(b, sign, x.im)};
}

struct ir_complex block_conjugate(struct block *k, struct ir_complex x)
{
    return (struct ir_complex){x.re, ir_neg(k->b, x.im)};
}

static struct ir_complex sum(struct block *k, struct ir_complex x, struct ir_complex y)
{
    return (struct ir_complex){ir_add(k->b, x.re, y.re), ir_add(k->b, x.im, y.im)};
}

static struct ir_complex difference(struct block *k, struct ir_complex x, struct ir_complex y)
{
    return (struct ir_complex){ir_sub(k->b, x.re, y.re), ir_sub(k->b, x.im, y.im)};
}

/* What lies at element `index` of the half, if `address` is that of element `at`. */
static struct ir_complex load_at(struct block *k, ir_value address, ir_value at, ir_value index)
{
    struct ir_builder *b = k->b;
    const struct range *range = &k->pass->range[0].range;
    ir_value has = range->count ? block_in_range(k, false, index) : IR_NONE;
    if (range->count) index = ir_select(b, has, index, ir_int(b, range->first));
    ir_value stride = ir_int(b, k->pass->half_stride), zero = ir_real(b, 0, 0);
    ir_value step = ir_int_mul(b, ir_int_sub(b, index, at), stride);
    const struct ir_complex x = block_load_in(k, ir_int_add(b, address, step));
    if (!range->count) return x;
    return (struct ir_complex){ir_select(b, has, x.re, zero), ir_select(b, has, x.im, zero)};
}

/* Numbers of two lines of reals, the second times i. */
static struct ir_complex two_numbers(struct block *k, ir_value address, ir_value at, ir_value index)
{
    struct ir_complex x = block_load_number(k, address, at, index);
    address = ir_int_add(k->b, address, ir_int(k->b, k->pass->pair));
    struct ir_complex y = block_load_number(k, address, at, index);
    return (struct ir_complex){ir_sub(k->b, x.re, y.im), ir_add(k->b, x.im, y.re)};
}

struct ir_complex block_half_number(struct block *k, ir_value address, ir_value at, ir_value index)
{
    if (k->pass->reals[0].parts)
        return pass_reflects_one(k->pass) ? block_load_number(k, address, at, index)
                                          : two_numbers(k, address, at, index);
    return block_conjugated(k, load_at(k, address, at, index));
}

/* X[k], or conj X[n - k] of the other half. */
static struct ir_complex extend(struct block *k, ir_value address, ir_value index)
{
    struct ir_builder *b = k->b;
    ir_value h = ir_int(b, k->pass->half_n / 2), n = ir_int(b, k->pass->half_n);
    ir_value stored = ir_less(b, index, ir_int_add(b, h, ir_int(b, 1)));
    ir_value from = ir_select(b, stored, index, ir_int_sub(b, n, index));
    struct ir_complex x = block_conjugated(k, load_at(k, address, index, from));
    return (struct ir_complex){x.re, ir_select(b, stored, x.im, ir_neg(b, x.im))};
}

/* Only spectra of complex data have an imaginary part at 0 and n / 2. */
static struct ir_complex real_at_zero(struct block *k, ir_value index, struct ir_complex x)
{
    ir_value zero = ir_equal(k->b, index, ir_int(k->b, 0));
    return (struct ir_complex){x.re, ir_select(k->b, zero, ir_real(k->b, 0, 0), x.im)};
}

/* (X[k] + conj X[h-k]) + i w^k (X[k] - conj X[h-k]), and the same of h - k, whose w^(h-k) is
 * - conj w^k */
struct block_folded block_fold_pair(struct block *k, ir_value index, struct ir_complex own,
                                    struct ir_complex other)
{
    struct ir_builder *b = k->b;
    struct ir_complex y = block_conjugate(k, other);
    struct ir_complex even = sum(k, own, y);
    struct ir_complex odd = block_half_twiddle(k, index, difference(k, own, y));
    return (struct block_folded){
        {ir_sub(b, even.re, odd.im), ir_add(b, even.im, odd.re)},
        {ir_add(b, even.re, odd.im), ir_sub(b, odd.re, even.im)},
    };
}

struct block_folded block_fold(struct block *k, ir_value index, struct ir_complex own,
                               struct ir_complex other)
{
    return block_fold_pair(k, index, real_at_zero(k, index, own), real_at_zero(k, index, other));
}

static struct ir_complex fold(struct block *k, ir_value address, ir_value index)
{
    ir_value other = ir_int_sub(k->b, ir_int(k->b, k->pass->half_n / 2), index);
    struct ir_complex x = block_half_number(k, address, index, index);
    return block_fold(k, index, x, block_half_number(k, address, index, other)).own;
}

/* ((Z[k] + conj Z[h-k]) - i w^k (Z[k] - conj Z[h-k])) / 2, Z[h] being Z[0] */
static struct ir_complex unfold(struct block *k, ir_value address, ir_value index)
{
    struct ir_builder *b = k->b;
    ir_value h = ir_int(b, k->pass->half_n / 2), half = ir_real(b, 0.5, 0);
    ir_value own = ir_int_mod(b, index, h), other = ir_int_mod(b, ir_int_sub(b, h, index), h);
    struct ir_complex x = load_at(k, address, index, own);
    struct ir_complex y = block_conjugate(k, load_at(k, address, index, other));
    struct ir_complex even = sum(k, x, y);
    struct ir_complex odd = block_half_twiddle(k, index, difference(k, x, y));
    return block_conjugated(
        k, (struct ir_complex){ir_mul(b, half, ir_add(b, even.re, odd.im)),
                               ir_mul(b, half, ir_sub(b, even.im, odd.re))});
}

/* Elements of two lines, the second times i. */
static struct ir_complex join(struct block *k, ir_value address, ir_value index)
{
    struct ir_builder *b = k->b;
    ir_value further = ir_int_add(b, address, ir_int(b, k->pass->half_pair));
    struct ir_complex x = real_at_zero(k, index, extend(k, address, index));
    struct ir_complex y = real_at_zero(k, index, extend(k, further, index));
    return (struct ir_complex){ir_sub(b, x.re, y.im), ir_add(b, x.im, y.re)};
}

/* (Z[k] + conj Z[n-k]) / 2, (Z[k] - conj Z[n-k]) / 2 i */
struct block_parted block_part(struct block *k, ir_value first, struct ir_complex own,
                               struct ir_complex other)
{
    struct ir_builder *b = k->b;
    ir_value half = ir_real(b, 0.5, 0);
    const struct ir_complex x = {ir_mul(b, half, own.re), ir_mul(b, half, own.im)};
    const struct ir_complex y = {ir_mul(b, half, ir_select(b, first, own.re, other.re)),
                                 ir_mul(b, half, ir_select(b, first, own.im, other.im))};
    const struct ir_complex one = {ir_add(b, x.re, y.re), ir_sub(b, x.im, y.im)};
    const struct ir_complex two = {ir_add(b, x.im, y.im), ir_sub(b, y.re, x.re)};
    return (struct block_parted){block_conjugated(k, one), block_conjugated(k, two)};
}

struct ir_complex block_times(struct block *k, double factor, struct ir_complex x)
{
    ir_value y = block_factor(k, factor);
    return (struct ir_complex){ir_mul(k->b, y, x.re), ir_mul(k->b, y, x.im)};
}

struct block_spread block_spread(struct block *k, ir_value index, ir_value first,
                                 struct ir_complex own, struct ir_complex other)
{
    struct ir_builder *b = k->b;
    const double factor = block_spread_factor(k->pass);
    const struct ir_complex middle = block_times(k, factor, block_conjugate(k, other));
    struct ir_complex y = {ir_select(b, first, own.re, other.re),
                           ir_select(b, first, own.im, other.im)};
    y = block_conjugate(k, y);
    struct ir_complex even = sum(k, own, y);
    struct ir_complex odd = block_half_twiddle(k, index, difference(k, own, y));
    even = block_times(k, factor / 2, even);
    odd = block_times(k, factor / 2, odd);
    const struct ir_complex up = {ir_add(b, even.re, odd.im), ir_sub(b, even.im, odd.re)};
    const struct ir_complex down = {ir_sub(b, even.re, odd.im), ir_add(b, even.im, odd.re)};
    struct block_spread spread = {block_conjugated(k, up),
                                  block_conjugated(k, block_conjugate(k, down)),
                                  block_conjugated(k, middle)};
    block_turn_spread(k, index, &spread);
    return spread;
}

struct ir_complex block_unfold(struct block *k, ir_value address, ir_value index)
{
    const bool gathers = k->pass->half != PASS_NO_HALF && !pass_scatters_half(k->pass);
    if (!gathers) return block_half_number(k, address, index, index);
    if (k->pass->half == PASS_HALF_EXTEND) return extend(k, address, index);
    if (k->pass->half == PASS_HALF_JOIN) return join(k, address, index);
    return k->pass->half == PASS_HALF_FOLD ? fold(k, address, index) : unfold(k, address, index);
}

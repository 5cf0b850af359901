/* Products of roots of unity in extended precision. Inside math/ only. */
#ifndef WEFT_MATH_ROOT_PRODUCT_H
#define WEFT_MATH_ROOT_PRODUCT_H

#include <math.h>

#include "math/roots.h"

/* Below this a product of two roots has lost too many bits to cancellation: it is good to about
 * 2^-102 absolutely. A root this small is computed by itself; there are few. */
#define ROOT_SMALL 0x1p-14

/* Of a root a part is that small, if the product of both parts is. */
static inline bool root_is_small(double re, double im)
{
    return fabs(re * im) < ROOT_SMALL;
}

/* Doubles for the real and for the imaginary part side by side: most processors compute both at
 * once. The functions on them are those of extended.h. */
typedef double pair __attribute__((vector_size(16)));

struct extended_pair {
    pair hi, lo;
};

static inline struct extended_pair pair_of(struct extended a, struct extended b)
{
    return (struct extended_pair){{a.hi, b.hi}, {a.lo, b.lo}};
}

static inline struct extended_pair pair_sum(pair a, pair b)
{
    pair sum = a + b;
    pair b_part = sum - a;
    return (struct extended_pair){sum, (a - (sum - b_part)) + (b - b_part)};
}

static inline struct extended_pair pair_halves(pair a)
{
    pair scaled = EXTENDED_SPLITTER * a;
    pair upper = scaled - (scaled - a);
    return (struct extended_pair){upper, a - upper};
}

static inline struct extended_pair pair_product(pair a, pair b)
{
    pair product = a * b;
    struct extended_pair x = pair_halves(a), y = pair_halves(b);
    pair error = ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo;
    return (struct extended_pair){product, error};
}

static inline struct extended_pair pair_ordered_sum(pair a, pair b)
{
    pair sum = a + b;
    return (struct extended_pair){sum, b - (sum - a)};
}

static inline struct extended_pair pair_add(struct extended_pair a, struct extended_pair b)
{
    struct extended_pair high = pair_sum(a.hi, b.hi), low = pair_sum(a.lo, b.lo);
    high = pair_ordered_sum(high.hi, high.lo + low.hi);
    return pair_ordered_sum(high.hi, high.lo + low.lo);
}

static inline struct extended_pair pair_multiply(struct extended_pair a, struct extended_pair b)
{
    struct extended_pair p = pair_product(a.hi, b.hi);
    return pair_ordered_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* a b, each part wrong by less than 2^-102: a.re (b.re, b.im) + a.im (-b.im, b.re). */
static inline struct extended_root root_product(struct extended_root a, struct extended_root b)
{
    struct extended_pair u = pair_of(a.re, a.re), v = pair_of(b.re, b.im);
    struct extended_pair x = pair_of(extended_negate(a.im), a.im), y = pair_of(b.im, b.re);
    struct extended_pair p = pair_product(u.hi, v.hi), q = pair_product(x.hi, y.hi);
    struct extended_pair sum = pair_sum(p.hi, q.hi);
    pair cross = (u.hi * v.lo + u.lo * v.hi) + (x.hi * y.lo + x.lo * y.hi);
    pair rest = sum.lo + ((p.lo + q.lo) + cross);
    pair hi = sum.hi + rest;
    pair lo = rest - (hi - sum.hi);
    return (struct extended_root){{hi[0], lo[0]}, {hi[1], lo[1]}};
}

#endif

/* Products of roots of unity: one in extended precision, and two at a time in half
 * of its time each, good enough to be rounded to doubles. Inside math/ only. */
#ifndef WEFT_MATH_ROOT_PRODUCT_H
#define WEFT_MATH_ROOT_PRODUCT_H

#include <string.h>

#include "math/roots.h"

/* ---- in extended precision ---- */

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

/* ---- two roots side by side, to be rounded to doubles ---- */

/* A part below this has lost bits to cancellation; there are few. */
#define PAIR_SMALL 0x1p-10
/* A part whose rest is so near to half a unit in its last place may have been rounded the wrong
 * way: products are wrong by less than 2^-76, which is half a unit of PAIR_SMALL times 2^-12. */
#define PAIR_DOUBT (1 + 0x1p-12)

typedef int64_t pair_flags __attribute__((vector_size(16)));

/* A part of two roots: whole + rest, or else upper, of 26 bits, and lower. */
struct pair_part {
    pair whole, upper, lower;
};

struct root_pair {
    struct pair_part re, im;
};

static inline struct pair_part pair_part(pair hi, pair lo)
{
    const int64_t bits = ~((INT64_C(1) << 27) - 1);
    const pair upper = (pair)((pair_flags)hi & (pair_flags){bits, bits});
    return (struct pair_part){hi, upper, (hi - upper) + lo};
}

static inline struct root_pair root_pair_twice(struct extended_root root)
{
    return (struct root_pair){
        pair_part((pair){root.re.hi, root.re.hi}, (pair){root.re.lo, root.re.lo}),
        pair_part((pair){root.im.hi, root.im.hi}, (pair){root.im.lo, root.im.lo}),
    };
}

static inline struct root_pair root_pair_of(const struct extended_root *a,
                                            const struct extended_root *b)
{
    return (struct root_pair){
        pair_part((pair){a->re.hi, b->re.hi}, (pair){a->re.lo, b->re.lo}),
        pair_part((pair){a->im.hi, b->im.hi}, (pair){a->im.lo, b->im.lo}),
    };
}

/* What of a b is not the product of the upper bits, which is exact. */
static inline pair pair_cross(struct pair_part a, struct pair_part b)
{
    return a.upper * b.lower + a.lower * b.whole;
}

/* The sum rounded, and whether that is in doubt. */
static inline pair pair_rounded(struct extended_pair sum, pair cross, pair_flags *doubt)
{
    const pair rest = sum.lo + cross;
    const pair hi = sum.hi + rest, lo = rest - (hi - sum.hi);
    *doubt = hi + lo * PAIR_DOUBT != hi;
    return hi;
}

/* Of a root a part is that small, if the product of both parts is. */
static inline pair_flags pair_is_small(pair re, pair im, double small)
{
    const pair both = (pair)((pair_flags)(re * im) & (pair_flags){INT64_MAX, INT64_MAX});
    return both < (pair){small, small};
}

/* a b rounded to doubles; returns flags of lanes: -1 where that may be wrong. `small` is PAIR_SMALL
 * times the square of the product's size. */
static inline pair_flags root_pair_multiply(const struct root_pair *a, const struct root_pair *b,
                                            double small, pair *re, pair *im)
{
    const struct extended_pair x = pair_sum(a->re.upper * b->re.upper, -a->im.upper * b->im.upper);
    const struct extended_pair y = pair_sum(a->re.upper * b->im.upper, a->im.upper * b->re.upper);
    pair_flags in_re, in_im;
    *re = pair_rounded(x, pair_cross(a->re, b->re) - pair_cross(a->im, b->im), &in_re);
    *im = pair_rounded(y, pair_cross(a->re, b->im) + pair_cross(a->im, b->re), &in_im);
    return in_re | in_im | pair_is_small(*re, *im, small);
}

static inline pair pair_load(const double *from)
{
    pair x;
    memcpy(&x, from, sizeof x);
    return x;
}

static inline void pair_store(double *to, pair x)
{
    memcpy(to, &x, sizeof x);
}

#endif

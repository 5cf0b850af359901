/* Arithmetic on unevaluated sums of two doubles, about 106 bits (Dekker, "A floating-point
 * technique for extending the available precision", 1971). Needs rounding to nearest, and no
 * contraction of a * b + c by the compiler: build with -ffp-contract=off. */
#ifndef WEFT_MATH_EXTENDED_H
#define WEFT_MATH_EXTENDED_H

#include <float.h>
#include <math.h>
#include <stdint.h>

#if defined(__FAST_MATH__)
#error "extended precision needs strict floating-point arithmetic: no -ffast-math"
#endif
/* 16: as 0, on processors with arithmetic on _Float16. */
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 16,
               "extended precision needs doubles without excess precision");

/* An unevaluated sum hi + lo, |lo| <= ulp(hi)/2. */
struct extended {
    double hi, lo;
};

/* The sum of a and b exactly, if |a| >= |b|. */
static inline struct extended extended_ordered_sum(double a, double b)
{
    double sum = a + b;
    return (struct extended){sum, b - (sum - a)};
}

/* The sum of a and b exactly (Knuth). */
static inline struct extended extended_sum(double a, double b)
{
    double sum = a + b;
    double b_part = sum - a;
    return (struct extended){sum, (a - (sum - b_part)) + (b - b_part)};
}

#define EXTENDED_SPLITTER 134217729.0 /* 2^27 + 1 */

/* The upper and the lower half of the bits of a (Veltkamp); |a| < 2^996. */
static inline struct extended extended_halves(double a)
{
    double scaled = EXTENDED_SPLITTER * a;
    double upper = scaled - (scaled - a);
    return (struct extended){upper, a - upper};
}

/* The product of a and b exactly. Both ways give the same two numbers. */
static inline struct extended extended_product(double a, double b)
{
    double product = a * b;
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
    return (struct extended){product, __builtin_fma(a, b, -product)};
#else
    struct extended x = extended_halves(a), y = extended_halves(b);
    double error = ((x.hi * y.hi - product) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo;
    return (struct extended){product, error};
#endif
}

static inline struct extended extended_from_integer(int64_t a)
{
    double hi = (double)a; /* |a| < 2^62: the difference is exact */
    return (struct extended){hi, (double)(a - (int64_t)hi)};
}

/* 0 - x, not -x: the negative of zero is to be +0. */
static inline struct extended extended_negate(struct extended a)
{
    return (struct extended){0.0 - a.hi, 0.0 - a.lo};
}

/* Relative error below 2^-104, also when a and b nearly cancel. */
static inline struct extended extended_add(struct extended a, struct extended b)
{
    struct extended high = extended_sum(a.hi, b.hi);
    struct extended low = extended_sum(a.lo, b.lo);
    high = extended_ordered_sum(high.hi, high.lo + low.hi);
    return extended_ordered_sum(high.hi, high.lo + low.lo);
}

/* Relative error below 2^-103. */
static inline struct extended extended_multiply(struct extended a, struct extended b)
{
    struct extended p = extended_product(a.hi, b.hi);
    return extended_ordered_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

/* Relative error below 2^-102. */
static inline struct extended extended_divide(struct extended a, struct extended b)
{
    double first = a.hi / b.hi;
    struct extended back = extended_multiply((struct extended){first, 0}, b);
    struct extended rest = extended_add(a, extended_negate(back));
    return extended_ordered_sum(first, rest.hi / b.hi);
}

/* The square root of a > 0, by a step of Newton's iteration; relative error below 2^-103. */
static inline struct extended extended_square_root(double a)
{
    double root = sqrt(a);
    struct extended square = extended_product(root, root);
    return extended_ordered_sum(root, ((a - square.hi) - square.lo) / (2 * root));
}

#endif

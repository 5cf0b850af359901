/* Arithmetic on unevaluated sums of two doubles: T. J. Dekker, "A floating-point technique for
 * extending the available precision" (1971). Right only without contraction to fma and without
 * -ffast-math. Errors are some 2^-104 of the operands (not of the result, where a sum cancels):
 * what counts for the norm of a transform. Inline, because a transform is made of nothing else. */
#ifndef REFERENCE_EXTENDED_H
#define REFERENCE_EXTENDED_H

#include "reference.h"

struct extended_complex {
    struct reference_extended re;
    struct reference_extended im;
};

/* a + b exactly, where |a| >= |b|. */
static inline struct reference_extended extended_ordered_sum(double a, double b)
{
    double sum = a + b;
    return (struct reference_extended){sum, b - (sum - a)};
}

/* a + b exactly. */
static inline struct reference_extended extended_sum(double a, double b)
{
    double sum = a + b;
    double part = sum - a;
    return (struct reference_extended){sum, (a - (sum - part)) + (b - part)};
}

/* a * b exactly, each factor split into halves of 26 bits. */
static inline struct reference_extended extended_product(double a, double b)
{
    const double splitter = 134217729.0; /* 2^27 + 1 */
    double product = a * b;
    double a_big = splitter * a, b_big = splitter * b;
    double a_high = a_big - (a_big - a), b_high = b_big - (b_big - b);
    double a_low = a - a_high, b_low = b - b_high;
    double error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low;
    return (struct reference_extended){product, error};
}

static inline struct reference_extended extended_add(struct reference_extended a,
                                                     struct reference_extended b)
{
    struct reference_extended sum = extended_sum(a.hi, b.hi);
    return extended_ordered_sum(sum.hi, sum.lo + (a.lo + b.lo));
}

static inline struct reference_extended extended_negate(struct reference_extended a)
{
    return (struct reference_extended){-a.hi, -a.lo};
}

static inline struct reference_extended extended_subtract(struct reference_extended a,
                                                          struct reference_extended b)
{
    return extended_add(a, extended_negate(b));
}

static inline struct reference_extended extended_multiply(struct reference_extended a,
                                                          struct reference_extended b)
{
    struct reference_extended product = extended_product(a.hi, b.hi);
    return extended_ordered_sum(product.hi, product.lo + (a.hi * b.lo + a.lo * b.hi));
}

static inline struct reference_extended extended_divide(struct reference_extended a, double b)
{
    double quotient = a.hi / b;
    struct reference_extended back = extended_product(quotient, b);
    return extended_ordered_sum(quotient, (((a.hi - back.hi) - back.lo) + a.lo) / b);
}

static inline struct extended_complex extended_complex_multiply(struct extended_complex a,
                                                                struct extended_complex b)
{
    return (struct extended_complex){
        extended_subtract(extended_multiply(a.re, b.re), extended_multiply(a.im, b.im)),
        extended_add(extended_multiply(a.re, b.im), extended_multiply(a.im, b.re)),
    };
}

#endif

#include "ir/elementary.h"

#include <math.h>

/* Sums of few bits each, so that their products with the whole numbers that arguments are reduced
 * by are exact (Cody and Waite 1980): pi / 2 and log 2, by precision. The last one of each is as
 * long as the precision has bits. */
#define PARTS 4
struct parts {
    double part[PARTS];
    int count;
};

static const struct parts half_pi[2] = {
    {{0x1.921fb544p+0, 0x1.0b4611a6p-34, 0x1.3198a2e037073p-69, 0}, 3},
    {{0x1.92p+0, 0x1.fbp-12, 0x1.51p-22, 0x1.0b4612p-34}, 4}};
static const struct parts log_two[2] = {{{0x1.62e42fefa2p-1, 0x1.9ef35793c7673p-41, 0, 0}, 2},
                                        {{0x1.62e4p-1, 0x1.7f7d1cp-20, 0, 0}, 2}};

#define TWO_OVER_PI  0.63661977236758134308
#define ONE_OVER_LOG 1.44269504088896340736
#define PI           3.14159265358979323846

static ir_value number(const struct elementary *e, double value)
{
    return ir_real(e->b, value, 0);
}

static ir_value times(const struct elementary *e, ir_value x, double value)
{
    return ir_mul(e->b, x, number(e, value));
}

static ir_value nearest(const struct elementary *e, ir_value x)
{
    return ir_floor(e->b, ir_add(e->b, x, number(e, 0.5)));
}

/* x - n (the sum of the parts) */
static ir_value reduced(const struct elementary *e, const struct parts *parts, ir_value n,
                        ir_value x)
{
    for (int i = 0; i < parts->count; i++)
        x = ir_sub(e->b, x, times(e, n, parts->part[i]));
    return x;
}

/* ---- sine and cosine ---- */

/* sum_j (-1)^j x^2j first! / (2j + first)!, terms of it; first is 0 or 1. */
static ir_value alternating(const struct elementary *e, ir_value square, int first, int terms)
{
    ir_value sum = number(e, 1);
    for (int j = terms - 1; j > 0; j--) {
        const double divisor = (double)(2 * j + first) * (2 * j + first - 1);
        ir_value term = ir_mul(e->b, times(e, square, 1 / divisor), sum);
        sum = ir_sub(e->b, number(e, 1), term);
    }
    return sum;
}

/* What is left of n >= 0 beyond its multiples of four. */
static ir_value quadrant(const struct elementary *e, ir_value n)
{
    ir_value fours = ir_floor(e->b, times(e, n, 0.25));
    return ir_sub(e->b, n, times(e, fours, 4));
}

struct elementary_pair elementary_cos_sin(const struct elementary *e, ir_value x)
{
    struct ir_builder *b = e->b;
    const int terms = e->single ? 6 : 9;
    ir_value n = nearest(e, times(e, x, TWO_OVER_PI));
    ir_value rest = reduced(e, &half_pi[e->single], n, x), square = ir_mul(b, rest, rest);
    ir_value sine = ir_mul(b, rest, alternating(e, square, 1, terms));
    ir_value cosine = alternating(e, square, 0, terms);
    ir_value q = quadrant(e, n);
    ir_value first = ir_real_equal(b, q, number(e, 1)), third = ir_real_equal(b, q, number(e, 3));
    ir_value turned = ir_or(b, first, third);
    ir_value left = ir_or(b, first, ir_real_equal(b, q, number(e, 2)));
    ir_value below = ir_real_less(b, number(e, 1.5), q);
    ir_value c = ir_select(b, turned, sine, cosine), s = ir_select(b, turned, cosine, sine);
    return (struct elementary_pair){ir_select(b, left, ir_neg(b, c), c),
                                    ir_select(b, below, ir_neg(b, s), s)};
}

/* ---- powers of two ---- */

/* Exponents are built and taken apart by steps of powers of two: no machine's own functions for it
 * are needed, nor is any of them inexact. */
struct steps {
    int first; /* taken twice, then its halves down to 1 */
};

static struct steps steps_of(const struct elementary *e)
{
    return (struct steps){e->single ? 64 : 512};
}

/* The step after one of the given size; 0: there is none. */
static int next_step(const struct steps *steps, int step, bool *again)
{
    if (step == steps->first && !*again) {
        *again = true;
        return step;
    }
    return step / 2;
}

/* x 2^n for a whole n of magnitude below three times the first step. */
static ir_value scaled(const struct elementary *e, ir_value x, ir_value n)
{
    struct ir_builder *b = e->b;
    const struct steps steps = steps_of(e);
    ir_value negative = ir_real_less(b, n, number(e, 0));
    ir_value left = ir_select(b, negative, ir_neg(b, n), n);
    bool again = false;
    for (int step = steps.first; step > 0; step = next_step(&steps, step, &again)) {
        ir_value takes = ir_not(b, ir_real_less(b, left, number(e, step)));
        ir_value factor =
            ir_select(b, negative, number(e, ldexp(1, -step)), number(e, ldexp(1, step)));
        x = ir_select(b, takes, ir_mul(b, x, factor), x);
        left = ir_select(b, takes, ir_sub(b, left, number(e, step)), left);
    }
    return x;
}

ir_value elementary_exp(const struct elementary *e, ir_value x)
{
    struct ir_builder *b = e->b;
    const double low = e->single ? -110 : -760, high = e->single ? 90 : 712;
    const int terms = e->single ? 8 : 14;
    ir_value within = ir_select(b, ir_real_less(b, x, number(e, low)), number(e, low), x);
    within = ir_select(b, ir_real_less(b, number(e, high), x), number(e, high), within);
    ir_value n = nearest(e, times(e, within, ONE_OVER_LOG));
    ir_value rest = reduced(e, &log_two[e->single], n, within);
    ir_value sum = number(e, 1);
    for (int j = terms - 1; j > 0; j--)
        sum = ir_add(b, number(e, 1), ir_mul(b, times(e, rest, 1.0 / j), sum));
    return scaled(e, sum, n);
}

/* ---- logarithm ---- */

/* A positive number as mantissa 2^exponent, 1 <= mantissa < 2. */
struct split {
    ir_value mantissa, exponent;
};

static struct split split_exponent(const struct elementary *e, ir_value x)
{
    struct ir_builder *b = e->b;
    const struct steps steps = steps_of(e);
    struct split s = {x, number(e, 0)};
    bool again = false;
    for (int step = steps.first; step > 0; step = next_step(&steps, step, &again)) {
        ir_value small = ir_real_less(b, s.mantissa, number(e, ldexp(1, 1 - step)));
        ir_value lifted = ir_mul(b, s.mantissa, number(e, ldexp(1, step)));
        s.mantissa = ir_select(b, small, lifted, s.mantissa);
        s.exponent =
            ir_select(b, small, ir_sub(b, s.exponent, number(e, step)), s.exponent);
    }
    for (int step = steps.first; step > 0; step /= 2) {
        ir_value large = ir_not(b, ir_real_less(b, s.mantissa, number(e, ldexp(1, step))));
        ir_value lowered = ir_mul(b, s.mantissa, number(e, ldexp(1, -step)));
        s.mantissa = ir_select(b, large, lowered, s.mantissa);
        s.exponent =
            ir_select(b, large, ir_add(b, s.exponent, number(e, step)), s.exponent);
    }
    return s;
}

/* 2 artanh((m - 1) / (m + 1)) */
static ir_value log_near_one(const struct elementary *e, ir_value m)
{
    struct ir_builder *b = e->b;
    const int terms = e->single ? 6 : 12;
    ir_value ratio =
        ir_div(b, ir_sub(b, m, number(e, 1)), ir_add(b, m, number(e, 1)));
    ir_value square = ir_mul(b, ratio, ratio), sum = number(e, 1.0 / (2 * terms - 1));
    for (int j = terms - 2; j >= 0; j--)
        sum = ir_add(b, number(e, 1.0 / (2 * j + 1)), ir_mul(b, square, sum));
    return ir_mul(b, times(e, ratio, 2), sum);
}

ir_value elementary_log(const struct elementary *e, ir_value x)
{
    struct ir_builder *b = e->b;
    const struct parts *two = &log_two[e->single];
    struct split s = split_exponent(e, x);
    ir_value high = ir_real_less(b, number(e, sqrt(2)), s.mantissa);
    ir_value m = ir_select(b, high, times(e, s.mantissa, 0.5), s.mantissa);
    ir_value n = ir_select(b, high, ir_add(b, s.exponent, number(e, 1)), s.exponent);
    ir_value low = ir_add(b, log_near_one(e, m), times(e, n, two->part[1]));
    ir_value result = ir_add(b, times(e, n, two->part[0]), low);
    result = ir_select(b, ir_real_equal(b, x, number(e, 0)), number(e, -INFINITY), result);
    result = ir_select(b, ir_real_equal(b, x, number(e, INFINITY)), x, result);
    return ir_select(b, ir_real_less(b, x, number(e, 0)), number(e, NAN), result);
}

/* ---- angles ---- */

/* The arc tangent of 0 <= t <= 1: that of half the angle is found by a root, twice. */
static ir_value arc_tangent(const struct elementary *e, ir_value t)
{
    struct ir_builder *b = e->b;
    const int terms = e->single ? 6 : 12;
    for (int i = 0; i < 2; i++) {
        ir_value secant =
            ir_sqrt(b, ir_add(b, ir_mul(b, t, t), number(e, 1)));
        t = ir_div(b, t, ir_add(b, secant, number(e, 1)));
    }
    ir_value square = ir_mul(b, t, t), sum = number(e, 1.0 / (2 * terms - 1));
    for (int j = terms - 2; j >= 0; j--)
        sum = ir_sub(b, number(e, 1.0 / (2 * j + 1)), ir_mul(b, square, sum));
    return ir_mul(b, times(e, t, 4), sum);
}

static ir_value magnitude(const struct elementary *e, ir_value x)
{
    ir_value negative = ir_real_less(e->b, x, number(e, 0));
    return ir_select(e->b, negative, ir_neg(e->b, x), x);
}

ir_value elementary_angle(const struct elementary *e, ir_value y, ir_value x)
{
    struct ir_builder *b = e->b;
    ir_value right = magnitude(e, x), up = magnitude(e, y), zero = number(e, 0);
    ir_value steep = ir_real_less(b, right, up);
    ir_value large = ir_select(b, steep, up, right), small = ir_select(b, steep, right, up);
    ir_value ratio = ir_div(b, small, large);
    ratio = ir_select(b, ir_real_equal(b, large, small), number(e, 1), ratio);
    ratio = ir_select(b, ir_real_equal(b, large, zero), zero, ratio);
    ir_value angle = arc_tangent(e, ratio);
    angle = ir_select(b, steep, ir_sub(b, number(e, PI / 2), angle), angle);
    angle = ir_select(b, ir_real_less(b, x, zero), ir_sub(b, number(e, PI), angle), angle);
    return ir_select(b, ir_real_less(b, y, zero), ir_neg(b, angle), angle);
}

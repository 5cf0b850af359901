/* Stockham's steps of prime radices, and 4, on numbers that are sums of what was computed and of
 * what that is off by (Knuth, Dekker). The second parts are not normalized: they are wrong by some
 * 2^-100. Compiled once for every kind of processor under the name COMPENSATED_RUN. */
#include "math/factor.h"
#include "run/compensated_steps.h"
#include "spec/limits.h"
#if defined(__FMA__)
#include <immintrin.h>
#endif

/* ---- arithmetic ---- */

static inline struct number add(struct number a, struct number b)
{
    const parts sum = a.hi + b.hi, of_b = sum - a.hi;
    const parts error = (a.hi - (sum - of_b)) + (b.hi - of_b);
    return (struct number){sum, error + (a.lo + b.lo)};
}

static inline struct number negate(struct number a)
{
    return (struct number){-a.hi, -a.lo};
}

/* i a */
static inline struct number turn(struct number a)
{
    return (struct number){{-a.hi[1], a.hi[0]}, {-a.lo[1], a.lo[0]}};
}

/* a b - product, which is exact. */
static inline parts rounding(parts a, double b, parts product)
{
#if defined(__FMA__)
    return (parts)_mm_fmsub_pd((__m128d)a, _mm_set1_pd(b), (__m128d)product);
#else
    const struct extended half = extended_halves(b);
    const parts scaled = EXTENDED_SPLITTER * a, high = scaled - (scaled - a), low = a - high;
    return ((high * half.hi - product) + high * half.lo + low * half.hi) + low * half.lo;
#endif
}

static inline struct number scale(struct number a, struct extended by)
{
    const parts product = a.hi * by.hi, error = rounding(a.hi, by.hi, product);
    return (struct number){product, error + (a.hi * by.lo + a.lo * by.hi)};
}

static inline struct number multiply(struct number a, struct extended_root by)
{
    return add(scale(a, by.re), scale(turn(a), by.im));
}

static inline struct number multiply_by_root(const struct compensated *t, struct number a,
                                             int64_t k)
{
    return k < t->roots ? multiply(a, t->root[k]) : multiply(negate(a), t->root[k - t->roots]);
}

/* ---- butterflies ---- */

static void butterfly_odd(const struct compensated *t, int p, const struct number *x,
                          struct number *y)
{
    struct number sum[LIMITS_MAX_RADIX / 2 + 1], difference[LIMITS_MAX_RADIX / 2 + 1];
    y[0] = x[0];
    for (int j = 1; j <= p / 2; j++) {
        sum[j] = add(x[j], x[p - j]);
        difference[j] = add(x[j], negate(x[p - j]));
        y[0] = add(y[0], sum[j]);
    }
    for (int k = 1; k <= p / 2; k++) {
        struct number even = x[0], odd = {{0}, {0}};
        for (int j = 1; j <= p / 2; j++) {
            const int turns = j * k % p, mirrored = turns > p / 2;
            const struct extended_root root = t->root[t->n / p * (mirrored ? p - turns : turns)];
            even = add(even, scale(sum[j], root.re));
            odd = add(odd, scale(mirrored ? negate(difference[j]) : difference[j], root.im));
        }
        y[k] = add(even, turn(odd));
        y[p - k] = add(even, negate(turn(odd)));
    }
}

static void butterfly_4(const struct number *x, struct number *y)
{
    const struct number even = add(x[0], x[2]), odd = add(x[1], x[3]);
    const struct number apart = add(x[0], negate(x[2])), turned = turn(add(x[1], negate(x[3])));
    y[0] = add(even, odd);
    y[1] = add(apart, negate(turned));
    y[2] = add(even, negate(odd));
    y[3] = add(apart, turned);
}

static void butterfly(const struct compensated *t, int p, const struct number *x, struct number *y)
{
    if (p > 4 || p == 3) {
        butterfly_odd(t, p, x, y);
    } else if (p == 4) {
        butterfly_4(x, y);
    } else {
        y[0] = add(x[0], x[1]);
        y[1] = add(x[0], negate(x[1]));
    }
}

/* ---- steps ---- */

/* The last of the transforms' lengths so far is `lanes`; p times m is left. */
static void step(struct compensated *t, int p, int64_t m, int64_t lanes)
{
    struct number x[LIMITS_MAX_RADIX], y[LIMITS_MAX_RADIX];
    for (int64_t row = 0; row < m; row++) {
        for (int64_t lane = 0; lane < lanes; lane++) {
            for (int j = 0; j < p; j++)
                x[j] = t->from[lane + lanes * (row + m * j)];
            butterfly(t, p, x, y);
            struct number *to = t->to + lane + lanes * p * row;
            to[0] = y[0];
            for (int k = 1; k < p; k++)
                to[lanes * k] = row ? multiply_by_root(t, y[k], lanes * row * k) : y[k];
        }
    }
    struct number *from = t->from;
    t->from = t->to;
    t->to = from;
}

void COMPENSATED_RUN(struct compensated *t)
{
    const struct factors factors = factor(t->n);
    int64_t lanes = 1;
    for (int i = 0; i < factors.count; i++) {
        int64_t p = factors.prime[i];
        if (p == 2 && i + 1 < factors.count && factors.prime[i + 1] == 2) p *= factors.prime[++i];
        step(t, (int)p, t->n / lanes / p, lanes);
        lanes *= p;
    }
}

#include "device/cpu/circulant.h"

#include "base/arena.h"
#include "device/cpu/table_maker.h"
#include "math/factor.h"
#include "math/roots.h"

/* In extended precision where there is one: what factors are sums of. */
struct number {
    long double re, im;
};

/* Powers of the generator below the middle one, which is -1; roots of order a, and of order p by
 * those powers. */
struct roots {
    int power[CIRCULANT_MOST / 2];
    struct number part[CIRCULANT_PARTS], root[CIRCULANT_MOST / 2];
};

static struct number number_of(struct extended_root root)
{
    return (struct number){(long double)root.re.hi + root.re.lo,
                           -((long double)root.im.hi + root.im.lo)};
}

static void fill_roots(const struct circulant *c, struct roots *roots)
{
    struct extended_root all[CIRCULANT_MOST];
    const int g = (int)primitive_root(c->p);
    roots_list(c->p, 0, 1, c->p, all);
    for (int i = 0, power = 1; i < c->a * c->b; i++, power = power * g % c->p) {
        roots->power[i] = power;
        roots->root[i] = number_of(all[power]);
    }
    for (int i = 0; i < c->a; i++)
        roots->part[i] = number_of(root_extended(i, c->a));
}

/* Of odd i terms and results change their signs: mirrors take their places. The last vector of a
 * row has its last number several times. */
static void fill_places(const struct circulant *c, const struct roots *roots, uint8_t *from,
                        uint8_t *to)
{
    const int row = c->vectors * CIRCULANT_LANES / 2;
    for (int i = 0; i < c->a; i++) {
        for (int j = 0; j < row; j++) {
            const int at = i * c->b + (j < c->b ? j : c->b - 1); /* of the inverse */
            const int u = at ? c->p - roots->power[c->a * c->b - at] : 1;
            *from++ = (uint8_t)(i % 2 ? c->p - u : u);
        }
        for (int j = 0; j < c->b; j++) {
            const int k = roots->power[i * c->b + j];
            *to++ = (uint8_t)(i % 2 ? c->p - k : k);
        }
    }
}

static struct number times(struct number a, struct number b)
{
    return (struct number){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* Coefficient l of cosines (or sines), over z^b less the f-th root, over a; l < 0: times that. Of
 * f > 0 its conjugate's share is in it. */
static struct number factor_at(const struct circulant *c, const struct roots *roots, int f, int l,
                               bool sines)
{
    struct number sum = {0, 0};
    for (int i = 0; i < c->a; i++) {
        const struct number of = roots->root[i * c->b + (l < 0 ? l + c->b : l)];
        const long double x = (sines ? of.im : of.re) * (sines && i % 2 ? -1 : 1);
        sum.re += x * roots->part[f * i % c->a].re;
        sum.im += x * roots->part[f * i % c->a].im;
    }
    if (l < 0) sum = times(sum, roots->part[f]);
    const long double share = (f ? 2 : 1) * (sines && l < 0 ? -1.0L : 1.0L) / c->a;
    return (struct number){sum.re * share, sum.im * share};
}

static double *fill_windows(const struct circulant *c, const struct roots *roots, bool sines,
                            double *to)
{
    const int apart = circulant_window(c);
    for (int f = 0; f <= c->a / 2; f++) {
        for (int l = 1 - c->b; l < c->b; l++) {
            double *at = to + 2 * (l + c->b - 1);
            const struct number x = factor_at(c, roots, f, l, sines);
            at[0] = at[1] = (double)x.re;
            if (f) at[apart] = at[apart + 1] = (double)x.im;
        }
        to += (f ? 2 : 1) * apart;
    }
    return to;
}

static void fill_turns(const struct circulant *c, const struct roots *roots, double *turn)
{
    for (int f = 1; f <= c->a / 2; f++) {
        for (int i = 1; i <= c->a / 2; i++) {
            *turn++ = (double)roots->part[f * i % c->a].re;
            *turn++ = (double)roots->part[f * i % c->a].im;
        }
    }
}

static void fill(const struct circulant *c, uint8_t *places, double *turns, int64_t reals)
{
    struct roots roots;
    for (int64_t i = 0; i < reals; i++) turns[i] = 0;
    fill_roots(c, &roots);
    fill_places(c, &roots, places, places + (c->to - c->from));
    fill_turns(c, &roots, turns);
    double *sines = fill_windows(c, &roots, false, turns + (c->factors - c->turns));
    (void)fill_windows(c, &roots, true, sines);
}

const struct circulant *circulant_make(struct kernel *kernel, int p)
{
    const int a = circulant_parts(p), b = (p - 1) / 2 / a, turns = a / 2 * (a / 2) * 2;
    struct circulant *c = arena_alloc(kernel->arena, sizeof *c);
    if (!c) return NULL;
    *c = (struct circulant){.p = p, .a = a, .b = b, .vectors = circulant_vectors(b)};
    const int from = a * c->vectors * CIRCULANT_LANES / 2;
    const int64_t reals = turns + 2 * a * circulant_window(c);
    uint8_t *places = arena_alloc(kernel->arena, (size_t)(from + a * b));
    struct cpu_table *t = places ? table_add(kernel, TABLE_SUMS, p, 0, 0, 0, reals) : NULL;
    if (!t) return NULL;
    c->from = places;
    c->to = places + from;
    c->turns = t->data;
    c->factors = c->turns + turns;
    fill(c, places, t->data, reals);
    return c;
}

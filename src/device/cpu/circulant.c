#include "device/cpu/circulant.h"

#include <string.h>

#include "base/arena.h"
#include "device/cpu/sum.h"
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
static void fill_places(const struct circulant *c, const struct roots *roots, int lanes,
                        uint16_t *from)
{
    const int pairs = lanes / 2, row = c->vectors * pairs;
    for (int i = 0; i < c->a; i++) {
        for (int j = 0; j < row; j++) {
            const int at = i * c->b + (j < c->b ? j : c->b - 1); /* of the inverse */
            const int u = at ? c->p - roots->power[c->a * c->b - at] : 1;
            uint16_t *const vector = from + 2 * (i * row + j / pairs * pairs) + j % pairs;
            vector[0] = (uint16_t)(2 * (i % 2 ? c->p - u : u));
            vector[pairs] = (uint16_t)(2 * c->p - vector[0]);
        }
    }
}

/* Of two lines, k even or odd, the transforms' number k is number k % p. */
static int result_of(const struct circulant *c, int line, int k)
{
    return c->lines == 1 || k % 2 == line ? k : k + c->p;
}

static void fill_results(const struct circulant *c, const struct roots *roots, uint16_t *to)
{
    for (int l = 0; l < c->lines; l++) {
        for (int i = 0; i < c->a * c->b; i++, to += 2) {
            const int k = i / c->b % 2 ? c->p - roots->power[i] : roots->power[i];
            to[0] = (uint16_t)(2 * result_of(c, l, k));
            to[1] = (uint16_t)(2 * result_of(c, l, c->p - k));
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

/* A kernel's table, and up to where it is filled. */
struct filling {
    const struct kernel *kernel;
    const struct cpu_table *table;
    int64_t at;
};

static void fill_windows(const struct circulant *c, const struct roots *roots, bool sines,
                         int apart, struct filling *to)
{
    for (int f = 0; f <= c->a / 2; f++) {
        for (int l = 1 - c->b; l < c->b; l++) {
            const int64_t at = to->at + 2 * (l + c->b - 1);
            const struct number x = factor_at(c, roots, f, l, sines);
            for (int i = 0; i < 2; i++) {
                table_store(to->kernel, to->table, at + i, (double)x.re);
                if (f) table_store(to->kernel, to->table, at + i + apart, (double)x.im);
            }
        }
        to->at += (f ? 2 : 1) * apart;
    }
}

/* Of every root from 1 on, in the order of each f's multiples. */
static void fill_turns(const struct circulant *c, const struct roots *roots, struct filling *to)
{
    for (int f = 1; f <= c->a / 2; f++) {
        for (int i = 1; i <= c->a / 2; i++, to->at += 2) {
            const struct number root = roots->part[f * i % c->a];
            table_store(to->kernel, to->table, to->at, (double)root.re);
            table_store(to->kernel, to->table, to->at + 1, (double)root.im);
        }
    }
}

static void fill(const struct circulant *c, const struct roots *roots, int lanes, struct filling to)
{
    fill_turns(c, roots, &to);
    fill_windows(c, roots, false, circulant_window(c, lanes), &to);
    fill_windows(c, roots, true, circulant_window(c, lanes), &to);
}

const struct circulant *circulant_make(struct kernel *kernel, int n)
{
    const int lanes = kernel->sets->sums[kernel->precision].lanes;
    const int lines = n % 2 ? 1 : 2, p = n / lines;
    const int a = circulant_parts(p, lanes, kernel->precision), b = (p - 1) / 2 / a;
    const int turns = a / 2 * (a / 2) * 2, from = a * circulant_vectors(b, lanes) * lanes;
    struct circulant *c = arena_alloc(kernel->arena, sizeof *c);
    if (!c) return NULL;
    *c = (struct circulant){
        .p = p, .a = a, .b = b, .vectors = circulant_vectors(b, lanes), .lines = lines};
    const int64_t reals = turns + 2 * a * circulant_window(c, lanes);
    const int places = from + lines * 2 * a * b;
    uint16_t *place = arena_alloc(kernel->arena, (size_t)places * sizeof *place);
    struct cpu_table *t = place ? table_add(kernel, TABLE_SUMS, n, 0, 0, 0, reals) : NULL;
    if (!t) return NULL;
    struct roots roots;
    memset(t->data, 0, (size_t)(reals * kernel->real_bytes));
    fill_roots(c, &roots);
    fill_places(c, &roots, lanes, place);
    fill_results(c, &roots, place + from);
    fill(c, &roots, lanes, (struct filling){kernel, t, 0});
    c->from = place;
    c->to = place + from;
    c->turns = t->data;
    c->factors = (const char *)t->data + turns * kernel->real_bytes;
    return c;
}

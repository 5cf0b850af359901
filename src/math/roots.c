#include "math/roots.h"

#include <math.h>

#include "base/memory.h"
#include "math/root_product.h"
#include "math/root_run.h"

__extension__ typedef unsigned __int128 uint128;

/* An octant is an eighth of a turn; it is cut into steps of pi/32. */
#define STEPS 8
#define TERMS 7
/* The terms from here on are below 2^-53 of the sum: doubles will do. */
#define EXTENDED_TERMS 4

static const struct extended one = {1.0, 0.0};
static const struct extended pi_over_32 = {0.7853981633974483 / 8, 3.061616997868383e-17 / 8};

/* cos and sin of j pi / 32. */
static const struct extended_root step_root[STEPS + 1] = {
    {{1.0, 0.0}, {0.0, 0.0}},
    {{0.9951847266721969, -4.248691367830441e-17}, {0.0980171403295606, -1.634582362244256e-18}},
    {{0.9807852804032304, 1.8546939997825006e-17}, {0.19509032201612828, -7.991079068461731e-18}},
    {{0.9569403357322088, 4.05538698618757e-17}, {0.2902846772544624, -1.892797870777425e-17}},
    {{0.9238795325112867, 1.7645047084336677e-17}, {0.3826834323650898, -1.0050772696461588e-17}},
    {{0.881921264348355, -1.9843248405890562e-17}, {0.47139673682599764, 6.516678136069013e-18}},
    {{0.8314696123025452, 1.4073856984728024e-18}, {0.5555702330196022, 4.709410940561677e-17}},
    {{0.773010453362737, -3.256590703364977e-17}, {0.6343932841636455, 1.0420901929280035e-17}},
    {{0.7071067811865476, -4.833646656726457e-17}, {0.7071067811865476, -4.833646656726457e-17}},
};

/* The brackets of cos x = 1 + x^2 (-1/2! + x^2/4! - x^4/6! ...), to 1/14!, and beside them those of
 * sin x = x + x^3 (-1/3! + x^2/5! - x^4/7! ...), to 1/15!. */
static const struct extended_pair terms[TERMS] = {
    {{-0.5, -0.16666666666666666}, {0.0, -9.25185853854297e-18}},
    {{0.041666666666666664, 0.008333333333333333},
     {2.3129646346357427e-18, 1.1564823173178714e-19}},
    {{-0.001388888888888889, -0.0001984126984126984},
     {5.300543954373577e-20, -1.7209558293420705e-22}},
    {{2.48015873015873e-05, 2.7557319223985893e-06},
     {2.1511947866775882e-23, -1.858393274046472e-22}},
    {{-2.755731922398589e-07, -2.505210838544172e-08},
     {-2.3767714622250297e-23, 1.448814070935912e-24}},
    {{2.08767569878681e-09, 1.6059043836821613e-10},
     {-1.20734505911326e-25, 1.2585294588752098e-26}},
    {{-1.1470745597729725e-11, -7.647163731819816e-13},
     {-2.0655512752830745e-28, -7.03872877733453e-30}},
};

static struct extended_pair brackets(struct extended_pair x)
{
    pair tail = terms[TERMS - 1].hi;
    for (int i = TERMS - 2; i >= EXTENDED_TERMS; i--)
        tail = tail * x.hi + terms[i].hi;
    struct extended_pair sum = {tail, {0.0, 0.0}};
    for (int i = EXTENDED_TERMS - 1; i >= 0; i--)
        sum = pair_add(pair_multiply(sum, x), terms[i]);
    return sum;
}

/* exp(i angle) for |angle| <= pi/64 by Taylor's series. */
static struct extended_root small_root(struct extended angle)
{
    const struct extended square = extended_multiply(angle, angle);
    const struct extended_pair both = pair_of(square, square), last = pair_of(one, angle);
    /* Times one nothing changes. */
    const struct extended_pair parts = pair_multiply(pair_multiply(both, brackets(both)), last);
    const struct extended_pair sum = pair_add(last, parts);
    return (struct extended_root){{sum.hi[0], sum.lo[0]}, {sum.hi[1], sum.lo[1]}};
}

/* Most numbers have half the bits, and are divided in a tenth of the time. */
static uint64_t quotient(uint128 a, uint64_t b)
{
    return a >> 64 ? (uint64_t)(a / b) : (uint64_t)a / b;
}

/* exp(i pi/4 part/n), 0 <= part <= n: the nearest step, and the exact rest. */
static struct extended_root octant_root(int64_t part, int64_t n)
{
    uint64_t whole = (uint64_t)n;
    int step = (int)quotient((uint128)part * 2 * STEPS + whole, 2 * whole);
    int64_t rest = (int64_t)((uint64_t)part * STEPS - (uint64_t)step * whole); /* may be < 0 */
    if (rest == 0) return step_root[step];
    struct extended share = extended_divide(extended_from_integer(rest), extended_from_integer(n));
    return root_product(step_root[step], small_root(extended_multiply(share, pi_over_32)));
}

/* How exp(i angle) of an angle in an octant follows from that in the first one. */
static struct extended_root unfold(int octant, struct extended_root r)
{
    struct extended x = r.re, y = r.im;
    if (octant == 1 || octant == 2 || octant == 5 || octant == 6) {
        x = r.im;
        y = r.re;
    }
    if (octant >= 2 && octant < 6) x = extended_negate(x);
    if (octant >= 4) y = extended_negate(y);
    return (struct extended_root){x, y};
}

static int64_t reduce(int64_t k, int64_t n)
{
    int64_t rest = k % n;
    return rest < 0 ? rest + n : rest;
}

struct extended_root root_extended(int64_t k, int64_t n)
{
    uint128 eighths = (uint128)reduce(k, n) * 8;
    int octant = (int)quotient(eighths, (uint64_t)n);
    int64_t part = (int64_t)(eighths - (uint128)octant * (uint128)n);
    if (octant % 2) part = n - part;
    struct extended_root root = unfold(octant, octant_root(part, n));
    root.im = extended_negate(root.im);
    return root;
}

void root_double(int64_t k, int64_t n, double *re, double *im)
{
    struct extended_root root = root_extended(k, n);
    *re = root.re.hi;
    *im = root.im.hi;
}

static struct extended_root table_root(const struct root_table *table, int64_t k)
{
    int64_t mask = ((int64_t)1 << table->shift) - 1;
    return root_product(table->coarse[k >> table->shift], table->fine[k & mask]);
}

/* j step of the exponents that few additions lead to. */
static int64_t stepped(int64_t k, int64_t step, int64_t n)
{
    return k >= n - step ? k - (n - step) : k + step;
}

void roots_list(int64_t n, int64_t first, int64_t step, int64_t count, struct extended_root *root)
{
    const int64_t width = (int64_t)ceil(sqrt((double)count));
    int64_t k = 0;
    step = reduce(step, n);
    for (int64_t j = 0; j < count; j++, k = stepped(k, step, n)) {
        const int64_t column = j % width;
        root[j] = j < width || column == 0 ? root_extended(k, n)
                                           : root_product(root[j - column], root[column]);
    }
    if (reduce(first, n) == 0) return;
    const struct extended_root start = root_extended(first, n);
    for (int64_t j = 0; j < count; j++)
        root[j] = root_product(start, root[j]);
}

bool root_table_init(struct root_table *table, int64_t n)
{
    int shift = 0;
    while (((int64_t)1 << (2 * shift)) < n)
        shift++;
    int64_t fine_count = (int64_t)1 << shift;
    int64_t coarse_count = ((n - 1) >> shift) + 1;
    struct extended_root *roots = memory_alloc((size_t)(fine_count + coarse_count) * sizeof *roots);
    if (!roots) return false;
    *table =
        (struct root_table){.n = n, .shift = shift, .coarse = roots + fine_count, .fine = roots};
    roots_list(n, 0, 1, fine_count, table->fine);
    roots_list(n, 0, fine_count, coarse_count, table->coarse);
    return true;
}

void root_table_get(const struct root_table *table, int64_t k, double *re, double *im)
{
    struct extended_root root = table_root(table, k);
    *re = root.re.hi;
    *im = root.im.hi;
    if (root_is_small(*re, *im)) root_double(k, table->n, re, im);
}

void root_table_get_near(const struct root_table *table, int64_t k, double *re, double *im)
{
    const int64_t mask = ((int64_t)1 << table->shift) - 1;
    const struct extended_root *a = &table->coarse[k >> table->shift], *b = &table->fine[k & mask];
    *re = a->re.hi * b->re.hi - a->im.hi * b->im.hi;
    *im = a->re.hi * b->im.hi + a->im.hi * b->re.hi;
    if (root_is_small(*re, *im)) root_double(k, table->n, re, im);
}

void root_table_list(const struct root_table *table, const int64_t *k, int64_t count, double *re,
                     double *im)
{
    root_runs(count)->list(table, k, count, re, im);
}

void root_table_list_near(const struct root_table *table, const int64_t *k, int64_t count,
                          double *re, double *im)
{
    for (int64_t j = 0; j < count; j++)
        root_table_get_near(table, k[j], &re[j], &im[j]);
}

struct extended_root root_table_get_extended(const struct root_table *table, int64_t k)
{
    return table_root(table, k);
}

void root_table_free(struct root_table *table)
{
    memory_free(table->fine);
    *table = (struct root_table){0};
}

#include "math/roots.h"

#include <math.h>

#include "base/memory.h"
#include "math/factor.h"

__extension__ typedef unsigned __int128 uint128;

/* An octant is an eighth of a turn; it is cut into steps of pi/32. */
#define STEPS 8
#define TERMS 7
/* The terms from here on are below 2^-53 of the sum: doubles will do. */
#define EXTENDED_TERMS 4

/* Below this a product of two roots has lost too many bits to cancellation: it is good to about
 * 2^-102 absolutely. A root this small is computed by itself; there are few. */
#define SMALL 0x1p-14

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

/* The brackets of sin x = x + x^3 (-1/3! + x^2/5! - x^4/7! ...), to 1/15!. */
static const struct extended sine_terms[TERMS] = {
    {-0.16666666666666666, -9.25185853854297e-18},
    {0.008333333333333333, 1.1564823173178714e-19},
    {-0.0001984126984126984, -1.7209558293420705e-22},
    {2.7557319223985893e-06, -1.858393274046472e-22},
    {-2.505210838544172e-08, 1.448814070935912e-24},
    {1.6059043836821613e-10, 1.2585294588752098e-26},
    {-7.647163731819816e-13, -7.03872877733453e-30},
};

/* The brackets of cos x = 1 + x^2 (-1/2! + x^2/4! - x^4/6! ...), to 1/14!. */
static const struct extended cosine_terms[TERMS] = {
    {-0.5, 0.0},
    {0.041666666666666664, 2.3129646346357427e-18},
    {-0.001388888888888889, 5.300543954373577e-20},
    {2.48015873015873e-05, 2.1511947866775882e-23},
    {-2.755731922398589e-07, -2.3767714622250297e-23},
    {2.08767569878681e-09, -1.20734505911326e-25},
    {-1.1470745597729725e-11, -2.0655512752830745e-28},
};

static struct extended polynomial(struct extended x, const struct extended terms[TERMS])
{
    double tail = terms[TERMS - 1].hi;
    for (int i = TERMS - 2; i >= EXTENDED_TERMS; i--)
        tail = tail * x.hi + terms[i].hi;
    struct extended sum = {tail, 0.0};
    for (int i = EXTENDED_TERMS - 1; i >= 0; i--) {
        sum = extended_add(extended_multiply(sum, x), terms[i]);
    }
    return sum;
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
    pair scaled = 134217729.0 * a;
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
static inline struct extended_root multiply(struct extended_root a, struct extended_root b)
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

/* exp(i angle) for |angle| <= pi/64 by Taylor's series. */
static struct extended_root small_root(struct extended angle)
{
    struct extended square = extended_multiply(angle, angle);
    struct extended cosine = extended_multiply(square, polynomial(square, cosine_terms));
    struct extended sine = extended_multiply(square, polynomial(square, sine_terms));
    return (struct extended_root){
        extended_add(one, cosine),
        extended_add(angle, extended_multiply(angle, sine)),
    };
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
    return multiply(step_root[step], small_root(extended_multiply(share, pi_over_32)));
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

static bool is_small(double re, double im)
{
    return fabs(re) < SMALL || fabs(im) < SMALL;
}

static struct extended_root table_root(const struct root_table *table, int64_t k)
{
    int64_t mask = ((int64_t)1 << table->shift) - 1;
    return multiply(table->coarse[k >> table->shift], table->fine[k & mask]);
}

/* So many columns take no memory of their own, which tables of many short rows would ask for. */
enum { FEW_COLUMNS = 16 };

/* A progression cut into rows of equal width: root j = row * width + column is the product of the
 * row's first root and of exp(-2 pi i column step / n), which is the same in all rows. */
struct progression {
    const struct root_table *table; /* of order n, for the roots that are no products; or NULL */
    int64_t n, first, step;
    int64_t width;
    struct extended_root *columns;
    struct extended_root few[FEW_COLUMNS];
};

/* 0 <= k < n */
static struct extended_root progression_root(const struct progression *p, int64_t k)
{
    return p->table ? table_root(p->table, k) : root_extended(k, p->n);
}

static bool progression_init(struct progression *p, int64_t first, int64_t step, int64_t count)
{
    p->first = reduce(first, p->n);
    p->step = reduce(step, p->n);
    p->width = (int64_t)ceil(sqrt((double)count));
    p->columns = p->few;
    if (p->width > FEW_COLUMNS)
        p->columns = memory_alloc((size_t)p->width * sizeof *p->columns);
    if (!p->columns) return false;
    int64_t k = 0;
    for (int64_t j = 0; j < p->width; j++) {
        p->columns[j] = progression_root(p, k);
        k += p->step;
        if (k >= p->n) k -= p->n;
    }
    return true;
}

static void progression_free(struct progression *p)
{
    if (p->columns != p->few) memory_free(p->columns);
}

/* first + j * step modulo n. */
static int64_t progression_at(const struct progression *p, int64_t j)
{
    uint64_t n = (uint64_t)p->n;
    uint64_t distance = multiply_mod((uint64_t)j % n, (uint64_t)p->step, n);
    return reduce(p->first + (int64_t)distance, p->n);
}

static bool fill_double(struct progression p, int64_t first, int64_t step, int64_t count,
                        double *re, double *im)
{
    if (count <= 0) return true;
    if (!progression_init(&p, first, step, count)) return false;
    struct extended_root row = {one, {0.0, 0.0}};
    int64_t column = p.width;
    for (int64_t j = 0; j < count; j++, column++) {
        if (column == p.width) {
            row = progression_root(&p, progression_at(&p, j));
            column = 0;
        }
        struct extended_root root = multiply(row, p.columns[column]);
        re[j] = root.re.hi;
        im[j] = root.im.hi;
        if (is_small(re[j], im[j])) root_double(progression_at(&p, j), p.n, &re[j], &im[j]);
    }
    progression_free(&p);
    return true;
}

static bool fill_float(struct progression p, int64_t first, int64_t step, int64_t count, float *re,
                       float *im)
{
    if (count <= 0) return true;
    if (!progression_init(&p, first, step, count)) return false;
    double row_re = 1.0, row_im = 0.0;
    int64_t column = p.width;
    for (int64_t j = 0; j < count; j++, column++) {
        if (column == p.width) {
            const struct extended_root row = progression_root(&p, progression_at(&p, j));
            row_re = row.re.hi;
            row_im = row.im.hi;
            column = 0;
        }
        /* Wrong by 2^-52 at most: 2^-15 units in the last place of a float of size SMALL. */
        const struct extended_root *c = &p.columns[column];
        double x = row_re * c->re.hi - row_im * c->im.hi;
        double y = row_re * c->im.hi + row_im * c->re.hi;
        if (is_small(x, y)) root_double(progression_at(&p, j), p.n, &x, &y);
        re[j] = (float)x;
        im[j] = (float)y;
    }
    progression_free(&p);
    return true;
}

bool roots_fill_extended(int64_t n, int64_t first, int64_t step, int64_t count,
                         struct extended *re, struct extended *im)
{
    struct progression p = {.n = n};
    if (count <= 0) return true;
    if (!progression_init(&p, first, step, count)) return false;
    struct extended_root row = {one, {0.0, 0.0}};
    for (int64_t j = 0; j < count; j++) {
        const int64_t column = j % p.width;
        if (column == 0) row = root_extended(progression_at(&p, j), n);
        const struct extended_root root = multiply(row, p.columns[column]);
        re[j] = root.re;
        im[j] = root.im;
    }
    progression_free(&p);
    return true;
}

bool roots_fill_double(int64_t n, int64_t first, int64_t step, int64_t count, double *re,
                       double *im)
{
    return fill_double((struct progression){.n = n}, first, step, count, re, im);
}

bool roots_fill_float(int64_t n, int64_t first, int64_t step, int64_t count, float *re, float *im)
{
    return fill_float((struct progression){.n = n}, first, step, count, re, im);
}

bool root_table_fill_double(const struct root_table *table, int64_t first, int64_t step,
                            int64_t count, double *re, double *im)
{
    const struct progression p = {.table = table, .n = table->n};
    return fill_double(p, first, step, count, re, im);
}

bool root_table_fill_float(const struct root_table *table, int64_t first, int64_t step,
                           int64_t count, float *re, float *im)
{
    const struct progression p = {.table = table, .n = table->n};
    return fill_float(p, first, step, count, re, im);
}

/* root[j] = exp(-2 pi i j step / n) for j < count, most of them as products of two. */
static void fill_extended(struct extended_root *root, int64_t n, int64_t step, int64_t count)
{
    const int64_t width = (int64_t)ceil(sqrt((double)count));
    for (int64_t j = 0; j < count; j++) {
        const int64_t column = j % width;
        root[j] = j < width || column == 0 ? root_extended(j * step, n)
                                           : multiply(root[j - column], root[column]);
    }
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
    fill_extended(table->fine, n, 1, fine_count);
    fill_extended(table->coarse, n, fine_count, coarse_count);
    return true;
}

void root_table_get(const struct root_table *table, int64_t k, double *re, double *im)
{
    struct extended_root root = table_root(table, k);
    *re = root.re.hi;
    *im = root.im.hi;
    if (is_small(*re, *im)) root_double(k, table->n, re, im);
}

void root_table_get_near(const struct root_table *table, int64_t k, double *re, double *im)
{
    const int64_t mask = ((int64_t)1 << table->shift) - 1;
    const struct extended_root *a = &table->coarse[k >> table->shift], *b = &table->fine[k & mask];
    *re = a->re.hi * b->re.hi - a->im.hi * b->im.hi;
    *im = a->re.hi * b->im.hi + a->im.hi * b->re.hi;
    if (is_small(*re, *im)) root_double(k, table->n, re, im);
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

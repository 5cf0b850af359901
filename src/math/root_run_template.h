/* The runs of root_run.h, LANES products side by side, under the name ROOT_RUNS; ANY of LANES flags
 * is whether one is set. They are made in less time than root_product() takes, good enough to be
 * rounded to doubles; where that leaves the rounding in doubt the root is computed by itself. Where
 * EACH_LANE is given a list is defined, too, under the name ROOT_LIST. */
#include <string.h>

#include "math/root_run.h"

/* A part below this has lost bits to cancellation; there are few. */
#define SMALL 0x1p-10
/* A part whose rest is so near to half a unit in its last place may have been rounded the wrong
 * way: products are wrong by less than 2^-76, which is half a unit of SMALL times 2^-12. */
#define DOUBT (1 + 0x1p-12)
/* Below this the product of two doubles is wrong by more than 2^-15 units in the last place of a
 * float. */
#define SMALL_FLOAT 0x1p-14

/* Products that are made at a time: whole blocks. */
enum { BLOCK = LANES > ROOT_BLOCK ? LANES : ROOT_BLOCK };

typedef double lanes __attribute__((vector_size(8 * LANES)));
typedef float float_lanes __attribute__((vector_size(4 * LANES)));
typedef int64_t flags __attribute__((vector_size(8 * LANES)));

/* A part of some roots: whole + rest, or else upper, of 26 bits, and lower. */
struct part {
    lanes whole, upper, lower;
};

struct roots {
    struct part re, im;
};

static inline lanes load(const double *from)
{
    lanes x;
    memcpy(&x, from, sizeof x);
    return x;
}

/* Of columns, which go on a block further. */
#if LANES == 8
typedef double half_lanes __attribute__((vector_size(32), aligned(8), may_alias));
#define HALF(at)         (*(const half_lanes *)(at))
#define NEXT(at)         ((at) + ROOT_BLOCK * ROOT_COLUMN_REALS)
#define LOAD_COLUMNS(at) __builtin_shufflevector(HALF(at), HALF(NEXT(at)), 0, 1, 2, 3, 4, 5, 6, 7)
#else
#define LOAD_COLUMNS(at) load(at)
#endif

static inline void store(double *to, lanes x)
{
    memcpy(to, &x, sizeof x);
}

static inline void store_floats(float *to, lanes x)
{
    const float_lanes rounded = __builtin_convertvector(x, float_lanes);
    memcpy(to, &rounded, sizeof rounded);
}

static inline lanes each(double x)
{
    return x - (lanes){0};
}

static inline struct part part_of(lanes hi, lanes lo)
{
    const lanes upper = (lanes)((flags)hi & ~((INT64_C(1) << 27) - 1));
    return (struct part){hi, upper, (hi - upper) + lo};
}

static inline struct roots alike(struct extended_root root)
{
    return (struct roots){part_of(each(root.re.hi), each(root.re.lo)),
                          part_of(each(root.im.hi), each(root.im.lo))};
}

/* ---- products ---- */

/* What of a b is not the product of the upper bits, which is exact. */
static inline lanes cross(struct part a, struct part b)
{
    return a.upper * b.lower + a.lower * b.whole;
}

/* a + b + rest rounded, and whether that is in doubt. */
static inline lanes rounded(lanes a, lanes b, lanes rest, flags *doubt)
{
    const lanes sum = a + b, b_part = sum - a;
    const lanes low = ((a - (sum - b_part)) + (b - b_part)) + rest;
    const lanes hi = sum + low, lo = low - (hi - sum);
    *doubt = hi + lo * DOUBT != hi;
    return hi;
}

/* Of a root a part is that small, if the product of both parts is. */
static inline flags is_small(lanes re, lanes im, double small)
{
    return (lanes)((flags)(re * im) & INT64_MAX) < each(small);
}

/* a b rounded to doubles; returns flags of lanes: -1 where that may be wrong. `small` is SMALL
 * times the square of the product's size. */
static inline flags multiply(const struct roots *a, const struct roots *b, double small, double *re,
                             double *im)
{
    flags in_re, in_im;
    const lanes x = rounded(a->re.upper * b->re.upper, -a->im.upper * b->im.upper,
                            cross(a->re, b->re) - cross(a->im, b->im), &in_re);
    const lanes y = rounded(a->re.upper * b->im.upper, a->im.upper * b->re.upper,
                            cross(a->re, b->im) + cross(a->im, b->re), &in_im);
    store(re, x);
    store(im, y);
    return in_re | in_im | is_small(x, y, small);
}

/* ---- runs ---- */

/* Columns j on, as many as there are lanes. */
static inline struct roots columns_at(const double *column, int64_t j)
{
    const double *at = column + j / ROOT_BLOCK * ROOT_BLOCK * ROOT_COLUMN_REALS + j % ROOT_BLOCK;
    return (struct roots){
        part_of(LOAD_COLUMNS(at), LOAD_COLUMNS(at + ROOT_BLOCK)),
        part_of(LOAD_COLUMNS(at + 2 * ROOT_BLOCK), LOAD_COLUMNS(at + 3 * ROOT_BLOCK))};
}

/* Those of roots from number j on that have flags. */
static void mend(const struct root_run *run, int64_t j, flags some, double *re, double *im)
{
    for (int i = 0; i < LANES; i++) {
        if (some[i]) root_run_product(run, j + i, &re[i], &im[i]);
    }
}

static inline void block_double(const struct root_run *run, const struct roots *row, int64_t j,
                                double *re, double *im)
{
    const double small = SMALL * run->factor.hi * run->factor.hi;
    for (int i = 0; i < BLOCK; i += LANES) {
        const struct roots columns = columns_at(run->column, j + i);
        const flags some = multiply(row, &columns, small, re + i, im + i);
        if (ANY(some)) mend(run, j + i, some, re + i, im + i);
    }
}

static void mend_floats(const struct root_run *run, int64_t j, flags some, float *re, float *im)
{
    for (int i = 0; i < LANES; i++) {
        double x, y;
        if (!some[i]) continue;
        root_run_product(run, j + i, &x, &y);
        re[i] = (float)x;
        im[i] = (float)y;
    }
}

/* The floats' are products of doubles. */
static inline void block_float(const struct root_run *run, const struct roots *row, int64_t j,
                               float *re, float *im)
{
    const double small = SMALL_FLOAT * run->factor.hi * run->factor.hi;
    for (int i = 0; i < BLOCK; i += LANES) {
        const struct roots columns = columns_at(run->column, j + i);
        const lanes c = columns.re.whole, s = columns.im.whole;
        const lanes x = row->re.whole * c - row->im.whole * s;
        const lanes y = row->re.whole * s + row->im.whole * c;
        const flags some = is_small(x, y, small);
        store_floats(re + i, x);
        store_floats(im + i, y);
        if (ANY(some)) mend_floats(run, j + i, some, re + i, im + i);
    }
}

static void to_double(const struct root_run *run, void *to_re, void *to_im)
{
    double *re = to_re, *im = to_im, last_re[BLOCK], last_im[BLOCK];
    const struct roots row = alike(run->row);
    int64_t j = 0;
    for (int64_t left = run->count; left > 0; left -= BLOCK, j += BLOCK) {
        const bool whole = left >= BLOCK;
        block_double(run, &row, j, whole ? re + j : last_re, whole ? im + j : last_im);
        if (whole) continue;
        memcpy(re + j, last_re, (size_t)left * sizeof *re);
        memcpy(im + j, last_im, (size_t)left * sizeof *im);
    }
}

static void to_float(const struct root_run *run, void *to_re, void *to_im)
{
    float *re = to_re, *im = to_im, last_re[BLOCK], last_im[BLOCK];
    const struct roots row = alike(run->row);
    int64_t j = 0;
    for (int64_t left = run->count; left > 0; left -= BLOCK, j += BLOCK) {
        const bool whole = left >= BLOCK;
        block_float(run, &row, j, whole ? re + j : last_re, whole ? im + j : last_im);
        if (whole) continue;
        memcpy(re + j, last_re, (size_t)left * sizeof *re);
        memcpy(im + j, last_im, (size_t)left * sizeof *im);
    }
}

/* ---- lists ---- */

#ifdef EACH_LANE

#define RE_HI(i) root[i]->re.hi
#define RE_LO(i) root[i]->re.lo
#define IM_HI(i) root[i]->im.hi
#define IM_LO(i) root[i]->im.lo

/* Of every lane number (k & mask) >> shift of a list. */
static inline struct roots gather(const struct extended_root *from, const int64_t *k, int64_t mask,
                                  int shift)
{
    const struct extended_root *root[LANES];
    for (int i = 0; i < LANES; i++)
        root[i] = &from[(k[i] & mask) >> shift];
    return (struct roots){part_of((lanes)EACH_LANE(RE_HI), (lanes)EACH_LANE(RE_LO)),
                          part_of((lanes)EACH_LANE(IM_HI), (lanes)EACH_LANE(IM_LO))};
}

void ROOT_LIST(const struct root_table *table, const int64_t *k, int64_t count, double *re,
               double *im)
{
    const int64_t fine = (INT64_C(1) << table->shift) - 1;
    int64_t j = 0;
    for (; j + LANES <= count; j += LANES) {
        const struct roots u = gather(table->coarse, &k[j], -1, table->shift);
        const struct roots v = gather(table->fine, &k[j], fine, 0);
        const flags some = multiply(&u, &v, SMALL, &re[j], &im[j]);
        for (int i = 0; ANY(some) && i < LANES; i++) {
            if (some[i]) root_double(k[j + i], table->n, &re[j + i], &im[j + i]);
        }
    }
    for (; j < count; j++)
        root_table_get(table, k[j], &re[j], &im[j]);
}
#endif

const struct root_runs ROOT_RUNS = {to_double, to_float, ROOT_LIST};

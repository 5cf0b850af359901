/* Runs of roots that are the products of one root and of others, several side by side, for every
 * kind of processor. All give the same digits. Inside math/ only. */
#ifndef WEFT_MATH_ROOT_RUN_H
#define WEFT_MATH_ROOT_RUN_H

#include "math/factor.h"
#include "math/roots.h"

/* Products are made so many at a time, and columns are read so far beyond their last one. */
enum { ROOT_BLOCK = 4, ROOT_COLUMN_REALS = 4 };

/* Factor times roots first, first + step, ... of order n, which are those of a row, the first one
 * with the factor, times some columns. Columns lie by blocks, of each re.hi, re.lo, im.hi and
 * im.lo. */
struct root_run {
    int64_t n, first, step, count; /* 0 <= first, step < n */
    double factor;
    struct extended_root row;
    const double *column;
};

static inline int64_t root_run_at(const struct root_run *run, int64_t j)
{
    const uint64_t n = (uint64_t)run->n;
    const uint64_t at = (uint64_t)run->first + multiply_mod((uint64_t)j, (uint64_t)run->step, n);
    return (int64_t)(at >= n ? at - n : at);
}

/* Number j, as the product in extended precision, or where that is too small by itself. */
void root_run_product(const struct root_run *run, int64_t j, double *re, double *im);

/* All of a run; to doubles, or to floats. */
typedef void root_run_function(const struct root_run *run, void *re, void *im);

struct root_runs {
    root_run_function *to_double, *to_float;
    /* root_table_list() */
    void (*list)(const struct root_table *table, const int64_t *k, int64_t count, double *re,
                 double *im);
};

extern const struct root_runs root_runs_basic;
#if defined(__x86_64__)
extern const struct root_runs root_runs_avx2;
#endif

/* Those that suit this processor best. */
const struct root_runs *root_runs(void);

#endif

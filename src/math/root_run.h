/* Runs of roots that are the products of one root and of others, several side by side, for every
 * kind of processor. All give the same digits. Inside math/ only. */
#ifndef WEFT_MATH_ROOT_RUN_H
#define WEFT_MATH_ROOT_RUN_H

#include "math/factor.h"
#include "math/roots.h"

/* Columns lie in blocks of so many, and so many at most are read at a time, beyond the last one. */
enum { ROOT_BLOCK = 4, ROOT_MOST_LANES = 8, ROOT_COLUMN_REALS = 4 };

/* Factor times roots first, first + step, ... of order n, which are those of a row, the first one
 * with the factor, times some columns. Columns lie by blocks, of each re.hi, re.lo, im.hi and
 * im.lo. */
struct root_run {
    int64_t n, first, step, count; /* 0 <= first, step < n */
    struct extended factor;
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

/* root_table_list() */
typedef void root_list_function(const struct root_table *table, const int64_t *k, int64_t count,
                                double *re, double *im);

struct root_runs {
    root_run_function *to_double, *to_float;
    root_list_function *list;
};

extern const struct root_runs root_runs_basic;
extern root_list_function root_list_basic;
#if defined(__x86_64__)
extern const struct root_runs root_runs_avx2, root_runs_avx512;
extern root_list_function root_list_avx2; /* numbers are gathered: no faster eight at a time */
#endif

/* Those that suit this processor best for runs of about that length. */
const struct root_runs *root_runs(int64_t count);

#endif

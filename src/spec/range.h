/* Which elements of an axis there are: those that may be something else than 0 of an input, those
 * that are wanted of an output. */
#ifndef WEFT_SPEC_RANGE_H
#define WEFT_SPEC_RANGE_H

#include <stdbool.h>
#include <stdint.h>

/* `count` elements from `first` on, cyclically: what is beyond the last one begins anew at 0. */
struct range {
    int64_t first, count; /* 0 <= first < n, 0 < count < n; count 0: all n */
};

/* The runs that it consists of, in rising order, neither of them cyclic; all n elements are one.
 * Returns how many: 1 or 2. */
int range_runs(struct range range, int64_t n, struct range run[2]);

/* One of the runs: *number tells which, being the first digit of a number in a mixed base whose
 * others are of further ranges; it is taken off. */
struct range range_run(struct range range, int64_t n, int *number);

/* The least run, not cyclic, that holds all its elements. */
struct range range_extent(struct range range, int64_t n);

/* Whether every element of `inner` is one of `outer`. */
bool range_holds(struct range outer, struct range inner, int64_t n);

/* Whether it has an element. */
static inline bool range_has(struct range range, int64_t element, int64_t n)
{
    const int64_t ahead = element - range.first;
    return range.count == 0 || (ahead < 0 ? ahead + n : ahead) < range.count;
}

/* The share of n elements that it has. */
double range_share(struct range range, int64_t n);

#endif

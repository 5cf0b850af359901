/* Some numbers on their way between far and near memory, where the host has to do with them. */
#ifndef WEFT_STREAM_NUMBERS_H
#define WEFT_STREAM_NUMBERS_H

#include <stdbool.h>

#include "math/roots.h"
#include "weft/weft.h"

/* As many as the first-level cache holds. */
#define NUMBERS_MOST 256

/* lo: what doubles lack, of WEFT_DD alone. */
struct numbers_part {
    double hi[NUMBERS_MOST], lo[NUMBERS_MOST];
};

struct numbers {
    weft_precision precision;
    int64_t k; /* the first's number along the line, the others follow */
    int count;
    struct numbers_part re, im;
};

/* `count` reals, `step` apart, from or to the part's `first` and following. */
void numbers_load(const struct numbers *numbers, const void *array, int step, int count,
                  struct numbers_part *part, int first);
void numbers_store(const struct numbers *numbers, void *array, int step, int count,
                   const struct numbers_part *part, int first);

/* `count` of a part, from `first` on, times `weight`: a small integer or a square root of a power
 * of two, or its negative. */
void numbers_weigh(const struct numbers *numbers, double weight, struct numbers_part *part,
                   int first, int count);

/* Times factor, which is as above, and exp(-2 pi i (first + step j) / order). False: no memory. */
bool numbers_turn(struct numbers *numbers, double factor, int64_t order, int64_t first,
                  int64_t step);
/* By those of as many others; by a whole number. */
void numbers_multiply(struct numbers *numbers, const struct numbers *by);
void numbers_divide(struct numbers *numbers, double by);

/* Real and imaginary parts. */
void numbers_exchange(struct numbers *numbers);

/* Number k by exp(-2 pi i k^2 / roots->n), where k counts from 0 either way in a circle. */
void numbers_chirp(struct numbers *numbers, const struct root_table *roots, int64_t circle);

#endif

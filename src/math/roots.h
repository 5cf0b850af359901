/* Roots of unity exact to the last bit.
 * The angle is the exact rational k/n of a turn, reduced to an octant in integers; sine and cosine
 * are computed in double-double arithmetic (about 106 bits) and rounded once. */
#ifndef WEFT_MATH_ROOTS_H
#define WEFT_MATH_ROOTS_H

#include <stdbool.h>
#include <stdint.h>

#include "math/extended.h"

/* A complex number in extended precision. */
struct extended_root {
    struct extended re, im;
};

/* exp(-2 pi i k / n), any k (reduced modulo n), 1 <= n < 2^62; error below 2^-100. Quarter turns
 * are exact, and angles that mirror each other in an octant's edge have the same digits. */
struct extended_root root_extended(int64_t k, int64_t n);

/* The same rounded to double, correctly. */
void root_double(int64_t k, int64_t n, double *re, double *im);

/* exp(-2 pi i (first + j * step) / n) for j = 0 .. count-1, into re[j] and im[j]; first and step of
 * any sign. Doubles are rounded as root_double() rounds them, floats are wrong by at most 0.5001
 * units in the last place. Products of two short lists of roots, one to four ns each. Long
 * ones live in the heap meanwhile: returns false if there is no memory. */
bool roots_fill_double(int64_t n, int64_t first, int64_t step, int64_t count, double *re,
                       double *im);
bool roots_fill_float(int64_t n, int64_t first, int64_t step, int64_t count, float *re, float *im);
/* Likewise in extended precision, wrong by less than 2^-100. */
bool roots_fill_extended(int64_t n, int64_t first, int64_t step, int64_t count, struct extended *re,
                         struct extended *im);
/* Likewise, the parts of a root side by side, without memory of its own. */
void roots_list(int64_t n, int64_t first, int64_t step, int64_t count, struct extended_root *root);

/* A table that gives exp(-2 pi i k / n) for random k fast (two look-ups and a product in extended
 * precision), of about 2 sqrt(n) roots. Freed with root_table_free. */
struct root_table {
    int64_t n;
    int shift;                    /* k = (k >> shift) * 2^shift + (k mod 2^shift) */
    struct extended_root *coarse; /* exp(-2 pi i (j << shift) / n) */
    struct extended_root *fine;   /* exp(-2 pi i j / n), j < 2^shift */
};

/* Returns false, with nothing to free, if there is no memory. */
bool root_table_init(struct root_table *table, int64_t n);
/* 0 <= k < n; correctly rounded but for ties of 1 in 10^10. */
void root_table_get(const struct root_table *table, int64_t k, double *re, double *im);
/* Likewise, wrong by at most 2^-52: a root of a size above 2^-15 rounds to the same float, but for
 * ties of 1 in 10^7, and smaller ones are rounded correctly. In a third of the time. */
void root_table_get_near(const struct root_table *table, int64_t k, double *re, double *im);
/* Those of a list of k, as root_table_get() and as root_table_get_near() give them, faster. */
void root_table_list(const struct root_table *table, const int64_t *k, int64_t count, double *re,
                     double *im);
void root_table_list_near(const struct root_table *table, const int64_t *k, int64_t count,
                          double *re, double *im);
/* Likewise in extended precision, wrong by less than 2^-100. */
struct extended_root root_table_get_extended(const struct root_table *table, int64_t k);
/* As roots_fill_double() and _float() of order n, faster where the roots are few. */
bool root_table_fill_double(const struct root_table *table, int64_t first, int64_t step,
                            int64_t count, double *re, double *im);
bool root_table_fill_float(const struct root_table *table, int64_t first, int64_t step,
                           int64_t count, float *re, float *im);
/* `factor` times such roots, 1 <= |factor| <= 2, rounded once. */
bool root_table_fill_turns(const struct root_table *table, struct extended factor, int64_t first,
                           int64_t step, int64_t count, double *re, double *im);
bool root_table_fill_turns_float(const struct root_table *table, struct extended factor,
                                 int64_t first, int64_t step, int64_t count, float *re, float *im);
void root_table_free(struct root_table *table);

/* Gives exp(-2 pi i row step (first + column) / n) for all rows and columns, row by row, of one
 * `first` after the other: products with the roots of first = 0. n is the table's, which stays in
 * use. Freed with root_grid_free. */
struct root_grid {
    const struct root_table *table;
    int64_t step, rows, columns;
    double *column; /* the roots of first = 0 (progression.c) */
};

/* Returns false, with nothing to free, if there is no memory. */
bool root_grid_init(struct root_grid *grid, const struct root_table *table, int64_t step,
                    int64_t rows, int64_t columns);
/* first >= 0; rounded as roots_fill_double() and _float() round. */
void root_grid_double(const struct root_grid *grid, int64_t first, double *re, double *im);
void root_grid_float(const struct root_grid *grid, int64_t first, float *re, float *im);
void root_grid_free(struct root_grid *grid);

/* Bluestein's chirp exp(-pi i j^2 / n) for j = 0 .. count-1, from j^2 mod 2n exactly (Lloyd 4.3;
 * Govindaraju et al. IV.E), 1 <= n < 2^61. Returns false if there is no memory. */
bool chirp_fill(int64_t n, int64_t count, double *re, double *im);
/* Likewise, of roots as root_table_get_near() gives them: for single precision. */
bool chirp_fill_near(int64_t n, int64_t count, double *re, double *im);
/* Likewise, of roots as root_table_get_extended() gives them. */
bool chirp_fill_extended(int64_t n, int64_t count, struct extended *re, struct extended *im);

#endif

/* Short lines of reals as a CPU does them where that is the fastest: products with a matrix
 * (device/cpu/matrix.h). */
#ifndef WEFT_SPEC_MATRIX_SHAPE_H
#define WEFT_SPEC_MATRIX_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/limits.h"
#include "spec/reals.h"

/* Reals of a line at most, for which codelets have room. */
#define MATRIX_MOST_REALS 192

/* Products of vectors of a line, for each real, beyond which other ways are faster, of lines that
 * are also done two by two, or as half as many pairs; and in all, of primes, whose butterflies take
 * long. (Experiments "matrices", "folded products" and "products that are far" in
 * docs/experiments.) */
#define MATRIX_MOST_A_REAL    5
#define MATRIX_MOST_OF_PRIMES 3000

/* Where a line's reals, or its results, mirror each other. */
struct matrix_mirrors {
    int in;  /* real `in` - j has the factors of real j, negated for results of odd numbers; */
    int out; /* result `out` - k those of result k, negated for every other real; 0: none */
};

/* Lines of more results than fill a few vectors: products of pairs of numbers with pairs of
 * factors, which are half as many where there are mirrors. */
struct matrix_folds {
    struct matrix_mirrors mirrors;
    int pairs;   /* sums and differences of reals that mirror each other, or neighbours, or each
                  * real twice */
    bool halved; /* products with even pairs and with odd ones are summed apart: results and numbers
                  * up to a quarter of the line are their sums, those up to a half differences */
    int opened;  /* results that are sums of a pair of products, and their mirrors differences; 0:
                  * products are results */
    int vectors; /* that the products with a pair fill */
    bool first_in, first_out; /* the first real, or result, mirrors none */
    bool as_they_are;         /* neighbours are pairs */
    bool apart; /* products are not results, or a vector that ends with the last would not begin
                 * with an even one */
};

/* What is read and written of a line, and the vectors that its results are dealt to. */
struct matrix_shape {
    int64_t count, results;
    int lanes, vectors;
    struct matrix_folds folds; /* of no pairs: there are none */
};

/* Lines of reals that stand for more, in vectors of at most so many lanes. */
struct matrix_shape matrix_shape_of_reals(const struct reals reals[2], int most_lanes);

/* Of n reals to half a spectrum, or back. */
struct matrix_shape matrix_shape_of_half(int64_t n, bool forward, int most_lanes);

/* Of a line of half a spectrum of odd length, which is not one of several or is. */
int64_t matrix_most_products(const struct limits *limits, int64_t n, bool one);

/* Of lines that stand for more, where no codelets take their numbers: their transform's length. */
int64_t matrix_most_reflected(const struct limits *limits, const struct reals reals[2]);

/* Whether lines of n reals, one by one, may be products where their transform is a convolution. */
bool matrix_shape_serves(const struct limits *limits, int64_t n, int lanes);

/* Vectors of factors that a line is multiplied with. */
int64_t matrix_shape_products(const struct matrix_shape *shape);

/* Whether it is no more than so many products, of which each counts for more if the first level
 * does not hold their factors. */
bool matrix_shape_suits(const struct matrix_shape *shape, const struct limits *limits,
                        int64_t most_products);

#endif

/* Short lines of reals as a CPU does them where that is the fastest: products with a matrix
 * (device/cpu/matrix.h). */
#ifndef WEFT_SPEC_MATRIX_SHAPE_H
#define WEFT_SPEC_MATRIX_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

/* Errors of sums grow with the root of the number of their terms: so many are as good as other ways
 * of doing half a spectrum. */
#define MATRIX_MOST_REALS 50

/* Vectors that a line's results fill at most. */
#define MATRIX_MOST_VECTORS 8

/* Products of vectors of a line, beyond which general gathers and scatters are faster. (Experiment
 * "matrices" in docs/experiments.) */
#define MATRIX_MOST_PRODUCTS 400
/* ... of reals that stand for more, where no codelets take them. (Experiment "odd products".) */
#define MATRIX_MOST_REFLECTED 800

/* What is read and written of a line, and the vectors that its results are dealt to. */
struct matrix_shape {
    int64_t count, results;
    int lanes, vectors;
};

/* In vectors of at most so many lanes. */
struct matrix_shape matrix_shape(int64_t count, int64_t results, int most_lanes);

/* Of n reals to half a spectrum, or back. */
struct matrix_shape matrix_shape_of_half(int64_t n, bool forward, int most_lanes);

/* Whether it is no more than so many products, and as exact as other ways, */
bool matrix_shape_suits(const struct matrix_shape *shape, int64_t most_products);
/* ... or at least the former. */
bool matrix_shape_fits(const struct matrix_shape *shape, int64_t most_products);

#endif

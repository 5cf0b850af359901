#include "spec/matrix_shape.h"

#include "math/factor.h"

/* Vectors of results up to which reals are multiplied one by one. */
#define MOST_SINGLE_VECTORS 4

static int vectors_of(int64_t results, int lanes)
{
    return (int)((results + lanes - 1) / lanes);
}

/* Of a mirrored line those up to the middle. */
static int up_to_middle(int64_t count, bool first)
{
    return (int)(first ? count / 2 + 1 : (count + 1) / 2);
}

static struct matrix_folds folds_of(const struct matrix_shape *shape, struct matrix_mirrors mirrors)
{
    const int count = (int)shape->count, results = (int)shape->results;
    struct matrix_folds folds = {.mirrors = mirrors,
                                 .first_in = mirrors.in == count,
                                 .first_out = mirrors.out == results,
                                 .as_they_are = mirrors.out > 0 && mirrors.in == 0};
    folds.pairs = count;
    if (mirrors.in) folds.pairs = up_to_middle(count, folds.first_in);
    if (folds.as_they_are) folds.pairs = up_to_middle(count, folds.first_out);
    if (mirrors.out) folds.opened = up_to_middle(results, folds.first_out);
    folds.apart = mirrors.out > 0 || (mirrors.in > 0 && results % 2 != 0);
    folds.vectors = mirrors.out ? 2 * vectors_of(folds.opened, shape->lanes) : shape->vectors;
    return folds;
}

struct matrix_shape matrix_shape(int64_t count, int64_t results, struct matrix_mirrors mirrors,
                                 int most_lanes)
{
    struct matrix_shape shape = {.count = count, .results = results, .lanes = 1};
    while (2 * shape.lanes <= most_lanes && 2 * shape.lanes <= results)
        shape.lanes *= 2;
    shape.vectors = vectors_of(results, shape.lanes);
    if (shape.vectors > MOST_SINGLE_VECTORS) shape.folds = folds_of(&shape, mirrors);
    return shape;
}

struct matrix_shape matrix_shape_of_half(int64_t n, bool forward, int most_lanes)
{
    const struct matrix_mirrors mirrors = {.in = forward ? (int)n : 0, .out = forward ? 0 : (int)n};
    return matrix_shape(n, forward ? n / 2 * 2 + 2 : n, mirrors, most_lanes);
}

int64_t matrix_most_products(int64_t n, bool alone)
{
    if (is_prime(n)) return MATRIX_MOST_OF_PRIMES;
    return n * (alone ? MATRIX_MOST_A_REAL_ALONE : MATRIX_MOST_A_REAL);
}

int64_t matrix_shape_products(const struct matrix_shape *shape)
{
    return shape->folds.pairs ? (int64_t)shape->folds.pairs * shape->folds.vectors
                              : shape->count * shape->vectors;
}

bool matrix_shape_suits(const struct matrix_shape *shape, int64_t most_products)
{
    return shape->lanes > 1 && shape->count <= MATRIX_MOST_REALS &&
           matrix_shape_products(shape) <= most_products;
}

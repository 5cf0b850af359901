#include "spec/matrix_shape.h"

struct matrix_shape matrix_shape(int64_t count, int64_t results, int most_lanes)
{
    struct matrix_shape shape = {.count = count, .results = results, .lanes = 1};
    while (2 * shape.lanes <= most_lanes && 2 * shape.lanes <= results)
        shape.lanes *= 2;
    shape.vectors = (int)((results + shape.lanes - 1) / shape.lanes);
    return shape;
}

struct matrix_shape matrix_shape_of_half(int64_t n, bool forward, int most_lanes)
{
    return matrix_shape(n, forward ? n / 2 * 2 + 2 : n, most_lanes);
}

bool matrix_shape_suits(const struct matrix_shape *shape, int64_t most_products)
{
    return shape->count <= MATRIX_MOST_REALS && matrix_shape_fits(shape, most_products);
}

bool matrix_shape_fits(const struct matrix_shape *shape, int64_t most_products)
{
    return shape->lanes > 1 && shape->vectors <= MATRIX_MOST_VECTORS &&
           shape->vectors * shape->count <= most_products;
}

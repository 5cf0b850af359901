/* Lines whose results fill so many vectors of LANES numbers: a part of matrix_lines.h, included
 * with LANES for each width. */

/* Products go to sum[] and other[] in turns: chains of sums are half as long then. */
static ALL_INLINE void NAME_OF(store_products_, LANES,
                               PRECISION)(const VECTOR *sum, const VECTOR *other, REAL *y,
                                          int64_t results, const int vectors)
{
    EACH(v, vectors) PUT(y + (v < vectors - 1 ? v * LANES : results - LANES), sum[v] + other[v]);
}

/* Any number of reals, `step` apart but for the first, which is `turn` nearer. */
static ALL_INLINE void NAME_OF(product_any_, LANES,
                               PRECISION)(const struct codelet_shape *shape, const REAL *x, REAL *y,
                                          const REAL *factors, const int vectors)
{
    const VECTOR zero = {0};
    const int64_t step = shape->in_leg, count = shape->in_count;
    VECTOR sum[MATRIX_MOST_VECTORS], other[MATRIX_MOST_VECTORS];
    EACH(v, vectors) sum[v] = AT(factors + v * LANES) * x[0];
    EACH(v, vectors) other[v] = zero;
    x += shape->turn;
    int64_t j = 1;
    for (; j + 1 < count; j += 2) {
        factors += vectors * LANES;
        EACH(v, vectors) other[v] += AT(factors + v * LANES) * x[j * step];
        factors += vectors * LANES;
        EACH(v, vectors) sum[v] += AT(factors + v * LANES) * x[(j + 1) * step];
    }
    factors += vectors * LANES;
    if (j < count) EACH(v, vectors) other[v] += AT(factors + v * LANES) * x[j * step];
    NAME_OF(store_products_, LANES, PRECISION)(sum, other, y, shape->lanes, vectors);
}

/* As many as the compiler knows, side by side: straight-line code. */
static ALL_INLINE void NAME_OF(product_few_, LANES,
                               PRECISION)(const struct codelet_shape *shape, const REAL *x, REAL *y,
                                          const REAL *factors, const int count, const int vectors)
{
    const VECTOR zero = {0};
    VECTOR sum[MATRIX_MOST_VECTORS], other[MATRIX_MOST_VECTORS];
    EACH(v, vectors) sum[v] = AT(factors + v * LANES) * x[0];
    EACH(v, vectors) other[v] = zero;
    x += shape->turn;
    EACH(j, count)
    {
        const REAL *column = factors + j * vectors * LANES;
        if (j % 2 == 1)
            EACH(v, vectors) other[v] += AT(column + v * LANES) * x[j];
        else if (j > 0)
            EACH(v, vectors) sum[v] += AT(column + v * LANES) * x[j];
    }
    NAME_OF(store_products_, LANES, PRECISION)(sum, other, y, shape->lanes, vectors);
}

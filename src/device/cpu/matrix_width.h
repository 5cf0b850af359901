/* Lines whose results fill so many vectors of LANES numbers: a part of matrix_lines.h, included
 * with LANES for each width. */

/* The last vector overlaps the one before it. */
#define PLACE_OF(v) ((v) < vectors - 1 ? (v)*LANES : shape->lanes - LANES)

/* Any number of reals, `step` apart but for the first, which is `turn` nearer. Sums of a few
 * products are added to the others: the rounding errors of one sum grow as the square of its
 * length. (Experiment "matrices" in docs/experiments.) */
static ALL_INLINE void NAME_OF(product_any_, LANES,
                               PRECISION)(const struct codelet_shape *shape, const REAL *x, REAL *y,
                                          const REAL *factors, const int vectors)
{
    const VECTOR zero = {0};
    const int64_t step = shape->in_leg, column = vectors * LANES;
    VECTOR total[MOST_VECTORS], sum[MOST_VECTORS], other[MOST_VECTORS];
    EACH_VECTOR(total[v] = AT(factors + v * LANES) * x[0])
    x += shape->turn + step;
    factors += column;
    if (shape->in_count % 2 == 0) {
        EACH_VECTOR(total[v] += AT(factors + v * LANES) * x[0])
        x += step;
        factors += column;
    }
    const REAL *past = factors + (shape->in_count - 1) / 2 * 2 * column;
    while (factors < past) {
        const bool last = IN_ONE_SUM(vectors) || past - factors < TOGETHER * column;
        const REAL *end = last ? past : factors + TOGETHER * column;
        EACH_VECTOR(sum[v] = other[v] = zero)
        do {
            EACH_VECTOR(sum[v] += AT(factors + v * LANES) * x[0])
            EACH_VECTOR(other[v] += AT(factors + column + v * LANES) * x[step])
            x += 2 * step;
            factors += 2 * column;
            __asm__("" : "+r"(x), "+r"(factors)); /* where loops end gcc would compute anew */
        } while (factors < end);
        EACH_VECTOR(total[v] += sum[v] + other[v])
    }
    EACH_VECTOR(PUT(y + PLACE_OF(v), total[v]))
}

/* As many as the compiler knows, side by side: straight-line code, and up to four sums. */
static ALL_INLINE void NAME_OF(product_few_, LANES,
                               PRECISION)(const struct codelet_shape *shape, const REAL *x, REAL *y,
                                          const REAL *factors, enum matrix_form form,
                                          const int count, const int vectors)
{
    const int products = matrix_products(form, count);
    const int sums = products >= LEAST_IN_FOUR && IN_FOUR(vectors) ? 4 : 2;
    const REAL *rest = x + shape->turn;
    const VECTOR zero = {0}, signs = AT(factors);
    VECTOR sum[4][MOST_VECTORS] = {{{0}}};
    bool begun[4] = {false};
    if (form != MATRIX_SINGLE) factors += LANES;
    EACH(i, products)
    {
        const struct matrix_pair pair = matrix_pair(form, count, i);
        const REAL *column = factors + i * vectors * LANES;
        const int s = matrix_sum(form, count, i, sums);
        VECTOR both = (pair.first > 0 ? rest : x)[pair.first] - zero;
        if (pair.second >= 0 && pair.negated)
            both -= signs * rest[pair.second];
        else if (pair.second >= 0)
            both += signs * rest[pair.second];
        if (begun[s])
            EACH(v, vectors) sum[s][v] += AT(column + v * LANES) * both;
        else
            EACH(v, vectors) sum[s][v] = AT(column + v * LANES) * both;
        begun[s] = true;
    }
    EACH(v, vectors) sum[0][v] += sum[1][v];
    if (sums == 4) EACH(v, vectors) sum[0][v] += sum[2][v] + sum[3][v];
    EACH(v, vectors) PUT(y + PLACE_OF(v), sum[0][v]);
}

#undef PLACE_OF

/* Folded lines of one precision (matrix.h): a part of matrix_lines.h, included with REAL,
 * PRECISION and MOST_LANES. */
#include "device/cpu/widest_lanes.h"

#define FOLDED(name) NAME_OF(folded_, name, PRECISION)

/* The pair at `place`, and again, as often as fills a vector. */
#if MOST_LANES * 4 == VECTOR_BYTES
static ALL_INLINE VECTOR FOLDED(pair)(const REAL *place)
{
    typedef int64_t pair_memory __attribute__((aligned(4), may_alias));
    typedef int64_t pairs __attribute__((vector_size(VECTOR_BYTES)));
    const pairs none = {0};
    return (VECTOR)(none + *(const pair_memory *)place);
}
#elif MOST_LANES == 2
static ALL_INLINE VECTOR FOLDED(pair)(const REAL *place)
{
    return AT(place);
}
#elif MOST_LANES == 4
static ALL_INLINE VECTOR FOLDED(pair)(const REAL *place)
{
    typedef REAL pair_memory
        __attribute__((vector_size(2 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
    const pair_memory pair = *(const pair_memory *)place;
    return SHUFFLED(pair, pair, 0, 1, 0, 1);
}
#else
static ALL_INLINE VECTOR FOLDED(pair)(const REAL *place)
{
    return (VECTOR)_mm512_broadcast_f64x2(_mm_loadu_pd(place));
}
#endif

/* What a line's products are of: pairs, or the reals themselves. */
struct FOLDED(line) {
    REAL real[MATRIX_MOST_REALS + MOST_LANES], pair[2 * MATRIX_MOST_REALS + 2 * MOST_LANES];
};

static __attribute__((noinline)) void FOLDED(copy)(const REAL *x, REAL *to, int64_t count)
{
    for (int64_t i = 0; i + LANES < count; i += LANES) {
        PUT(to + i, AT(x + i));
        SCALAR(); /* no call */
    }
    PUT(to + count - LANES, AT(x + count - LANES));
}

/* Numbers, with zeros for the parts that they lack, or reals, one behind the other. */
static ALL_INLINE void FOLDED(read)(const struct codelet_shape *s, const REAL *x, REAL *to)
{
    const int64_t past = s->in_count + s->turn;
    if (s->in_leg == 1)
        FOLDED(copy)(x, to, past);
    else
        for (int64_t i = 0; i < past; i++)
            to[i] = x[i * s->in_leg];
    if (s->turn) to[1] = 0;
    to[past] = 0;
}

/* x_j + x_(mirror - j) and x_j - x_(mirror - j), or x_j twice where there is no other real. */
static ALL_INLINE void FOLDED(fold)(const struct matrix_folds *folds, const REAL *x, REAL *pair)
{
    const int first = folds->first_in, mirror = folds->mirrors.in, last = folds->pairs - LANES;
    for (int j = first;; j += LANES) {
        j = j < last ? j : last;
        const VECTOR a = AT(x + j);
        VECTOR sum = a, difference = a;
        if (mirror) {
            const VECTOR back = AT(x + mirror - j - LANES + 1), b = SHUFFLED(back, back, BACK);
            sum += b;
            difference -= b;
        }
        PUT(pair + 2 * j, SHUFFLED(sum, difference, LOW));
        PUT(pair + 2 * j + LANES, SHUFFLED(sum, difference, HIGH));
        if (j == last) break;
    }
    if (first) pair[0] = pair[1] = x[0];
    if (mirror && mirror % 2 == 0) pair[mirror] = pair[mirror + 1] = x[mirror / 2];
}

/* `vectors` of the products from the one at y on, the last of all of which ends at `past`. As in
 * matrix_width.h sums of a few are added to the others, and half of the pairs are summed by
 * themselves, for sums wait for one another. */
static ALL_INLINE void FOLDED(products)(const struct matrix_folds *folds, const REAL *pair,
                                        const REAL *factors, REAL *y, REAL *past, const int vectors)
{
    const VECTOR zero = {0};
    const int64_t column = folds->vectors * LANES;
    VECTOR total[5], sum[5], other[5];
    const VECTOR first = FOLDED(pair)(pair);
    EACH_VECTOR(total[v] = AT(factors + v * LANES) * first)
    const REAL *past_pairs = pair + 2 * folds->pairs;
    pair += 2;
    factors += column;
    if (folds->pairs % 2 == 0) {
        const VECTOR second = FOLDED(pair)(pair);
        EACH_VECTOR(total[v] += AT(factors + v * LANES) * second)
        pair += 2;
        factors += column;
    }
    while (pair < past_pairs) {
        const bool last = IN_ONE_SUM(vectors) || past_pairs - pair < 2 * FOLDED_TOGETHER;
        const REAL *end = last ? past_pairs : pair + 2 * FOLDED_TOGETHER;
        EACH_VECTOR(sum[v] = other[v] = zero)
        do {
            const VECTOR a = FOLDED(pair)(pair), b = FOLDED(pair)(pair + 2);
            EACH_VECTOR(sum[v] += AT(factors + v * LANES) * a)
            EACH_VECTOR(other[v] += AT(factors + column + v * LANES) * b)
            pair += 4;
            factors += 2 * column;
        } while (pair < end);
        EACH_VECTOR(total[v] += sum[v] + other[v])
    }
    EACH_VECTOR({
        REAL *to = y + v * LANES;
        PUT(to < past - LANES ? to : past - LANES, total[v]);
    })
}

#define SOME_PRODUCTS(vectors)                                                                     \
    static __attribute__((noinline)) void NAME_OF(folded_##vectors##_, products, PRECISION)(       \
        const struct matrix_folds *folds, const REAL *pair, const REAL *factors, REAL *y,          \
        REAL *past)                                                                                \
    {                                                                                              \
        FOLDED(products)(folds, pair, factors, y, past, vectors);                                  \
    }
SOME_PRODUCTS(3)
SOME_PRODUCTS(4)
SOME_PRODUCTS(5)
#undef SOME_PRODUCTS

/* More than four vectors, 3 to 5 at a time. */
static ALL_INLINE void FOLDED(all_products)(const struct matrix_folds *folds, const REAL *pair,
                                            const REAL *factors, REAL *y, REAL *past)
{
    for (int left = folds->vectors, some; left > 0; left -= some) {
        some = left == 3 || left == 6 ? 3 : left % 5 == 0 || left == 9 ? 5 : 4;
        (some == 3   ? NAME_OF(folded_3_, products, PRECISION)
         : some == 4 ? NAME_OF(folded_4_, products, PRECISION)
                     : NAME_OF(folded_5_, products, PRECISION))(folds, pair, factors, y, past);
        factors += some * LANES;
        y += some * LANES;
    }
}

/* Results, and the mirrors of those that have one, out of the two parts of each. Those beyond the
 * middle are right, too. The first one's mirror is another line's: in its stead goes what later
 * mirrors overwrite. */
static ALL_INLINE void FOLDED(open)(const struct matrix_folds *folds, const REAL *part, REAL *y)
{
    const int mirror = folds->mirrors.out;
    for (int k = 0; k < folds->opened; k += LANES) {
        const VECTOR low = AT(part + 2 * k), high = AT(part + 2 * k + LANES);
        const VECTOR a = SHUFFLED(low, high, REALS), b = SHUFFLED(low, high, OTHERS);
        const VECTOR difference = a - b;
        const bool first = k == 0 && folds->first_out;
        const VECTOR mirrored = first ? SHUFFLED(difference, difference, NEXT) : difference;
        PUT(y + k, a + b);
        PUT(y + mirror - k - LANES + !first, SHUFFLED(mirrored, mirrored, BACK));
    }
}

static void FOLDED(rows)(CODELET_PARAMETERS)
{
    const struct codelet_shape s = *shape;
    const struct matrix_folds *folds = fine;
    const REAL *x = in, *columns = (const REAL *)factors + s.twiddle_plane;
    REAL *y = out, part[MATRIX_MOST_REALS + 2 * MOST_LANES];
    struct FOLDED(line) line;
    (void)in_im;
    (void)out_im;
    for (int64_t row = s.rows; row > 0; row--, x += s.in_row, y += s.out_row) {
        const REAL *real = x, *pair = line.real;
        if (folds->as_they_are || s.in_leg != 1) FOLDED(read)(&s, x, line.real), real = line.real;
        if (!folds->as_they_are) FOLDED(fold)(folds, real, line.pair), pair = line.pair;
        if (!folds->apart) {
            FOLDED(all_products)(folds, pair, columns, y, y + s.lanes);
            continue;
        }
        FOLDED(all_products)(folds, pair, columns, part, part + folds->vectors * LANES);
        if (folds->opened)
            FOLDED(open)(folds, part, y);
        else
            FOLDED(copy)(part, y, s.lanes);
    }
}
#undef FOLDED
#undef LANES

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

/* Products of a line, and what the last vectors of them have beyond. */
#define PARTS (MATRIX_MOST_REALS + 2 * MOST_LANES)

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
            const VECTOR b = BACK_AT(x + mirror - j - LANES + 1);
            sum += b;
            difference -= b;
        }
        PUT_PAIRS(pair + 2 * j, sum, difference);
        if (j == last) break;
    }
    if (first) pair[0] = pair[1] = x[0];
    if (mirror && mirror % 2 == 0) pair[mirror] = pair[mirror + 1] = x[mirror / 2];
}

/* `vectors` of the products from the one at y on, the last of all of which ends at `past`, and to
 * `rest` the sums over even pairs less those over odd ones. As in matrix_width.h sums of a few are
 * added to the others. */
static ALL_INLINE void FOLDED(products)(const struct matrix_folds *folds, const REAL *pair,
                                        const REAL *factors, REAL *y, REAL *past, REAL *rest,
                                        const int vectors)
{
    const VECTOR zero = {0};
    const int64_t column = folds->vectors * LANES;
    VECTOR even[5], odd[5], sum[5], other[5];
    const REAL *past_pairs = pair + 2 * folds->pairs;
    EACH_VECTOR(even[v] = odd[v] = zero)
    while (pair + 2 < past_pairs) {
        const bool last = IN_ONE_SUM(vectors) || past_pairs - pair < 2 * FOLDED_TOGETHER;
        const REAL *end = last ? past_pairs - 2 : pair + 2 * FOLDED_TOGETHER;
        EACH_VECTOR(sum[v] = other[v] = zero)
        do {
            const VECTOR a = FOLDED(pair)(pair), b = FOLDED(pair)(pair + 2);
            EACH_VECTOR(sum[v] += AT(factors + v * LANES) * a)
            EACH_VECTOR(other[v] += AT(factors + column + v * LANES) * b)
            pair += 4;
            factors += 2 * column;
        } while (pair < end);
        EACH_VECTOR(even[v] += sum[v])
        EACH_VECTOR(odd[v] += other[v])
    }
    if (pair < past_pairs) {
        const VECTOR last = FOLDED(pair)(pair);
        EACH_VECTOR(even[v] += AT(factors + v * LANES) * last)
    }
    EACH_VECTOR({
        REAL *to = y + v * LANES;
        PUT(v < vectors - 1 || to < past - LANES ? to : past - LANES, even[v] + odd[v]);
        PUT(rest + v * LANES, even[v] - odd[v]);
    })
}

#define SOME_PRODUCTS(vectors)                                                                     \
    static __attribute__((noinline)) void NAME_OF(folded_##vectors##_, products, PRECISION)(       \
        const struct matrix_folds *folds, const REAL *pair, const REAL *factors, REAL *y,          \
        REAL *past, REAL *rest)                                                                    \
    {                                                                                              \
        FOLDED(products)(folds, pair, factors, y, past, rest, vectors);                            \
    }
SOME_PRODUCTS(3)
SOME_PRODUCTS(4)
#if VECTOR_BYTES == 64
SOME_PRODUCTS(5)
#define IF_FIVE(five, other) five
#else
#define IF_FIVE(five, other) other /* is as fast there */
#endif
#undef SOME_PRODUCTS

/* How many vectors of those left are next. The last three may overlap those before. */
static inline int FOLDED(together)(int left)
{
    if (left <= 3 || left == 6 || IF_FIVE(false, left == 5)) return 3;
    return IF_FIVE(left % 5 == 0 || left == 9 ? 5 : 4, 4);
}

/* More than two vectors, 3 to 5 at a time. */
static ALL_INLINE void FOLDED(all_products)(const struct matrix_folds *folds, const REAL *pair,
                                            const REAL *factors, REAL *y, REAL *past, REAL *rest)
{
    for (int v = 0, some; v < folds->vectors; v += some) {
        some = FOLDED(together)(folds->vectors - v);
        if (v + some > folds->vectors) v = folds->vectors - some;
        const int at = v * LANES;
        (some == 3 ? NAME_OF(folded_3_, products, PRECISION)
                   : IF_FIVE(some == 5 ? NAME_OF(folded_5_, products, PRECISION) :, )
                         NAME_OF(folded_4_, products, PRECISION))(folds, pair, factors + at, y + at,
                                                                  past, rest + at);
    }
}
#undef IF_FIVE

/* Results, and the mirrors of those that have one, out of the two parts of each. Those beyond the
 * middle are right, too. The first one's mirror, if `first`, is another line's: in its stead goes
 * what later mirrors overwrite. */
static __attribute__((noinline)) void FOLDED(open)(const REAL *part, REAL *y, REAL *mirror,
                                                   int64_t opened, bool first)
{
    for (int64_t k = 0; k < opened; k += LANES, first = false) {
        APART(part + 2 * k, a, b);
        const VECTOR difference = a - b;
        const VECTOR mirrored = first ? SHUFFLED(difference, difference, NEXT) : difference;
        PUT(y + k, a + b);
        PUT_BACK(mirror - k - LANES + !first, mirrored);
    }
}

/* The numbers up to a quarter of the line, and the conjugates of those beyond. */
static ALL_INLINE void FOLDED(numbers)(const REAL *part, const REAL *rest, REAL *y, int64_t results)
{
    const VECTOR zero = {0}, conjugate = SHUFFLED(zero + 1, zero - 1, LOW);
    for (int64_t k = 0; 2 * k < results; k += LANES) {
        const VECTOR mirrored = AT(rest + k) * conjugate;
        PUT(y + k, AT(part + k));
        PUT_BACKWARDS(y + results - k - LANES, mirrored);
    }
}

/* The results of a line that its products are not. */
static ALL_INLINE void FOLDED(finish)(const struct matrix_folds *folds, const REAL *part,
                                      const REAL *rest, REAL *y, int64_t results)
{
    const bool first = folds->first_out;
    if (!folds->opened && !folds->halved) FOLDED(copy)(part, y, results);
    if (!folds->opened && folds->halved) FOLDED(numbers)(part, rest, y, results);
    if (folds->opened) FOLDED(open)(part, y, y + folds->mirrors.out, folds->opened, first);
    y += results / 2;
    if (folds->opened && folds->halved) FOLDED(open)(rest, y, y, folds->opened, false);
}

static void FOLDED(rows)(CODELET_PARAMETERS)
{
    const struct codelet_shape s = *shape;
    const struct matrix_folds *folds = fine;
    const REAL *x = in, *columns = (const REAL *)factors + s.twiddle_plane;
    REAL *y = out, part[PARTS], rest[PARTS];
    struct FOLDED(line) line;
    (void)in_im;
    (void)out_im;
    for (int64_t row = s.rows; row > 0; row--, x += s.in_row, y += s.out_row) {
        const REAL *real = x, *pair = line.real;
        if (folds->as_they_are || s.in_leg != 1) FOLDED(read)(&s, x, line.real), real = line.real;
        if (!folds->as_they_are) FOLDED(fold)(folds, real, line.pair), pair = line.pair;
        REAL *to = folds->apart ? part : y;
        REAL *past = folds->apart ? part + folds->vectors * LANES : y + s.lanes;
        FOLDED(all_products)(folds, pair, columns, to, past, rest);
        if (folds->apart) FOLDED(finish)(folds, part, rest, y, s.lanes);
    }
}
#undef FOLDED
#undef PARTS
#undef LANES

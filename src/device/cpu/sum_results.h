/* LANES results and their mirrors: a part of sum_lines.h, included with LANES for each width. */

/* Planar results from number k on, times their factors. */
static inline __attribute__((always_inline)) void
NAME_OF(turned_, LANES, PRECISION)(const struct ENDS *y, int k, VECTOR re, VECTOR im)
{
    const VECTOR cosine = AT(y->factors + k), sine = AT(y->factors + y->plane + k);
    PUT(y->re + k, re * cosine - im * sine);
    PUT(y->im + k, re * sine + im * cosine);
}

/* Results k to k + LANES - 1 of sums, and p - k down: where these are more than are left, they are
 * right nevertheless. */
static inline __attribute__((always_inline)) void
NAME_OF(put_, LANES, PRECISION)(const struct TERMS *terms, const struct ENDS *y, int k, VECTOR a_re,
                                VECTOR a_im, VECTOR b_re, VECTOR b_im)
{
    if (y->inverse) {
        b_re = -b_re;
        b_im = -b_im;
    }
    const int back = terms->length - k - LANES + 1;
    const VECTOR re = a_re + b_im, im = a_im - b_re, other_re = a_re - b_im, other_im = a_im + b_re;
    if (y->factors) {
        const VECTOR back_re = SHUFFLED(other_re, other_re, BACK);
        const VECTOR back_im = SHUFFLED(other_im, other_im, BACK);
        NAME_OF(turned_, LANES, PRECISION)(y, k, re, im);
        NAME_OF(turned_, LANES, PRECISION)(y, back, back_re, back_im);
        return;
    }
    PUT_PAIRS(y->re + 2 * k, re, im);
    PUT_PAIRS_BACK(y->re + 2 * back, other_re, other_im);
}

static inline __attribute__((always_inline)) void
NAME_OF(results_, LANES, PRECISION)(const struct TERMS *terms, const struct ENDS *y, int k,
                                    const REAL *table)
{
    const VECTOR zero = {0};
    VECTOR a_re = zero + terms->first[0], a_im = zero + terms->first[1], b_re = zero, b_im = zero;
    UNROLLED
    for (int j = 0; j < terms->count; j++, table += 2 * LANES) {
        const VECTOR cosine = AT(table), sine = AT(table + LANES);
        a_re += cosine * terms->sum[2 * j];
        a_im += cosine * terms->sum[2 * j + 1];
        b_re += sine * terms->difference[2 * j];
        b_im += sine * terms->difference[2 * j + 1];
    }
    NAME_OF(put_, LANES, PRECISION)(terms, y, k, a_re, a_im, b_re, b_im);
}
#if LANES == MOST_LANES
/* One function for all of several vectors. */
static __attribute__((noinline)) void
NAME_OF(put_any_, LANES, PRECISION)(const struct TERMS *terms, const struct ENDS *y, int k,
                                    VECTOR a_re, VECTOR a_im, VECTOR b_re, VECTOR b_im)
{
    NAME_OF(put_, LANES, PRECISION)(terms, y, k, a_re, a_im, b_re, b_im);
}

/* Several vectors of results: the sums of one alone wait for one another, and each has to read all
 * terms. And of several lines, `lines` of both: each vector of factors is read once. */
static inline __attribute__((always_inline)) void
NAME_OF(several_, LANES, PRECISION)(const struct TERMS *terms, const struct ENDS *y, int k,
                                    const REAL *table, const int vectors, const int lines)
{
    const VECTOR zero = {0};
    const int apart = 2 * LANES * terms->count, count = terms->count;
    struct {
        VECTOR a_re, a_im, b_re, b_im;
    } of[SUM_LINES][SUM_VECTORS];
    UNROLLED
    for (int i = 0; i < vectors * lines; i++) {
        const int l = i / vectors, v = i % vectors;
        of[l][v].a_re = zero + terms[l].first[0];
        of[l][v].a_im = zero + terms[l].first[1];
        of[l][v].b_re = of[l][v].b_im = zero;
    }
    for (int j = 0; j < count; j++, table += 2 * LANES) {
        VECTOR cosine[SUM_VECTORS], sine[SUM_VECTORS];
        UNROLLED
        for (int v = 0; v < vectors; v++) {
            cosine[v] = AT(table + v * apart);
            sine[v] = AT(table + v * apart + LANES);
            READ_ONCE(cosine[v]);
            READ_ONCE(sine[v]);
        }
        UNROLLED
        for (int i = 0; i < vectors * lines; i++) {
            const int l = i / vectors, v = i % vectors;
            of[l][v].a_re += cosine[v] * terms[l].sum[2 * j];
            of[l][v].a_im += cosine[v] * terms[l].sum[2 * j + 1];
            of[l][v].b_re += sine[v] * terms[l].difference[2 * j];
            of[l][v].b_im += sine[v] * terms[l].difference[2 * j + 1];
        }
    }
    UNROLLED
    for (int i = 0; i < vectors * lines; i++) {
        const int l = i / vectors, v = i % vectors;
        NAME_OF(put_any_, LANES, PRECISION)(&terms[l], &y[l], k + v * LANES, of[l][v].a_re,
                                            of[l][v].a_im, of[l][v].b_re, of[l][v].b_im);
    }
}

#if SUM_VECTORS == 4
#define SEVERAL(vectors, lines)                                                                    \
    static __attribute__((noinline)) void NAME_OF(sum_##vectors##_of_##lines, , PRECISION)(        \
        const struct TERMS *terms, const struct ENDS *y, int k, const REAL *table)                 \
    {                                                                                              \
        NAME_OF(several_, LANES, PRECISION)(terms, y, k, table, vectors, lines);                   \
    }
SEVERAL(3, 1)
SEVERAL(4, 1)
SEVERAL(2, 2)
SEVERAL(3, 2)
#undef SEVERAL

/* All results but number 0 of two lines, never of one vector alone. */
static __attribute__((noinline)) void
NAME_OF(sum_two_lines, , PRECISION)(const struct TERMS *terms, const struct ENDS *y,
                                    const REAL *table)
{
    const int count = terms->count;
    for (int k = 1, vectors; k <= count; k += vectors * LANES) {
        vectors = (count - k) / LANES + 1 == 3 ? 3 : 2;
        if (vectors == 3) NAME_OF(sum_3_of_2, , PRECISION)(terms, y, k, table);
        else NAME_OF(sum_2_of_2, , PRECISION)(terms, y, k, table);
        table += 2 * vectors * LANES * count;
    }
}
#endif

/* Of the vectors that are left as many as a register file holds the sums of: where it holds four's,
 * never one alone, for the last one may have results again. Returns how many. */
static inline __attribute__((always_inline)) int
NAME_OF(sum_, next_vectors, PRECISION)(const struct TERMS *terms, const struct ENDS *y, int k,
                                       const REAL *table)
{
#if SUM_VECTORS == 4
    const int left = (terms->count - k) / LANES + 1;
    if (left == 3 || left == 5) {
        NAME_OF(sum_3_of_1, , PRECISION)(terms, y, k, table);
        return 3;
    }
    if (left >= 4) {
        NAME_OF(sum_4_of_1, , PRECISION)(terms, y, k, table);
        return 4;
    }
#endif
    NAME_OF(several_, LANES, PRECISION)(terms, y, k, table, 2, 1);
    return 2;
}
#endif

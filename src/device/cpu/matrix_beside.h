/* Products of short lines of reals beside each other, which are lanes: a part of matrix_template.h.
 * Reals, or results, that mirror each other are summed, or parted, first, so that half of the
 * factors are needed, of which rows are those of a real that is read. Eight lanes, whatever the
 * precision, but four where vectors have no more; those that are left over are masked. */
#undef LANES
#if MOST_LANES == 4
#define LANES 4
#else
#define LANES 8
#endif
/* Whether vectors without a mask are better off. */
#define HAS_WHOLE (VECTOR_BYTES == 32)
#if VECTOR_BYTES == 64 && MOST_LANES == 16
#define LOAD(place, mask)     ((VECTOR)_mm256_maskz_loadu_ps((__mmask8)(mask), place))
#define STORE(place, mask, v) _mm256_mask_storeu_ps(place, (__mmask8)(mask), v)
#elif VECTOR_BYTES == 64
#define LOAD(place, mask)     ((VECTOR)_mm512_maskz_loadu_pd((__mmask8)(mask), place))
#define STORE(place, mask, v) _mm512_mask_storeu_pd(place, (__mmask8)(mask), v)
#else
#define LOAD(place, mask)                                                                          \
    ((mask) == ALL_LANES ? (VECTOR)AT(place)                                                       \
                         : (VECTOR)MASKED(load)(place, NAME_OF(mask_, lanes, PRECISION)(mask)))
#define STORE(place, mask, v)                                                                      \
    ((mask) == ALL_LANES ? (void)PUT(place, v)                                                     \
                         : MASKED(store)(place, NAME_OF(mask_, lanes, PRECISION)(mask), v))
#endif
#define ALL_LANES ((1u << LANES) - 1)
#include "device/cpu/lanes.h"

#if VECTOR_BYTES == 32
/* Vectors of the first lanes, of which there is a bit for each. */
static ALL_INLINE __m256i NAME_OF(mask_, lanes, PRECISION)(unsigned mask)
{
    static const int32_t all[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    const int reals = __builtin_popcount(mask) * (8 / LANES);
    return _mm256_loadu_si256((const __m256i *)(all + 8 - reals));
}
#if MOST_LANES == 8
#define MASKED(does) _mm256_mask##does##_ps
#else
#define MASKED(does) _mm256_mask##does##_pd
#endif
#endif

/* Of some lines: sums and differences, or real and imaginary parts, up to the middle. */
#define PARTS NAME_OF(beside_parts_, of, PRECISION)
struct PARTS {
    VECTOR even[PRICE_MOST_PRODUCTS / 2 + 1], odd[PRICE_MOST_PRODUCTS / 2 + 1];
};

/* Of even parts the cosines, of odd ones the sines, `step` from one to the next. */
static ALL_INLINE void NAME_OF(sum_, beside, PRECISION)(const struct PARTS *x, int64_t n,
                                                        const REAL *first, const REAL *cosine,
                                                        const REAL *sine, int64_t step,
                                                        VECTOR *even, VECTOR *odd)
{
    const VECTOR zero = {0};
    int64_t i = 1;
    *even = x->even[0] * *first;
    *odd = zero;
    for (; 2 * i < n; i++, cosine += step, sine += step) {
        *even += x->even[i] * *cosine;
        *odd += x->odd[i] * *sine;
    }
    if (2 * i == n) *even += x->even[i] * *cosine;
}

/* From lane c on: which lanes there are, and which of the reals that two vectors of pairs have. */
struct NAME_OF(beside_mask_, of, PRECISION) {
    unsigned lanes, low, high;
};

static ALL_INLINE struct NAME_OF(beside_mask_, of, PRECISION)
    NAME_OF(mask_, beside, PRECISION)(int64_t left)
{
    const int lanes = left < LANES ? (int)left : LANES;
    const unsigned all = (1u << LANES) - 1, pairs = (1u << 2 * lanes) - 1;
    return (struct NAME_OF(beside_mask_, of, PRECISION)){(1u << lanes) - 1, pairs & all,
                                                         pairs >> LANES};
}

static void NAME_OF(reals_, beside, PRECISION)(CODELET_PARAMETERS)
{
    const int64_t n = shape->in_count, leg = shape->in_leg, row = n / 2 * 2 + 2;
    const REAL *table = (const REAL *)factors + shape->twiddle_plane;
    (void)in_im, (void)out_im, (void)fine;
    for (int64_t c = 0; c < shape->lanes; c += LANES) {
        const struct NAME_OF(beside_mask_, of, PRECISION) mask =
            NAME_OF(mask_, beside, PRECISION)(shape->lanes - c);
        const REAL *x = (const REAL *)in + c;
        REAL *y = (REAL *)out + 2 * c;
        struct PARTS parts;
        parts.even[0] = LOAD(x, mask.lanes);
        for (int64_t i = 1; 2 * i <= n; i++) {
            const VECTOR a = LOAD(x + i * leg, mask.lanes);
            const VECTOR b = LOAD(x + (n - i) * leg, mask.lanes);
            parts.even[i] = 2 * i == n ? a : a + b;
            parts.odd[i] = a - b;
        }
        for (int64_t k = 0; 2 * k <= n; k++, y += 2 * shape->out_leg) {
            const REAL *of = table + 2 * k;
            VECTOR re, im;
            NAME_OF(sum_, beside, PRECISION)(&parts, n, of, of + row, of + row + 1, row, &re, &im);
            if (HAS_WHOLE && mask.high == ALL_LANES) {
                PUT_PAIRS(y, re, im);
                continue;
            }
            STORE(y, mask.low, SHUFFLED(re, im, LOW));
            if (mask.high) STORE(y + LANES, mask.high, SHUFFLED(re, im, HIGH));
        }
    }
}

static void NAME_OF(spectra_, beside, PRECISION)(CODELET_PARAMETERS)
{
    const int64_t n = shape->in_count, leg = shape->out_leg;
    const REAL *table = (const REAL *)factors + shape->twiddle_plane;
    (void)in_im, (void)out_im, (void)fine;
    for (int64_t c = 0; c < shape->lanes; c += LANES) {
        const struct NAME_OF(beside_mask_, of, PRECISION) mask =
            NAME_OF(mask_, beside, PRECISION)(shape->lanes - c);
        const REAL *x = (const REAL *)in + 2 * c;
        REAL *y = (REAL *)out + c;
        struct PARTS parts;
        for (int64_t k = 0; 2 * k <= n; k++, x += 2 * shape->in_leg) {
            if (HAS_WHOLE && mask.high == ALL_LANES) {
                APART(x, re, im);
                parts.even[k] = re;
                parts.odd[k] = im;
                continue;
            }
            const VECTOR low = LOAD(x, mask.low), high = LOAD(x + LANES, mask.high);
            parts.even[k] = SHUFFLED(low, high, REALS);
            parts.odd[k] = SHUFFLED(low, high, OTHERS);
        }
        for (int64_t j = 0; 2 * j <= n; j++) {
            const REAL *of = table + j;
            VECTOR even, odd;
            NAME_OF(sum_, beside, PRECISION)(&parts, n, of, of + n, of + 2 * n, 2 * n, &even, &odd);
            STORE(y + j * leg, mask.lanes, even + odd);
            if (j > 0 && 2 * j < n) STORE(y + (n - j) * leg, mask.lanes, even - odd);
        }
    }
}
#undef PARTS
#undef LOAD
#undef STORE
#undef ALL_LANES
#undef MASKED
#undef HAS_WHOLE

/* Vectors of two halves of 16 bytes, AVX2's: a part of lanes_memory.h. */
#undef FIRST_HALVES
#undef SECOND_HALVES
#undef REALS_WITHIN
#undef OTHERS_WITHIN
#undef REALS_BACK_WITHIN
#undef OTHERS_BACK_WITHIN
#undef LOW_WITHIN
#undef HIGH_WITHIN
#undef BACK_WITHIN
#undef BACKWARDS_WITHIN
#undef FOURS_APART
#undef FOURS_TOGETHER
#undef PAIRS_WITHIN
#undef NEXT_PAIRS_WITHIN
#include <immintrin.h>

#if LANES == 8
#define FIRST_HALVES        0, 1, 2, 3, 8, 9, 10, 11
#define SECOND_HALVES       4, 5, 6, 7, 12, 13, 14, 15
#define REALS_WITHIN        0, 2, 8, 10, 4, 6, 12, 14
#define OTHERS_WITHIN       1, 3, 9, 11, 5, 7, 13, 15
#define REALS_BACK_WITHIN   2, 0, 10, 8, 6, 4, 14, 12
#define OTHERS_BACK_WITHIN  3, 1, 11, 9, 7, 5, 15, 13
#define LOW_WITHIN          0, 8, 1, 9, 4, 12, 5, 13
#define HIGH_WITHIN         2, 10, 3, 11, 6, 14, 7, 15
#define BACK_WITHIN(v)      SHUFFLED(v, v, 3, 2, 1, 0, 7, 6, 5, 4)
#define BACKWARDS_WITHIN(v) SHUFFLED(v, v, 2, 3, 0, 1, 6, 7, 4, 5)
#else
#define FIRST_HALVES        0, 1, 4, 5
#define SECOND_HALVES       2, 3, 6, 7
#define REALS_WITHIN        0, 4, 2, 6
#define OTHERS_WITHIN       1, 5, 3, 7
#define REALS_BACK_WITHIN   REALS_WITHIN
#define OTHERS_BACK_WITHIN  OTHERS_WITHIN
#define LOW_WITHIN          REALS_WITHIN
#define HIGH_WITHIN         OTHERS_WITHIN
#define BACK_WITHIN(v)      SHUFFLED(v, v, 1, 0, 3, 2)
#define BACKWARDS_WITHIN(v) (v)
#endif

/* A half of memory as both halves, two such as a vector, the first of one vector and the second of
 * another, and both exchanged. */
#define HALF_TWICE_f32(place) _mm256_broadcast_ps((const __m128 *)(place))
#define HALF_TWICE_f64(place) _mm256_broadcast_pd((const __m128d *)(place))
#define HALVES_f32(first, second)                                                                  \
    _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(first)), _mm_loadu_ps(second), 1)
#define HALVES_f64(first, second)                                                                  \
    _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(first)), _mm_loadu_pd(second), 1)
#define JOINED_f32(first, second) _mm256_blend_ps(first, second, 0xf0)
#define JOINED_f64(first, second) _mm256_blend_pd(first, second, 0xc)
#define CROSSED_f32(v)            _mm256_permute2f128_ps(v, v, 1)
#define CROSSED_f64(v)            _mm256_permute2f128_pd(v, v, 1)
#define HALF_TWICE                NAME_OF(HALF_TWICE, , PRECISION)
#define HALVES                    NAME_OF(HALVES, , PRECISION)
#define JOINED                    NAME_OF(JOINED, , PRECISION)
#define CROSSED                   NAME_OF(CROSSED, , PRECISION)

/* Both vectors of pairs, whose first halves are one's and whose second ones the other's. */
#define ACROSS(place, ...)                                                                         \
    SHUFFLED(JOINED(AT(place), AT((place) + LANES / 2)),                                           \
             JOINED(AT((place) + LANES / 2), AT((place) + LANES)), __VA_ARGS__)
#define ACROSS_BACK(place, ...)                                                                    \
    SHUFFLED(JOINED(HALF_TWICE((place) + LANES + LANES / 2), AT(place)),                           \
             JOINED(AT((place) + LANES), HALF_TWICE(place)), __VA_ARGS__)

#define APART(place, re, im)                                                                       \
    const VECTOR re = ACROSS(place, REALS_WITHIN), im = ACROSS(place, OTHERS_WITHIN)
#define APART_AT(place, other, re, im)                                                             \
    const VECTOR first_##re = HALVES(place, other);                                                \
    const VECTOR second_##re = HALVES((place) + LANES / 2, (other) + LANES / 2);                   \
    const VECTOR re = SHUFFLED(first_##re, second_##re, REALS_WITHIN);                             \
    const VECTOR im = SHUFFLED(first_##re, second_##re, OTHERS_WITHIN)
#define APART_BACK(place, re, im)                                                                  \
    const VECTOR re = ACROSS_BACK(place, REALS_BACK_WITHIN);                                       \
    const VECTOR im = ACROSS_BACK(place, OTHERS_BACK_WITHIN)
#if LANES == 8
#define REALS_AT(place)       ACROSS(place, REALS_WITHIN)
#define OTHERS_BACK_AT(place) ACROSS_BACK(place, OTHERS_BACK_WITHIN)
#else /* compilers need two operations for one of both */
#define REALS_AT(place)       SHUFFLED(AT(place), AT((place) + LANES), REALS)
#define OTHERS_BACK_AT(place) SHUFFLED(AT(place), AT((place) + LANES), OTHERS_BACK)
#endif
#define BACK_AT(place)          BACK_WITHIN(HALVES((place) + LANES / 2, place))
#define BACKWARDS_AT(place)     BACKWARDS_WITHIN(HALVES((place) + LANES / 2, place))
#define PUT_BACK(place, v)      PUT(place, CROSSED(BACK_WITHIN(v)))
#define PUT_BACKWARDS(place, v) PUT(place, CROSSED(BACKWARDS_WITHIN(v)))
#define PUT_PAIRS_AT(place, other, re, im)                                                         \
    do {                                                                                           \
        const VECTOR low_ = SHUFFLED(re, im, LOW_WITHIN), high_ = SHUFFLED(re, im, HIGH_WITHIN);   \
        PUT(place, SHUFFLED(low_, high_, FIRST_HALVES));                                           \
        PUT(other, SHUFFLED(low_, high_, SECOND_HALVES));                                          \
    } while (0)
#define PUT_PAIRS_BACK(place, re, im)                                                              \
    do {                                                                                           \
        const VECTOR low_ = BACKWARDS_WITHIN(SHUFFLED(re, im, LOW_WITHIN));                        \
        const VECTOR high_ = BACKWARDS_WITHIN(SHUFFLED(re, im, HIGH_WITHIN));                      \
        PUT(place, SHUFFLED(high_, low_, SECOND_HALVES));                                          \
        PUT((place) + LANES, SHUFFLED(high_, low_, FIRST_HALVES));                                 \
    } while (0)

/* Of numbers a, b, c and d of each lane, halves of p, q, r and s are the first four lanes, or two,
 * and those behind them. */
#if LANES == 8
#define PAIRS_WITHIN      0, 1, 8, 9, 4, 5, 12, 13
#define NEXT_PAIRS_WITHIN 2, 3, 10, 11, 6, 7, 14, 15
#define FOURS_TOGETHER(a, b, c, d, p, q, r, s)                                                     \
    const VECTOR ab_ = SHUFFLED(a, b, LOW_WITHIN), after_ab_ = SHUFFLED(a, b, HIGH_WITHIN);        \
    const VECTOR cd_ = SHUFFLED(c, d, LOW_WITHIN), after_cd_ = SHUFFLED(c, d, HIGH_WITHIN);        \
    const VECTOR p = SHUFFLED(ab_, cd_, PAIRS_WITHIN);                                             \
    const VECTOR q = SHUFFLED(ab_, cd_, NEXT_PAIRS_WITHIN);                                        \
    const VECTOR r = SHUFFLED(after_ab_, after_cd_, PAIRS_WITHIN);                                 \
    const VECTOR s = SHUFFLED(after_ab_, after_cd_, NEXT_PAIRS_WITHIN)
#define FOURS_APART(p, q, r, s, a, b, c, d)                                                        \
    const VECTOR low_##a = SHUFFLED(p, q, LOW_WITHIN), high_##a = SHUFFLED(r, s, LOW_WITHIN);      \
    const VECTOR low_##c = SHUFFLED(p, q, HIGH_WITHIN), high_##c = SHUFFLED(r, s, HIGH_WITHIN);    \
    const VECTOR a = SHUFFLED(low_##a, high_##a, PAIRS_WITHIN);                                    \
    const VECTOR b = SHUFFLED(low_##a, high_##a, NEXT_PAIRS_WITHIN);                               \
    const VECTOR c = SHUFFLED(low_##c, high_##c, PAIRS_WITHIN);                                    \
    const VECTOR d = SHUFFLED(low_##c, high_##c, NEXT_PAIRS_WITHIN)
#else
#define FOURS_TOGETHER(a, b, c, d, p, q, r, s)                                                     \
    const VECTOR p = SHUFFLED(a, b, LOW_WITHIN), r = SHUFFLED(a, b, HIGH_WITHIN);                  \
    const VECTOR q = SHUFFLED(c, d, LOW_WITHIN), s = SHUFFLED(c, d, HIGH_WITHIN)
#define FOURS_APART(p, q, r, s, a, b, c, d)                                                        \
    const VECTOR a = SHUFFLED(p, r, LOW_WITHIN), b = SHUFFLED(p, r, HIGH_WITHIN);                  \
    const VECTOR c = SHUFFLED(q, s, LOW_WITHIN), d = SHUFFLED(q, s, HIGH_WITHIN)
#endif
#define PUT_FOURS(place, step, a, b, c, d)                                                         \
    do {                                                                                           \
        const int64_t apart_ = LANES == 4 ? (step) : LANES;                                        \
        const VECTOR a_ = (a), b_ = (b), c_ = (c), d_ = (d);                                       \
        FOURS_TOGETHER(a_, b_, c_, d_, p_, q_, r_, s_);                                            \
        PUT(place, SHUFFLED(p_, q_, FIRST_HALVES));                                                \
        PUT((place) + apart_, SHUFFLED(r_, s_, FIRST_HALVES));                                     \
        PUT((place) + 2 * apart_, SHUFFLED(p_, q_, SECOND_HALVES));                                \
        PUT((place) + 3 * apart_, SHUFFLED(r_, s_, SECOND_HALVES));                                \
    } while (0)
#define FOURS_AT(place, step, a, b, c, d)                                                          \
    const int64_t apart_##a = LANES == 4 ? (step) : LANES;                                         \
    const REAL *low_of_##a = (place), *high_of_##a = low_of_##a + 2 * apart_##a;                   \
    const VECTOR p_##a = HALVES(low_of_##a, high_of_##a);                                          \
    const VECTOR q_##a = HALVES(low_of_##a + LANES / 2, high_of_##a + LANES / 2);                  \
    const VECTOR r_##a = HALVES(low_of_##a + apart_##a, high_of_##a + apart_##a);                  \
    const VECTOR s_##a = HALVES(low_of_##a + apart_##a + LANES / 2,                                \
                                high_of_##a + apart_##a + LANES / 2);                              \
    FOURS_APART(p_##a, q_##a, r_##a, s_##a, a, b, c, d)

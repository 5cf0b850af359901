/* Numbers times weights, to either line (resample.h): a part of resample_lines.h. */

#undef OTHERS_FIRST
#undef SIGNS
#if LANES == 8
#define OTHERS_FIRST 1, 0, 3, 2, 5, 4, 7, 6
#define SIGNS        -1, 1, -1, 1, -1, 1, -1, 1
#elif LANES == 4
#define OTHERS_FIRST 1, 0, 3, 2
#define SIGNS        -1, 1, -1, 1
#endif

#if VECTOR_BYTES == 32
/* Factors of half a vector's numbers, each twice, or of the last one first: shuffles across halves
 * take longer. */
static inline VECTOR NAME_OF(spread_, twice, PRECISION)(const REAL *factor, const bool back)
{
#if LANES == 8
    const __m256i order = back ? _mm256_setr_epi32(3, 3, 2, 2, 1, 1, 0, 0)
                               : _mm256_setr_epi32(0, 0, 1, 1, 2, 2, 3, 3);
    return (VECTOR)_mm256_permutevar_ps(_mm256_broadcast_ps((const __m128 *)factor), order);
#else
    const VECTOR both = (VECTOR)_mm256_broadcast_pd((const __m128d *)factor);
    return back ? SHUFFLED(both, both, 1, 1, 2, 2) : SHUFFLED(both, both, 0, 0, 3, 3);
#endif
}

/* LANES numbers, half of them at a time. */
static inline __attribute__((always_inline)) void
NAME_OF(spread_vector_, LANES, PRECISION)(const struct resample_spread *s, int64_t i,
                                          const bool back)
{
    const VECTOR signs = (REAL)(back ? -s->sign : s->sign) * (VECTOR){SIGNS};
    for (const int64_t end = i + LANES; i < end; i += LANES / 2) {
        const int64_t at = back ? 1 - LANES / 2 - i : i;
        const VECTOR pair = AT((const REAL *)s->pair + 2 * i);
        const VECTOR a = NAME_OF(spread_, twice, PRECISION)((const REAL *)s->turned_re + at, back);
        const VECTOR b = NAME_OF(spread_, twice, PRECISION)((const REAL *)s->turned_im + at, back);
        PUT((REAL *)s->even + 2 * i,
            pair * NAME_OF(spread_, twice, PRECISION)((const REAL *)s->weight + at, back));
        PUT((REAL *)s->odd + 2 * i, pair * a + SHUFFLED(pair, pair, OTHERS_FIRST) * (signs * b));
    }
}
#else
/* Pairs of LANES numbers. */
static inline void NAME_OF(spread_vector_, LANES, PRECISION)(const struct resample_spread *s,
                                                             int64_t i, bool back)
{
    const REAL *from = (const REAL *)s->pair + 2 * i;
    REAL *even = (REAL *)s->even + 2 * i, *odd = (REAL *)s->odd + 2 * i;
    const VECTOR low = AT(from), high = AT(from + LANES);
    const VECTOR re = SHUFFLED(low, high, REALS), im = SHUFFLED(low, high, OTHERS);
    const int64_t at = back ? 1 - LANES - i : i;
    VECTOR weight = AT((const REAL *)s->weight + at), a = AT((const REAL *)s->turned_re + at);
    VECTOR b = (REAL)s->sign * AT((const REAL *)s->turned_im + at);
    if (back) {
        weight = SHUFFLED(weight, weight, BACK);
        a = SHUFFLED(a, a, BACK);
        b = -SHUFFLED(b, b, BACK);
    }
    const VECTOR odd_re = re * a - im * b, odd_im = re * b + im * a;
    PUT(even, low * SHUFFLED(weight, weight, LOW));
    PUT(even + LANES, high * SHUFFLED(weight, weight, HIGH));
    PUT_PAIRS(odd, odd_re, odd_im);
}
#endif

static inline void NAME_OF(spread_, one, PRECISION)(const struct resample_spread *s, int64_t i)
{
    const REAL re = ((const REAL *)s->pair)[2 * i], im = ((const REAL *)s->pair)[2 * i + 1];
    const int64_t at = s->back ? -i : i;
    const REAL weight = ((const REAL *)s->weight)[at], a = ((const REAL *)s->turned_re)[at];
    const REAL b = (REAL)(s->back ? -s->sign : s->sign) * ((const REAL *)s->turned_im)[at];
    REAL *even = (REAL *)s->even + 2 * i, *odd = (REAL *)s->odd + 2 * i;
    even[0] = re * weight + (s->adds ? even[0] : 0);
    even[1] = im * weight + (s->adds ? even[1] : 0);
    odd[0] = re * a - im * b + (s->adds ? odd[0] : 0);
    odd[1] = re * b + im * a + (s->adds ? odd[1] : 0);
}

/* Vectors lie as lines of the cache do where they go, but for the first and the last, which have
 * numbers in common with others. */
static inline __attribute__((always_inline)) void
NAME_OF(spread_, side, PRECISION)(const struct resample_spread *s, bool back)
{
    const int64_t last = s->count - LANES;
    int64_t next = LANES - (int64_t)((uintptr_t)s->even / (2 * sizeof(REAL)) % LANES);
    for (int64_t i = 0;; i = next < last ? next : last, next += LANES) {
        NAME_OF(spread_vector_, LANES, PRECISION)(s, i, back);
        if (i == last) return;
    }
}

static void NAME_OF(, spread, PRECISION)(const struct resample_spread *spread)
{
    const struct resample_spread s = *spread; /* which no store changes */
    if (s.count < LANES || s.adds) {
        for (int64_t i = 0; i < s.count; i++)
            NAME_OF(spread_, one, PRECISION)(&s, i);
        return;
    }
#if VECTOR_BYTES == 32
    if (!s.back) {
        NAME_OF(spread_, side, PRECISION)(&s, false);
        return;
    }
    NAME_OF(spread_, side, PRECISION)(&s, true);
#else
    NAME_OF(spread_, side, PRECISION)(&s, s.back);
#endif
}

/* Taps of neighbours and of mirrors: a part of resample_lines.h. Each weight is one of both parts
 * of a pair, so that a vector of them becomes two, of the lower and of the upper half of the lanes
 * (resample_weights.h). */

/* From the outermost ones to the middle one, which counts most: what a sum loses at a tap is by its
 * size there. (Experiment "outermost first" in docs/experiments.) Where vectors are read for each
 * tap, those that either half takes are one behind the other. */
#undef EACH_TAP
#if VECTOR_BYTES == 16 /* for its text */
#define EACH_TAP                                                                                   \
    for (int i = 0; i < TAPS; i++) {                                                               \
        const int tap = i % 2 ? TAPS - 1 - i / 2 : i / 2;                                          \
        TAP(tap)                                                                                   \
    }
#elif VECTOR_BYTES == 32 && LANES == 8
#define EACH_TAP LOWER_TAP(0) LOWER_TAP(4) UPPER_TAP(0) UPPER_TAP(4) TAP(1) TAP(3) TAP(2)
#elif VECTOR_BYTES == 32
#define EACH_TAP                                                                                   \
    LOWER_TAP(0) UPPER_TAP(8) LOWER_TAP(1) UPPER_TAP(7) LOWER_TAP(2) UPPER_TAP(0)                  \
    LOWER_TAP(8) UPPER_TAP(6) LOWER_TAP(3) UPPER_TAP(1) LOWER_TAP(7) UPPER_TAP(5)                  \
    LOWER_TAP(6) UPPER_TAP(2) LOWER_TAP(5) UPPER_TAP(3) TAP(4)
#elif LANES == 16
#define EACH_TAP TAP(0) TAP(4) TAP(1) TAP(3) TAP(2)
#else
#define EACH_TAP TAP(0) TAP(8) TAP(1) TAP(7) TAP(2) TAP(6) TAP(3) TAP(5) TAP(4)
#endif

/* Pairs that the taps take, of neighbours and of mirrors, these from the last one back, so that
 * both have the same weights: vectors which begin p pairs after the first one. As long as a line of
 * the cache, most lie across two, which takes longer than to put them together from those that lie
 * one behind the other. */
#define RUN NAME_OF(resample_, run, PRECISION)
#undef PAIRS_FROM
#undef PAIRS_BACK_FROM
#define BACK_PAIRS(vector) SHUFFLED(vector, vector, PAIRS_BACK)
#if VECTOR_BYTES == 64
#define RUN_VECTORS ((TAPS - 1 + LANES / 2 - 1) / (LANES / 2) + 2)
struct RUN {
    VECTOR part[RUN_VECTORS];
};

static inline __attribute__((always_inline)) struct RUN
NAME_OF(resample_, read, PRECISION)(const REAL *pair, bool back)
{
    struct RUN run;
    _Pragma("GCC unroll 4") for (int i = 0; i < RUN_VECTORS; i++)
    {
        const VECTOR part = AT(back ? pair - i * LANES : pair + i * LANES);
        run.part[i] = back ? BACK_PAIRS(part) : part;
        READ_ONCE(run.part[i]);
    }
    return run;
}

#define PAIRS_FROM(run, p)                                                                         \
    (2 * (p) % LANES == 0                                                                          \
         ? run.part[2 * (p) / LANES]                                                               \
         : (VECTOR)_mm512_alignr_epi64((__m512i)run.part[(2 * (p) + LANES - 1) / LANES],           \
                                       (__m512i)run.part[2 * (p) / LANES],                         \
                                       2 * (p) % LANES * (int)sizeof(REAL) / 8))
#define PAIRS_BACK_FROM(run, p) PAIRS_FROM(run, p)
#else
struct RUN {
    const REAL *pair;
};

static inline struct RUN NAME_OF(resample_, read, PRECISION)(const REAL *pair, bool back)
{
    (void)back;
    return (struct RUN){pair};
}

/* Of two halves the other one first: in memory, as an operand, that takes twice as long. */
#if VECTOR_BYTES == 32
static inline VECTOR NAME_OF(resample_, exchanged, PRECISION)(VECTOR vector)
{
    READ_ONCE(vector);
    return (VECTOR)_mm256_permute2f128_ps((__m256)vector, (__m256)vector, 1);
}
#endif

#define PAIRS_FROM(run, p) AT(run.pair + 2 * (p))
#if VECTOR_BYTES == 32 && LANES == 4
#define PAIRS_BACK_FROM(run, p) NAME_OF(resample_, exchanged, PRECISION)(AT(run.pair - 2 * (p)))
#elif VECTOR_BYTES == 32
#define PAIRS_BACK_FROM(run, p) AT(run.pair - 2 * (p))
#else
#define PAIRS_BACK_FROM(run, p) BACK_PAIRS(AT(run.pair - 2 * (p)))
#endif
#endif

/* Mirrors' weights, and in which order sums with them are: where a vector has more than two pairs
 * weights are turned, each of which serves two vectors, and pairs are not. */
#undef LOWER_BACK
#undef UPPER_BACK
#undef MIRRORS_WEIGHT
#undef MIRRORS_SUM
#if VECTOR_BYTES == 32 && LANES == 8
#define LOWER_BACK EACH_QUARTER(1, 1, 0, 0)
#define UPPER_BACK EACH_QUARTER(3, 3, 2, 2)
#define MIRRORS_WEIGHT(w, ...)                                                                     \
    SHUFFLED(NAME_OF(resample_, exchanged, PRECISION)(w),                                          \
             NAME_OF(resample_, exchanged, PRECISION)(w), __VA_ARGS__)
#define MIRRORS_SUM(sum) (sum)
#else
#define LOWER_BACK             LOWER
#define UPPER_BACK             UPPER
#define MIRRORS_WEIGHT(w, ...) SHUFFLED(w, w, __VA_ARGS__)
#define MIRRORS_SUM(sum)       BACK_PAIRS(sum)
#endif

/* Of the lanes' pairs those of the upper half are LANES reals further on than those of the lower
 * one. Mirrors are read from the last one back, where taps go backwards. */
#define LOWER_TAP(t)                                                                               \
    {                                                                                              \
        const VECTOR w = AT(weight + 2 * (t)*BLOCK);                                               \
        sum[0] += SHUFFLED(w, w, LOWER) * PAIRS_FROM(nears, t);                                    \
        if (mirrors) sum[3] += MIRRORS_WEIGHT(w, LOWER_BACK) * PAIRS_BACK_FROM(fars, t);           \
    }
#define UPPER_TAP(t)                                                                               \
    {                                                                                              \
        const VECTOR w = AT(weight + 2 * (t)*BLOCK);                                               \
        sum[1] += SHUFFLED(w, w, UPPER) * PAIRS_FROM(nears, (t) + LANES / 2);                      \
        if (mirrors)                                                                               \
            sum[2] += MIRRORS_WEIGHT(w, UPPER_BACK) * PAIRS_BACK_FROM(fars, (t) + LANES / 2);      \
    }
#define TAP(t)                                                                                     \
    {                                                                                              \
        LOWER_TAP(t)                                                                               \
        UPPER_TAP(t)                                                                               \
    }

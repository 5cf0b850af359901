#include "peak.h"

#include <math.h>
#include <stdint.h>

#include "samples.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* Results that wait for nothing but themselves: two units of four cycles each are full. */
enum { CHAINS = 10, ROUNDS = 20000, TRIALS = 25 };
#define EACH(OP) OP(0) OP(1) OP(2) OP(3) OP(4) OP(5) OP(6) OP(7) OP(8) OP(9)

/* The sum goes somewhere, or all of it would be left out. */
static volatile double sink;

#define START(i) x##i = constant(1.0 + (i));
#define STEP(i)  x##i = multiply_add(x##i, factor, summand);
#define SUM(i)   sink = lowest(x##i);

#define DEFINE_CHAINS(name, isa, vector)                                                           \
    __attribute__((target(isa), noinline)) static void name(void)                                  \
    {                                                                                              \
        const vector factor = constant(0.5), summand = constant(0.25);                             \
        vector x0, x1, x2, x3, x4, x5, x6, x7, x8, x9;                                             \
        EACH(START)                                                                                \
        for (int round = 0; round < ROUNDS; round++) {                                             \
            EACH(STEP)                                                                             \
        }                                                                                          \
        EACH(SUM)                                                                                  \
    }

#define constant(value) _mm512_set1_ps((float)(value))
#define multiply_add    _mm512_fmadd_ps
#define lowest          _mm512_cvtss_f32
DEFINE_CHAINS(chains_512_f32, "avx512f", __m512)
#undef constant
#undef multiply_add
#undef lowest

#define constant     _mm512_set1_pd
#define multiply_add _mm512_fmadd_pd
#define lowest       _mm512_cvtsd_f64
DEFINE_CHAINS(chains_512_f64, "avx512f", __m512d)
#undef constant
#undef multiply_add
#undef lowest

#define constant(value) _mm256_set1_ps((float)(value))
#define multiply_add    _mm256_fmadd_ps
#define lowest          _mm256_cvtss_f32
DEFINE_CHAINS(chains_256_f32, "avx2,fma", __m256)
#undef constant
#undef multiply_add
#undef lowest

#define constant     _mm256_set1_pd
#define multiply_add _mm256_fmadd_pd
#define lowest       _mm256_cvtsd_f64
DEFINE_CHAINS(chains_256_f64, "avx2,fma", __m256d)
#undef constant
#undef multiply_add
#undef lowest

/* What there is of one width, by precision. */
struct chains {
    void (*run[2])(void);
    int bytes;
};

static const struct chains wide = {{chains_512_f32, chains_512_f64}, 64};
static const struct chains narrow = {{chains_256_f32, chains_256_f64}, 32};

static const struct chains *find_chains(void)
{
    if (__builtin_cpu_supports("avx512f")) return &wide;
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &narrow : NULL;
}

/* The least time: whatever else runs can only take from it. */
double peak_rate(weft_precision precision)
{
    const struct chains *chains = find_chains();
    double least = INFINITY;
    if (!chains || precision == WEFT_DD) return NAN;
    const double lanes = chains->bytes / (precision == WEFT_F64 ? 8.0 : 4.0);
    for (int trial = 0; trial < TRIALS; trial++) {
        const double start = seconds_now();
        chains->run[precision == WEFT_F64]();
        least = fmin(least, seconds_now() - start);
    }
    return 2.0 * lanes * CHAINS * ROUNDS / least;
}

#else

double peak_rate(weft_precision precision)
{
    (void)precision;
    return NAN;
}

#endif

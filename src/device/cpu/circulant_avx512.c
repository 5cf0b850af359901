/* Compiled for AVX-512 (cmake/library.cmake). */
#if defined(__x86_64__)
#include <immintrin.h>

#include "device/cpu/circulant.h"

#define JOIN_NAMES(a, b, c) a##b##_##c
#define NAME_OF(a, b, c)    JOIN_NAMES(a, b, c)

#define SET          avx512
#define VECTOR_BYTES 64
#define REAL         double
#define PRECISION    f64
#define MOST_LANES   8

static inline __m256d two_pairs(const double *a, const double *b)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(a)), _mm_loadu_pd(b), 1);
}

static inline __m512d circulant_join_f64(const double *x, const uint16_t *at)
{
    const __m256d low = two_pairs(x + at[0], x + at[1]);
    const __m256d high = two_pairs(x + at[2], x + at[3]);
    return _mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}

static inline void circulant_part_f64(double *y, const uint16_t *at, __m512d pairs)
{
    const __m256d low = _mm512_castpd512_pd256(pairs), high = _mm512_extractf64x4_pd(pairs, 1);
    _mm_storeu_pd(y + at[0], _mm256_castpd256_pd128(low));
    _mm_storeu_pd(y + at[2], _mm256_extractf128_pd(low, 1));
    _mm_storeu_pd(y + at[4], _mm256_castpd256_pd128(high));
    _mm_storeu_pd(y + at[6], _mm256_extractf128_pd(high, 1));
}

static inline __m512d circulant_each_f64(const double *place)
{
    return _mm512_broadcast_f64x2(_mm_loadu_pd(place));
}

#include "device/cpu/circulant_lines.h"
#endif

/* Compiled for AVX2 (cmake/library.cmake). */
#if defined(__x86_64__)
#include <immintrin.h>

#include "device/cpu/circulant.h"

#define SET          avx2
#define VECTOR_BYTES 32

static inline __m256d circulant_join_f64(const double *x, const uint16_t *at)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(x + at[0])),
                                _mm_loadu_pd(x + at[1]), 1);
}

static inline void circulant_part_f64(double *y, const uint16_t *at, __m256d pairs)
{
    _mm_storeu_pd(y + at[0], _mm256_castpd256_pd128(pairs));
    _mm_storeu_pd(y + at[2], _mm256_extractf128_pd(pairs, 1));
}

static inline __m256d circulant_each_f64(const double *place)
{
    return _mm256_broadcast_pd((const __m128d *)place);
}

static inline __m128 two_pairs(const float *a, const float *b)
{
    const __m128i low = _mm_loadl_epi64((const __m128i_u *)a);
    return _mm_loadh_pi(_mm_castsi128_ps(low), (const __m64 *)b);
}

static inline __m256 circulant_join_f32(const float *x, const uint16_t *at)
{
    const __m128 low = two_pairs(x + at[0], x + at[1]);
    const __m128 high = two_pairs(x + at[2], x + at[3]);
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

static inline void circulant_part_f32(float *y, const uint16_t *at, __m256 pairs)
{
    const __m128 low = _mm256_castps256_ps128(pairs), high = _mm256_extractf128_ps(pairs, 1);
    _mm_storel_pi((__m64 *)(y + at[0]), low);
    _mm_storeh_pi((__m64 *)(y + at[2]), low);
    _mm_storel_pi((__m64 *)(y + at[4]), high);
    _mm_storeh_pi((__m64 *)(y + at[6]), high);
}

static inline __m256 circulant_each_f32(const float *place)
{
    typedef double both __attribute__((aligned(4), may_alias));
    return _mm256_castpd_ps(_mm256_set1_pd(*(const both *)place));
}

#define LINES_FILE "device/cpu/circulant_lines.h"
#include "device/cpu/each_precision.h"
#endif

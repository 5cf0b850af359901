/* Compiled for AVX2 (cmake/library.cmake). */
#if defined(__x86_64__)
#define MIRRORS      mirrors_avx2
#define VECTOR_BYTES 32
#include <immintrin.h>
#define STREAM_f32(place, v) _mm256_stream_ps(place, (__m256)(v))
#define STREAM_f64(place, v) _mm256_stream_pd(place, (__m256d)(v))
#define STREAMED()           _mm_sfence()
#include "device/cpu/mirror_template.h"
#endif

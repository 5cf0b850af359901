/* Compiled for AVX-512 (cmake/library.cmake). */
#if defined(__x86_64__)
#define MIRRORS      mirrors_avx512
#define VECTOR_BYTES 64
#include <immintrin.h>
#define STREAM_f32(place, v) _mm512_stream_ps(place, (__m512)(v))
#define STREAM_f64(place, v) _mm512_stream_pd(place, (__m512d)(v))
#define STREAMED()           _mm_sfence()
#include "device/cpu/mirror_template.h"
#endif

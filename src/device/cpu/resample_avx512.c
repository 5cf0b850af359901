/* Compiled for AVX-512 (cmake/library.cmake). */
#if defined(__x86_64__)
#include <immintrin.h>

#define RESAMPLE     resample_avx512
#define VECTOR_BYTES 64
#include "device/cpu/resample_template.h"
#endif

/* Compiled for AVX2 (cmake/library.cmake). */
#if defined(__x86_64__)
#include <immintrin.h>

#define RESAMPLE     resample_avx2
#define VECTOR_BYTES 32
#include "device/cpu/resample_template.h"
#endif

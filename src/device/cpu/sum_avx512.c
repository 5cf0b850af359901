/* Compiled for AVX-512 (cmake/library.cmake). */
#if defined(__x86_64__)
#include "device/cpu/circulant.h"

#define SUMS         sums_avx512
#define VECTOR_BYTES 64
#define CIRCULANTS   {circulant_forward, circulant_inverse}
#include "device/cpu/sum_template.h"
#endif

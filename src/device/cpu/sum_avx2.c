/* Compiled for AVX2 (cmake/library.cmake). */
#if defined(__x86_64__)
#define SUMS         sums_avx2
#define VECTOR_BYTES 32
#include "device/cpu/sum_template.h"
#endif

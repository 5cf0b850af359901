/* Compiled for AVX-512 (cmake/library.cmake). */
#if defined(__x86_64__)
#include <immintrin.h>

#define MATRICES     matrices_avx512
#define NARROWER     matrices_avx2
#define VECTOR_BYTES 64
#include "device/cpu/matrix_template.h"
#endif

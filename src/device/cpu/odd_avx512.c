/* Compiled for AVX-512 (cmake/library.cmake). */
#if defined(__x86_64__)
#define ODD          odd_avx512
#define VECTOR_BYTES 64
#include "device/cpu/odd_template.h"
#endif

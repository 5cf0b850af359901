/* Compiled for AVX2 (cmake/library.cmake). */
#if defined(__x86_64__)
#define ODD          odd_avx2
#define VECTOR_BYTES 32
#include "device/cpu/odd_template.h"
#endif

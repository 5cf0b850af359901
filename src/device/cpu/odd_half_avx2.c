/* Compiled for AVX2 (cmake/library.cmake): wider vectors would be stored in two parts. */
#if defined(__x86_64__)
#define ODD_HALF     odd_half_avx2
#define VECTOR_BYTES 32
#include "device/cpu/odd_half_template.h"
#endif

/* Compiled for AVX2 (cmake/library.cmake). */
#if defined(__x86_64__)
#define ISA          avx2
#define VECTOR_BYTES 32
#include "device/cpu/core_template.h"
#endif

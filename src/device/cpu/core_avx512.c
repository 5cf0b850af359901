/* Compiled for AVX-512 (cmake/library.cmake). */
#if defined(__x86_64__)
#define ISA          avx512
#define VECTOR_BYTES 64
#include "device/cpu/core_template.h"
#endif

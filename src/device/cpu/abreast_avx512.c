/* Compiled for AVX-512 (cmake/library.cmake). */
#if defined(__x86_64__)
#define ABREAST      abreast_avx512
#define VECTOR_BYTES 64
#include "device/cpu/abreast_template.h"
#endif

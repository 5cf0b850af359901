/* Compiled for AVX2 (cmake/library.cmake). */
#if defined(__x86_64__)
#define ABREAST      abreast_avx2
#define VECTOR_BYTES 32
#include "device/cpu/abreast_template.h"
#endif

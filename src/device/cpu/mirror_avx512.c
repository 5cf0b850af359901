/* Compiled for AVX-512 (cmake/library.cmake). */
#if defined(__x86_64__)
#define MIRRORS      mirrors_avx512
#define VECTOR_BYTES 64
#include "device/cpu/mirror_template.h"
#endif

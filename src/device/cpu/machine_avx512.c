/* Compiled for AVX-512 (cmake/library.cmake). */
#include "device/cpu/machine.h"

#if defined(__x86_64__)
#define MACHINE_ARITHMETIC machine_avx512
#include "device/cpu/machine_arithmetic.h"
#endif

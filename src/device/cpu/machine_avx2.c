/* Compiled for AVX2 (cmake/library.cmake). */
#include "device/cpu/machine.h"

#if defined(__x86_64__)
#define MACHINE_ARITHMETIC machine_avx2
#include "device/cpu/machine_arithmetic.h"
#endif

/* Compiled for AVX-512 (cmake/library.cmake). */
#if defined(__x86_64__)
#include "device/cpu/circulant.h"

#define SUMS                  sums_avx512
#define VECTOR_BYTES          64
#define CIRCULANTS_OF_DOUBLES {circulant_forward_avx512_f64, circulant_inverse_avx512_f64}
#include "device/cpu/sum_template.h"
#endif

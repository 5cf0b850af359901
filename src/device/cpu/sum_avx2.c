/* Compiled for AVX2 (cmake/library.cmake). */
#if defined(__x86_64__)
#include "device/cpu/circulant.h"

#define SUMS                  sums_avx2
#define VECTOR_BYTES          32
#define CIRCULANTS_OF_SINGLES {circulant_forward_avx2_f32, circulant_inverse_avx2_f32}
#define CIRCULANTS_OF_DOUBLES {circulant_forward_avx2_f64, circulant_inverse_avx2_f64}
#include "device/cpu/sum_template.h"
#endif

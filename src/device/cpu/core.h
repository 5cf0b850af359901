/* Codelets of long butterflies, made of their cores when they are called: what their kind, which is
 * the shape's, says around the butterfly, leg by leg, on vectors. As fast as if they had been
 * generated, for such a core works on arrays anyway, and a fraction of the text. Those of primes
 * from 23 on are loops, too: their sums by definition. (Experiment "text" in docs/experiments.)
 *
 * Both ends have to be planar or interleaved. */
#ifndef WEFT_DEVICE_CPU_CORE_H
#define WEFT_DEVICE_CPU_CORE_H

#include "device/cpu/codelet.h"
#include "kernel/codelet.h"

codelet_function codelet_by_core_scalar_f32, codelet_by_core_scalar_f64;
#if defined(__x86_64__)
codelet_function codelet_by_core_sse2_f32, codelet_by_core_sse2_f64;
codelet_function codelet_by_core_avx2_f32, codelet_by_core_avx2_f64;
codelet_function codelet_by_core_avx512_f32, codelet_by_core_avx512_f64;
#elif defined(__aarch64__)
codelet_function codelet_by_core_neon_f32, codelet_by_core_neon_f64;
#endif

#endif

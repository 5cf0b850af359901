#include "print/cuda.h"

/* A kernel may declare so much shared memory; more is asked for at its launch (CUDA C++ Programming
 * Guide, compute capabilities: 48 KB static, the rest opt-in and dynamic). */
#define MOST_STATIC_SHARED 49152

const struct c_dialect cuda_dialect = {
    .prologue = {"", ""},
    .before_threads = "extern \"C\" __global__ void __launch_bounds__(",
    .after_threads = ")\n",
    .global = "",
    .shared = "__shared__ ",
    .restricted = "__restrict__ ",
    .unsigned_narrow = "unsigned",
    .wide = "long long",
    .unsigned_wide = "unsigned long long",
    .wide_suffix = "LL",
    .thread = "(int)threadIdx.x",
    .block = "(int)blockIdx.x",
    .thread_anew = {"asm volatile(\"mov.u32 %0, %%tid.x;\" : \"=r\"(", "))"},
    .barrier = "__syncthreads()",
    .pair = {"make_float2", "make_double2"},
    .fma = {"fmaf", "fma"},
    .rolled = "#pragma unroll 1",
    .most_static_shared = MOST_STATIC_SHARED,
    .dynamic_shared = "extern __shared__ __align__(16) unsigned char dynamic_shared[]",
    .dynamic_shared_name = "dynamic_shared",
};

#include "print/opencl.h"

#include <stdint.h>

const struct c_dialect opencl_dialect = {
    .prologue = {"#pragma OPENCL FP_CONTRACT OFF\n\n",
                 "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
                 "#pragma OPENCL FP_CONTRACT OFF\n\n"},
    .before_threads = "__kernel __attribute__((reqd_work_group_size(",
    .after_threads = ", 1, 1)))\nvoid ",
    .global = "__global ",
    .shared = "__local ",
    .restricted = "restrict ",
    .unsigned_narrow = "uint",
    .wide = "long",
    .unsigned_wide = "ulong",
    .wide_suffix = "L",
    .thread = "(int)get_local_id(0)",
    .block = "(int)get_group_id(0)",
    .barrier = "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)",
    .pair = {"(float2)", "(double2)"},
    .fma = {"fma", "fma"},
    .rolled = "#pragma unroll 1",
    .most_static_shared = INT64_MAX,
};

#include "print/opencl.h"

#include <stdint.h>

#define STORAGES(real)                                                                             \
    "#define weft_function static inline\n"                                                        \
    "#define weft_real " real "\n"                                                                 \
    "#define weft_pair " real "2\n"                                                                \
    "#define weft_bits as_uint\n"                                                                  \
    "#define weft_from_bits as_float\n"                                                            \
    "#define weft_rint rint\n"

/* Kernels without cl_khr_fp16 may load and store halves, but have none (OpenCL C 1.2, 6.12.7). */
static const char halves[] =
    "weft_function weft_real weft_load_f16(unsigned short x)\n"
    "{\n"
    "    return (weft_real)vload_half(0, (const half *)&x);\n"
    "}\n"
    "weft_function unsigned short weft_store_f16(weft_real x)\n"
    "{\n"
    "    unsigned short y;\n"
    "    vstore_half_rte(weft_single(x), 0, (half *)&y);\n"
    "    return y;\n"
    "}\n";

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
    .storages = {STORAGES("float"), STORAGES("double")},
    .halves = halves,
    .most_static_shared = INT64_MAX,
};

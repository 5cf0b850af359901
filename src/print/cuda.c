#include "print/cuda.h"

/* A kernel may declare so much shared memory; more is asked for at its launch (CUDA C++ Programming
 * Guide, compute capabilities: 48 KB static, the rest opt-in and dynamic). */
#define MOST_STATIC_SHARED 49152

/* PTX ISA: mapa and barrier.cluster, from sm_90. Another block's shared memory has addresses of 64
 * bits: of those of 32 that st.shared::cluster takes ptxas 13.0 splits a constant off, and what
 * is left, if it is negative, is no address (experiment "clusters" in docs/experiments). */
#define FUNCTION "static __device__ __forceinline__ "
#define SENDS(real)                                                                                \
    FUNCTION "void weft_send(void *to, int place, " real " x)\n"                                   \
             "{\n    ((" real " *)to)[place] = x;\n}\n"                                            \
    FUNCTION "void weft_send_pair(void *to, int place, " real " x, " real " y)\n"                  \
             "{\n    ((" real "2 *)to)[place] = make_" real "2(x, y);\n}\n"

static const char clusters[] =
    FUNCTION "void *weft_place(const void *own, int block)\n"
             "{\n    void *place;\n"
             "    asm(\"mapa.u64 %0, %1, %2;\" : \"=l\"(place) : \"l\"(own), \"r\"(block));\n"
             "    return place;\n}\n"
    FUNCTION "void weft_arrive()\n"
             "{\n    asm volatile(\"barrier.cluster.arrive.release.aligned;\" ::: \"memory\");\n}\n"
    FUNCTION "void weft_wait()\n"
             "{\n    asm volatile(\"barrier.cluster.wait.acquire.aligned;\" ::: \"memory\");\n}\n"
    SENDS("float")
    SENDS("double");

#define STORAGES(real, rint)                                                                       \
    "#define weft_function static __device__ __forceinline__\n"                                    \
    "#define weft_real " real "\n"                                                                 \
    "#define weft_pair " real "2\n"                                                                \
    "#define weft_bits __float_as_uint\n"                                                          \
    "#define weft_from_bits __uint_as_float\n"                                                     \
    "#define weft_rint " rint "\n"

/* PTX ISA: cvt, from sm_53. */
static const char halves[] =
    "weft_function weft_real weft_load_f16(unsigned short x)\n"
    "{\n    float y;\n"
    "    asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(y) : \"h\"(x));\n"
    "    return (weft_real)y;\n}\n"
    "weft_function unsigned short weft_store_f16(weft_real x)\n"
    "{\n    unsigned short y;\n"
    "    asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(y) : \"f\"(weft_single(x)));\n"
    "    return y;\n}\n";

const struct c_dialect cuda_dialect = {
    .prologue = {"", ""},
    .before_threads = "extern \"C\" __global__ void __launch_bounds__(",
    .after_threads = ")\n",
    .resident = ", ",
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
    .storages = {STORAGES("float", "rintf"), STORAGES("double", "rint")},
    .halves = halves,
    .clusters = clusters,
    .before_cluster = "__cluster_dims__(",
    .after_cluster = ", 1, 1)\n",
    .arrive = "weft_arrive()",
    .wait = "weft_wait()",
    .place = "void *const",
    .find_place = "weft_place",
    .send = "weft_send",
    .send_pair = "weft_send_pair",
    .most_static_shared = MOST_STATIC_SHARED,
    .dynamic_shared = "extern __shared__ __align__(16) unsigned char dynamic_shared[]",
    .dynamic_shared_name = "dynamic_shared",
};

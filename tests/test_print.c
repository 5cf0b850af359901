/* Kernels as the C of GPUs: what is printed, word for word. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "print/cuda.h"
#include "print/opencl.h"
#include "support/kernels.h"

static const struct c_like_target opencl_f32 = {&opencl_dialect, true, true};
static const struct c_like_target opencl_f64 = {&opencl_dialect, false, true};
static const struct c_like_target cuda_f32 = {&cuda_dialect, true, true};
static const struct c_like_target cuda_f64 = {&cuda_dialect, false, true};

/* ---- helpers ---- */

static arena *memory;

static int set_up(void **state)
{
    (void)state;
    memory = arena_create();
    return memory ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(&memory);
    return 0;
}

static void assert_prints(const struct ir *kernel, const struct c_like_target *target,
                          const char *expected)
{
    struct text t = TEXT_EMPTY;
    c_like_print(&t, target, kernel);
    assert_string_equal(text_chars(&t), expected);
    text_free(&t);
}

static void assert_has(const struct ir *kernel, const struct c_like_target *target,
                       const char *const *words)
{
    struct text t = TEXT_EMPTY;
    c_like_print(&t, target, kernel);
    assert_text_has(&t, words);
    text_free(&t);
}

/* out[thread] = in[thread], a pair of halves to a byte each. */
static const struct ir *narrowed(void)
{
    struct ir_builder *b = ir_begin(memory, "narrowed", 64);
    const int in = ir_pair_buffer(b, "in", IR_GLOBAL, false, 0);
    const int out = ir_pair_buffer(b, "out", IR_GLOBAL, true, 0);
    ir_set_storage(b, in, WEFT_STORED_F16);
    ir_set_storage(b, out, WEFT_STORED_U8);
    const ir_value x = ir_load_pair(b, in, ir_thread(b));
    ir_store_pair(b, out, ir_thread(b), ir_first(b, x), ir_second(b, x));
    return kernel_finish(b);
}

static void storages_are_converted_by_functions(void **state)
{
    (void)state;
    assert_has(narrowed(), &opencl_f32,
               WORDS("#define weft_real float\n", "weft_load_f16(", "vload_half", "weft_load_u8",
                     "weft_store_u8", "(weft_real)(0), (weft_real)255", "__kernel",
                     "__global const ushort2 *restrict in,", "uchar2 *out",
                     " = weft_load_f16_pair(in[v", "] = weft_store_u8_pair(v"));
    assert_has(narrowed(), &cuda_f64,
               WORDS("#define weft_real double\n", "float weft_single(double x)", "cvt.f32.f16",
                     "weft_load_f16_pair(ushort2 x)", "extern", "ushort2 ", "uchar2 *out",
                     " = weft_load_f16_pair(in[v", "] = weft_store_u8_pair(v"));
}

/* ---- what holds ---- */

static void a_kernel_is_printed_as_opencl(void **state)
{
    (void)state;
    assert_prints(kernel_turn(memory), &opencl_f32,
                  "#pragma OPENCL FP_CONTRACT OFF\n"
                  "\n"
                  "__kernel __attribute__((reqd_work_group_size(64, 1, 1)))\n"
                  "void weft_turn(\n"
                  "    __global const float2 *in,\n"
                  "    __global float2 *out,\n"
                  "    __global const float2 *restrict roots,\n"
                  "    long base)\n"
                  "{\n"
                  "    in += base;\n"
                  "    out += base;\n"
                  "    const int v0 = (int)get_local_id(0);\n"
                  "    const float2 v1 = in[v0];\n"
                  "    const float2 v2 = roots[v0];\n"
                  "    const float v3 = v2.x;\n"
                  "    const float v4 = v1.x;\n"
                  "    const float v5 = v3 - v4;\n"
                  "    const float v6 = v1.y;\n"
                  "    const float v7 = -v6;\n"
                  "    out[v0] = (float2)(v5, v7);\n"
                  "}\n");
}

static void a_kernel_is_printed_as_cuda(void **state)
{
    (void)state;
    assert_prints(kernel_turn(memory), &cuda_f64,
                  "extern \"C\" __global__ void __launch_bounds__(64)\n"
                  "weft_turn(\n"
                  "    const double2 *in,\n"
                  "    double2 *out,\n"
                  "    const double2 *__restrict__ roots,\n"
                  "    long long base)\n"
                  "{\n"
                  "    in += base;\n"
                  "    out += base;\n"
                  "    const int v0 = (int)threadIdx.x;\n"
                  "    const double2 v1 = in[v0];\n"
                  "    const double2 v2 = roots[v0];\n"
                  "    const double v3 = v2.x;\n"
                  "    const double v4 = v1.x;\n"
                  "    const double v5 = v3 - v4;\n"
                  "    const double v6 = v1.y;\n"
                  "    const double v7 = -v6;\n"
                  "    out[v0] = make_double2(v5, v7);\n"
                  "}\n");
}

static void doubles_ask_for_their_extension(void **state)
{
    (void)state;
    assert_has(kernel_turn(memory), &opencl_f64,
               WORDS("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n",
                     "#pragma OPENCL FP_CONTRACT OFF\n", "const double2 *in"));
}

static void integers_are_as_wide_as_they_must_be(void **state)
{
    (void)state;
    struct ir_builder *b = ir_begin(memory, "wide", 32);
    int out = ir_buffer(b, "out", IR_GLOBAL, true, 0);
    ir_value far = ir_param_within(b, "far", 0, INT64_C(1) << 40);
    ir_value near = ir_param_within(b, "near", 0, 1000);
    ir_value place = ir_int_mul(b, far, near);                  /* both widths: wide */
    ir_value product = ir_int_mul(b, near, ir_int(b, 1 << 30)); /* narrow factors: wide */
    ir_value rest = ir_int_mod(b, far, ir_int(b, 100));         /* of wide: narrow */
    ir_value quotient = ir_int_div(b, near, ir_int(b, 7));      /* narrow */
    ir_store(b, out, place, ir_real(b, 1, 0));
    ir_store(b, out, product, ir_real(b, 1, 0));
    ir_store(b, out, ir_int_add(b, rest, quotient), ir_real(b, 1, 0));
    const struct ir *kernel = kernel_finish(b);
    assert_has(kernel, &opencl_f32,
               WORDS("const long v0 = far;", "const int v1 = (int)near;", "const long v2 = (long)v",
                     "const long v4 = (long)v1 * 1073741824;", "= (int)((ulong)v0 % (ulong)100);",
                     "= (int)((uint)v1 / (uint)7);"));
    assert_has(kernel, &cuda_f32,
               WORDS("const long long v0 = far;", "= (int)((unsigned long long)v0 % (unsigned long "
                                                  "long)100);"));
}

static void numbers_are_exact(void **state)
{
    (void)state;
    const struct ir *kernel = kernel_numbers(memory);
    assert_has(kernel, &opencl_f64, WORDS("0.7071067811865476;", "(-0.5);", "1.0000000596046448;"));
    assert_has(kernel, &cuda_f32,
               WORDS("0.707106769f;", "(-0.5f);", "1.00000012f;"));
}

static void fused_operations_have_their_words(void **state)
{
    (void)state;
    const struct ir *kernel = kernel_fused(memory);
    assert_has(kernel, &opencl_f32,
               WORDS("fma(v1, v1, v3)", "fma(v1, v1, -v3)", "fma(-v1, v1, v3)"));
    assert_has(kernel, &cuda_f32, WORDS("fmaf(v1, v1, v3)", "fmaf(v1, v1, -v3)"));
    const struct c_like_target without = {&opencl_dialect, true, false};
    assert_has(kernel, &without, WORDS("v1 * v1 + v3", "v1 * v1 + -v3", "-v1 * v1 + v3"));
}

static void control_nests(void **state)
{
    (void)state;
    struct ir_builder *b = ir_begin(memory, "control", 32);
    int out = ir_buffer(b, "out", IR_GLOBAL, true, 0);
    ir_value count = ir_param_within(b, "count", 0, 99);
    ir_value i = ir_for(b, count);
    ir_if(b, ir_and(b, ir_less(b, i, ir_thread(b)), ir_equal(b, ir_block(b), ir_int(b, 3))));
    ir_value chosen = ir_select(b, ir_less(b, i, ir_int(b, 5)), ir_real(b, 1, 0), ir_real(b, 2, 0));
    ir_store(b, out, i, chosen);
    ir_end(b);
    ir_end(b);
    assert_has(kernel_finish(b), &cuda_f32,
               WORDS("    for (int v1 = 0; v1 < v0; v1++) {\n", "\n        const bool ", " && ",
                     "        if (v", ") {\n", " ? 1.0f : 2.0f;\n", "            out[v1] = v",
                     "\n        }\n    }\n}\n"));
}

static void shared_memory_is_declared(void **state)
{
    (void)state;
    const struct ir *kernel = kernel_exchange(memory, 1001);
    assert_has(kernel, &opencl_f32,
               WORDS("__global const int *restrict table", "__local float shared[1001];\n",
                     "__local float2 pairs[1001];\n",
                     "barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);\n"));
    assert_has(kernel, &cuda_f32, WORDS("__shared__ float shared[1001];\n", "__syncthreads();\n"));
    assert_int_equal(c_like_dynamic_bytes(&cuda_f32, kernel), 0);
}

static void much_shared_memory_is_asked_for_at_the_launch(void **state)
{
    (void)state;
    const struct ir *kernel = kernel_exchange(memory, 4097);
    assert_has(kernel, &cuda_f32,
               WORDS("extern __shared__ __align__(16) unsigned char dynamic_shared[];\n",
                     "float *const shared = (float *)(dynamic_shared + 0);\n",
                     "float2 *const pairs = (float2 *)(dynamic_shared + 16400);\n"));
    assert_int_equal(c_like_dynamic_bytes(&cuda_f32, kernel), 16400 + 32784);
    assert_int_equal(c_like_shared_bytes(&cuda_f32, kernel), 16400 + 32784);
    assert_has(kernel, &opencl_f32, WORDS("__local float shared[4097];\n"));
    assert_int_equal(c_like_dynamic_bytes(&opencl_f32, kernel), 0);
}

static void private_memory_goes_through_loops_that_remain_loops(void **state)
{
    (void)state;
    struct ir_builder *b = ir_begin(memory, "rounds", 32);
    int out = ir_buffer(b, "out", IR_GLOBAL, true, 0);
    int kept = ir_buffer(b, "kept", IR_PRIVATE, true, 2);
    ir_store(b, kept, ir_int(b, 1), ir_real(b, 1, 0));
    ir_for(b, ir_int(b, 2));
    ir_value thread = ir_thread_anew(b), x = ir_load(b, kept, ir_int(b, 1));
    ir_store(b, kept, ir_int(b, 1), ir_add(b, x, x));
    ir_store(b, out, thread, x);
    ir_end(b);
    const struct ir *kernel = kernel_finish(b);
    assert_has(kernel, &cuda_f32,
               WORDS("    float kept[2];\n", "kept[1] = 1.0f;\n", "#pragma unroll 1\n    for (",
                     "int v", "; asm volatile(\"mov.u32 %0, %%tid.x;\" : \"=r\"(v", "));\n",
                     " = kept[1];\n", "kept[1] = v"));
    assert_has(kernel, &opencl_f32,
               WORDS("    float kept[2];\n", "#pragma unroll 1\n    for (",
                     " = (int)get_local_id(0);\n", " = kept[1];\n"));
}

static const struct ir *cluster(void)
{
    struct ir_builder *b = ir_begin(memory, "cluster", 32);
    ir_set_cluster(b, 4, 2);
    int out = ir_buffer(b, "out", IR_GLOBAL, true, 0);
    int shared = ir_pair_buffer(b, "shared", IR_SHARED, true, 32);
    ir_value x = ir_real(b, 1, 0);
    ir_arrive(b);
    ir_wait(b);
    ir_send_pair(b, 3, shared, ir_thread(b), x, x);
    ir_arrive(b);
    ir_wait(b);
    ir_store(b, out, ir_thread(b), ir_first(b, ir_load_pair(b, shared, ir_thread(b))));
    return kernel_finish(b);
}

static void clusters_have_words_in_cuda_alone(void **state)
{
    (void)state;
    const struct ir *kernel = cluster();
    assert_has(kernel, &cuda_f32,
               WORDS("mapa.u64 ", "__launch_bounds__(32, 2)\n__cluster_dims__(4, 1, 1)\n",
                     "weft_cluster(", "void *const shared_4 = weft_place(shared, 3);\n",
                     "weft_send_pair(shared_4, ", "weft_arrive();\n", "weft_wait();\n"));
    struct text t = TEXT_EMPTY;
    c_like_print(&t, &opencl_f32, kernel);
    assert_true(text_failed(&t));
    assert_non_null(strstr(error_last(), "clusters"));
    text_free(&t);
}

static void codelets_are_refused(void **state)
{
    (void)state;
    struct ir_builder *b = ir_begin(memory, "codelet", 0);
    int in = ir_buffer(b, "in", IR_GLOBAL, false, 0);
    int out = ir_buffer(b, "out", IR_GLOBAL, true, 0);
    ir_store_lane(b, out, ir_int(b, 0), 1, 4, ir_load_lane(b, in, ir_int(b, 0), 1, 0));
    struct text t = TEXT_EMPTY;
    c_like_print(&t, &cuda_f32, kernel_finish(b));
    assert_true(text_failed(&t));
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(storages_are_converted_by_functions),
        cmocka_unit_test(a_kernel_is_printed_as_opencl),
        cmocka_unit_test(a_kernel_is_printed_as_cuda),
        cmocka_unit_test(doubles_ask_for_their_extension),
        cmocka_unit_test(integers_are_as_wide_as_they_must_be),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(fused_operations_have_their_words),
        cmocka_unit_test(control_nests),
        cmocka_unit_test(shared_memory_is_declared),
        cmocka_unit_test(much_shared_memory_is_asked_for_at_the_launch),
        cmocka_unit_test(private_memory_goes_through_loops_that_remain_loops),
        cmocka_unit_test(clusters_have_words_in_cuda_alone),
        cmocka_unit_test(codelets_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

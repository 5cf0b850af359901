/* Kernels of a few lines as SPIR-V: what is printed, instruction for instruction. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "support/kernels.h"
#include "support/spirv_tools.h"

static const struct spirv_target f32 = {.single = true, .wide = true};
static const struct spirv_target f64 = {.single = false, .wide = true};
static const struct spirv_target narrow_f32 = {.single = true, .wide = false};

static arena *memory;

static int set_up(void **state)
{
    (void)state;
    spirv_tools_open("test_spirv");
    memory = arena_create();
    return memory ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(&memory);
    return 0;
}

static void a_kernel_is_a_module(void **state)
{
    (void)state;
    spirv_assert_has(kernel_turn(memory), &f32,
                     WORDS("OpCapability Shader\n"
                           "%3 = OpExtInstImport \"GLSL.std.450\"\n"
                           "OpMemoryModel Logical GLSL450\n"
                           "OpEntryPoint GLCompute %1 \"weft_turn\" %14 %15\n"
                           "OpExecutionMode %1 LocalSize 64 1 1\n",
                           "\"in\"\n", "\"out\"\n", "\"roots\"\n", "ArrayStride 8\n",
                           "BufferBlock\n", "DescriptorSet 0\n", "Binding 0\n", "Aliased\n",
                           "NonWritable\n", "Binding 1\n", "Aliased\n", "Binding 2\n", "Restrict\n",
                           "NonWritable\n", "NoContraction\n", "%9 = OpTypeFloat 32\n",
                           "= OpFunction", "OpLabel", "OpAccessChain", "OpIAdd", "OpFSub",
                           "OpFNegate", "OpCompositeConstruct", "OpStore",
                           "OpReturn\nOpFunctionEnd\n"));
    spirv_assert_lacks(kernel_turn(memory), &f32, "unused");
    spirv_assert_lacks(kernel_turn(memory), &f32, " 64\n"); /* no type of 64 bits */
}

static void doubles_ask_for_their_capability(void **state)
{
    (void)state;
    spirv_assert_has(kernel_turn(memory), &f64,
                     WORDS("OpCapability Shader\nOpCapability Float64\n", "ArrayStride 16\n",
                           "%9 = OpTypeFloat 64\n"));
    spirv_assert_lacks(kernel_turn(memory), &f32, "Float64");
}

/* far * near is an address; far % 100 is one as well, but needs all of far. */
static const struct ir *far_kernel(bool divides)
{
    struct ir_builder *b = ir_begin(memory, "far", 32);
    int out = ir_buffer(b, "out", IR_GLOBAL, true, 0);
    ir_value far = ir_param_within(b, "far", 0, INT64_C(1) << 40);
    ir_value near = ir_param_within(b, "near", 0, 1000);
    ir_value place = ir_int_add(b, ir_int_mul(b, far, near), ir_int(b, INT64_C(1) << 33));
    ir_store(b, out, place, ir_real(b, 1, 0));
    if (divides) {
        ir_value rest = ir_int_mod(b, far, ir_int(b, 100));
        ir_store(b, out, ir_int_add(b, rest, ir_int_div(b, near, ir_int(b, 7))), ir_real(b, 1, 0));
        ir_if(b, ir_and(b, ir_less(b, near, far), ir_less(b, far, ir_int(b, INT64_C(5) << 32))));
        ir_store(b, out, near, ir_real(b, 2, 0));
        ir_end(b);
    }
    return kernel_finish(b);
}

static void addresses_need_no_wide_integers(void **state)
{
    (void)state;
    spirv_assert_lacks(far_kernel(false), &f32, "Int64");
    spirv_assert_lacks(far_kernel(false), &narrow_f32, "OpTypeInt 64");
}

static void quotients_and_comparisons_are_as_wide_as_they_must_be(void **state)
{
    (void)state;
    spirv_assert_has(far_kernel(true), &f32,
                     WORDS("OpCapability Int64\n", "OpTypeInt 64 0\n", "21474836480\n", "OpLoad %8",
                           "OpUMod %8", "OpUConvert %7", "OpUDiv %7", "OpSConvert %8",
                           "OpSLessThan %6"));
}

static void wide_integers_that_are_not_there_are_told(void **state)
{
    (void)state;
    struct text binary = TEXT_EMPTY;
    assert_int_equal(spirv_print(&binary, &narrow_f32, far_kernel(true)), WEFT_ERROR_UNSUPPORTED);
    assert_non_null(strstr(error_last(), "shaderInt64"));
    text_free(&binary);
}

static void numbers_are_exact(void **state)
{
    (void)state;
    const struct ir *kernel = kernel_numbers(memory);
    spirv_assert_has(kernel, &f64,
                     WORDS("OpConstant %9 0.70710678118654757\n", "OpConstant %9 -0.5\n"));
    spirv_assert_has(
        kernel, &f32,
        WORDS("OpConstant %9 0.70710676908493042\n", "OpConstant %9 1.0000001192092896\n"));
}

static void fused_operations_are_extended_instructions(void **state)
{
    (void)state;
    spirv_assert_has(kernel_fused(memory), &f64,
                     WORDS("NoContraction\n", "NoContraction\n", "NoContraction\n",
                           "OpExtInst %9 %3 Fma", "OpFNegate", "OpExtInst %9 %3 Fma", "OpFNegate",
                           "OpExtInst %9 %3 Fma"));
}

static const struct ir *control(int64_t most)
{
    struct ir_builder *b = ir_begin(memory, "control", 32);
    int out = ir_buffer(b, "out", IR_GLOBAL, true, 0);
    ir_value count = ir_param_within(b, "count", 0, most);
    ir_value i = ir_for(b, count);
    ir_if(b, ir_and(b, ir_less(b, i, ir_thread(b)), ir_equal(b, ir_block(b), ir_int(b, 3))));
    ir_value chosen = ir_select(b, ir_less(b, i, ir_int(b, 5)), ir_real(b, 1, 0), ir_real(b, 2, 0));
    ir_value j = ir_for(b, ir_int(b, 4));
    ir_store(b, out, ir_int_add(b, i, j), chosen);
    ir_end(b);
    ir_end(b);
    ir_barrier(b);
    ir_end(b);
    return kernel_finish(b);
}

static void control_is_structured(void **state)
{
    (void)state;
    spirv_assert_has(control(99), &f32,
                     WORDS("OpPhi %7", "OpLoopMerge", "OpBranchConditional", "OpLogicalAnd",
                           "OpSelectionMerge", "OpBranchConditional", "OpSelect %9", "OpPhi",
                           "OpLoopMerge", "OpStore", "OpControlBarrier", "OpReturn"));
    spirv_assert_has(control(INT64_C(1) << 35), &f32, WORDS("OpPhi %8", "OpLoopMerge"));
}

static void shared_memory_is_the_workgroups(void **state)
{
    (void)state;
    spirv_assert_has(kernel_exchange(memory, 1001), &f32,
                     WORDS("ArrayStride 4\n", "OpConstant %7 1001\n", "OpTypeArray %9",
                           "OpTypePointer Workgroup", "OpVariable", "OpTypeArray %10",
                           "OpControlBarrier"));
}

static void private_memory_is_an_array_of_its_own(void **state)
{
    (void)state;
    struct ir_builder *b = ir_begin(memory, "rounds", 32);
    int out = ir_buffer(b, "out", IR_GLOBAL, true, 0);
    int kept = ir_buffer(b, "kept", IR_PRIVATE, true, 2);
    ir_store(b, kept, ir_int(b, 1), ir_real(b, 1, 0));
    ir_for(b, ir_int(b, 2));
    ir_value x = ir_load(b, kept, ir_int(b, 1));
    ir_store(b, kept, ir_int(b, 1), ir_add(b, x, x));
    ir_store(b, out, ir_thread_anew(b), x);
    ir_end(b);
    spirv_assert_has(kernel_finish(b), &f32,
                     WORDS("OpTypePointer Private", "OpTypeArray %9", "OpTypePointer Private",
                           "OpVariable", " Private\n", "OpStore", "OpLoopMerge", "DontUnroll\n",
                           "OpLoad", "OpStore", "OpStore"));
}

static void what_has_no_words_is_refused(void **state)
{
    (void)state;
    struct text binary = TEXT_EMPTY;
    for (int threads = 0; threads <= 32; threads += 32) {
        struct ir_builder *b = ir_begin(memory, "codelet", threads);
        int in = ir_buffer(b, "in", IR_GLOBAL, false, 0);
        int out = ir_buffer(b, "out", IR_GLOBAL, true, 0);
        ir_store_lane(b, out, ir_int(b, 0), 1, 4, ir_load_lane(b, in, ir_int(b, 0), 1, 0));
        assert_int_equal(spirv_print(&binary, &f32, kernel_finish(b)), WEFT_ERROR_UNSUPPORTED);
    }
    struct ir_builder *b = ir_begin(memory, "many", 32);
    for (int i = 0; i <= SPIRV_MOST_PARAMS; i++)
        ir_param(b, "p");
    assert_int_equal(spirv_print(&binary, &f32, kernel_finish(b)), WEFT_ERROR_UNSUPPORTED);
    text_free(&binary);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    const struct ir *kernel = far_kernel(true);
    const int64_t live = memory_live_blocks();
    weft_status status = WEFT_ERROR_MEMORY;
    for (int64_t n = 0; status; n++) {
        struct text binary = TEXT_EMPTY;
        memory_fail_after(n);
        status = spirv_print(&binary, &f32, kernel);
        memory_fail_after(-1);
        if (status) assert_int_equal(status, WEFT_ERROR_MEMORY);
        text_free(&binary);
        assert_int_equal(memory_live_blocks(), live);
    }
}

/* Tables of all kinds at one binding, each from its own element on. */
static void joined_tables_share_a_binding(void **state)
{
    (void)state;
    struct ir_builder *b = ir_begin(memory, "joined", 64);
    const int out = ir_pair_buffer(b, "out", IR_GLOBAL, true, 0);
    const int reals = ir_buffer(b, "reals", IR_GLOBAL, false, 0);
    const int pairs = ir_pair_buffer(b, "pairs", IR_GLOBAL, false, 0);
    const int numbers = ir_buffer(b, "numbers", IR_TABLE, false, 0);
    const ir_value place = ir_load_int(b, numbers, ir_thread(b), 64);
    const ir_value pair = ir_load_pair(b, pairs, place);
    const ir_value sum = ir_add(b, ir_first(b, pair), ir_load(b, reals, place));
    ir_store_pair(b, out, ir_thread(b), sum, ir_second(b, pair));
    const bool joined[IR_MAX_BUFFERS] = {[1] = true, [2] = true, [3] = true};
    const uint32_t start[IR_MAX_BUFFERS] = {[2] = 64, [3] = 192};
    const struct spirv_target target = {.single = true, .joined = joined, .start = start};
    spirv_assert_has(kernel_finish(b), &target,
                     (const char *const[]){" Binding 0", " Binding 1", " Binding 1", " Binding 1",
                                           "OpConstant %7 8", "OpConstant %7 48", NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_is_a_module),
        cmocka_unit_test(doubles_ask_for_their_capability),
        cmocka_unit_test(addresses_need_no_wide_integers),
        cmocka_unit_test(quotients_and_comparisons_are_as_wide_as_they_must_be),
        cmocka_unit_test(wide_integers_that_are_not_there_are_told),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(fused_operations_are_extended_instructions),
        cmocka_unit_test(control_is_structured),
        cmocka_unit_test(shared_memory_is_the_workgroups),
        cmocka_unit_test(private_memory_is_an_array_of_its_own),
        cmocka_unit_test(what_has_no_words_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(joined_tables_share_a_binding),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

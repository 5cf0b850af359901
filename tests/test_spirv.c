/* Kernels as SPIR-V: what is printed, instruction for instruction, and that Khronos' tools find no
 * fault with it: spirv-val takes every module, and spirv-as makes of its disassembly the same words
 * again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "kernel/block.h"
#include "plan/planner.h"
#include "print/spirv.h"
#include "print/spirv_words.h"
#include "support/kernels.h"

#define BINARY   WEFT_BINARY_DIR "/tests/spirv_module.spv"
#define ASSEMBLY WEFT_BINARY_DIR "/tests/spirv_module.spvasm"
#define AGAIN    WEFT_BINARY_DIR "/tests/spirv_again.spv"
#define LOG      WEFT_BINARY_DIR "/tests/spirv_tools.log"

static const struct spirv_target f32 = {.single = true, .wide = true};
static const struct spirv_target f64 = {.single = false, .wide = true};
static const struct spirv_target narrow_f32 = {.single = true, .wide = false};

static arena *memory;
static bool tools; /* are installed */

static int set_up(void **state)
{
    (void)state;
    memory = arena_create();
    tools =
        system("spirv-val --version >/dev/null 2>&1 && spirv-as --version >/dev/null 2>&1") == 0;
    if (!tools) print_message("spirv-val and spirv-as (spirv-tools) are missing: not asked\n");
    return memory ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(&memory);
    return 0;
}

/* ---- the tools ---- */

static void write_file(const char *path, const struct text *t)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text_chars(t), 1, t->length, file), t->length);
    assert_int_equal(fclose(file), 0);
}

static void read_file(const char *path, struct text *t)
{
    char part[4096];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    for (size_t bytes; (bytes = fread(part, 1, sizeof part, file)) > 0;)
        text_append_bytes(t, part, bytes);
    fclose(file);
}

static void ask(const char *command, const struct text *assembly)
{
    if (system(command) == 0) return;
    struct text log = TEXT_EMPTY;
    read_file(LOG, &log);
    fail_msg("%s\n%s\n%s", command, text_chars(&log), text_chars(assembly));
}

/* The generator's number in the header is the assembler's own. */
static void assert_same_module(const struct text *binary)
{
    enum { GENERATOR = 2 * sizeof(uint32_t) };
    struct text again = TEXT_EMPTY;
    read_file(AGAIN, &again);
    assert_int_equal(again.length, binary->length);
    memcpy(again.data + GENERATOR, binary->data + GENERATOR, sizeof(uint32_t));
    assert_memory_equal(again.data, binary->data, binary->length);
    text_free(&again);
}

static void assert_valid(const struct text *binary)
{
    struct text assembly = TEXT_EMPTY;
    if (!tools) return;
    spirv_disassemble(&assembly, text_chars(binary), binary->length);
    write_file(BINARY, binary);
    write_file(ASSEMBLY, &assembly);
    ask("spirv-val --target-env vulkan1.0 " BINARY " >" LOG " 2>&1", &assembly);
    ask("spirv-as --preserve-numeric-ids --target-env vulkan1.0 -o " AGAIN " " ASSEMBLY " >" LOG
        " 2>&1",
        &assembly);
    assert_same_module(binary);
    text_free(&assembly);
}

/* ---- kernels of a few lines ---- */

/* The text of the kernel's module, which is valid. */
static struct text print(const struct ir *kernel, const struct spirv_target *target)
{
    struct text binary = TEXT_EMPTY, t = TEXT_EMPTY;
    if (spirv_print(&binary, target, kernel)) fail_msg("%s", error_last());
    assert_valid(&binary);
    spirv_disassemble(&t, text_chars(&binary), binary.length);
    text_free(&binary);
    return t;
}

static void assert_has(const struct ir *kernel, const struct spirv_target *target,
                       const char *const *words)
{
    struct text t = print(kernel, target);
    assert_text_has(&t, words);
    text_free(&t);
}

static void assert_lacks(const struct ir *kernel, const struct spirv_target *target,
                         const char *words)
{
    struct text t = print(kernel, target);
    if (strstr(text_chars(&t), words)) fail_msg("\"%s\" in:\n%s", words, text_chars(&t));
    text_free(&t);
}

static void a_kernel_is_a_module(void **state)
{
    (void)state;
    assert_has(kernel_turn(memory), &f32,
               WORDS("OpCapability Shader\n"
                     "%3 = OpExtInstImport \"GLSL.std.450\"\n"
                     "OpMemoryModel Logical GLSL450\n"
                     "OpEntryPoint GLCompute %1 \"weft_turn\" %14 %15\n"
                     "OpExecutionMode %1 LocalSize 64 1 1\n",
                     "\"in\"\n", "\"out\"\n", "\"roots\"\n", "ArrayStride 8\n", "BufferBlock\n",
                     "DescriptorSet 0\n", "Binding 0\n", "Aliased\n", "NonWritable\n",
                     "Binding 1\n", "Aliased\n", "Binding 2\n", "Restrict\n", "NonWritable\n",
                     "NoContraction\n", "%9 = OpTypeFloat 32\n", "= OpFunction", "OpLabel",
                     "OpAccessChain", "OpIAdd", "OpFSub", "OpFNegate", "OpCompositeConstruct",
                     "OpStore", "OpReturn\nOpFunctionEnd\n"));
    assert_lacks(kernel_turn(memory), &f32, "unused");
    assert_lacks(kernel_turn(memory), &f32, " 64\n"); /* no type of 64 bits */
}

static void doubles_ask_for_their_capability(void **state)
{
    (void)state;
    assert_has(kernel_turn(memory), &f64,
               WORDS("OpCapability Shader\nOpCapability Float64\n", "ArrayStride 16\n",
                     "%9 = OpTypeFloat 64\n"));
    assert_lacks(kernel_turn(memory), &f32, "Float64");
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
    assert_lacks(far_kernel(false), &f32, "Int64");
    assert_lacks(far_kernel(false), &narrow_f32, "OpTypeInt 64");
}

static void quotients_and_comparisons_are_as_wide_as_they_must_be(void **state)
{
    (void)state;
    assert_has(far_kernel(true), &f32,
               WORDS("OpCapability Int64\n", "OpTypeInt 64 0\n", "21474836480\n", "OpLoad %8",
                     "OpUMod %8", "OpUConvert %7", "OpUDiv %7", "OpSConvert %8", "OpSLessThan %6"));
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
    assert_has(kernel, &f64, WORDS("OpConstant %9 0.70710678118654757\n", "OpConstant %9 -0.5\n"));
    assert_has(kernel, &f32,
               WORDS("OpConstant %9 0.70710676908493042\n", "OpConstant %9 1.0000001192092896\n"));
}

static void fused_operations_are_extended_instructions(void **state)
{
    (void)state;
    assert_has(kernel_fused(memory), &f64,
               WORDS("NoContraction\n", "NoContraction\n", "NoContraction\n", "OpExtInst %9 %3 Fma",
                     "OpFNegate", "OpExtInst %9 %3 Fma", "OpFNegate", "OpExtInst %9 %3 Fma"));
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
    assert_has(control(99), &f32,
               WORDS("OpPhi %7", "OpLoopMerge", "OpBranchConditional", "OpLogicalAnd",
                     "OpSelectionMerge", "OpBranchConditional", "OpSelect %9", "OpPhi",
                     "OpLoopMerge", "OpStore", "OpControlBarrier", "OpReturn"));
    assert_has(control(INT64_C(1) << 35), &f32, WORDS("OpPhi %8", "OpLoopMerge"));
}

static void shared_memory_is_the_workgroups(void **state)
{
    (void)state;
    assert_has(kernel_exchange(memory, 1001), &f32,
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
    assert_has(kernel_finish(b), &f32,
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

/* ---- the kernels of plans ---- */

/* One pass, two and more; all radices; Rader and Bluestein, on chip and beyond it; 2-D and 3-D. */
static const int64_t sizes[][3] = {
    {1},     {2},        {16},         {60},      {1000},    {1024},      {2187}, {3125},
    {2197},  {31},       {47},         {127},     {1009},    {4093},      {8192}, {16384},
    {10007}, {65536},    {100000},     {100003},  {64, 64},  {100, 1009}, {8, 8}, {12, 10},
    {62},    {512, 512}, {32, 32, 32}, {6, 5, 4}, {1048576},
};

/* Every other one has no 64-bit integers. */
static const char *const chips[] = {
    "shared=49152,threads=1024",
    "shared=16384,threads=256",
    "shared=232448,threads=1024,registers=128",
    "shared=2048,threads=32,registers=32",
};

static struct problem problem_of(const int64_t size[3], weft_precision precision)
{
    struct problem problem = {.precision = precision, .scale = {1, 0.5}, .threads = 1};
    int64_t stride = 1;
    for (int i = 2; i >= 0; i--) {
        if (size[i] > 1 || (i == 0 && problem.axes == 0)) {
            for (int k = problem.axes; k > 0; k--)
                problem.axis[k] = problem.axis[k - 1];
            problem.axis[0] = (struct dim){size[i], stride, stride};
            problem.axes++;
        }
        if (size[i]) stride *= size[i];
    }
    problem.loops = 1;
    problem.loop[0] = (struct dim){63, stride, stride};
    return problem;
}

struct tally {
    int modules;
    double slowest; /* seconds to print one */
    size_t largest;
};

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void print_pass(arena *a, const struct limits *limits, const struct program *program,
                       int index, weft_format format, struct tally *tally)
{
    struct block_kernel info;
    const struct pass *pass = &program->pass[index];
    const weft_format in = pass->from == PASS_SCRATCH ? WEFT_INTERLEAVED : format;
    const weft_format out = pass->to == PASS_SCRATCH ? WEFT_INTERLEAVED : format;
    const struct ir *kernel = block_build(a, program, index, limits, in, out, &info);
    if (kernel) kernel = ir_form_fma(a, kernel);
    if (!kernel) fail_msg("%s", error_last());
    struct text binary = TEXT_EMPTY;
    const double start = seconds();
    const bool single = info.precision == WEFT_F32;
    const struct spirv_target target = {.single = single, .wide = !limits->narrow};
    if (spirv_print(&binary, &target, kernel)) fail_msg("%s", error_last());
    const double taken = seconds() - start;
    if (taken > tally->slowest) tally->slowest = taken;
    if (binary.length > tally->largest) tally->largest = binary.length;
    tally->modules++;
    assert_valid(&binary);
    text_free(&binary);
}

static void print_plan(const struct limits *limits, const int64_t size[3], weft_precision precision,
                       weft_format format, struct tally *tally)
{
    struct problem problem = problem_of(size, precision);
    problem.format = format;
    arena *a = arena_create();
    const struct plan_node *tree;
    const struct program *program = NULL;
    weft_status status = plan_best(a, &problem, limits, &tree);
    if (!status) status = plan_lower(a, &problem, limits, tree, &program);
    if (status) fail_msg("%s", error_last());
    for (int i = 0; i < program->passes; i++)
        print_pass(a, limits, program, i, format, tally);
    arena_destroy(&a);
}

/* The only pass of an 8 x 8 problem with these sides. */
static const struct ir *kernel_of_sides(weft_precision precision, weft_format format,
                                        const struct problem_side sides[2])
{
    static const int64_t size[3] = {8, 8};
    struct problem problem = problem_of(size, precision);
    struct limits limits;
    struct block_kernel info;
    const struct plan_node *tree;
    const struct program *program = NULL;
    limits_default_gpu(&limits);
    problem.side[0] = sides[0];
    problem.side[1] = sides[1];
    weft_status status = plan_best(memory, &problem, &limits, &tree);
    if (!status) status = plan_lower(memory, &problem, &limits, tree, &program);
    if (status) fail_msg("%s", error_last());
    assert_int_equal(program->passes, 1);
    const struct ir *kernel =
        block_build(memory, program, 0, &limits, format, format, &info);
    assert_non_null(kernel);
    return kernel;
}

static const struct ir *image_kernel(const struct texels *in, const struct texels *out)
{
    const struct problem_side sides[2] = {{.texels = *in}, {.texels = *out}};
    return kernel_of_sides(WEFT_F32, WEFT_INTERLEAVED, sides);
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
    const ir_value place = ir_load_int(b, numbers, ir_thread(b));
    const ir_value pair = ir_load_pair(b, pairs, place);
    const ir_value sum = ir_add(b, ir_first(b, pair), ir_load(b, reals, place));
    ir_store_pair(b, out, ir_thread(b), sum, ir_second(b, pair));
    const bool joined[IR_MAX_BUFFERS] = {[1] = true, [2] = true, [3] = true};
    const uint32_t start[IR_MAX_BUFFERS] = {[2] = 64, [3] = 192};
    const struct spirv_target target = {.single = true, .joined = joined, .start = start};
    assert_has(kernel_finish(b), &target,
               (const char *const[]){" Binding 0", " Binding 1", " Binding 1", " Binding 1",
                                     "OpConstant %7 8", "OpConstant %7 48", NULL});
}

/* Images of one format share their types; channels that are not written are read before. */
static void images_are_read_and_written_by_texels(void **state)
{
    (void)state;
    for (int from = SPIRV_Rgba32f; from < SPIRV_R8Snorm; from++) {
        for (int to = from; to <= from + 1; to++) {
            const struct texels in = {from, 4, 2, 8}, out = {to, 4, 1, 8};
            struct text t = print(image_kernel(&in, &out), &f32);
            text_free(&t);
        }
    }
    const struct texels narrow = {SPIRV_Rgba8, 4, 2, 8}, pairs = {SPIRV_Rg32f, 2, 0, 8};
    assert_has(image_kernel(&narrow, &narrow), &f32,
               (const char *const[]){"OpTypeImage %9 2D 0 0 0 2 Rgba8", "OpImageRead",
                                     "OpVectorShuffle", " 2 3\n", "OpControlBarrier", "OpImageRead",
                                     "OpCompositeInsert", "OpCompositeInsert", "OpImageWrite",
                                     NULL});
    assert_has(image_kernel(&pairs, &pairs), &f32,
               (const char *const[]){"StorageImageExtendedFormats", "2D 0 0 0 2 Rg32f",
                                     "OpVectorShuffle", " 0 1\n", "OpCompositeConstruct",
                                     "OpImageWrite", NULL});
}

/* Any storage to any other, beside images too. Only what is smaller than a word needs atomics. */
static void storages_are_arrays_of_words(void **state)
{
    (void)state;
    for (weft_storage in = WEFT_STORED_F16; in <= WEFT_STORED_I16; in++) {
        for (weft_storage out = WEFT_STORED_F16; out <= WEFT_STORED_I16; out++) {
            const bool wide = in == WEFT_STORED_F32 || out == WEFT_STORED_F32;
            const weft_precision precision = wide ? WEFT_F64 : WEFT_F32;
            if (wide && (in == WEFT_STORED_F64 || out == WEFT_STORED_F64)) continue;
            const struct problem_side sides[2] = {{.storage = in}, {.storage = out}};
            const weft_format format = (in + out) % 3 ? WEFT_INTERLEAVED : WEFT_PLANAR;
            struct text t = print(kernel_of_sides(precision, format, sides), wide ? &f64 : &f32);
            const bool small = storage_bytes(out) * (format == WEFT_PLANAR ? 1 : 2) < 4;
            assert_true((strstr(text_chars(&t), "OpAtomicOr") != NULL) == small);
            text_free(&t);
        }
    }
    const struct problem_side image = {.texels = {SPIRV_Rgba8, 4, 0, 8}};
    const struct problem_side doubles = {.storage = WEFT_STORED_F64};
    struct text t = print(kernel_of_sides(WEFT_F32, WEFT_INTERLEAVED,
                                          (const struct problem_side[]){image, doubles}),
                          &f32);
    text_free(&t);
}

/* Of precisions and formats a plan has one each, in turns. */
static void every_pass_of_the_plans_is_valid(void **state)
{
    (void)state;
    struct tally tally = {0};
    for (size_t c = 0; c < sizeof chips / sizeof *chips; c++) {
        struct limits limits;
        limits_default_gpu(&limits);
        assert_int_equal(limits_parse(&limits, chips[c]), WEFT_OK);
        limits.narrow = c % 2;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            print_plan(&limits, sizes[i], (i + c) % 2 ? WEFT_F64 : WEFT_F32,
                       (i / 2 + c) % 2 ? WEFT_PLANAR : WEFT_INTERLEAVED, &tally);
        }
    }
    print_message("%d modules of at most %zu bytes, the slowest printed in %.2f ms\n",
                  tally.modules, tally.largest, 1e3 * tally.slowest);
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
        cmocka_unit_test(every_pass_of_the_plans_is_valid),
        cmocka_unit_test(joined_tables_share_a_binding),
        cmocka_unit_test(images_are_read_and_written_by_texels),
        cmocka_unit_test(storages_are_arrays_of_words),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

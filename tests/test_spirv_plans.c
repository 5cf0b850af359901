/* The kernels of plans as SPIR-V: every module is valid. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "kernel/block.h"
#include "plan/planner.h"
#include "print/spirv_words.h"
#include "support/spirv_tools.h"

static const struct spirv_target f32 = {.single = true, .wide = true};
static const struct spirv_target f64 = {.single = false, .wide = true};

static arena *memory;

static int set_up(void **state)
{
    (void)state;
    spirv_tools_open("test_spirv_plans");
    memory = arena_create();
    return memory ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    arena_destroy(&memory);
    return 0;
}

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
    spirv_assert_valid(&binary);
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
    const struct ir *kernel = block_build(memory, program, 0, &limits, format, format, &info);
    assert_non_null(kernel);
    return kernel;
}

static const struct ir *image_kernel(const struct texels *in, const struct texels *out)
{
    const struct problem_side sides[2] = {{.texels = *in}, {.texels = *out}};
    return kernel_of_sides(WEFT_F32, WEFT_INTERLEAVED, sides);
}

/* Images of one format share their types; channels that are not written are read before. */
static void images_are_read_and_written_by_texels(void **state)
{
    (void)state;
    for (int from = SPIRV_Rgba32f; from < SPIRV_R8Snorm; from++) {
        for (int to = from; to <= from + 1; to++) {
            const struct texels in = {from, 4, 2, 8}, out = {to, 4, 1, 8};
            struct text t = spirv_words_of(image_kernel(&in, &out), &f32);
            text_free(&t);
        }
    }
    const struct texels narrow = {SPIRV_Rgba8, 4, 2, 8}, pairs = {SPIRV_Rg32f, 2, 0, 8};
    spirv_assert_has(image_kernel(&narrow, &narrow), &f32,
                     (const char *const[]){"OpTypeImage %9 2D 0 0 0 2 Rgba8", "OpImageRead",
                                           "OpVectorShuffle", " 2 3\n", "OpControlBarrier",
                                           "OpImageRead", "OpCompositeInsert", "OpCompositeInsert",
                                           "OpImageWrite", NULL});
    spirv_assert_has(image_kernel(&pairs, &pairs), &f32,
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
            struct text t =
                spirv_words_of(kernel_of_sides(precision, format, sides), wide ? &f64 : &f32);
            const bool small = storage_bytes(out) * (format == WEFT_PLANAR ? 1 : 2) < 4;
            assert_true((strstr(text_chars(&t), "OpAtomicOr") != NULL) == small);
            text_free(&t);
        }
    }
    const struct problem_side image = {.texels = {SPIRV_Rgba8, 4, 0, 8}};
    const struct problem_side doubles = {.storage = WEFT_STORED_F64};
    struct text t = spirv_words_of(
        kernel_of_sides(WEFT_F32, WEFT_INTERLEAVED, (const struct problem_side[]){image, doubles}),
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
        cmocka_unit_test(images_are_read_and_written_by_texels),
        cmocka_unit_test(storages_are_arrays_of_words),
        cmocka_unit_test(every_pass_of_the_plans_is_valid),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

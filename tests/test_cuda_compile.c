/* The kernels of plans for CUDA devices, compiled by NVRTC where it is installed: no GPU is needed.
 * Prints how many registers they take and what they spill, and holds the planner to kernels that
 * have enough of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "device/cuda/compiler.h"
#include "device/gpu/pass.h"
#include "plan/planner.h"
#include "print/cuda.h"

/* A chip: its compute capability, and what its limits come to. */
struct chip {
    int capability;
    int64_t shared_bytes;
    int cluster;
};

static const struct chip chips[] = {
    {70, 96 * 1024, 0}, {90, 227 * 1024, 8}, {100, 227 * 1024, 8}};

/* Registers of a multiprocessor, of a thread at most, and how they are given out: by so many to a
 * thread, and for so many threads. */
enum { REGISTER_FILE = 65536, MOST_REGISTERS = 255, REGISTER_UNIT = 8, THREAD_UNIT = 128 };

/* Where the data of a block alone take more of the register file than this, some spills are better
 * than the two more passes that a plan without would take. */
#define FULL_FILE 0.6
/* A convolution of half of it takes as long with twice the threads and a few spills as without.
 * (Experiment "convolutions again" in docs/experiments.) */
#define HALF_FILE 0.5

/* One pass, two and more; all radices; Rader and Bluestein, on chip and beyond it; 2-D and 3-D. */
static const int64_t sizes[][3] = {
    {2},         {16},       {1024},       {4096},       {8192},    {16384}, {65536},  {1},
    {60},        {1000},     {2187},       {3125},       {2401},    {2197},  {10000},  {31},
    {127},       {1009},     {4093},       {10007},      {100003},  {62},    {100000}, {64, 64},
    {32768},     {40000},    {100, 1009},  {512, 512},   {32, 32, 32}, {64, 64, 64},
    {1048576},
};

static struct problem problem_of(const int64_t size[3], weft_precision precision)
{
    struct problem problem = {.precision = precision, .scale = {1, 1}, .threads = 1};
    int64_t stride = 1;
    for (int i = 2; i >= 0; i--) {
        if (size[i] > 1) {
            for (int k = problem.axes; k > 0; k--)
                problem.axis[k] = problem.axis[k - 1];
            problem.axis[0] = (struct dim){size[i], stride, stride};
            problem.axes++;
        }
        if (size[i]) stride *= size[i];
    }
    problem.loops = 1;
    problem.loop[0] = (struct dim){64, stride, stride};
    return problem;
}

/* The number in front of these words, which begin with a blank; 0: they are not there. */
static long number_before(const char *report, const char *words)
{
    const char *found = strstr(report, words);
    const char *digit = found ? found : "";
    while (found && digit > report && digit[-1] >= '0' && digit[-1] <= '9')
        digit--;
    return strtol(digit, NULL, 10);
}

struct tally {
    int kernels, spilling, starved;
    long most_registers;
};

/* What the report says of one kernel. */
struct usage {
    long registers, spilled;
};

/* What a thread of a block of so many may have. */
static long share_of_file(int threads)
{
    long lanes = (threads + THREAD_UNIT - 1) / THREAD_UNIT * THREAD_UNIT;
    return REGISTER_FILE / lanes / REGISTER_UNIT * REGISTER_UNIT;
}

/* True if it spills because the planner gave it too many threads. Some kernels spill a few bytes
 * though there are registers left, or could do with those that a thread may have: that is how the
 * compiler orders them, and not the same from one chip to the next. */
static bool is_starved(const struct usage *usage, const struct gpu_pass *pass,
                       const struct pass *of)
{
    const int words = precision_bytes(pass->info.precision) / 4;
    const double held = 2.0 * words * (double)(of->length * pass->info.columns);
    const long share = share_of_file(pass->info.threads);
    if (usage->spilled == 0 || held > FULL_FILE * REGISTER_FILE) return false;
    if (of->body == PASS_CONVOLUTION && held >= HALF_FILE * REGISTER_FILE) return false;
    return share < MOST_REGISTERS && usage->registers > share - REGISTER_UNIT;
}

static struct usage compile_kernel(const struct cuda_target *target, const struct gpu_pass *pass)
{
    struct text report = TEXT_EMPTY;
    if (cuda_compile_report(target, pass->name, text_chars(&pass->source), &report)) {
        fail_msg("%s\n%s", error_last(), text_chars(&pass->source));
    }
    const struct usage usage = {number_before(text_chars(&report), " registers"),
                                number_before(text_chars(&report), " bytes spill stores")};
    text_free(&report);
    return usage;
}

static void compile_pass(const struct device *device, const struct cuda_target *target,
                         const struct program *program, int index, struct tally *tally)
{
    static const struct gpu_printer printer = {
        .name = "cuda", .fma = true, .rounds_once = true, .print = gpu_print_c_like,
        .language = &cuda_dialect};
    static const char *const names[] = {[WEFT_F32] = "f32", [WEFT_F64] = "f64", [WEFT_DD] = "dd"};
    struct gpu_pass pass;
    struct text line = TEXT_EMPTY;
    if (gpu_pass_build(device, program, index, &printer, NULL, &pass)) fail_msg("%s", error_last());
    const struct usage usage = compile_kernel(target, &pass);
    const bool starved = is_starved(&usage, &pass, &program->pass[index]);
    pass_print(&line, &program->pass[index]);
    print_message("sm_%d %s: %ld registers, %ld bytes spilled, %d threads: %s%s\n",
                  target->capability, names[pass.info.precision],
                  usage.registers, usage.spilled, pass.info.threads, text_chars(&line),
                  starved ? ": TOO FEW REGISTERS" : "");
    tally->kernels++;
    tally->spilling += usage.spilled > 0;
    tally->starved += starved;
    if (usage.registers > tally->most_registers) tally->most_registers = usage.registers;
    text_free(&line);
    gpu_pass_forget_source(&pass);
}

static void compile_plan(const struct device *device, const struct cuda_target *target,
                         const struct problem *problem, struct tally *tally)
{
    arena *a = arena_create();
    const struct plan_node *tree;
    const struct program *program = NULL;
    weft_status status = plan_best(a, problem, &device->limits, &tree);
    if (!status) status = plan_lower(a, problem, &device->limits, tree, &program);
    if (status) fail_msg("%s", error_last());
    for (int i = 0; i < program->passes; i++)
        compile_pass(device, target, program, i, tally);
    arena_destroy(&a);
}

static struct device device_of(const struct chip *chip)
{
    struct device device = {.scratch_format = WEFT_INTERLEAVED};
    limits_default_gpu(&device.limits);
    limits_add_long_steps(&device.limits);
    device.limits.shared_bytes = chip->shared_bytes;
    device.limits.cluster = chip->cluster;
    device.limits.shared_total = chip->shared_bytes + 1024;
    return device;
}

/* Kernels that are starved of registers. */
static int compile_for(const struct chip *chip)
{
    struct cuda_target target;
    if (cuda_compiler_target(chip->capability, &target)) {
        print_message("sm_%d: left out: %s\n", chip->capability, error_last());
        return 0;
    }
    const struct device device = device_of(chip);
    struct tally tally = {0};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int p = WEFT_F32; p <= WEFT_F64; p++) {
            const struct problem problem = problem_of(sizes[i], (weft_precision)p);
            compile_plan(&device, &target, &problem, &tally);
        }
    }
    const struct problem extended = problem_of(sizes[0], WEFT_DD);
    compile_plan(&device, &target, &extended, &tally);
    print_message("sm_%d: %d kernels, at most %ld registers, %d spill\n", chip->capability,
                  tally.kernels, tally.most_registers, tally.spilling);
    return tally.starved;
}

static void every_pass_of_the_plans_compiles_and_has_enough_registers(void **state)
{
    (void)state;
    const char *missing = cuda_compiler_missing();
    if (missing) {
        print_message("not tried: %s\n", missing);
        skip();
    }
    print_message("NVRTC %d.%d\n", cuda_compiler_version() / 100, cuda_compiler_version() % 100);
    int starved = 0;
    for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
        starved += compile_for(&chips[i]);
    assert_int_equal(starved, 0);
}

static void every_storage_compiles(void **state)
{
    (void)state;
    static const int64_t size[3] = {60};
    const struct device device = device_of(&chips[1]);
    struct cuda_target target;
    struct tally tally = {0};
    if (cuda_compiler_missing() || cuda_compiler_target(chips[1].capability, &target)) skip();
    for (int p = WEFT_F32; p <= WEFT_F64; p++) {
        struct problem problem = problem_of(size, (weft_precision)p);
        for (weft_storage s = WEFT_STORED_F16; s <= WEFT_STORED_I16; s++) {
            if (s == storage_of_precision(problem.precision)) continue;
            problem.format = s % 2 ? WEFT_PLANAR : WEFT_INTERLEAVED;
            problem.side[0].storage = problem.side[1].storage = s;
            compile_plan(&device, &target, &problem, &tally);
        }
    }
}

static void a_kernel_that_does_not_compile_is_refused_with_the_log(void **state)
{
    (void)state;
    if (cuda_compiler_missing()) skip();
    struct cuda_target target;
    void *image = NULL;
    size_t bytes;
    assert_int_equal(cuda_compiler_target(90, &target), WEFT_OK);
    assert_int_equal(cuda_compile(&target, "weft_broken", "no kernel", &image, &bytes),
                     WEFT_ERROR_DEVICE);
    assert_null(image);
    assert_non_null(strstr(error_last(), "weft_broken"));
    assert_non_null(strstr(error_last(), "error"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_that_does_not_compile_is_refused_with_the_log),
        cmocka_unit_test(every_storage_compiles),
        cmocka_unit_test(every_pass_of_the_plans_compiles_and_has_enough_registers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

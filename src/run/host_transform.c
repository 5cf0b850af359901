#include "run/host_transform.h"

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "device/cpu/cpu.h"
#include "plan/planner.h"
#include "run/runner.h"

/* What a thread must have to do to be worth starting. */
#define ELEMENTS_A_THREAD 65536

/* What is transformed, in place. */
struct data {
    weft_precision precision;
    void *re, *im;
    struct spare spare;
};

static weft_status run_on(struct runner *runner, const struct executable *executable,
                          const struct data *data)
{
    const struct device_memory place = {.re = data->re, .im = data->im};
    const size_t bytes = executable_scratch_bytes(executable);
    if (bytes <= data->spare.bytes)
        return runner_run(runner, WEFT_FORWARD, place, place,
                          &(struct runner_aids){.scratch = data->spare.memory});
    void *scratch = memory_alloc_large(bytes);
    if (!scratch) return error_memory("scratch");
    const struct runner_aids aids = {.scratch = scratch};
    weft_status status = runner_run(runner, WEFT_FORWARD, place, place, &aids);
    memory_free(scratch);
    return status;
}

static weft_status run_once(struct device *cpu, const struct program *program,
                            const struct data *data)
{
    struct executable *executable = NULL;
    struct runner *runner = NULL;
    weft_status status = executable_create(cpu, program, &executable);
    if (!status) status = runner_create(executable, &runner);
    if (!status) status = run_on(runner, executable, data);
    runner_destroy(&runner);
    executable_destroy(&executable);
    return status;
}

static weft_status plan_and_run(struct device *cpu, arena *memory, const struct problem *problem,
                                const struct data *data)
{
    const struct plan_node *tree;
    const struct program *program;
    const struct limits *limits = device_limits(cpu, problem->precision);
    weft_status status = plan_best(memory, problem, limits, &tree);
    if (!status) status = plan_lower(memory, problem, limits, tree, &program);
    return status ? status : run_once(cpu, program, data);
}

static weft_status transform(struct device *cpu, int threads, int64_t count,
                             const struct data *data)
{
    const int64_t useful = count / ELEMENTS_A_THREAD;
    if (useful < threads) threads = useful > 1 ? (int)useful : 1;
    const struct problem problem = {.kind = WEFT_C2C,
                                    .precision = data->precision,
                                    .format = WEFT_PLANAR,
                                    .axes = 1,
                                    .axis[0] = {count, 1, 1},
                                    .scale = {1, 1},
                                    .threads = threads};
    arena *memory = arena_create();
    if (!memory) return error_memory("a plan");
    weft_status status = plan_and_run(cpu, memory, &problem, data);
    arena_destroy(&memory);
    return status;
}

static weft_status transform_anywhere(struct device *device, int threads, int64_t count,
                                      struct data data)
{
    if (count == 1) return WEFT_OK;
    if (device->ops == &cpu_device_ops) return transform(device, threads, count, &data);
    struct device cpu;
    memset(&cpu, 0, sizeof cpu);
    cpu.ops = &cpu_device_ops;
    weft_status status = cpu.ops->open(NULL, &cpu);
    if (status) return status;
    status = transform(&cpu, threads, count, &data);
    cpu.ops->close(&cpu);
    return status;
}

weft_status host_transform(struct device *device, int threads, int64_t count, double *re,
                           double *im, struct spare spare)
{
    return transform_anywhere(device, threads, count, (struct data){WEFT_F64, re, im, spare});
}

weft_status host_transform_extended(struct device *device, int threads, int64_t count,
                                    struct extended *re, struct extended *im)
{
    return transform_anywhere(device, threads, count, (struct data){WEFT_DD, re, im, NO_SPARE});
}

#include "run/spectrum.h"

#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "device/cpu/cpu.h"
#include "math/factor.h"
#include "math/roots.h"
#include "plan/planner.h"
#include "run/runner.h"

/* ---- the sequences ---- */

/* conj(chirp), symmetric around 0, wrapped modulo m, over m (Lloyd 4.3). */
static weft_status bluestein_sequence(const struct program_table *table, double *pairs)
{
    const int64_t n = table->n, m = table->m;
    double *chirp = memory_alloc((size_t)n * 2 * sizeof *chirp);
    if (!chirp || !chirp_fill(n, n, chirp, chirp + n)) {
        memory_free(chirp);
        return error_memory("a chirp");
    }
    memset(pairs, 0, (size_t)m * 2 * sizeof *pairs);
    for (int64_t j = 0; j < n; j++) {
        const int64_t mirror = j == 0 ? 0 : m - j;
        pairs[2 * j] = pairs[2 * mirror] = chirp[j] / (double)m;
        pairs[2 * j + 1] = pairs[2 * mirror + 1] = -chirp[n + j] / (double)m;
    }
    memory_free(chirp);
    return WEFT_OK;
}

/* exp(-2 pi i g^q / n) / (n - 1). */
static weft_status rader_sequence(const struct program_table *table, double *pairs)
{
    const uint64_t n = (uint64_t)table->n;
    const uint64_t root = (uint64_t)primitive_root(table->n);
    struct root_table roots;
    if (!root_table_init(&roots, table->n)) return error_memory("roots of unity");
    uint64_t power = 1;
    for (int64_t q = 0; q < table->m; q++) {
        double re, im;
        root_table_get(&roots, (int64_t)power, &re, &im);
        pairs[2 * q] = re / (double)table->m;
        pairs[2 * q + 1] = im / (double)table->m;
        power = multiply_mod(power, root, n);
    }
    root_table_free(&roots);
    return WEFT_OK;
}

/* ---- their transform ---- */

/* In place. */
static weft_status run_once(struct device *cpu, const struct program *program, double *pairs)
{
    struct executable *executable = NULL;
    struct runner *runner = NULL;
    const struct device_memory place = {.re = pairs};
    weft_status status = executable_create(cpu, program, &executable);
    if (!status) status = runner_create(executable, &runner);
    if (!status) status = runner_run(runner, WEFT_FORWARD, place, place, NULL, NULL);
    runner_destroy(&runner);
    executable_destroy(&executable);
    return status;
}

static weft_status transform_with(struct device *cpu, arena *memory, int64_t m, double *pairs)
{
    const struct problem problem = {.kind = WEFT_C2C,
                                    .precision = WEFT_F64,
                                    .format = WEFT_INTERLEAVED,
                                    .axes = 1,
                                    .axis[0] = {m, 1, 1},
                                    .scale = {1, 1},
                                    .threads = 1};
    const struct plan_node *tree;
    const struct program *program;
    weft_status status = plan_best(memory, &problem, &cpu->limits, &tree);
    if (!status) status = plan_lower(memory, &problem, &cpu->limits, tree, &program);
    return status ? status : run_once(cpu, program, pairs);
}

static weft_status transform(struct device *cpu, int64_t m, double *pairs)
{
    if (m == 1) return WEFT_OK;
    arena *memory = arena_create();
    if (!memory) return error_memory("a plan");
    weft_status status = transform_with(cpu, memory, m, pairs);
    arena_destroy(&memory);
    return status;
}

static weft_status transform_on_cpu(int64_t m, double *pairs)
{
    struct device cpu;
    memset(&cpu, 0, sizeof cpu);
    cpu.ops = &cpu_device_ops;
    weft_status status = cpu.ops->open(NULL, &cpu);
    if (status) return status;
    status = transform(&cpu, m, pairs);
    cpu.ops->close(&cpu);
    return status;
}

weft_status spectrum_fill(struct device *device, const struct program_table *table, double *pairs)
{
    weft_status status = table->kind == TABLE_BLUESTEIN_SPECTRUM ? bluestein_sequence(table, pairs)
                                                                 : rader_sequence(table, pairs);
    if (status) return status;
    if (device->ops == &cpu_device_ops) return transform(device, table->m, pairs);
    return transform_on_cpu(table->m, pairs);
}

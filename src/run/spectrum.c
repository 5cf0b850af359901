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

/* The program's chirp of order n. */
static const double *chirp_of(const struct program *program, int64_t n, void *const *table)
{
    int t = 0;
    while (program->table[t].kind != TABLE_CHIRP || program->table[t].n != n)
        t++;
    return table[t];
}

/* conj(chirp), symmetric around 0, wrapped modulo m, over m (Lloyd 4.3). */
static void wrap(const double *plane, int64_t n, int64_t m, double divisor, double *wrapped)
{
    for (int64_t j = 0; j < n; j++)
        wrapped[j] = plane[j] / divisor;
    for (int64_t j = n; j <= m - n; j++)
        wrapped[j] = 0;
    for (int64_t j = 1; j < n; j++)
        wrapped[m - j] = wrapped[j];
}

/* exp(-2 pi i g^q / n) / (n - 1). */
static weft_status rader_sequence(const struct program_table *table, double *re, double *im)
{
    const struct multiplier next =
        multiplier_of((uint64_t)primitive_root(table->n), (uint64_t)table->n);
    struct root_table roots;
    if (!root_table_init(&roots, table->n)) return error_memory("roots of unity");
    uint64_t power = 1;
    for (int64_t q = 0; q < table->m; q++) {
        root_table_get(&roots, (int64_t)power, &re[q], &im[q]);
        re[q] /= (double)table->m;
        im[q] /= (double)table->m;
        power = multiplier_apply(&next, power);
    }
    root_table_free(&roots);
    return WEFT_OK;
}

/* ---- their transform ---- */

/* In place. */
static weft_status run_on(struct runner *runner, const struct executable *executable, double *re,
                          double *im)
{
    const struct device_memory place = {.re = re, .im = im};
    const size_t bytes = executable_scratch_bytes(executable);
    void *scratch = bytes ? memory_alloc_large(bytes) : NULL;
    weft_status status = bytes && !scratch ? error_memory("scratch") : WEFT_OK;
    if (!status) status = runner_run(runner, WEFT_FORWARD, place, place, scratch, NULL);
    memory_free(scratch);
    return status;
}

static weft_status run_once(struct device *cpu, const struct program *program, double *re,
                            double *im)
{
    struct executable *executable = NULL;
    struct runner *runner = NULL;
    weft_status status = executable_create(cpu, program, &executable);
    if (!status) status = runner_create(executable, &runner);
    if (!status) status = run_on(runner, executable, re, im);
    runner_destroy(&runner);
    executable_destroy(&executable);
    return status;
}

static weft_status transform_with(struct device *cpu, arena *memory, int64_t m, double *re,
                                  double *im)
{
    const struct problem problem = {.kind = WEFT_C2C,
                                    .precision = WEFT_F64,
                                    .format = WEFT_PLANAR,
                                    .axes = 1,
                                    .axis[0] = {m, 1, 1},
                                    .scale = {1, 1},
                                    .threads = 1};
    const struct plan_node *tree;
    const struct program *program;
    weft_status status = plan_best(memory, &problem, &cpu->limits, &tree);
    if (!status) status = plan_lower(memory, &problem, &cpu->limits, tree, &program);
    return status ? status : run_once(cpu, program, re, im);
}

static weft_status transform(struct device *cpu, int64_t m, double *re, double *im)
{
    if (m == 1) return WEFT_OK;
    arena *memory = arena_create();
    if (!memory) return error_memory("a plan");
    weft_status status = transform_with(cpu, memory, m, re, im);
    arena_destroy(&memory);
    return status;
}

static weft_status transform_on_cpu(int64_t m, double *re, double *im)
{
    struct device cpu;
    memset(&cpu, 0, sizeof cpu);
    cpu.ops = &cpu_device_ops;
    weft_status status = cpu.ops->open(NULL, &cpu);
    if (status) return status;
    status = transform(&cpu, m, re, im);
    cpu.ops->close(&cpu);
    return status;
}

static weft_status fill_sequence(const struct program *program, const struct program_table *t,
                                 void *const *table, double *re, double *im)
{
    if (t->kind == TABLE_RADER_SPECTRUM) return rader_sequence(t, re, im);
    const double *chirp = chirp_of(program, t->n, table);
    wrap(chirp, t->n, t->m, (double)t->m, re);
    wrap(chirp + t->n, t->n, t->m, -(double)t->m, im);
    return WEFT_OK;
}

weft_status spectrum_fill(struct device *device, const struct program *program, int index,
                          void *const *table)
{
    const struct program_table *t = &program->table[index];
    double *re = table[index], *im = re + t->m;
    weft_status status = fill_sequence(program, t, table, re, im);
    if (status) return status;
    if (device->ops == &cpu_device_ops) return transform(device, t->m, re, im);
    return transform_on_cpu(t->m, re, im);
}

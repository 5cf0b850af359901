#include "run/tables.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/roots.h"
#include "run/spectrum.h"

/* ---- in double precision at least, but for what is single at once ---- */

static bool fill_chirp(const struct program *program, const struct program_table *t, void *table)
{
    double *re = table;
    struct extended *extended = table;
    switch (program->problem.precision) {
    case WEFT_F32:
        return chirp_fill_near(t->n, t->m, re, re + t->m);
    case WEFT_DD:
        return chirp_fill_extended(t->n, t->m, extended, extended + t->m);
    default:
        return chirp_fill(t->n, t->m, re, re + t->m);
    }
}

static size_t real_bytes(const struct program *program, int index)
{
    if (program->problem.precision == WEFT_DD) return sizeof(struct extended);
    return spectrum_is_single(program, index) ? sizeof(float) : sizeof(double);
}

static weft_status make(struct device *device, const struct program *program, int index,
                        void **table)
{
    const struct program_table *t = &program->table[index];
    table[index] = memory_alloc_large((size_t)t->m * 2 * real_bytes(program, index));
    if (!table[index]) return error_memory("a table");
    if (t->kind == TABLE_CHIRP)
        return fill_chirp(program, t, table[index]) ? WEFT_OK : error_memory("a chirp");
    return spectrum_fill(device, program, index, table);
}

static weft_status narrow(void **table, int64_t reals)
{
    const double *from = *table;
    float *to = memory_alloc_large((size_t)reals * sizeof *to);
    if (!to) return error_memory("a table");
    for (int64_t i = 0; i < reals; i++)
        to[i] = (float)from[i];
    memory_free(*table);
    *table = to;
    return WEFT_OK;
}

/* ---- the interface ---- */

/* In the order of the program: a spectrum's chirp stands before it. */
weft_status run_tables_make(struct device *device, const struct program *program, void **table)
{
    weft_status status = WEFT_OK;
    for (int t = 0; t < program->tables && !status; t++)
        status = make(device, program, t, table);
    if (program->problem.precision != WEFT_F32) return status;
    for (int t = 0; t < program->tables && !status; t++) {
        if (spectrum_is_single(program, t)) continue;
        status = narrow(&table[t], 2 * program->table[t].m);
    }
    return status;
}

void run_tables_free(const struct program *program, void **table)
{
    for (int t = 0; t < program->tables; t++) {
        memory_free(table[t]);
        table[t] = NULL;
    }
}

size_t run_tables_bytes(const struct program *program)
{
    size_t reals = 0;
    for (int t = 0; t < program->tables; t++)
        reals += 2 * (size_t)program->table[t].m;
    return reals * (size_t)precision_bytes(program->problem.precision);
}

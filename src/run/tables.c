#include "run/tables.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/roots.h"
#include "run/spectrum.h"

static weft_status fill(struct device *device, const struct program *program, int index,
                        void *const *table)
{
    const struct program_table *t = &program->table[index];
    if (t->kind != TABLE_CHIRP) return spectrum_fill(device, program, index, table);
    double *re = table[index];
    return chirp_fill(t->n, t->m, re, re + t->m) ? WEFT_OK : error_memory("a chirp");
}

/* In the order of the program: a spectrum's chirp stands before it. */
static weft_status make_doubles(struct device *device, const struct program *program, void **table)
{
    for (int t = 0; t < program->tables; t++) {
        table[t] = memory_alloc_large((size_t)program->table[t].m * 2 * sizeof(double));
        if (!table[t]) return error_memory("a table");
        weft_status status = fill(device, program, t, table);
        if (status) return status;
    }
    return WEFT_OK;
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

weft_status run_tables_make(struct device *device, const struct program *program, void **table)
{
    weft_status status = make_doubles(device, program, table);
    if (program->problem.precision == WEFT_F64) return status;
    for (int t = 0; t < program->tables && !status; t++)
        status = narrow(&table[t], 2 * program->table[t].m);
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

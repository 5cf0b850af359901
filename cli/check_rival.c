/* Another library's result on the same data. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "samples.h"

/* In arrays of its own: planning overwrites both, and executing what it reads of some kinds. */
static const char *run_all(const struct rival *rival, void *plan, const struct rival_problem *own,
                           const struct check_case *current, int64_t repeats, const void *in,
                           void *out)
{
    const size_t in_bytes = check_side_bytes(current, false),
                 out_bytes = check_side_bytes(current, true);
    for (int64_t i = 0; i < repeats; i++) {
        memcpy(own->in, (const char *)in + (size_t)i * in_bytes, in_bytes);
        if (!rival->execute(plan, 1)) return "the rival failed";
        memcpy((char *)out + (size_t)i * out_bytes, own->out, out_bytes);
    }
    return NULL;
}

static bool has(const struct rival *rival, const struct check_case *current, int threads)
{
    return (current->precision == WEFT_F32 || current->precision == WEFT_F64) &&
           current->direction == rival_direction(current->dims->kind) &&
           rival_has(rival, current->dims->kind, threads);
}

bool check_run_rival(const struct rival *rival, const struct check_case *current, int threads,
                     int64_t repeats, const void *in, void *out, const char **problem)
{
    if (!has(rival, current, threads)) return false;
    struct rival_problem own = {.dims = *current->dims,
                                .precision = current->precision,
                                .threads = threads,
                                .in = samples_create(check_side_bytes(current, false)),
                                .out = samples_create(check_side_bytes(current, true))};
    void *plan = own.in && own.out ? rival->plan(&own) : NULL;
    if (plan) *problem = run_all(rival, plan, &own, current, repeats, in, out);
    if (plan) rival->destroy(plan);
    free(own.in);
    free(own.out);
    return plan && !*problem;
}

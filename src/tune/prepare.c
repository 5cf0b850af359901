#include "tune/prepare.h"

#include "base/error.h"
#include "base/memory.h"
#include "plan/planner.h"

static weft_status measure_and_keep(arena *a, struct device *device, struct wisdom *wisdom,
                                    const struct problem *problem,
                                    const struct measure_layout *layout,
                                    struct measured *measured, bool *kept)
{
    weft_status status = measure_best(a, device, problem, layout, measured);
    if (!status) *kept = wisdom_keep(wisdom, problem, measured->best);
    return status;
}

weft_status tune(struct device *device, struct wisdom *wisdom, const struct problem *problem,
                 const struct measure_layout *layout, struct measured *measured, bool *kept)
{
    arena *a = arena_create();
    if (!a) return error_memory("a plan");
    weft_status status = measure_and_keep(a, device, wisdom, problem, layout, measured, kept);
    arena_destroy(&a);
    if (!status) measured->best = NULL; /* went with the arena */
    return status;
}

/* By measuring if that is wanted, else by the model. */
static weft_status choose(arena *a, struct device *device, struct wisdom *wisdom,
                          const struct plan_key *key, const struct measure_layout *layout,
                          const struct plan_node **tree)
{
    const struct problem *problem = &key->problem;
    if (key->effort != WEFT_MEASURE || problem_elements(problem) == 0)
        return plan_best(a, problem, device_limits(device, problem->precision), tree);
    struct measured measured;
    bool kept;
    weft_status status =
        measure_and_keep(a, device, wisdom, problem, layout, &measured, &kept);
    if (!status) *tree = measured.best;
    return status;
}

static weft_status make_ready(struct prepared *p, struct device *device,
                              const struct plan_node *tree)
{
    const struct problem *problem = &p->key.problem;
    const struct limits *limits = device_limits(device, problem->precision);
    weft_status status = plan_lower(p->arena, problem, limits, tree, &p->program);
    if (!status) status = executable_create(device, p->program, &p->executable);
    if (!status) executable_shortcut(p->executable, &p->shortcut);
    return status;
}

/* A plan from elsewhere may be one that the device refuses: then it is as if none were known. */
static weft_status fill(struct prepared *p, struct device *device, struct wisdom *wisdom,
                        const struct measure_layout *layout)
{
    p->arena = arena_create();
    if (!p->arena) return error_memory("a plan");
    const struct plan_node *tree = wisdom_find(wisdom, &p->key.problem, p->arena);
    weft_status status = tree ? make_ready(p, device, tree) : WEFT_ERROR_UNSUPPORTED;
    if (status != WEFT_ERROR_UNSUPPORTED) return status;
    status = choose(p->arena, device, wisdom, &p->key, layout, &tree);
    return status ? status : make_ready(p, device, tree);
}

weft_status prepare(struct device *device, struct wisdom *wisdom, const struct plan_key *key,
                    const struct measure_layout *layout, struct prepared **made)
{
    struct prepared *p = memory_alloc_zeroed(sizeof *p);
    if (!p) return error_memory("a plan");
    p->key = *key;
    weft_status status = fill(p, device, wisdom, layout);
    if (status)
        prepared_free(p);
    else
        *made = p;
    return status;
}

/* MKL, Intel's library, by its DFTI interface. Its headers are not used; the declarations below are
 * those of its manual. It is looked for where the variable WEFT_MKL says (the file libmkl_rt.so)
 * and where the loader looks. */
#include "rival.h"

#include <stdlib.h>

#include "shared_library.h"

/* MKL_INT64 on Linux: what MKL_LONG is. */
typedef long mkl_long;

/* DFTI_CONFIG_PARAM and DFTI_CONFIG_VALUE */
enum {
    NUMBER_OF_TRANSFORMS = 7,
    CONJUGATE_EVEN_STORAGE = 10,
    PLACEMENT = 11,
    THREAD_LIMIT = 27,
    FORWARD_DISTANCE = 58,
    BACKWARD_DISTANCE = 59,
    FORWARD_STRIDES = 60,
    BACKWARD_STRIDES = 61,
    COMPLEX = 32,
    REAL = 33,
    SINGLE = 35,
    DOUBLE = 36,
    COMPLEX_COMPLEX = 39,
    NOT_IN_PLACE = 44
};

/* mkl_set_threading_layer: no threads, or GNU's OpenMP, which Debian has. */
enum { LAYER_SEQUENTIAL = 1, LAYER_GNU = 3 };

static struct {
    mkl_long (*create)(void **handle, int precision, int domain, mkl_long rank, ...);
    mkl_long (*set)(void *handle, int parameter, ...);
    mkl_long (*commit)(void *handle);
    mkl_long (*forward)(void *handle, void *in, ...);
    mkl_long (*backward)(void *handle, void *in, ...);
    mkl_long (*free)(void **handle);
    int (*set_layer)(int layer);
    void (*set_threads)(int threads);
} mkl;

static const struct library_entry entries[] = {
    {"DftiCreateDescriptor", &mkl.create},       {"DftiSetValue", &mkl.set},
    {"DftiCommitDescriptor", &mkl.commit},       {"DftiComputeForward", &mkl.forward},
    {"DftiComputeBackward", &mkl.backward},      {"DftiFreeDescriptor", &mkl.free},
    {"MKL_Set_Threading_Layer", &mkl.set_layer}, {"MKL_Set_Num_Threads", &mkl.set_threads},
};

static const char *const names[] = {"libmkl_rt.so.3", "libmkl_rt.so.2", "libmkl_rt.so"};
static const char *const openmp_names[] = {"libgomp.so.1"};

struct mkl_rival_plan {
    void *handle;
    void *in, *out;
    bool backward;
};

static const char *mkl_open(int threads)
{
    void *library = library_open("WEFT_MKL", names, sizeof names / sizeof *names);
    if (!library)
        return "MKL is not installed: libmkl_rt.so is needed (pip install mkl), or WEFT_MKL to "
               "name it";
    if (!library_find(library, entries, sizeof entries / sizeof *entries)) return "MKL is too old";
    if (threads > 1 && !library_open(NULL, openmp_names, 1))
        return "MKL has no threads here: libgomp.so.1 is needed (Debian: libgomp1)";
    mkl.set_layer(threads > 1 ? LAYER_GNU : LAYER_SEQUENTIAL);
    mkl.set_threads(threads);
    return NULL;
}

static bool create(const struct rival_problem *problem, void **handle)
{
    const struct size_case *dims = &problem->dims;
    const int precision = problem->precision == WEFT_F64 ? DOUBLE : SINGLE;
    const int domain = dims->kind == WEFT_C2C ? COMPLEX : REAL;
    mkl_long sizes[WEFT_MAX_RANK];
    for (int i = 0; i < dims->rank; i++)
        sizes[i] = (mkl_long)dims->size[i];
    if (dims->rank == 1) return mkl.create(handle, precision, domain, 1L, sizes[0]) == 0;
    return mkl.create(handle, precision, domain, (mkl_long)dims->rank, sizes) == 0;
}

/* Strides of a side as MKL takes them: an offset, and one for each axis. */
static bool set_side(void *handle, const struct size_case *dims, const struct size_side *side,
                     int strides_parameter, int distance_parameter)
{
    mkl_long strides[WEFT_MAX_RANK + 1] = {0};
    for (int i = 0; i < dims->rank; i++)
        strides[i + 1] = (mkl_long)side->stride[i];
    return (dims->rank == 1 || mkl.set(handle, strides_parameter, strides) == 0) &&
           mkl.set(handle, distance_parameter, (mkl_long)side->distance) == 0;
}

static bool describe(void *handle, const struct rival_problem *problem)
{
    const struct size_case *dims = &problem->dims;
    const bool in_place = problem->in == problem->out, backward = dims->kind == WEFT_C2R;
    const struct size_side in = size_case_side(dims, false, in_place);
    const struct size_side out = size_case_side(dims, true, in_place);
    if (!set_side(handle, dims, backward ? &out : &in, FORWARD_STRIDES, FORWARD_DISTANCE) ||
        !set_side(handle, dims, backward ? &in : &out, BACKWARD_STRIDES, BACKWARD_DISTANCE))
        return false;
    if (dims->kind != WEFT_C2C && mkl.set(handle, CONJUGATE_EVEN_STORAGE, COMPLEX_COMPLEX) != 0)
        return false;
    if (!in_place && mkl.set(handle, PLACEMENT, NOT_IN_PLACE) != 0) return false;
    return mkl.set(handle, NUMBER_OF_TRANSFORMS, (mkl_long)dims->batch) == 0 &&
           mkl.set(handle, THREAD_LIMIT, (mkl_long)problem->threads) == 0 &&
           mkl.commit(handle) == 0;
}

static void *mkl_plan(const struct rival_problem *problem)
{
    struct mkl_rival_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return NULL;
    plan->in = problem->in;
    plan->out = problem->out;
    plan->backward = problem->dims.kind == WEFT_C2R;
    const bool created = create(problem, &plan->handle);
    if (created && describe(plan->handle, problem)) return plan;
    if (created) mkl.free(&plan->handle);
    free(plan);
    return NULL;
}

static bool mkl_execute(void *handle, int64_t repeats)
{
    const struct mkl_rival_plan plan = *(const struct mkl_rival_plan *)handle;
    mkl_long (*const execute)(void *handle, void *in, ...) =
        plan.backward ? mkl.backward : mkl.forward;
    mkl_long status = 0;
    for (int64_t i = 0; i < repeats && status == 0; i++)
        status = execute(plan.handle, plan.in, plan.out);
    return status == 0;
}

static void mkl_destroy(void *handle)
{
    struct mkl_rival_plan *plan = handle;
    mkl.free(&plan->handle);
    free(plan);
}

const struct rival rival_mkl = {
    .name = "mkl",
    .title = "MKL",
    .place = &place_host,
    .kinds = RIVAL_COMPLEX | RIVAL_HALF_COMPLEX,
    .open = mkl_open,
    .plan = mkl_plan,
    .execute = mkl_execute,
    .destroy = mkl_destroy,
};

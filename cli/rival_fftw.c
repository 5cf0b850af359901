/* FFTW 3: M. Frigo, S. Johnson, "The design and implementation of FFTW3" (2005), planned by
 * FFTW_MEASURE. Its header is not used; the declarations below are those of its manual. */
#include "rival.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FFTW_FORWARD = -1, FFTW_MEASURE = 0 };

/* fftw_iodim64 */
struct fftw_axis {
    ptrdiff_t n;
    ptrdiff_t in_stride;
    ptrdiff_t out_stride;
};

typedef void *fftw_plan_function(int rank, const struct fftw_axis *axes, int batch_rank,
                                 const struct fftw_axis *batch, void *in, void *out, int sign,
                                 unsigned flags);
typedef void fftw_use_plan_function(void *plan);
typedef void fftw_plain_function(void);
typedef int fftw_init_threads_function(void);
typedef void fftw_set_threads_function(int threads);

/* The functions of one precision. */
struct fftw_library {
    fftw_plan_function *plan;
    fftw_use_plan_function *execute;
    fftw_use_plan_function *destroy;
    fftw_plain_function *forget_wisdom;
    fftw_init_threads_function *init_threads; /* these two only if threads are wanted */
    fftw_set_threads_function *plan_with_threads;
};

struct fftw_names {
    const char *library, *threads_library;
    const char *plan, *execute, *destroy, *forget_wisdom, *init_threads, *plan_with_threads;
};

static const struct fftw_names names[] = {
    [WEFT_F32] = {"libfftw3f.so.3", "libfftw3f_threads.so.3", "fftwf_plan_guru64_dft",
                  "fftwf_execute", "fftwf_destroy_plan", "fftwf_forget_wisdom",
                  "fftwf_init_threads", "fftwf_plan_with_nthreads"},
    [WEFT_F64] = {"libfftw3.so.3", "libfftw3_threads.so.3", "fftw_plan_guru64_dft", "fftw_execute",
                  "fftw_destroy_plan", "fftw_forget_wisdom", "fftw_init_threads",
                  "fftw_plan_with_nthreads"},
};

/* Opened once and kept until the process ends. */
static struct fftw_library libraries[2];

struct fftw_rival_plan {
    const struct fftw_library *library;
    void *plan;
};

/* Sets *function, a pointer to a function, which ISO C cannot convert from what dlsym returns. */
static bool find_function(void *library, const char *name, void *function)
{
    void *symbol = dlsym(library, name);
    memcpy(function, &symbol, sizeof symbol);
    return symbol != NULL;
}

static bool open_precision(weft_precision precision)
{
    const struct fftw_names *name = &names[precision];
    struct fftw_library *library = &libraries[precision];
    void *handle = dlopen(name->library, RTLD_NOW | RTLD_GLOBAL);
    return handle && find_function(handle, name->plan, &library->plan) &&
           find_function(handle, name->execute, &library->execute) &&
           find_function(handle, name->destroy, &library->destroy) &&
           find_function(handle, name->forget_wisdom, &library->forget_wisdom);
}

static bool open_threads(weft_precision precision, int threads)
{
    const struct fftw_names *name = &names[precision];
    struct fftw_library *library = &libraries[precision];
    void *handle = dlopen(name->threads_library, RTLD_NOW);
    if (!handle || !find_function(handle, name->init_threads, &library->init_threads) ||
        !find_function(handle, name->plan_with_threads, &library->plan_with_threads))
        return false;
    if (!library->init_threads()) return false;
    library->plan_with_threads(threads);
    return true;
}

static const char *fftw_open(int threads)
{
    if (!open_precision(WEFT_F32) || !open_precision(WEFT_F64))
        return "FFTW is not installed: libfftw3.so.3 and libfftw3f.so.3 are needed (Debian: "
               "libfftw3-double3 libfftw3-single3)";
    if (threads > 1 && (!open_threads(WEFT_F32, threads) || !open_threads(WEFT_F64, threads)))
        return "FFTW has no threads here: libfftw3_threads.so.3 and libfftw3f_threads.so.3 are "
               "needed";
    return NULL;
}

/* Wisdom is forgotten first: what was measured for an earlier case would make the planning time
 * depend on the order of the cases. */
static void *fftw_plan(const struct rival_problem *problem)
{
    const struct size_case *dims = &problem->dims;
    const struct fftw_library *library = &libraries[problem->precision];
    struct fftw_axis axes[WEFT_MAX_RANK];
    ptrdiff_t stride = 1;
    for (int i = dims->rank - 1; i >= 0; i--) {
        axes[i] = (struct fftw_axis){(ptrdiff_t)dims->size[i], stride, stride};
        stride *= axes[i].n;
    }
    struct fftw_axis batch = {(ptrdiff_t)dims->batch, stride, stride};
    struct fftw_rival_plan *plan = malloc(sizeof *plan);
    if (!plan) return NULL;
    library->forget_wisdom();
    plan->library = library;
    plan->plan = library->plan(dims->rank, axes, 1, &batch, problem->in, problem->out, FFTW_FORWARD,
                               FFTW_MEASURE);
    if (plan->plan) return plan;
    free(plan);
    return NULL;
}

static bool fftw_execute(void *handle)
{
    struct fftw_rival_plan *plan = handle;
    plan->library->execute(plan->plan);
    return true;
}

static void fftw_destroy(void *handle)
{
    struct fftw_rival_plan *plan = handle;
    plan->library->destroy(plan->plan);
    free(plan);
}

const struct rival rival_fftw = {
    .name = "fftw",
    .title = "FFTW",
    .place = &place_host,
    .open = fftw_open,
    .plan = fftw_plan,
    .execute = fftw_execute,
    .destroy = fftw_destroy,
};

/* FFTW 3: M. Frigo, S. Johnson, "The design and implementation of FFTW3" (2005), planned by
 * FFTW_MEASURE. Its header is not used; the declarations below are those of its manual. */
#include "rival.h"

#include <stddef.h>
#include <stdlib.h>

#include "shared_library.h"

enum { FFTW_FORWARD = -1, FFTW_MEASURE = 0 };

/* fftw_iodim64 */
struct fftw_axis {
    ptrdiff_t n;
    ptrdiff_t in_stride;
    ptrdiff_t out_stride;
};

/* The functions of one precision. */
struct fftw_library {
    void *(*plan)(int rank, const struct fftw_axis *axes, int batch_rank,
                  const struct fftw_axis *batch, void *in, void *out, int sign, unsigned flags);
    void (*execute)(void *plan);
    void (*destroy)(void *plan);
    void (*forget_wisdom)(void);
    int (*init_threads)(void); /* these two only if threads are wanted */
    void (*plan_with_threads)(int threads);
};

/* Opened once and kept until the process ends. */
static struct fftw_library libraries[2];

/* Of one precision: the libraries, and what they have. */
struct fftw_names {
    const char *library, *threads_library;
    struct library_entry entries[4], threads_entries[2];
};

#define FFTW_NAMES(letter, functions)                                                              \
    {                                                                                              \
        "libfftw3" letter ".so.3", "libfftw3" letter "_threads.so.3",                              \
            {                                                                                      \
                {"fftw" letter "_plan_guru64_dft", &(functions).plan},                             \
                {"fftw" letter "_execute", &(functions).execute},                                  \
                {"fftw" letter "_destroy_plan", &(functions).destroy},                             \
                {"fftw" letter "_forget_wisdom", &(functions).forget_wisdom},                      \
            },                                                                                     \
        {                                                                                          \
            {"fftw" letter "_init_threads", &(functions).init_threads},                            \
                {"fftw" letter "_plan_with_nthreads", &(functions).plan_with_threads},             \
        }                                                                                          \
    }

static const struct fftw_names names[] = {
    [WEFT_F32] = FFTW_NAMES("f", libraries[WEFT_F32]),
    [WEFT_F64] = FFTW_NAMES("", libraries[WEFT_F64]),
};

struct fftw_rival_plan {
    const struct fftw_library *library;
    void *plan;
};

static bool open_precision(weft_precision precision)
{
    const struct fftw_names *name = &names[precision];
    void *library = library_open(NULL, &name->library, 1);
    return library &&
           library_find(library, name->entries, sizeof name->entries / sizeof name->entries[0]);
}

static bool open_threads(weft_precision precision, int threads)
{
    const struct fftw_names *name = &names[precision];
    void *library = library_open(NULL, &name->threads_library, 1);
    if (!library || !library_find(library, name->threads_entries, 2)) return false;
    if (!libraries[precision].init_threads()) return false;
    libraries[precision].plan_with_threads(threads);
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

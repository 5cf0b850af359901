/* FFTW 3: M. Frigo, S. Johnson, "The design and implementation of FFTW3" (2005), planned by
 * FFTW_MEASURE. Its header is not used; the declarations below are those of its manual. */
#include "rival.h"

#include <stddef.h>
#include <stdlib.h>

#include "shared_library.h"

enum { FFTW_FORWARD = -1, FFTW_MEASURE = 0 };

/* fftw_r2r_kind */
static const int real_kinds[] = {
    [WEFT_DCT1] = 3, [WEFT_DCT2] = 5, [WEFT_DCT3] = 4,  [WEFT_DCT4] = 6, [WEFT_DST1] = 7,
    [WEFT_DST2] = 9, [WEFT_DST3] = 8, [WEFT_DST4] = 10, [WEFT_DHT] = 2,
};

/* fftw_iodim64 */
struct fftw_axis {
    ptrdiff_t n;
    ptrdiff_t in_stride;
    ptrdiff_t out_stride;
};

/* The functions of one precision. */
struct fftw_library {
    void *(*plan_complex)(int rank, const struct fftw_axis *axes, int batch_rank,
                          const struct fftw_axis *batch, void *in, void *out, int sign,
                          unsigned flags);
    void *(*plan_r2c)(int rank, const struct fftw_axis *axes, int batch_rank,
                      const struct fftw_axis *batch, void *in, void *out, unsigned flags);
    void *(*plan_c2r)(int rank, const struct fftw_axis *axes, int batch_rank,
                      const struct fftw_axis *batch, void *in, void *out, unsigned flags);
    void *(*plan_real)(int rank, const struct fftw_axis *axes, int batch_rank,
                       const struct fftw_axis *batch, void *in, void *out, const int *kinds,
                       unsigned flags);
    void (*execute)(void *plan);
    void (*destroy)(void *plan);
    void (*forget_wisdom)(void);
    int (*init_threads)(void); /* these two only if threads are wanted */
    void (*plan_with_threads)(int threads);
};

/* Opened once and kept until the process ends. */
static struct fftw_library libraries[2];
static bool has_threads;

/* Of one precision: the libraries, and what they have. */
struct fftw_names {
    const char *library, *threads_library;
    struct library_entry entries[7], threads_entries[2];
};

#define FFTW_NAMES(letter, functions)                                                              \
    {                                                                                              \
        "libfftw3" letter ".so.3", "libfftw3" letter "_threads.so.3",                              \
            {                                                                                      \
                {"fftw" letter "_plan_guru64_dft", &(functions).plan_complex},                     \
                {"fftw" letter "_plan_guru64_dft_r2c", &(functions).plan_r2c},                     \
                {"fftw" letter "_plan_guru64_dft_c2r", &(functions).plan_c2r},                     \
                {"fftw" letter "_plan_guru64_r2r", &(functions).plan_real},                        \
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

static bool open_threads(weft_precision precision)
{
    const struct fftw_names *name = &names[precision];
    void *library = library_open(NULL, &name->threads_library, 1);
    if (!library || !library_find(library, name->threads_entries, 2)) return false;
    return libraries[precision].init_threads() != 0;
}

static const char *fftw_open(int threads)
{
    if (!open_precision(WEFT_F32) || !open_precision(WEFT_F64))
        return "FFTW is not installed: libfftw3.so.3 and libfftw3f.so.3 are needed (Debian: "
               "libfftw3-double3 libfftw3-single3)";
    has_threads = threads > 1;
    if (has_threads && (!open_threads(WEFT_F32) || !open_threads(WEFT_F64)))
        return "FFTW has no threads here: libfftw3_threads.so.3 and libfftw3f_threads.so.3 are "
               "needed";
    return NULL;
}

static void *make(const struct fftw_library *library, const struct rival_problem *problem,
                  const struct fftw_axis *axes, const struct fftw_axis *batch)
{
    const weft_kind kind = problem->dims.kind;
    const int rank = problem->dims.rank;
    void *in = problem->in, *out = problem->out;
    int kinds[WEFT_MAX_RANK];
    if (kind == WEFT_C2C)
        return library->plan_complex(rank, axes, 1, batch, in, out, FFTW_FORWARD, FFTW_MEASURE);
    if (kind == WEFT_R2C) return library->plan_r2c(rank, axes, 1, batch, in, out, FFTW_MEASURE);
    if (kind == WEFT_C2R) return library->plan_c2r(rank, axes, 1, batch, in, out, FFTW_MEASURE);
    for (int i = 0; i < rank; i++)
        kinds[i] = real_kinds[size_case_kind(&problem->dims, i)];
    return library->plan_real(rank, axes, 1, batch, in, out, kinds, FFTW_MEASURE);
}

/* Wisdom is forgotten first: what was measured for an earlier case would make the planning time
 * depend on the order of the cases. */
static void *fftw_plan(const struct rival_problem *problem)
{
    const struct size_case *dims = &problem->dims;
    const struct fftw_library *library = &libraries[problem->precision];
    const bool in_place = problem->in == problem->out;
    const struct size_side in = size_case_side(dims, false, in_place);
    const struct size_side out = size_case_side(dims, true, in_place);
    struct fftw_axis axes[WEFT_MAX_RANK];
    for (int i = 0; i < dims->rank; i++)
        axes[i] = (struct fftw_axis){dims->size[i], in.stride[i], out.stride[i]};
    const struct fftw_axis batch = {dims->batch, in.distance, out.distance};
    struct fftw_rival_plan *plan = malloc(sizeof *plan);
    if (!plan) return NULL;
    library->forget_wisdom();
    if (has_threads) library->plan_with_threads(problem->threads);
    plan->library = library;
    plan->plan = make(library, problem, axes, &batch);
    if (plan->plan) return plan;
    free(plan);
    return NULL;
}

static bool fftw_execute(void *handle, int64_t repeats)
{
    const struct fftw_rival_plan *plan = handle;
    void (*const execute)(void *plan) = plan->library->execute;
    void *const made = plan->plan;
    for (int64_t i = 0; i < repeats; i++)
        execute(made);
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
    .kinds = RIVAL_COMPLEX | RIVAL_HALF_COMPLEX | RIVAL_COSINES | RIVAL_SINES | RIVAL_HARTLEY,
    .open = fftw_open,
    .plan = fftw_plan,
    .execute = fftw_execute,
    .destroy = fftw_destroy,
};

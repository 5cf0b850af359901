/* cuFFT, NVIDIA's library. Its header is not used; the declarations below are those of its manual.
 * It is looked for where the variable WEFT_CUFFT says (a file) and where the loader looks. */
#include "rival.h"

#include <stdint.h>
#include <stdlib.h>

#include "shared_library.h"

enum { CUFFT_FORWARD = -1 };

/* cufftType, by kind and precision */
static const int types[][2] = {
    [WEFT_C2C] = {0x29, 0x69}, [WEFT_R2C] = {0x2a, 0x6a}, [WEFT_C2R] = {0x2c, 0x6c}};

enum { MOST_AXES = 3 };

static struct {
    int (*create)(int *plan);
    int (*make)(int plan, int rank, long long *n, long long *in_embed, long long in_stride,
                long long in_distance, long long *out_embed, long long out_stride,
                long long out_distance, int type, long long batch, size_t *work_bytes);
    int (*set_stream)(int plan, void *stream);
    int (*execute_complex[2])(int plan, void *in, void *out, int direction); /* by precision */
    int (*execute_r2c[2])(int plan, void *in, void *out);
    int (*execute_c2r[2])(int plan, void *in, void *out);
    int (*destroy)(int plan);
} cufft;

static const struct library_entry entries[] = {
    {"cufftCreate", &cufft.create},
    {"cufftMakePlanMany64", &cufft.make},
    {"cufftSetStream", &cufft.set_stream},
    {"cufftExecC2C", &cufft.execute_complex[WEFT_F32]},
    {"cufftExecZ2Z", &cufft.execute_complex[WEFT_F64]},
    {"cufftExecR2C", &cufft.execute_r2c[WEFT_F32]},
    {"cufftExecD2Z", &cufft.execute_r2c[WEFT_F64]},
    {"cufftExecC2R", &cufft.execute_c2r[WEFT_F32]},
    {"cufftExecZ2D", &cufft.execute_c2r[WEFT_F64]},
    {"cufftDestroy", &cufft.destroy},
};

static const char *const names[] = {"libcufft.so.12", "libcufft.so.11", "libcufft.so",
                                    "/usr/local/cuda/lib64/libcufft.so"};

struct cufft_rival_plan {
    int handle;
    weft_kind kind;
    weft_precision precision;
    void *in, *out;
    size_t work_bytes;
};

static const char *cufft_open(int threads)
{
    (void)threads;
    void *library = library_open("WEFT_CUFFT", names, sizeof names / sizeof *names);
    if (!library) return "cuFFT is not installed: libcufft.so is needed, or WEFT_CUFFT to name it";
    return library_find(library, entries, sizeof entries / sizeof *entries) ? NULL
                                                                            : "cuFFT is too old";
}

/* The extents that a side has in memory. */
static void embed(const struct size_case *dims, const struct size_side *side, long long *extent)
{
    for (int i = 0; i < dims->rank; i++)
        extent[i] =
            i > 0 ? side->stride[i - 1] / side->stride[i] : side->distance / side->stride[0];
}

static bool make(struct cufft_rival_plan *plan, const struct rival_problem *problem)
{
    const struct size_case *dims = &problem->dims;
    const bool in_place = problem->in == problem->out;
    const struct size_side in = size_case_side(dims, false, in_place);
    const struct size_side out = size_case_side(dims, true, in_place);
    long long n[MOST_AXES], in_extent[MOST_AXES], out_extent[MOST_AXES];
    if (dims->rank > MOST_AXES) return false;
    for (int i = 0; i < dims->rank; i++)
        n[i] = dims->size[i];
    embed(dims, &in, in_extent);
    embed(dims, &out, out_extent);
    return cufft.make(plan->handle, dims->rank, n, in_extent, 1, in.distance, out_extent, 1,
                      out.distance, types[plan->kind][plan->precision], dims->batch,
                      &plan->work_bytes) == 0 &&
           cufft.set_stream(plan->handle, problem->queue) == 0;
}

static void *cufft_plan(const struct rival_problem *problem)
{
    struct cufft_rival_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return NULL;
    plan->kind = problem->dims.kind;
    plan->precision = problem->precision;
    plan->in = problem->in;
    plan->out = problem->out;
    if (cufft.create(&plan->handle) != 0) {
        free(plan);
        return NULL;
    }
    if (make(plan, problem)) return plan;
    cufft.destroy(plan->handle);
    free(plan);
    return NULL;
}

static bool execute_once(const struct cufft_rival_plan *plan)
{
    if (plan->kind == WEFT_C2C)
        return cufft.execute_complex[plan->precision](plan->handle, plan->in, plan->out,
                                                      CUFFT_FORWARD) == 0;
    return (plan->kind == WEFT_R2C ? cufft.execute_r2c : cufft.execute_c2r)[plan->precision](
               plan->handle, plan->in, plan->out) == 0;
}

static bool cufft_execute(void *handle, int64_t repeats)
{
    bool done = true;
    for (int64_t i = 0; i < repeats && done; i++)
        done = execute_once(handle);
    return done;
}

static void cufft_destroy(void *handle)
{
    struct cufft_rival_plan *plan = handle;
    cufft.destroy(plan->handle);
    free(plan);
}

static double cufft_work_bytes(const void *handle)
{
    const struct cufft_rival_plan *plan = handle;
    return (double)plan->work_bytes;
}

const struct rival rival_cufft = {
    .name = "cufft",
    .title = "cuFFT",
    .place = &place_cuda,
    .kinds = RIVAL_COMPLEX | RIVAL_HALF_COMPLEX,
    .open = cufft_open,
    .plan = cufft_plan,
    .execute = cufft_execute,
    .destroy = cufft_destroy,
    .work_bytes = cufft_work_bytes,
};

/* cuFFT, NVIDIA's library. Its header is not used; the declarations below are those of its manual.
 * It is looked for where the variable WEFT_CUFFT says (a file) and where the loader looks. */
#include "rival.h"

#include <stdint.h>
#include <stdlib.h>

#include "shared_library.h"

enum { CUFFT_FORWARD = -1, CUFFT_C2C = 0x29, CUFFT_Z2Z = 0x69 };
enum { MOST_AXES = 3 };

static struct {
    int (*create)(int *plan);
    int (*make)(int plan, int rank, long long *n, long long *in_embed, long long in_stride,
                long long in_distance, long long *out_embed, long long out_stride,
                long long out_distance, int type, long long batch, size_t *work_bytes);
    int (*set_stream)(int plan, void *stream);
    int (*execute_single)(int plan, void *in, void *out, int direction);
    int (*execute_double)(int plan, void *in, void *out, int direction);
    int (*destroy)(int plan);
} cufft;

static const struct library_entry entries[] = {
    {"cufftCreate", &cufft.create},          {"cufftMakePlanMany64", &cufft.make},
    {"cufftSetStream", &cufft.set_stream},   {"cufftExecC2C", &cufft.execute_single},
    {"cufftExecZ2Z", &cufft.execute_double}, {"cufftDestroy", &cufft.destroy},
};

static const char *const names[] = {"libcufft.so.12", "libcufft.so.11", "libcufft.so",
                                    "/usr/local/cuda/lib64/libcufft.so"};

struct cufft_rival_plan {
    int handle;
    bool doubles;
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

static bool make(struct cufft_rival_plan *plan, const struct rival_problem *problem)
{
    const struct size_case *dims = &problem->dims;
    long long n[MOST_AXES], points = size_case_points(dims);
    if (dims->rank > MOST_AXES) return false;
    for (int i = 0; i < dims->rank; i++)
        n[i] = dims->size[i];
    return cufft.make(plan->handle, dims->rank, n, NULL, 1, points, NULL, 1, points,
                      plan->doubles ? CUFFT_Z2Z : CUFFT_C2C, dims->batch, &plan->work_bytes) == 0 &&
           cufft.set_stream(plan->handle, problem->queue) == 0;
}

static void *cufft_plan(const struct rival_problem *problem)
{
    struct cufft_rival_plan *plan = calloc(1, sizeof *plan);
    if (!plan) return NULL;
    plan->doubles = problem->precision == WEFT_F64;
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

static bool cufft_execute(void *handle)
{
    struct cufft_rival_plan *plan = handle;
    return (plan->doubles ? cufft.execute_double : cufft.execute_single)(
               plan->handle, plan->in, plan->out, CUFFT_FORWARD) == 0;
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
    .kinds = RIVAL_COMPLEX,
    .open = cufft_open,
    .plan = cufft_plan,
    .execute = cufft_execute,
    .destroy = cufft_destroy,
    .work_bytes = cufft_work_bytes,
};

/* VkFFT on CUDA and on Vulkan. The library is a header, so that adapters are compiled where it is
 * found (bench/vkfft_cuda.c, bench/vkfft_vulkan.c) and opened here: the files that WEFT_VKFFT and
 * WEFT_VKFFT_VULKAN name, or libweft_vkfft.so and libweft_vkfft_vulkan.so. */
#include "rival.h"

#include <stdio.h>

#include "shared_library.h"

/* As the adapter defines them that was opened: a run has one place. */
static struct {
    void *(*plan)(int rank, const int64_t *size, int64_t batch, int doubles, void *in, void *out,
                  void *queue, int kind);
    int (*execute)(void *plan);
    void (*destroy)(void *plan);
    double (*work_bytes)(const void *plan);
} vkfft;

static const struct library_entry entries[] = {
    {"weft_vkfft_plan", &vkfft.plan},
    {"weft_vkfft_execute", &vkfft.execute},
    {"weft_vkfft_destroy", &vkfft.destroy},
    {"weft_vkfft_work_bytes", &vkfft.work_bytes},
};

static const char *open_adapter(const char *variable, const char *file)
{
    static char missing[160];
    void *library = library_open(variable, &file, 1);
    if (!library) {
        snprintf(missing, sizeof missing,
                 "VkFFT's adapter is not there: it is built where vkFFT.h is found; %s names the "
                 "file",
                 variable);
        return missing;
    }
    return library_find(library, entries, sizeof entries / sizeof *entries)
               ? NULL
               : "VkFFT's adapter lacks a function";
}

static const char *vkfft_open_cuda(int threads)
{
    (void)threads;
    return open_adapter("WEFT_VKFFT", "libweft_vkfft.so");
}

static const char *vkfft_open_vulkan(int threads)
{
    (void)threads;
    return open_adapter("WEFT_VKFFT_VULKAN", "libweft_vkfft_vulkan.so");
}

static void *vkfft_plan(const struct rival_problem *problem)
{
    const struct size_case *dims = &problem->dims;
    return vkfft.plan(dims->rank, dims->size, dims->batch, problem->precision == WEFT_F64,
                      problem->in, problem->out, problem->queue, (int)dims->kind);
}

static bool vkfft_execute(void *plan, int64_t repeats)
{
    int status = 0;
    for (int64_t i = 0; i < repeats && status == 0; i++)
        status = vkfft.execute(plan);
    return status == 0;
}

static void vkfft_destroy(void *plan)
{
    vkfft.destroy(plan);
}

static double vkfft_work_bytes(const void *plan)
{
    return vkfft.work_bytes(plan);
}

const struct rival rival_vkfft = {
    .name = "vkfft",
    .title = "VkFFT",
    .place = &place_cuda,
    .kinds = RIVAL_COMPLEX | RIVAL_HALF_COMPLEX | RIVAL_COSINES,
    .open = vkfft_open_cuda,
    .plan = vkfft_plan,
    .execute = vkfft_execute,
    .destroy = vkfft_destroy,
    .work_bytes = vkfft_work_bytes,
};

const struct rival rival_vkfft_vulkan = {
    .name = "vkfft",
    .title = "VkFFT",
    .place = &place_vulkan,
    .kinds = RIVAL_COMPLEX | RIVAL_HALF_COMPLEX | RIVAL_COSINES,
    .open = vkfft_open_vulkan,
    .plan = vkfft_plan,
    .execute = vkfft_execute,
    .destroy = vkfft_destroy,
    .work_bytes = vkfft_work_bytes,
};

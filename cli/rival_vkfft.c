/* VkFFT on CUDA. The library is a header, so that an adapter is compiled where it is found
 * (bench/vkfft_cuda.c) and opened here: the file that WEFT_VKFFT names, or libweft_vkfft.so. */
#include "rival.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* As bench/vkfft_cuda.c defines them. */
static struct {
    void *(*plan)(int rank, const int64_t *size, int64_t batch, int doubles, void *in, void *out,
                  void *stream);
    int (*execute)(void *plan);
    void (*destroy)(void *plan);
    double (*work_bytes)(const void *plan);
} vkfft;

struct entry {
    const char *name;
    void *function; /* the address of the pointer to it */
};

static const struct entry entries[] = {
    {"weft_vkfft_plan", &vkfft.plan},
    {"weft_vkfft_execute", &vkfft.execute},
    {"weft_vkfft_destroy", &vkfft.destroy},
    {"weft_vkfft_work_bytes", &vkfft.work_bytes},
};

static const char *vkfft_open(int threads)
{
    (void)threads;
    const char *wanted = getenv("WEFT_VKFFT");
    void *library = dlopen(wanted && wanted[0] ? wanted : "libweft_vkfft.so", RTLD_NOW);
    if (!library)
        return "VkFFT's adapter is not there: it is built where vkFFT.h is found; WEFT_VKFFT names "
               "the file";
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        void *symbol = dlsym(library, entries[i].name);
        if (!symbol) return "VkFFT's adapter lacks a function";
        memcpy(entries[i].function, &symbol, sizeof symbol);
    }
    return NULL;
}

static void *vkfft_plan(const struct rival_problem *problem)
{
    const struct size_case *dims = &problem->dims;
    return vkfft.plan(dims->rank, dims->size, dims->batch, problem->precision == WEFT_F64,
                      problem->in, problem->out, problem->queue);
}

static bool vkfft_execute(void *plan)
{
    return vkfft.execute(plan) == 0;
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
    .open = vkfft_open,
    .plan = vkfft_plan,
    .execute = vkfft_execute,
    .destroy = vkfft_destroy,
    .work_bytes = vkfft_work_bytes,
};

/* VkFFT on CUDA behind four plain functions, which cli/rival_vkfft.c opens at run time: the library
 * is a header that needs CUDA's own, so that only this file does. bench/gpu.sh compiles it where
 * both are found. D. Tolmachev, "VkFFT - a performant, cross-platform and open-source GPU FFT
 * library" (2023). */
#define VKFFT_BACKEND 1
#include <vkFFT.h>

struct plan {
    VkFFTApplication application;
    CUdevice device;
    cudaStream_t stream;
    void *main, *other;
    uint64_t main_bytes, other_bytes;
    int direction;
};

#include "vkfft_plan.h"

void *weft_vkfft_plan(int rank, const int64_t *size, int64_t batch, int doubles, void *in,
                      void *out, void *stream, int kind)
{
    struct plan *plan = calloc(1, sizeof *plan);
    if (!plan || rank > MOST_AXES || cuCtxGetDevice(&plan->device)) {
        free(plan);
        return NULL;
    }
    VkFFTConfiguration configuration = describe(plan, rank, size, batch, doubles, kind, in == out);
    plan->stream = stream;
    plan->direction = direction_of(kind);
    plan->main = kind == WEFT_C2R ? in : out;
    plan->other = kind == WEFT_C2R ? out : in;
    configuration.device = &plan->device;
    configuration.stream = &plan->stream;
    configuration.num_streams = 1;
    configuration.buffer = &plan->main;
    configuration.inputBuffer = in == out ? NULL : &plan->other;
    if (initializeVkFFT(&plan->application, configuration) == VKFFT_SUCCESS) return plan;
    free(plan);
    return NULL;
}

int weft_vkfft_execute(void *handle)
{
    struct plan *plan = handle;
    VkFFTLaunchParams launch = {0};
    launch.buffer = &plan->main;
    launch.inputBuffer = &plan->other;
    return VkFFTAppend(&plan->application, plan->direction, &launch);
}

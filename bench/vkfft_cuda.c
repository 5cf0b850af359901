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
    void *in, *out;
    uint64_t bytes;
};

#include "vkfft_plan.h"

/* Transforms out of place, or in place if in == out. NULL: it cannot. */
void *weft_vkfft_plan(int rank, const int64_t *size, int64_t batch, int doubles, void *in,
                      void *out, void *stream)
{
    struct plan *plan = calloc(1, sizeof *plan);
    if (!plan || rank > MOST_AXES || cuCtxGetDevice(&plan->device)) {
        free(plan);
        return NULL;
    }
    VkFFTConfiguration configuration = describe(plan, rank, size, batch, doubles);
    plan->stream = stream;
    plan->in = in;
    plan->out = out;
    configuration.device = &plan->device;
    configuration.stream = &plan->stream;
    configuration.num_streams = 1;
    configuration.buffer = &plan->out;
    if (in != out) {
        configuration.isInputFormatted = 1;
        configuration.inputBuffer = &plan->in;
        configuration.inputBufferSize = &plan->bytes;
    }
    if (initializeVkFFT(&plan->application, configuration) == VKFFT_SUCCESS) return plan;
    free(plan);
    return NULL;
}

int weft_vkfft_execute(void *handle)
{
    struct plan *plan = handle;
    VkFFTLaunchParams launch = {0};
    launch.buffer = &plan->out;
    launch.inputBuffer = &plan->in;
    return VkFFTAppend(&plan->application, FORWARD, &launch);
}

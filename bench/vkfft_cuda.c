/* VkFFT on CUDA behind four plain functions, which cli/rival_vkfft.c opens at run time: the library
 * is a header that needs CUDA's own, so that only this file does. bench/gpu.sh compiles it where
 * both are found. D. Tolmachev, "VkFFT - a performant, cross-platform and open-source GPU FFT
 * library" (2023). */
#define VKFFT_BACKEND 1
#include <vkFFT.h>

void *weft_vkfft_plan(int rank, const int64_t *size, int64_t batch, int doubles, void *in,
                      void *out, void *stream);
int weft_vkfft_execute(void *plan);
void weft_vkfft_destroy(void *plan);
double weft_vkfft_work_bytes(const void *plan);

enum { MOST_AXES = 3, FORWARD = -1 };

struct plan {
    VkFFTApplication application;
    CUdevice device;
    cudaStream_t stream;
    void *in, *out;
    uint64_t bytes;
};

/* Transforms out of place, or in place if in == out. NULL: it cannot. */
void *weft_vkfft_plan(int rank, const int64_t *size, int64_t batch, int doubles, void *in,
                      void *out, void *stream)
{
    struct plan *plan = calloc(1, sizeof *plan);
    if (!plan || rank > MOST_AXES || cuCtxGetDevice(&plan->device)) {
        free(plan);
        return NULL;
    }
    VkFFTConfiguration configuration = {0};
    configuration.FFTdim = (uint64_t)rank;
    plan->bytes = (uint64_t)batch * (doubles ? 16 : 8);
    for (int i = 0; i < rank; i++) {
        configuration.size[i] = (uint64_t)size[rank - 1 - i];
        plan->bytes *= (uint64_t)size[i];
    }
    plan->stream = stream;
    plan->in = in;
    plan->out = out;
    configuration.numberBatches = (uint64_t)batch;
    configuration.doublePrecision = (uint64_t)doubles;
    configuration.device = &plan->device;
    configuration.stream = &plan->stream;
    configuration.num_streams = 1;
    configuration.buffer = &plan->out;
    configuration.bufferSize = &plan->bytes;
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

void weft_vkfft_destroy(void *handle)
{
    struct plan *plan = handle;
    deleteVkFFT(&plan->application);
    free(plan);
}

double weft_vkfft_work_bytes(const void *handle)
{
    const struct plan *plan = handle;
    return plan->application.configuration.allocateTempBuffer
               ? (double)plan->application.configuration.tempBufferSize[0]
               : 0.0;
}

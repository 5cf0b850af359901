/* VkFFT on Vulkan behind four plain functions, as bench/vkfft_cuda.c has them for CUDA, which
 * cli/rival_vkfft.c opens at run time. It needs VkFFT's header and glslang, which compiles its
 * kernels; bench/gpu.sh builds it where both are found. */
#define VKFFT_BACKEND 0
#include <vkFFT.h>

/* As cli/place_vulkan.c defines it. */
struct vulkan_work {
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkFence fence;
    VkCommandBuffer commands; /* being recorded */
};

void *weft_vkfft_plan(int rank, const int64_t *size, int64_t batch, int doubles, void *in,
                      void *out, void *queue);
int weft_vkfft_execute(void *plan);
void weft_vkfft_destroy(void *plan);
double weft_vkfft_work_bytes(const void *plan);

enum { MOST_AXES = 3, FORWARD = -1 };

struct plan {
    VkFFTApplication application;
    struct vulkan_work *work;
    VkBuffer *in, *out;
    uint64_t bytes;
};

/* glslang is made ready once, as an application would that makes several plans. */
static void start_compiler(void)
{
    static int started;
    if (!started) glslang_initialize_process();
    started = 1;
}

/* Transforms out of place, or in place if in == out; both are VkBuffer *. NULL: it cannot. */
void *weft_vkfft_plan(int rank, const int64_t *size, int64_t batch, int doubles, void *in,
                      void *out, void *queue)
{
    struct plan *plan = calloc(1, sizeof *plan);
    if (!plan || rank > MOST_AXES) {
        free(plan);
        return NULL;
    }
    start_compiler();
    VkFFTConfiguration configuration = {0};
    configuration.FFTdim = (uint64_t)rank;
    plan->bytes = (uint64_t)batch * (doubles ? 16 : 8);
    for (int i = 0; i < rank; i++) {
        configuration.size[i] = (uint64_t)size[rank - 1 - i];
        plan->bytes *= (uint64_t)size[i];
    }
    plan->work = queue;
    plan->in = in;
    plan->out = out;
    configuration.numberBatches = (uint64_t)batch;
    configuration.doublePrecision = (uint64_t)doubles;
    configuration.physicalDevice = &plan->work->physical;
    configuration.device = &plan->work->device;
    configuration.queue = &plan->work->queue;
    configuration.commandPool = &plan->work->pool;
    configuration.fence = &plan->work->fence;
    configuration.isCompilerInitialized = 1;
    configuration.buffer = plan->out;
    configuration.bufferSize = &plan->bytes;
    if (in != out) {
        configuration.isInputFormatted = 1;
        configuration.inputBuffer = plan->in;
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
    launch.commandBuffer = &plan->work->commands;
    launch.buffer = plan->out;
    launch.inputBuffer = plan->in;
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

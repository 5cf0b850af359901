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

struct plan {
    VkFFTApplication application;
    struct vulkan_work *work;
    VkBuffer *in, *out;
    uint64_t bytes;
};

#include "vkfft_plan.h"

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
    VkFFTConfiguration configuration = describe(plan, rank, size, batch, doubles);
    plan->work = queue;
    plan->in = in;
    plan->out = out;
    configuration.physicalDevice = &plan->work->physical;
    configuration.device = &plan->work->device;
    configuration.queue = &plan->work->queue;
    configuration.commandPool = &plan->work->pool;
    configuration.fence = &plan->work->fence;
    configuration.isCompilerInitialized = 1;
    configuration.buffer = plan->out;
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

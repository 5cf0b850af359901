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
    VkBuffer *main, *other;
    uint64_t main_bytes, other_bytes;
    int direction;
};

#include "vkfft_plan.h"

/* glslang is made ready once, as an application would that makes several plans. */
static void start_compiler(void)
{
    static int started;
    if (!started) glslang_initialize_process();
    started = 1;
}

/* The arrays are VkBuffer *. */
void *weft_vkfft_plan(int rank, const int64_t *size, int64_t batch, int doubles, void *in,
                      void *out, void *queue, int kind)
{
    struct plan *plan = calloc(1, sizeof *plan);
    if (!plan || rank > MOST_AXES) {
        free(plan);
        return NULL;
    }
    start_compiler();
    VkFFTConfiguration configuration = describe(plan, rank, size, batch, doubles, kind, in == out);
    plan->work = queue;
    plan->direction = direction_of(kind);
    plan->main = kind == WEFT_C2R ? in : out;
    plan->other = kind == WEFT_C2R ? out : in;
    configuration.physicalDevice = &plan->work->physical;
    configuration.device = &plan->work->device;
    configuration.queue = &plan->work->queue;
    configuration.commandPool = &plan->work->pool;
    configuration.fence = &plan->work->fence;
    configuration.isCompilerInitialized = 1;
    configuration.buffer = plan->main;
    configuration.inputBuffer = in == out ? NULL : plan->other;
    if (initializeVkFFT(&plan->application, configuration) == VKFFT_SUCCESS) return plan;
    free(plan);
    return NULL;
}

int weft_vkfft_execute(void *handle)
{
    struct plan *plan = handle;
    VkFFTLaunchParams launch = {0};
    launch.commandBuffer = &plan->work->commands;
    launch.buffer = plan->main;
    launch.inputBuffer = plan->other;
    return VkFFTAppend(&plan->application, plan->direction, &launch);
}

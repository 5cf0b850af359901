/* A pass as a compute pipeline. */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/gpu/compile.h"
#include "device/gpu/pass.h"
#include "device/vulkan/bindings.h"
#include "device/vulkan/state.h"
#include "print/spirv.h"
#include "spec/problem.h"

struct kernel {
    struct gpu_pass pass;
    struct vulkan_bindings bindings;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    uint64_t used; /* the last batch that it runs in */
};

/* ---- SPIR-V ---- */

static weft_status print_module(const struct gpu_printer *printer, const struct ir *ir,
                                struct gpu_pass *pass)
{
    const struct vulkan_state *state = printer->language;
    const struct spirv_target target = {.single = pass->info.precision == WEFT_F32,
                                        .wide = state->wide,
                                        .joined = pass->tables.joined,
                                        .start = pass->tables.start};
    return spirv_print(&pass->source, &target, ir);
}

static struct gpu_printer printer_of(const struct vulkan_state *state)
{
    return (struct gpu_printer){.name = state->wide ? "spirv wide" : "spirv",
                                .fma = true,
                                .joins_tables = true,
                                .print = print_module,
                                .language = state};
}

/* ---- pipelines ---- */

/* A kernel that is being made ready. */
struct making {
    const struct vulkan_state *state;
    struct kernel *kernel;
};

static weft_status create_pipeline(const struct making *making, VkShaderModule module,
                                   VkPipelineCache cache)
{
    const struct vulkan_state *state = making->state;
    struct kernel *kernel = making->kernel;
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = kernel->pass.name},
        .layout = kernel->layout};
    VkResult result = state->library->CreateComputePipelines(state->device, cache, 1, &info, NULL,
                                                             &kernel->pipeline);
    if (result) kernel->pipeline = VK_NULL_HANDLE;
    return vulkan_check(state, result, "vkCreateComputePipelines", kernel->pass.name);
}

static weft_status compile_with(const struct making *making, VkPipelineCache cache)
{
    const struct vulkan_state *state = making->state;
    const struct text *source = &making->kernel->pass.source;
    const VkShaderModuleCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = source->length,
                                           .pCode = (const void *)source->data};
    VkShaderModule module = VK_NULL_HANDLE;
    VkResult result = state->library->CreateShaderModule(state->device, &info, NULL, &module);
    if (result) {
        return vulkan_check(state, result, "vkCreateShaderModule", making->kernel->pass.name);
    }
    weft_status status = create_pipeline(making, module, cache);
    state->library->DestroyShaderModule(state->device, module, NULL);
    return status;
}

static weft_status create_cache(const struct vulkan_state *state, const void *data, size_t bytes,
                                VkPipelineCache *cache)
{
    const VkPipelineCacheCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                            .initialDataSize = bytes,
                                            .pInitialData = data};
    VkResult result = state->library->CreatePipelineCache(state->device, &info, NULL, cache);
    return vulkan_check(state, result, "vkCreatePipelineCache", NULL);
}

/* With what the driver kept of the pipeline. It looks for itself whether that is of use. */
static weft_status load(void *context, const void *binary, size_t bytes)
{
    const struct making *making = context;
    VkPipelineCache cache = VK_NULL_HANDLE;
    weft_status status = create_cache(making->state, binary, bytes, &cache);
    if (status) return status;
    status = compile_with(making, cache);
    making->state->library->DestroyPipelineCache(making->state->device, cache, NULL);
    return status;
}

/* What the driver wants to be kept; nothing if it does not say. */
static void fetch_binary(const struct vulkan_state *state, VkPipelineCache cache, void **binary,
                         size_t *bytes)
{
    size_t size = 0;
    if (state->library->GetPipelineCacheData(state->device, cache, &size, NULL) || !size) return;
    void *data = memory_alloc(size);
    if (!data) return;
    if (state->library->GetPipelineCacheData(state->device, cache, &size, data)) {
        memory_free(data);
        return;
    }
    *binary = data;
    *bytes = size;
}

static weft_status compile(void *context, const struct text *source, void **binary, size_t *bytes)
{
    (void)source; /* it is the kernel's */
    const struct making *making = context;
    const struct vulkan_state *state = making->state;
    VkPipelineCache cache = VK_NULL_HANDLE;
    weft_status status = create_cache(state, NULL, 0, &cache);
    if (status) return status;
    status = compile_with(making, cache);
    if (!status) fetch_binary(state, cache, binary, bytes);
    state->library->DestroyPipelineCache(state->device, cache, NULL);
    return status;
}

static weft_status get_ready(const struct vulkan_state *state, struct kernel *kernel)
{
    struct making making = {state, kernel};
    const struct gpu_compiler compiler = {&making, load, compile};
    const struct gpu_recipe recipe = {.dialect = "spirv",
                                      .device = state->name,
                                      .driver = state->driver,
                                      .options = "",
                                      .source = &kernel->pass.source};
    weft_status status = gpu_compile(state->store, &recipe, &compiler);
    gpu_pass_forget_source(&kernel->pass);
    return status;
}

/* ---- making ---- */

static weft_status check_buffers(const struct vulkan_state *state, const struct kernel *kernel)
{
    const uint32_t most = state->properties.limits.maxPerStageDescriptorStorageBuffers;
    const int arrays = kernel->bindings.buffers - kernel->bindings.images;
    if ((uint32_t)arrays <= most) return WEFT_OK;
    return error_set(WEFT_ERROR_UNSUPPORTED,
                     "Vulkan: kernel %s needs %d storage buffers, %s has %u "
                     "(maxPerStageDescriptorStorageBuffers)",
                     kernel->pass.name, arrays, state->name, (unsigned)most);
}

static bool is_image(const struct gpu_pass *pass, int argument)
{
    const int buffer = pass->buffer[argument];
    return (buffer == BLOCK_IN_RE && pass->info.in_texels.format) ||
           (buffer == BLOCK_OUT_RE && pass->info.out_texels.format);
}

static weft_status create_layout(const struct vulkan_state *state, struct kernel *kernel)
{
    bool image[IR_MAX_BUFFERS];
    for (int i = 0; i < kernel->pass.buffers; i++) image[i] = is_image(&kernel->pass, i);
    weft_status status =
        vulkan_bindings_create(state, kernel->pass.buffers, image, &kernel->bindings);
    if (!status) status = check_buffers(state, kernel);
    if (status) return status;
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                       BLOCK_PARAM_COUNT * sizeof(int64_t)};
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .setLayoutCount = 1,
                                             .pSetLayouts = &kernel->bindings.layout,
                                             .pushConstantRangeCount = 1,
                                             .pPushConstantRanges = &range};
    VkResult result =
        state->library->CreatePipelineLayout(state->device, &info, NULL, &kernel->layout);
    if (result) kernel->layout = VK_NULL_HANDLE;
    return vulkan_check(state, result, "vkCreatePipelineLayout", kernel->pass.name);
}

weft_status vulkan_pass_create(struct device *device, const struct program *program, int index,
                               const void *const *tables, struct kernel **kernel)
{
    const struct vulkan_state *state = device->state;
    const struct gpu_printer printer = printer_of(state);
    struct kernel *made = memory_alloc_zeroed(sizeof *made);
    if (!made) return error_memory("a kernel");
    weft_status status =
        gpu_pass_build(device, program, index, &printer, state->store, &made->pass);
    if (!status) status = create_layout(state, made);
    if (!status) status = get_ready(state, made);
    if (!status) status = gpu_pass_upload_tables(device, program, tables, &made->pass);
    if (status)
        vulkan_pass_destroy(device, &made);
    else
        *kernel = made;
    return status;
}

void vulkan_pass_destroy(struct device *device, struct kernel **kernel)
{
    struct vulkan_state *state = device->state;
    struct kernel *k = *kernel;
    if (!k) return;
    pthread_mutex_lock(&state->lock);
    vulkan_finish(state, k->used);
    vulkan_bindings_destroy(state, &k->bindings);
    pthread_mutex_unlock(&state->lock);
    gpu_pass_destroy(device, &k->pass);
    if (k->pipeline) state->library->DestroyPipeline(state->device, k->pipeline, NULL);
    if (k->layout) state->library->DestroyPipelineLayout(state->device, k->layout, NULL);
    memory_free(k);
    *kernel = NULL;
}

size_t vulkan_pass_table_bytes(const struct kernel *kernel)
{
    return kernel->pass.table_bytes;
}

weft_status vulkan_pass_source(struct device *device, const struct program *program, int index,
                               const struct kernel *kernel, struct text *text)
{
    (void)kernel;
    const struct gpu_printer printer = printer_of(device->state);
    struct gpu_pass pass;
    weft_status status = gpu_pass_build(device, program, index, &printer, NULL, &pass);
    if (status) return status;
    text_append(text,
                "; SPIR-V of %zu bytes; dispatched with %lld workgroups of %d invocations and %lld "
                "bytes of shared memory\n",
                pass.source.length, (long long)pass.info.blocks, pass.info.threads,
                (long long)pass.info.shared_bytes);
    spirv_disassemble(text, text_chars(&pass.source), pass.source.length);
    gpu_pass_forget_source(&pass);
    return WEFT_OK;
}

/* ---- running ---- */

/* Numbers smaller than a word are found in words, which are there as a whole. Planes are equally
 * long. */
#define WORD_BYTES 4

static weft_status check_end(const struct vulkan_memory *memory, bool out)
{
    if (memory->view || memory->bytes % WORD_BYTES == 0) return WEFT_OK;
    return error_set(WEFT_ERROR_LAYOUT,
                     "Vulkan: the %s's buffer has %llu bytes; accepted for numbers of 8 and 16 "
                     "bits are multiples of %d",
                     out ? "output" : "input",
                     (unsigned long long)(memory->bytes - memory->shift), WORD_BYTES);
}

/* Bindings begin at aligned bytes, so element 0 lies some elements behind: the same number in both
 * planes of an end, which share their base. */
static weft_status shift_base(const struct kernel *kernel, bool out,
                              const struct pass_arguments *arguments, int64_t *base)
{
    const struct block_kernel *info = &kernel->pass.info;
    const struct device_memory *place =
        &arguments->place[out ? kernel->pass.to : kernel->pass.from];
    const struct vulkan_memory *re = place->re, *im = place->im;
    const bool pairs = (out ? info->out_format : info->in_format) == WEFT_INTERLEAVED;
    const weft_storage storage = out ? info->out_storage : info->in_storage;
    const int real = storage ? storage_bytes(storage) : precision_bytes(info->precision);
    const VkDeviceSize unit = (VkDeviceSize)real * (pairs ? 2 : 1);
    if (re->shift % unit || (im && im->shift != re->shift)) {
        const struct vulkan_memory *wrong = re->shift % unit ? re : im;
        return error_set(WEFT_ERROR_LAYOUT,
                         "Vulkan: the %s begins at byte %llu of its buffer; accepted are multiples "
                         "of %llu, and for planes the same alignment of both "
                         "(minStorageBufferOffsetAlignment)",
                         out ? "output" : "input",
                         (unsigned long long)(wrong->offset + wrong->shift),
                         (unsigned long long)unit);
    }
    *base += (int64_t)(re->shift / unit);
    return real < WORD_BYTES ? check_end(re, out) : WEFT_OK;
}

/* Kernels take the first of its pairs for the first that is bound. */
static weft_status check_spectrum(const struct kernel *kernel,
                                  const struct pass_arguments *arguments)
{
    const struct vulkan_memory *spectrum = arguments->place[PASS_SPECTRUM].re;
    if (kernel->pass.info.spectrum_elements == 0 || spectrum->shift == 0) return WEFT_OK;
    return error_set(WEFT_ERROR_LAYOUT,
                     "Vulkan: the spectrum begins at byte %llu of its buffer; accepted are "
                     "multiples of minStorageBufferOffsetAlignment",
                     (unsigned long long)(spectrum->offset + spectrum->shift));
}

static void dispatch(const struct vulkan_state *state, const struct kernel *kernel,
                     struct gpu_launch *launch, VkDescriptorSet set, VkCommandBuffer commands)
{
    const struct vulkan_library *library = state->library;
    const int64_t most = state->properties.limits.maxComputeWorkGroupCount[0];
    vulkan_barrier(state, commands);
    library->CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->pipeline);
    library->CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel->layout, 0, 1,
                                   &set, 0, NULL);
    while (gpu_launch_next(&kernel->pass, most, launch)) {
        library->CmdPushConstants(commands, kernel->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                  sizeof launch->param, launch->param);
        library->CmdDispatch(commands, (uint32_t)launch->blocks, 1, 1);
    }
}

/* Into the batch that is being recorded. Under the lock. */
static weft_status run_own(struct vulkan_state *state, struct kernel *kernel,
                           struct gpu_launch *launch, VkDescriptorSet set)
{
    struct vulkan_batch *batch;
    weft_status status = vulkan_record(state, &batch);
    if (status) return status;
    dispatch(state, kernel, launch, set, batch->commands);
    kernel->used = batch->number;
    for (int i = 0; i < kernel->pass.buffers; i++)
        ((struct vulkan_memory *)launch->buffer[i])->used = batch->number;
    return vulkan_recorded(state);
}

weft_status vulkan_pass_run(struct device *device, const struct kernel *kernel,
                            const struct pass_arguments *arguments)
{
    struct vulkan_state *state = device->state;
    struct kernel *k = (struct kernel *)(uintptr_t)kernel;
    struct vulkan_memory *memory[IR_MAX_BUFFERS];
    struct gpu_launch launch = gpu_launch_start(&kernel->pass, arguments);
    VkDescriptorSet set;
    weft_status status = shift_base(kernel, false, arguments, &launch.param[BLOCK_IN_BASE]);
    if (!status) status = shift_base(kernel, true, arguments, &launch.param[BLOCK_OUT_BASE]);
    if (!status) status = check_spectrum(kernel, arguments);
    if (status) return status;
    for (int i = 0; i < kernel->pass.buffers; i++)
        memory[i] = launch.buffer[i];
    pthread_mutex_lock(&state->lock);
    status = vulkan_bind(state, &k->bindings, memory, &set);
    if (!status && arguments->queue)
        dispatch(state, k, &launch, set, arguments->queue);
    else if (!status)
        status = run_own(state, k, &launch, set);
    pthread_mutex_unlock(&state->lock);
    return status;
}

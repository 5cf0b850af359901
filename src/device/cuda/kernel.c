#include "device/cuda/kernel.h"

#include <stdio.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/cuda/state.h"
#include "device/gpu/compile.h"
#include "device/gpu/pass.h"
#include "print/cuda.h"

struct kernel {
    struct gpu_pass pass;
    cuda_module module;
    cuda_function function;
};

static const struct gpu_printer printer = {
    .name = "cuda", .fma = true, .rounds_once = true, .print = gpu_print_c_like,
    .language = &cuda_dialect};

/* ---- compiling ---- */

/* A kernel that is being made ready. */
struct making {
    const struct cuda_state *state;
    struct kernel *kernel;
};

static weft_status find_function(const struct cuda_state *state, struct kernel *kernel)
{
    const char *name = kernel->pass.name;
    cuda_result result = state->driver->module_function(&kernel->function, kernel->module, name);
    if (result) return cuda_check(state, result, "cuModuleGetFunction", name);
    int64_t shared = kernel->pass.dynamic_shared_bytes;
    if (shared == 0) return WEFT_OK;
    result = state->driver->function_set(kernel->function, CUDA_FUNCTION_DYNAMIC_SHARED_BYTES,
                                         (int)shared);
    return cuda_check(state, result, "cuFuncSetAttribute", name);
}

/* In the device's context. The driver refuses code that is not for the chip or is damaged; it finds
 * the end of the image itself. */
static weft_status load(void *context, const void *binary, size_t bytes)
{
    const struct making *making = context;
    const struct cuda_state *state = making->state;
    struct kernel *kernel = making->kernel;
    (void)bytes;
    cuda_result result = state->driver->module_load(&kernel->module, binary);
    if (result) {
        kernel->module = NULL;
        return cuda_check(state, result, "cuModuleLoadData", kernel->pass.name);
    }
    weft_status status = find_function(state, kernel);
    if (!status) return WEFT_OK;
    state->driver->module_unload(kernel->module);
    kernel->module = NULL;
    return status;
}

static weft_status compile(void *context, const struct text *source, void **binary, size_t *bytes)
{
    const struct making *making = context;
    weft_status status = cuda_compile(&making->state->target, making->kernel->pass.name,
                                      text_chars(source), binary, bytes);
    return status ? status : load(context, *binary, *bytes);
}

weft_status cuda_compile_stored(const struct cuda_state *state, const struct text *source,
                                const struct gpu_compiler *compiler)
{
    struct text options = TEXT_EMPTY;
    cuda_compiler_print_options(&options, &state->target);
    char driver[16];
    snprintf(driver, sizeof driver, "%d", state->driver_version);
    struct gpu_recipe recipe = {.dialect = "cuda",
                                .device = state->name,
                                .driver = driver,
                                .options = text_chars(&options),
                                .source = source};
    weft_status status = text_failed(&options) ? error_memory("the compiler's options")
                                               : gpu_compile(state->store, &recipe, compiler);
    text_free(&options);
    return status;
}

static weft_status get_ready(const struct cuda_state *state, struct kernel *kernel)
{
    struct making making = {state, kernel};
    struct gpu_compiler compiler = {&making, load, compile};
    weft_status status = cuda_compile_stored(state, &kernel->pass.source, &compiler);
    gpu_pass_forget_source(&kernel->pass);
    return status;
}

/* ---- making ---- */

static weft_status compile_pass(const struct cuda_state *state, struct kernel *kernel)
{
    weft_status status = cuda_enter(state);
    if (status) return status;
    status = get_ready(state, kernel);
    cuda_leave(state);
    return status;
}

weft_status cuda_pass_create(struct device *device, const struct program *program, int index,
                             const void *const *tables, struct kernel **kernel)
{
    struct kernel *made = memory_alloc_zeroed(sizeof *made);
    if (!made) return error_memory("a kernel");
    const struct cuda_state *state = device->state;
    weft_status status =
        gpu_pass_build(device, program, index, &printer, state->store, &made->pass);
    if (!status) status = compile_pass(state, made);
    if (!status) status = gpu_pass_upload_tables(device, program, tables, &made->pass);
    if (status)
        cuda_pass_destroy(device, &made);
    else
        *kernel = made;
    return status;
}

void cuda_pass_destroy(struct device *device, struct kernel **kernel)
{
    const struct cuda_state *state = device->state;
    struct kernel *k = *kernel;
    if (!k) return;
    gpu_pass_destroy(device, &k->pass);
    if (k->module && cuda_enter(state) == WEFT_OK) {
        state->driver->module_unload(k->module);
        cuda_leave(state);
    }
    memory_free(k);
    *kernel = NULL;
}

size_t cuda_pass_table_bytes(const struct kernel *kernel)
{
    return kernel->pass.table_bytes;
}

/* ---- running ---- */

static weft_status launch(const struct cuda_state *state, const struct kernel *kernel,
                          struct gpu_launch *launch, cuda_stream stream)
{
    void *argument[IR_MAX_BUFFERS + BLOCK_PARAM_COUNT];
    int count = 0;
    for (int i = 0; i < kernel->pass.buffers; i++)
        argument[count++] = &launch->buffer[i];
    for (int i = 0; i < kernel->pass.info.params; i++)
        argument[count++] = &launch->param[i];
    cuda_result result = state->driver->launch(
        kernel->function, (unsigned)launch->blocks, 1, 1, (unsigned)kernel->pass.info.threads, 1, 1,
        (unsigned)kernel->pass.dynamic_shared_bytes, stream, argument, NULL);
    return cuda_check(state, result, "cuLaunchKernel", kernel->pass.name);
}

weft_status cuda_pass_run(struct device *device, const struct kernel *kernel,
                          const struct pass_arguments *arguments)
{
    const struct cuda_state *state = device->state;
    const cuda_stream stream = arguments->queue ? arguments->queue : state->stream;
    weft_status status = cuda_enter(state);
    if (status) return status;
    struct gpu_launch next = gpu_launch_start(&kernel->pass, arguments);
    while (!status && gpu_launch_next(&kernel->pass, state->most_blocks, &next))
        status = launch(state, kernel, &next, stream);
    cuda_leave(state);
    return status;
}

/* ---- showing ---- */

weft_status cuda_pass_source(struct device *device, const struct program *program, int index,
                             const struct kernel *kernel, struct text *text)
{
    const struct cuda_state *state = device->state;
    struct text options = TEXT_EMPTY;
    (void)kernel;
    cuda_compiler_print_options(&options, &state->target);
    weft_status status =
        gpu_pass_show(device, program, index, &printer, text_chars(&options), text);
    text_free(&options);
    return status;
}

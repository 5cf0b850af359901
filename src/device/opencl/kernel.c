/* A pass as an OpenCL kernel. */
#include <pthread.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/gpu/compile.h"
#include "device/gpu/pass.h"
#include "device/opencl/state.h"
#include "print/opencl.h"

/* Groups of one launch: global sizes are size_t, but drivers count them in 32 bits. */
#define MOST_BLOCKS (INT64_C(1) << 20)

#define BUILD_OPTIONS "-cl-std=CL1.2"

struct kernel {
    struct gpu_pass pass;
    cl_program program;
    cl_kernel function;
    pthread_mutex_t lock; /* arguments belong to the kernel: set and launch are one step */
};

/* ---- compiling ---- */

/* A kernel that is being made ready. */
struct making {
    const struct opencl_state *state;
    struct kernel *kernel;
};

static void unload(const struct opencl_state *state, struct kernel *kernel)
{
    if (kernel->function) state->library->ReleaseKernel(kernel->function);
    if (kernel->program) state->library->ReleaseProgram(kernel->program);
    kernel->function = NULL;
    kernel->program = NULL;
}

static weft_status find_function(const struct opencl_state *state, struct kernel *kernel)
{
    cl_int result = CL_SUCCESS;
    kernel->function = state->library->CreateKernel(kernel->program, kernel->pass.name, &result);
    if (result) kernel->function = NULL;
    return opencl_check(state, result, "clCreateKernel", kernel->pass.name);
}

/* What the compiler complained of first, in the message's one line. */
static weft_status refuse_source(const struct opencl_state *state, const struct kernel *kernel)
{
    char log[2048] = "";
    state->library->GetProgramBuildInfo(kernel->program, state->id, CL_PROGRAM_BUILD_LOG,
                                        sizeof log - 1, log, NULL);
    const char *first = strstr(log, "error");
    char *line = first ? strchr(first, '\n') : NULL;
    if (line) *line = 0;
    return error_set(WEFT_ERROR_DEVICE,
                     "OpenCL: clBuildProgram of kernel %s on %s: CL_BUILD_PROGRAM_FAILURE: %.300s",
                     kernel->pass.name, state->name, first ? first : log);
}

static weft_status build(const struct opencl_state *state, struct kernel *kernel)
{
    cl_int result =
        state->library->BuildProgram(kernel->program, 1, &state->id, BUILD_OPTIONS, NULL, NULL);
    if (result == CL_BUILD_PROGRAM_FAILURE) return refuse_source(state, kernel);
    if (result) return opencl_check(state, result, "clBuildProgram", kernel->pass.name);
    return find_function(state, kernel);
}

static weft_status load(void *context, const void *binary, size_t bytes)
{
    const struct making *making = context;
    const struct opencl_state *state = making->state;
    const unsigned char *code = binary;
    cl_int result = CL_SUCCESS, valid = CL_SUCCESS;
    struct kernel *kernel = making->kernel;
    kernel->program = state->library->CreateProgramWithBinary(state->context, 1, &state->id, &bytes,
                                                              &code, &valid, &result);
    weft_status status = WEFT_OK;
    if (result || valid) {
        status = opencl_check(state, result ? result : valid, "clCreateProgramWithBinary",
                              kernel->pass.name);
    }
    if (!status) status = build(state, kernel);
    if (status) unload(state, kernel);
    return status;
}

/* The program's code; none if the driver gives none. */
static void fetch_binary(const struct opencl_state *state, cl_program program, void **binary,
                         size_t *bytes)
{
    size_t size = 0;
    cl_int result =
        state->library->GetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    unsigned char *code = result || size == 0 ? NULL : memory_alloc(size);
    if (!code) return;
    if (state->library->GetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof code, &code, NULL)) {
        memory_free(code);
        return;
    }
    *binary = code;
    *bytes = size;
}

static weft_status compile(void *context, const struct text *source, void **binary, size_t *bytes)
{
    const struct making *making = context;
    const struct opencl_state *state = making->state;
    struct kernel *kernel = making->kernel;
    cl_int result = CL_SUCCESS;
    const char *chars = text_chars(source);
    kernel->program =
        state->library->CreateProgramWithSource(state->context, 1, &chars, NULL, &result);
    if (result) {
        kernel->program = NULL;
        return opencl_check(state, result, "clCreateProgramWithSource", kernel->pass.name);
    }
    weft_status status = build(state, kernel);
    if (!status) fetch_binary(state, kernel->program, binary, bytes);
    return status;
}

static weft_status get_ready(const struct opencl_state *state, struct kernel *kernel)
{
    struct making making = {state, kernel};
    const struct gpu_compiler compiler = {&making, load, compile};
    const struct gpu_recipe recipe = {.dialect = "opencl",
                                      .device = state->name,
                                      .driver = state->driver,
                                      .options = BUILD_OPTIONS,
                                      .source = &kernel->pass.source};
    weft_status status = gpu_compile(state->store, &recipe, &compiler);
    gpu_pass_forget_source(&kernel->pass);
    return status;
}

/* ---- making ---- */

static struct gpu_printer printer_of(const struct opencl_state *state)
{
    return (struct gpu_printer){.name = "opencl",
                                .fma = state->fma,
                                .rounds_once = state->fma,
                                .print = gpu_print_c_like,
                                .language = &opencl_dialect};
}

weft_status opencl_pass_create(struct device *device, const struct program *program, int index,
                               const void *const *tables, struct kernel **kernel)
{
    const struct opencl_state *state = device->state;
    struct kernel *made = memory_alloc_zeroed(sizeof *made);
    if (!made) return error_memory("a kernel");
    pthread_mutex_init(&made->lock, NULL);
    const struct gpu_printer printer = printer_of(state);
    weft_status status =
        gpu_pass_build(device, program, index, &printer, state->store, &made->pass);
    if (!status) status = get_ready(state, made);
    if (!status) status = gpu_pass_upload_tables(device, program, tables, &made->pass);
    if (status)
        opencl_pass_destroy(device, &made);
    else
        *kernel = made;
    return status;
}

void opencl_pass_destroy(struct device *device, struct kernel **kernel)
{
    if (!*kernel) return;
    gpu_pass_destroy(device, &(*kernel)->pass);
    unload(device->state, *kernel);
    pthread_mutex_destroy(&(*kernel)->lock);
    memory_free(*kernel);
    *kernel = NULL;
}

size_t opencl_pass_table_bytes(const struct kernel *kernel)
{
    return kernel->pass.table_bytes;
}

weft_status opencl_pass_source(struct device *device, const struct program *program, int index,
                               const struct kernel *kernel, struct text *text)
{
    (void)kernel;
    const struct gpu_printer printer = printer_of(device->state);
    return gpu_pass_show(device, program, index, &printer, "clBuildProgram with " BUILD_OPTIONS,
                         text);
}

/* ---- running ---- */

static weft_status set_arguments(const struct opencl_state *state, const struct kernel *kernel,
                                 const struct gpu_launch *launch)
{
    cl_int result = CL_SUCCESS;
    cl_uint place = 0;
    for (int i = 0; i < kernel->pass.buffers && !result; i++, place++) {
        const cl_mem memory = launch->buffer[i];
        result = state->library->SetKernelArg(kernel->function, place, sizeof memory, &memory);
    }
    for (int i = 0; i < kernel->pass.info.params && !result; i++, place++) {
        const cl_long number = launch->param[i];
        result = state->library->SetKernelArg(kernel->function, place, sizeof number, &number);
    }
    return opencl_check(state, result, "clSetKernelArg", kernel->pass.name);
}

static weft_status launch(const struct opencl_state *state, const struct kernel *kernel,
                          const struct gpu_launch *launch, cl_command_queue queue)
{
    weft_status status = set_arguments(state, kernel, launch);
    if (status) return status;
    const size_t threads = (size_t)kernel->pass.info.threads;
    const size_t all = threads * (size_t)launch->blocks;
    cl_int result = state->library->EnqueueNDRangeKernel(queue, kernel->function, 1, NULL, &all,
                                                         &threads, 0, NULL, NULL);
    return opencl_check(state, result, "clEnqueueNDRangeKernel", kernel->pass.name);
}

weft_status opencl_pass_run(struct device *device, const struct kernel *kernel,
                            const struct pass_arguments *arguments)
{
    const struct opencl_state *state = device->state;
    const cl_command_queue queue = arguments->queue ? arguments->queue : state->queue;
    pthread_mutex_t *lock = &((struct kernel *)(uintptr_t)kernel)->lock;
    weft_status status = opencl_order(state, queue);
    if (status) return status;
    struct gpu_launch next = gpu_launch_start(&kernel->pass, arguments);
    pthread_mutex_lock(lock);
    while (!status && gpu_launch_next(&kernel->pass, MOST_BLOCKS, &next))
        status = launch(state, kernel, &next, queue);
    pthread_mutex_unlock(lock);
    return status;
}

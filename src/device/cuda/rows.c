/* Rows copied between host and device by a kernel that reaches the host's memory through the link.
 * Copying engines do as well with long rows, but fall behind with short ones once other kernels use
 * the caches; and beside a kernel they get too little of the link. (Experiment "runs".) */
#include "base/error.h"
#include "base/text.h"
#include "device/cuda/state.h"
#include "device/gpu/compile.h"

/* A thread copies such pieces, several at a time, so that enough of them are on their way. */
enum { PIECE_BYTES = 16 };

/* With more of them reads and writes get into each other's way. (Experiment "runs".) */
enum { THREADS = 256, BLOCKS_PER_CORE = 2 };

#define NAME "weft_copy_rows"

/* Pitches and rows are counted in pieces. */
static const char source[] =
    "extern \"C\" __global__ void __launch_bounds__(256)\n" NAME
    "(const double2 *from, double2 *to, long long from_pitch, long long to_pitch,\n"
    "               long long row, long long pieces, long long threads)\n"
    "{\n"
    "    for (long long i = blockIdx.x * 256LL + threadIdx.x; i < pieces; i += 4 * threads) {\n"
    "        double2 x[4];\n"
    "        for (int j = 0; j < 4; j++) {\n"
    "            const long long p = i + j * threads;\n"
    "            if (p < pieces) x[j] = from[p / row * from_pitch + p % row];\n"
    "        }\n"
    "        for (int j = 0; j < 4; j++) {\n"
    "            const long long p = i + j * threads;\n"
    "            if (p < pieces) to[p / row * to_pitch + p % row] = x[j];\n"
    "        }\n"
    "    }\n"
    "}\n";

/* ---- the kernel ---- */

static weft_status load(void *context, const void *binary, size_t bytes)
{
    struct cuda_state *state = context;
    cuda_module module = NULL;
    (void)bytes;
    cuda_result result = state->driver->module_load(&module, binary);
    if (result) return cuda_check(state, result, "cuModuleLoadData", NAME);
    result = state->driver->module_function(&state->rows_kernel, module, NAME);
    if (result) state->driver->module_unload(module);
    else state->rows_module = module;
    return cuda_check(state, result, "cuModuleGetFunction", NAME);
}

static weft_status compile(void *context, const struct text *text, void **binary, size_t *bytes)
{
    const struct cuda_state *state = context;
    weft_status status = cuda_compile(&state->target, NAME, text_chars(text), binary, bytes);
    return status ? status : load(context, *binary, *bytes);
}

static weft_status make_kernel(struct cuda_state *state)
{
    struct text text = TEXT_EMPTY;
    text_append(&text, "%s", source);
    struct gpu_compiler compiler = {state, load, compile};
    weft_status status = text_failed(&text)
                             ? error_memory("a kernel")
                             : cuda_compile_stored(state, &text, &compiler);
    text_free(&text);
    return status;
}

/* Where it cannot be made, engines copy: what the compiler or the driver refuses is not tried
 * again, what memory was too little for is. */
static bool has_kernel(struct cuda_state *state)
{
    pthread_mutex_lock(&state->rows_lock);
    if (!state->rows_module && !state->rows_refused) {
        const weft_status status = make_kernel(state);
        state->rows_refused = status && status != WEFT_ERROR_MEMORY;
    }
    const bool has = state->rows_module != NULL;
    pthread_mutex_unlock(&state->rows_lock);
    return has;
}

/* ---- copying ---- */

/* Whether that address of the host's is page-locked still, and by whomever. */
static bool is_reached(const struct cuda_state *state, const char *place)
{
    unsigned type = 0;
    const int attribute = CUDA_POINTER_MEMORY_TYPE;
    void *values[] = {&type};
    return !state->driver->pointer_attributes(1, &attribute, values,
                                              (cuda_address)(uintptr_t)place) &&
           type == CUDA_MEMORY_HOST;
}

bool cuda_rows_serves(struct cuda_state *state, const struct device_rows *rows)
{
    int reached = 0;
    const size_t places = (uintptr_t)rows->memory | rows->offset | (uintptr_t)rows->host;
    const size_t steps = rows->bytes | (rows->rows > 1 ? rows->pitch | rows->host_pitch : 0);
    const char *last = rows->host + (rows->rows - 1) * rows->host_pitch + rows->bytes - 1;
    if (!rows->scattered || (places | steps) % PIECE_BYTES != 0) return false;
    if (!is_reached(state, rows->host) || !is_reached(state, last)) return false;
    if (state->driver->device_attribute(&reached, CUDA_REGISTERED_BY_HOST_ADDRESS, state->id))
        return false;
    return reached && has_kernel(state);
}

weft_status cuda_rows_copy(const struct cuda_state *state, cuda_stream stream,
                           const struct device_rows *rows, bool up)
{
    const int blocks = BLOCKS_PER_CORE * state->cores;
    const cuda_address there = (cuda_address)(uintptr_t)rows->memory + rows->offset;
    const cuda_address here = (cuda_address)(uintptr_t)rows->host;
    const int64_t pitch = (int64_t)rows->pitch / PIECE_BYTES;
    const int64_t host_pitch = (int64_t)rows->host_pitch / PIECE_BYTES;
    int64_t row = (int64_t)rows->bytes / PIECE_BYTES, pieces = row * (int64_t)rows->rows;
    int64_t threads = (int64_t)blocks * THREADS, from_pitch = up ? host_pitch : pitch;
    int64_t to_pitch = up ? pitch : host_pitch;
    cuda_address from = up ? here : there, to = up ? there : here;
    void *arguments[] = {&from, &to, &from_pitch, &to_pitch, &row, &pieces, &threads};
    cuda_result result = state->driver->launch(state->rows_kernel, (unsigned)blocks, 1, 1, THREADS,
                                               1, 1, 0, stream, arguments, NULL);
    return cuda_check(state, result, "cuLaunchKernel", NAME);
}

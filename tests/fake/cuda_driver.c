/* A CUDA driver for machines without a GPU, libcuda.so.1 for the tests: memory is the host's, work
 * is done when it is started, and kernels are what fake/nvrtc.c made of their text, their threads
 * coroutines that take turns at barriers. What is captured is kept and done by graph launches; what
 * is in streams that wait for each other is done when one is waited for, in any order that their
 * events allow. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "fake/image.h"

enum {
    OK = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    INVALID_CONTEXT = 201,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    CAPTURE_UNSUPPORTED = 900
};

#define EXPORTED __attribute__((visibility("default")))

/* ---- the device ---- */

enum { DEVICES = 1, MOST_CONTEXTS_DEEP = 16 };
static const size_t device_bytes = (size_t)1 << 30;

EXPORTED int cuInit(unsigned flags);
EXPORTED int cuDriverGetVersion(int *version);
EXPORTED int cuGetErrorName(int result, const char **name);
EXPORTED int cuGetErrorString(int result, const char **text);
EXPORTED int cuDeviceGetCount(int *count);
EXPORTED int cuDeviceGet(int *device, int ordinal);
EXPORTED int cuDeviceGetName(char *name, int capacity, int device);
EXPORTED int cuDeviceTotalMem_v2(size_t *bytes, int device);
EXPORTED int cuDeviceGetAttribute(int *value, int attribute, int device);

int cuInit(unsigned flags)
{
    return flags ? INVALID_VALUE : OK;
}

int cuDriverGetVersion(int *version)
{
    *version = 13000;
    return OK;
}

int cuGetErrorName(int result, const char **name)
{
    switch (result) {
    case INVALID_VALUE:
        *name = "CUDA_ERROR_INVALID_VALUE";
        break;
    case OUT_OF_MEMORY:
        *name = "CUDA_ERROR_OUT_OF_MEMORY";
        break;
    case INVALID_IMAGE:
        *name = "CUDA_ERROR_INVALID_IMAGE";
        break;
    case CAPTURE_UNSUPPORTED:
        *name = "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED";
        break;
    default:
        *name = "CUDA_ERROR_UNKNOWN";
        break;
    }
    return OK;
}

int cuGetErrorString(int result, const char **text)
{
    *text = result == OUT_OF_MEMORY ? "out of memory" : "pretended";
    return OK;
}

int cuDeviceGetCount(int *count)
{
    *count = DEVICES;
    return OK;
}

int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return ordinal >= 0 && ordinal < DEVICES ? OK : INVALID_DEVICE;
}

int cuDeviceGetName(char *name, int capacity, int device)
{
    (void)device;
    snprintf(name, (size_t)capacity, "Pretended GPU");
    return OK;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    *bytes = device_bytes;
    return OK;
}

/* By CUdevice_attribute. The most blocks of a launch are few, so that grids are cut. */
int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    static const int values[][2] = {{1, 256},
                                    {5, 50},
                                    {10, 32},
                                    {13, 1000000},
                                    {16, 4},
                                    {36, 1000000},
                                    {37, 256},
                                    {38, 1 << 20},
                                    {75, FAKE_CAPABILITY / 10},
                                    {76, FAKE_CAPABILITY % 10},
                                    {82, 65536},
                                    {87, 2},
                                    {91, 1},
                                    {97, 99 * 1024}};
    (void)device;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        if (values[i][0] != attribute) continue;
        *value = values[i][1];
        return OK;
    }
    return INVALID_VALUE;
}

/* ---- contexts ---- */

struct CUctx_st {
    int device;
};

static struct CUctx_st primary;
static __thread struct CUctx_st *stack[MOST_CONTEXTS_DEEP];
static __thread int depth;

static struct CUctx_st *current(void)
{
    return depth ? stack[depth - 1] : NULL;
}

EXPORTED int cuDevicePrimaryCtxRetain(struct CUctx_st **context, int device);
EXPORTED int cuDevicePrimaryCtxRelease_v2(int device);
EXPORTED int cuCtxCreate_v2(struct CUctx_st **context, unsigned flags, int device);
EXPORTED int cuCtxDestroy_v2(struct CUctx_st *context);
EXPORTED int cuCtxGetCurrent(struct CUctx_st **context);
EXPORTED int cuCtxSetCurrent(struct CUctx_st *context);
EXPORTED int cuCtxGetDevice(int *device);
EXPORTED int cuCtxPushCurrent_v2(struct CUctx_st *context);
EXPORTED int cuCtxPopCurrent_v2(struct CUctx_st **context);

int cuDevicePrimaryCtxRetain(struct CUctx_st **context, int device)
{
    (void)device;
    *context = &primary;
    return OK;
}

int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    return OK;
}

int cuCtxPushCurrent_v2(struct CUctx_st *context)
{
    if (!context || depth == MOST_CONTEXTS_DEEP) return INVALID_CONTEXT;
    stack[depth++] = context;
    return OK;
}

int cuCtxPopCurrent_v2(struct CUctx_st **context)
{
    if (!depth) return INVALID_CONTEXT;
    *context = stack[--depth];
    return OK;
}

int cuCtxCreate_v2(struct CUctx_st **context, unsigned flags, int device)
{
    (void)flags;
    *context = calloc(1, sizeof **context);
    if (!*context) return OUT_OF_MEMORY;
    (*context)->device = device;
    return cuCtxPushCurrent_v2(*context);
}

int cuCtxDestroy_v2(struct CUctx_st *context)
{
    if (current() == context) depth--;
    free(context);
    return OK;
}

int cuCtxGetCurrent(struct CUctx_st **context)
{
    *context = current();
    return OK;
}

int cuCtxSetCurrent(struct CUctx_st *context)
{
    if (depth) depth--;
    return context ? cuCtxPushCurrent_v2(context) : OK;
}

int cuCtxGetDevice(int *device)
{
    if (!current()) return INVALID_CONTEXT;
    *device = current()->device;
    return OK;
}

/* ---- memory ---- */

struct block {
    struct CUctx_st *context;
    char *start;
    size_t bytes;
    struct block *next;
};

static struct block *blocks;
static size_t allocated;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct block **find_block(const char *address)
{
    struct block **link = &blocks;
    while (*link && !(address >= (*link)->start && address < (*link)->start + (*link)->bytes))
        link = &(*link)->next;
    return link;
}

static __thread int capture_mode; /* 0: streams that are captured forbid allocating */
static int capturing;             /* streams that are captured */

EXPORTED int cuMemAlloc_v2(uint64_t *memory, size_t bytes);
EXPORTED int cuMemFree_v2(uint64_t memory);
EXPORTED int cuPointerGetAttributes(unsigned count, const int *attributes, void **values,
                                    uint64_t pointer);

struct CUstream_st;
static void do_all(const struct CUstream_st *until);

static int allocate(uint64_t *memory, size_t bytes)
{
    if (!current()) return INVALID_CONTEXT;
    if (capturing && capture_mode == 0) return CAPTURE_UNSUPPORTED;
    if (bytes > device_bytes - allocated) return OUT_OF_MEMORY;
    struct block *block = malloc(sizeof *block);
    char *start = block ? malloc(bytes) : NULL;
    if (!start) {
        free(block);
        return OUT_OF_MEMORY;
    }
    memset(start, 0xff, bytes);
    *block = (struct block){current(), start, bytes, blocks};
    blocks = block;
    allocated += bytes;
    *memory = (uint64_t)(uintptr_t)start;
    return OK;
}

int cuMemAlloc_v2(uint64_t *memory, size_t bytes)
{
    pthread_mutex_lock(&lock);
    int result = allocate(memory, bytes);
    pthread_mutex_unlock(&lock);
    return result;
}

int cuMemFree_v2(uint64_t memory)
{
    do_all(NULL);
    pthread_mutex_lock(&lock);
    struct block **link = find_block((char *)(uintptr_t)memory), *block = *link;
    int result = block && current() ? OK : INVALID_VALUE;
    if (result == OK) {
        *link = block->next;
        allocated -= block->bytes;
        free(block->start);
        free(block);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

static bool is_registered(const char *address);

/* Of CUpointer_attribute: the context, the type of memory, the device. */
int cuPointerGetAttributes(unsigned count, const int *attributes, void **values, uint64_t pointer)
{
    pthread_mutex_lock(&lock);
    const struct block *block = *find_block((char *)(uintptr_t)pointer);
    for (unsigned i = 0; i < count; i++) {
        if (attributes[i] == 1) *(struct CUctx_st **)values[i] = block ? block->context : NULL;
        if (attributes[i] == 2)
            *(unsigned *)values[i] = block ? 2 : is_registered((char *)(uintptr_t)pointer);
        if (attributes[i] == 9) *(int *)values[i] = block ? block->context->device : -1;
    }
    pthread_mutex_unlock(&lock);
    return OK;
}

/* ---- kernels ---- */

typedef void kernel_function(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                             int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                             int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                             int64_t);
enum { MOST_ARGUMENTS = 24, MOST_THREADS = 1024, STACK_BYTES = 128 * 1024 };

struct CUmod_st {
    void *library;
    int file; /* open as long, so that no other library gets its name */
};

struct CUfunc_st {
    kernel_function *run;
    int arguments;
    void (**barrier)(void);
    int *thread, *block;
    struct CUfunc_st *next;
};

EXPORTED int cuModuleLoadData(struct CUmod_st **module, const void *image);
EXPORTED int cuModuleUnload(struct CUmod_st *module);
EXPORTED int cuModuleGetFunction(struct CUfunc_st **function, struct CUmod_st *module,
                                 const char *name);
EXPORTED int cuFuncSetAttribute(struct CUfunc_st *function, int attribute, int value);

/* The library has to be a file to be opened. */
static bool open_image(struct CUmod_st *module, const struct fake_image *image)
{
    char path[64];
    module->file = memfd_create("kernel", 0);
    if (module->file < 0) return false;
    snprintf(path, sizeof path, "/proc/self/fd/%d", module->file);
    if (write(module->file, image->library, image->bytes) == (ssize_t)image->bytes)
        module->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module->library) close(module->file);
    return module->library;
}

int cuModuleLoadData(struct CUmod_st **module, const void *data)
{
    const struct fake_image *image = data;
    if (memcmp(image->magic, FAKE_MAGIC, sizeof image->magic) != 0) return INVALID_IMAGE;
    *module = calloc(1, sizeof **module);
    if (!*module) return OUT_OF_MEMORY;
    if (open_image(*module, image)) return OK;
    free(*module);
    return INVALID_IMAGE;
}

int cuModuleUnload(struct CUmod_st *module)
{
    dlclose(module->library);
    close(module->file);
    free(module);
    return OK;
}

static struct CUfunc_st *functions; /* kept until the process ends, as the driver keeps them */

int cuModuleGetFunction(struct CUfunc_st **function, struct CUmod_st *module, const char *name)
{
    void *symbol = dlsym(module->library, name);
    struct CUfunc_st *made = symbol ? calloc(1, sizeof *made) : NULL;
    if (!made) return NOT_FOUND;
    memcpy(&made->run, &symbol, sizeof symbol);
    made->arguments = *(int *)dlsym(module->library, "fake_arguments");
    made->barrier = dlsym(module->library, "fake_barrier");
    made->thread = dlsym(module->library, "threadIdx");
    made->block = dlsym(module->library, "blockIdx");
    pthread_mutex_lock(&lock);
    made->next = functions;
    functions = made;
    pthread_mutex_unlock(&lock);
    *function = made;
    return OK;
}

int cuFuncSetAttribute(struct CUfunc_st *function, int attribute, int value)
{
    (void)function;
    return attribute == 8 && value <= 99 * 1024 ? OK : INVALID_VALUE;
}

/* ---- running a block ---- */

/* The threads of the block that runs; one block at a time in the whole process. */
static struct {
    const struct CUfunc_st *function;
    int64_t argument[MOST_ARGUMENTS];
    int threads, thread;
    ucontext_t caller, context[MOST_THREADS];
    bool done[MOST_THREADS];
    char *stacks;
} running;
static pthread_mutex_t running_lock = PTHREAD_MUTEX_INITIALIZER;

static void yield_thread(void)
{
    swapcontext(&running.context[running.thread], &running.caller);
}

static void run_thread(void)
{
    const int64_t *a = running.argument;
    running.function->run(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11],
                          a[12], a[13], a[14], a[15], a[16], a[17], a[18], a[19], a[20], a[21],
                          a[22], a[23]);
    running.done[running.thread] = true;
}

/* Every thread runs to its next barrier, until all are done. */
static void run_block(int block)
{
    *running.function->block = block;
    for (int t = 0; t < running.threads; t++) {
        ucontext_t *context = &running.context[t];
        getcontext(context);
        context->uc_stack.ss_sp = running.stacks + (size_t)t * STACK_BYTES;
        context->uc_stack.ss_size = STACK_BYTES;
        context->uc_link = &running.caller;
        makecontext(context, run_thread, 0);
        running.done[t] = false;
    }
    for (int left = running.threads; left;) {
        for (int t = 0; t < running.threads; t++) {
            if (running.done[t]) continue;
            running.thread = t;
            *running.function->thread = t;
            swapcontext(&running.caller, &running.context[t]);
            left -= running.done[t];
        }
    }
}

struct launch {
    struct CUfunc_st *function;
    int blocks, threads;
    int64_t argument[MOST_ARGUMENTS];
    struct launch *next;
};

static int run_launch(const struct launch *launch)
{
    pthread_mutex_lock(&running_lock);
    if (!running.stacks) running.stacks = malloc((size_t)MOST_THREADS * STACK_BYTES);
    int result = running.stacks ? OK : OUT_OF_MEMORY;
    running.function = launch->function;
    running.threads = launch->threads;
    memcpy(running.argument, launch->argument, sizeof running.argument);
    *launch->function->barrier = yield_thread;
    for (int block = 0; block < launch->blocks && result == OK; block++)
        run_block(block);
    pthread_mutex_unlock(&running_lock);
    return result;
}

/* ---- streams and graphs ---- */

struct CUgraph_st {
    struct launch *first, **last;
};

/* A place in a stream that others wait for. */
struct moment {
    bool passed;
    struct moment *next;
};

/* One thing that a stream has to do: of these the one that is there. */
struct work {
    struct launch *launch;
    void *to;
    const void *from;
    size_t bytes;
    struct moment *awaited, *reached;
    struct work *next;
};

struct CUstream_st {
    struct CUctx_st *context;
    struct CUgraph_st *graph; /* that it is captured into */
    bool puts_off;            /* what it has to do */
    struct work *first, **last;
    struct CUstream_st *next; /* that puts off */
};

/* One end of a copy of rows. */
struct copied_end {
    size_t x_bytes, y;
    unsigned type; /* 1: the host's, 2: the device's */
    char *host;
    uint64_t device;
    void *array;
    size_t pitch;
};

struct CUDA_MEMCPY2D_st {
    struct copied_end from, to;
    size_t bytes, rows;
};

EXPORTED int cuStreamCreate(struct CUstream_st **stream, unsigned flags);
EXPORTED int cuStreamDestroy_v2(struct CUstream_st *stream);
EXPORTED int cuStreamSynchronize(struct CUstream_st *stream);
EXPORTED int cuThreadExchangeStreamCaptureMode(int *mode);
EXPORTED int cuStreamBeginCapture_v2(struct CUstream_st *stream, int mode);
EXPORTED int cuStreamEndCapture(struct CUstream_st *stream, struct CUgraph_st **graph);
EXPORTED int cuGraphInstantiateWithFlags(struct CUgraph_st **executable, struct CUgraph_st *graph,
                                         unsigned long long flags);
EXPORTED int cuGraphLaunch(struct CUgraph_st *graph, struct CUstream_st *stream);
EXPORTED int cuGraphExecDestroy(struct CUgraph_st *graph);
EXPORTED int cuGraphDestroy(struct CUgraph_st *graph);
EXPORTED int cuLaunchKernel(struct CUfunc_st *function, unsigned blocks_x, unsigned blocks_y,
                            unsigned blocks_z, unsigned threads_x, unsigned threads_y,
                            unsigned threads_z, unsigned shared_bytes, struct CUstream_st *stream,
                            void **arguments, void **extra);
EXPORTED int cuMemsetD8Async(uint64_t memory, unsigned char value, size_t bytes,
                             struct CUstream_st *stream);
EXPORTED int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes,
                                  struct CUstream_st *stream);
EXPORTED int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes,
                                  struct CUstream_st *stream);
EXPORTED int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes,
                                  struct CUstream_st *stream);
EXPORTED int cuMemcpy2DAsync_v2(const struct CUDA_MEMCPY2D_st *copied, struct CUstream_st *stream);
EXPORTED int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags);
EXPORTED int cuMemHostUnregister(void *memory);

/* The default streams are numbers, not addresses. */
static bool is_default(const struct CUstream_st *stream)
{
    return (uintptr_t)stream <= 2;
}

static bool is_captured(const struct CUstream_st *stream)
{
    return !is_default(stream) && stream->graph;
}

/* ---- work that is put off ---- */

static struct CUstream_st *putting_off; /* and what they have to do: */
static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER;

static bool puts_off(const struct CUstream_st *stream)
{
    return !is_default(stream) && !stream->graph && stream->puts_off;
}

static void begin_to_put_off(struct CUstream_st *stream)
{
    if (stream->puts_off) return;
    stream->puts_off = true;
    stream->last = &stream->first;
    stream->next = putting_off;
    putting_off = stream;
}

static int put_off(struct CUstream_st *stream, const struct work *work)
{
    struct work *kept = malloc(sizeof *kept);
    if (!kept) return OUT_OF_MEMORY;
    *kept = *work;
    pthread_mutex_lock(&work_lock);
    *stream->last = kept;
    stream->last = &kept->next;
    pthread_mutex_unlock(&work_lock);
    return OK;
}

/* False: its turn has not come. */
static bool do_work(struct CUstream_st *stream)
{
    struct work *work = stream->first;
    if (!work || (work->awaited && !work->awaited->passed)) return false;
    if (work->launch) run_launch(work->launch);
    if (work->bytes) memcpy(work->to, work->from, work->bytes);
    if (work->reached) work->reached->passed = true;
    stream->first = work->next;
    if (!stream->first) stream->last = &stream->first;
    free(work->launch);
    free(work);
    return true;
}

/* Streams take turns by chance, each with few things or many, until one of them, or all, have
 * nothing left. */
static void do_all(const struct CUstream_st *until)
{
    static uint32_t chance = 1;
    pthread_mutex_lock(&work_lock);
    for (bool left = true; left;) {
        left = false;
        for (struct CUstream_st *stream = putting_off; stream; stream = stream->next) {
            chance = chance * 1664525u + 1013904223u;
            int things = 1 << (chance >> 28);
            while (things > 1 && do_work(stream)) things--;
            left = left || (stream->first && (!until || stream == until));
        }
    }
    pthread_mutex_unlock(&work_lock);
}

int cuStreamCreate(struct CUstream_st **stream, unsigned flags)
{
    (void)flags;
    if (!current()) return INVALID_CONTEXT;
    *stream = calloc(1, sizeof **stream);
    if (!*stream) return OUT_OF_MEMORY;
    (*stream)->context = current();
    return OK;
}

int cuStreamDestroy_v2(struct CUstream_st *stream)
{
    do_all(NULL);
    pthread_mutex_lock(&work_lock);
    struct CUstream_st **link = &putting_off;
    while (*link && *link != stream)
        link = &(*link)->next;
    if (*link) *link = stream->next;
    pthread_mutex_unlock(&work_lock);
    free(stream);
    return OK;
}

int cuStreamSynchronize(struct CUstream_st *stream)
{
    if (is_captured(stream)) return CAPTURE_UNSUPPORTED;
    if (puts_off(stream)) do_all(stream);
    return OK;
}

int cuThreadExchangeStreamCaptureMode(int *mode)
{
    int before = capture_mode;
    capture_mode = *mode;
    *mode = before;
    return OK;
}

int cuStreamBeginCapture_v2(struct CUstream_st *stream, int mode)
{
    (void)mode;
    stream->graph = calloc(1, sizeof *stream->graph);
    if (!stream->graph) return OUT_OF_MEMORY;
    stream->graph->last = &stream->graph->first;
    capturing++;
    return OK;
}

int cuStreamEndCapture(struct CUstream_st *stream, struct CUgraph_st **graph)
{
    *graph = stream->graph;
    stream->graph = NULL;
    capturing--;
    return *graph ? OK : INVALID_HANDLE;
}

/* An executable graph is the graph itself, which goes with it. */
int cuGraphInstantiateWithFlags(struct CUgraph_st **executable, struct CUgraph_st *graph,
                                unsigned long long flags)
{
    (void)flags;
    *executable = graph;
    return OK;
}

int cuGraphLaunch(struct CUgraph_st *graph, struct CUstream_st *stream)
{
    (void)stream;
    int result = OK;
    for (const struct launch *launch = graph->first; launch && result == OK; launch = launch->next)
        result = run_launch(launch);
    return result;
}

int cuGraphExecDestroy(struct CUgraph_st *graph)
{
    for (struct launch *next, *launch = graph->first; launch; launch = next) {
        next = launch->next;
        free(launch);
    }
    free(graph);
    return OK;
}

int cuGraphDestroy(struct CUgraph_st *graph)
{
    (void)graph;
    return OK;
}

static int keep_launch(struct CUgraph_st *graph, const struct launch *launch)
{
    struct launch *kept = malloc(sizeof *kept);
    if (!kept) return OUT_OF_MEMORY;
    *kept = *launch;
    *graph->last = kept;
    graph->last = &kept->next;
    return OK;
}

static int put_off_launch(struct CUstream_st *stream, const struct launch *launch)
{
    struct launch *kept = malloc(sizeof *kept);
    if (!kept) return OUT_OF_MEMORY;
    *kept = *launch;
    return put_off(stream, &(struct work){.launch = kept});
}

int cuLaunchKernel(struct CUfunc_st *function, unsigned blocks_x, unsigned blocks_y,
                   unsigned blocks_z, unsigned threads_x, unsigned threads_y, unsigned threads_z,
                   unsigned shared_bytes, struct CUstream_st *stream, void **arguments,
                   void **extra)
{
    (void)shared_bytes;
    bool good = blocks_x > 0 && blocks_x <= 50 && threads_x > 0 && threads_x <= 256 &&
                blocks_y * blocks_z * threads_y * threads_z == 1 && !extra && current() &&
                (is_default(stream) || stream->context == current());
    if (!good) return INVALID_VALUE;
    struct launch launch = {.function = function, (int)blocks_x, (int)threads_x};
    for (int i = 0; i < function->arguments; i++)
        launch.argument[i] = *(int64_t *)arguments[i];
    if (puts_off(stream)) return put_off_launch(stream, &launch);
    return is_captured(stream) ? keep_launch(stream->graph, &launch) : run_launch(&launch);
}

static int copy(void *to, const void *from, size_t bytes, struct CUstream_st *stream)
{
    if (!current()) return INVALID_CONTEXT;
    if (is_captured(stream)) return CAPTURE_UNSUPPORTED;
    if (puts_off(stream))
        return put_off(stream, &(struct work){.to = to, .from = from, .bytes = bytes});
    memcpy(to, from, bytes);
    return OK;
}

int cuMemsetD8Async(uint64_t memory, unsigned char value, size_t bytes, struct CUstream_st *stream)
{
    if (is_captured(stream)) return CAPTURE_UNSUPPORTED;
    memset((void *)(uintptr_t)memory, value, bytes);
    return OK;
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, struct CUstream_st *stream)
{
    return copy((void *)(uintptr_t)to, from, bytes, stream);
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, struct CUstream_st *stream)
{
    return copy(to, (void *)(uintptr_t)from, bytes, stream);
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, struct CUstream_st *stream)
{
    return copy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes, stream);
}

static char *row_of(const struct copied_end *end, size_t row)
{
    char *start = end->type == 1 ? end->host : (char *)(uintptr_t)end->device;
    return start + (end->y + row) * end->pitch + end->x_bytes;
}

int cuMemcpy2DAsync_v2(const struct CUDA_MEMCPY2D_st *copied, struct CUstream_st *stream)
{
    int result = OK;
    const bool fit = copied->bytes <= copied->from.pitch && copied->bytes <= copied->to.pitch;
    if (!fit || copied->from.type == copied->to.type) return INVALID_VALUE;
    for (size_t row = 0; row < copied->rows && result == OK; row++)
        result = copy(row_of(&copied->to, row), row_of(&copied->from, row), copied->bytes, stream);
    return result;
}

/* ---- host memory ---- */

enum { MOST_REGISTERED = 64, ALREADY_REGISTERED = 712, NOT_REGISTERED = 713 };

static struct {
    void *memory;
    size_t bytes;
} registered[MOST_REGISTERED];

/* Under the lock. */
static bool is_registered(const char *address)
{
    for (int i = 0; i < MOST_REGISTERED; i++) {
        const char *start = registered[i].memory;
        if (start && address >= start && address < start + registered[i].bytes) return true;
    }
    return false;
}

int cuMemHostRegister_v2(void *memory, size_t bytes, unsigned flags)
{
    int result = OUT_OF_MEMORY;
    if (!bytes || flags != 1) return INVALID_VALUE;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST_REGISTERED; i++)
        if (registered[i].memory == memory) result = ALREADY_REGISTERED;
    for (int i = 0; i < MOST_REGISTERED && result == OUT_OF_MEMORY; i++) {
        if (registered[i].memory) continue;
        registered[i].memory = memory;
        registered[i].bytes = bytes;
        result = OK;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int cuMemHostUnregister(void *memory)
{
    int result = NOT_REGISTERED;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < MOST_REGISTERED; i++) {
        if (registered[i].memory != memory) continue;
        registered[i].memory = NULL;
        result = OK;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

/* ---- events ---- */

struct CUevent_st {
    double seconds;
    struct moment *moment; /* NULL: it was reached as it was recorded */
};

static struct moment *moments; /* kept until the process ends: streams may wait for them */

EXPORTED int cuEventCreate(struct CUevent_st **event, unsigned flags);
EXPORTED int cuEventDestroy_v2(struct CUevent_st *event);
EXPORTED int cuEventRecord(struct CUevent_st *event, struct CUstream_st *stream);
EXPORTED int cuStreamWaitEvent(struct CUstream_st *stream, struct CUevent_st *event,
                               unsigned flags);
EXPORTED int cuEventSynchronize(struct CUevent_st *event);
EXPORTED int cuEventElapsedTime(float *milliseconds, const struct CUevent_st *start,
                                const struct CUevent_st *end);

int cuEventCreate(struct CUevent_st **event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof **event);
    return *event ? OK : OUT_OF_MEMORY;
}

int cuEventDestroy_v2(struct CUevent_st *event)
{
    free(event);
    return OK;
}

static struct moment *moment_to_come(void)
{
    struct moment *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    pthread_mutex_lock(&work_lock);
    made->next = moments;
    moments = made;
    pthread_mutex_unlock(&work_lock);
    return made;
}

int cuEventRecord(struct CUevent_st *event, struct CUstream_st *stream)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    event->seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    event->moment = NULL;
    if (!puts_off(stream)) return OK;
    event->moment = moment_to_come();
    if (!event->moment) return OUT_OF_MEMORY;
    return put_off(stream, &(struct work){.reached = event->moment});
}

int cuStreamWaitEvent(struct CUstream_st *stream, struct CUevent_st *event, unsigned flags)
{
    if (flags || is_default(stream)) return INVALID_VALUE;
    pthread_mutex_lock(&work_lock);
    begin_to_put_off(stream);
    pthread_mutex_unlock(&work_lock);
    return event->moment ? put_off(stream, &(struct work){.awaited = event->moment}) : OK;
}

int cuEventSynchronize(struct CUevent_st *event)
{
    if (event->moment) do_all(NULL);
    return OK;
}

int cuEventElapsedTime(float *milliseconds, const struct CUevent_st *start,
                       const struct CUevent_st *end)
{
    *milliseconds = (float)(1e3 * (end->seconds - start->seconds));
    return OK;
}

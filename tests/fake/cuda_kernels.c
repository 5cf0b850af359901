/* Kernels of the fake driver: what fake/nvrtc.c made of their text, run a block at a time. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "fake/cuda.h"
#include "fake/image.h"

typedef void kernel_function(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                             int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                             int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                             int64_t);
enum { MOST_THREADS = 1024, STACK_BYTES = 128 * 1024 };

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

/* Kept until the process ends, as the driver keeps them. */
static struct CUfunc_st *functions;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

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

int count_arguments(const struct CUfunc_st *function)
{
    return function->arguments;
}

int cuFuncSetAttribute(struct CUfunc_st *function, int attribute, int value)
{
    (void)function;
    return attribute == 8 && value <= 99 * 1024 ? OK : INVALID_VALUE;
}

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

int run_launch(const struct launch *launch)
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

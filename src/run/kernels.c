#include "run/kernels.h"

#include <pthread.h>
#include <stdio.h>

#include "base/error.h"
#include "base/threads.h"

#define MESSAGE_BYTES 512

/* Kernels that are being made, on several threads at once. */
struct making {
    struct device *device;
    const struct program *program;
    const void *const *table;
    struct kernel **kernel;
    pthread_mutex_t lock; /* of what follows */
    int failed;           /* the first pass that did */
    weft_status status;
    char message[MESSAGE_BYTES]; /* an error's is known to its thread alone */
};

static void keep_failure(struct making *making, int pass, weft_status status)
{
    pthread_mutex_lock(&making->lock);
    if (pass < making->failed) {
        making->failed = pass;
        making->status = status;
        snprintf(making->message, sizeof making->message, "%s", error_last());
    }
    pthread_mutex_unlock(&making->lock);
}

static bool has_failed(struct making *making)
{
    pthread_mutex_lock(&making->lock);
    const bool failed = making->status != WEFT_OK;
    pthread_mutex_unlock(&making->lock);
    return failed;
}

static void make(void *context, int64_t begin, int64_t end, int worker)
{
    struct making *making = context;
    (void)worker;
    for (int p = (int)begin; p < end && !has_failed(making); p++) {
        const int twin = program_twin(making->program, p);
        if (twin >= 0) {
            making->kernel[p] = making->kernel[twin];
            continue;
        }
        weft_status status = making->device->ops->pass_create(making->device, making->program, p,
                                                              making->table, &making->kernel[p]);
        if (status) keep_failure(making, p, status);
    }
}

/* A compiler takes a second for some passes, and has no use for more than one thread. */
static void make_all(struct making *making, int passes)
{
    const int all = making->device->host_memory ? 1 : threads_available();
    const int threads = passes < all ? passes : all;
    thread_pool *pool = threads > 1 ? thread_pool_create(threads) : NULL;
    if (pool)
        thread_pool_run(pool, passes, 1, make, making);
    else
        make(making, 0, passes, 0);
    thread_pool_destroy(&pool);
}

weft_status run_kernels_make(struct device *device, const struct program *program,
                             void *const *table, struct kernel **kernel)
{
    struct making making = {.device = device,
                            .program = program,
                            .table = (const void *const *)table,
                            .kernel = kernel,
                            .failed = program->passes};
    pthread_mutex_init(&making.lock, NULL);
    make_all(&making, program->passes);
    pthread_mutex_destroy(&making.lock);
    return making.status ? error_set(making.status, "%s", making.message) : WEFT_OK;
}

/* What the parts of the CUDA backend share. */
#ifndef WEFT_DEVICE_CUDA_STATE_H
#define WEFT_DEVICE_CUDA_STATE_H

#include <pthread.h>
#include <stdbool.h>

#include "device/cuda/compiler.h"
#include "device/cuda/driver.h"
#include "device/device.h"
#include "device/gpu/compile.h"
#include "store/store.h"

struct cuda_state {
    const struct cuda_driver *driver;
    cuda_id id;
    cuda_context context;
    bool primary;       /* the context is the device's primary one, retained by us */
    cuda_stream stream; /* for runs without a queue, and for copies */
    char name[64];      /* "NVIDIA H200", for messages */
    int most_blocks;    /* of a launch */
    int driver_version; /* 13000 for 13.0 */
    struct cuda_target target;
    struct store *store; /* compiled kernels */
    int cores;           /* multiprocessors */

    pthread_mutex_t rows_lock; /* of the next three */
    bool rows_refused;         /* there will be none */
    cuda_module rows_module;   /* NULL: not yet made */
    cuda_function rows_kernel;
};

/* Every call that needs the context stands between these two, on any thread. */
weft_status cuda_enter(const struct cuda_state *state);
void cuda_leave(const struct cuda_state *state);

/* The driver's verdict as a status with a message: WEFT_OK for CUDA_OK, MEMORY if the device has no
 * more, otherwise DEVICE. call: the driver's function; kernel: whose, or NULL. */
weft_status cuda_check(const struct cuda_state *state, cuda_result result, const char *call,
                       const char *kernel);

/* What the device can do, by the driver's attributes alone. */
void cuda_limits(const struct cuda_state *state, struct limits *limits);

/* Has a kernel's source compiled for the device, or taken from the store. (kernel.c) */
weft_status cuda_compile_stored(const struct cuda_state *state, const struct text *source,
                                const struct gpu_compiler *compiler);

/* rows.c: whether there is a kernel that can copy the rows, made when it is first asked for; and
 * the copy, in the stream after what is there. To be called in the context. */
bool cuda_rows_serves(struct cuda_state *state, const struct device_rows *rows);
weft_status cuda_rows_copy(const struct cuda_state *state, cuda_stream stream,
                           const struct device_rows *rows, bool up);

/* memory.c */
weft_status cuda_alloc(struct device *device, size_t bytes, void **memory);
void cuda_free(struct device *device, void *memory);
weft_status cuda_upload(struct device *device, void *memory, size_t offset, const void *data,
                        size_t bytes);
weft_status cuda_download(struct device *device, const void *memory, size_t offset, void *data,
                          size_t bytes);
weft_status cuda_sync(struct device *device, void *queue);

#endif

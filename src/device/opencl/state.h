/* What the parts of the OpenCL backend share. */
#ifndef WEFT_DEVICE_OPENCL_STATE_H
#define WEFT_DEVICE_OPENCL_STATE_H

#include <stdbool.h>

#include "device/device.h"
#include "device/opencl/library.h"
#include "store/store.h"

struct opencl_state {
    const struct opencl_library *library;
    cl_platform_id platform;
    cl_device_id id;
    cl_context context;     /* retained */
    cl_command_queue queue; /* for runs without a queue, and for copies; in order */
    char name[128];         /* "NVIDIA H200", for messages */
    char driver[128];       /* its version */
    bool fma;               /* fast in hardware */
    struct store *store;    /* compiled kernels */
};

/* What a call came to, as a status with a message: MEMORY if the device or the host has no more,
 * ARGUMENT if a handle of the caller's was refused, otherwise DEVICE. call: the function; kernel:
 * whose, or NULL. */
weft_status opencl_check(const struct opencl_state *state, cl_int result, const char *call,
                         const char *kernel);

/* A fact about the device, or `usual` if the driver does not know. */
int64_t opencl_fact(const struct opencl_state *state, cl_device_info which, int64_t usual);

/* limits.c */
void opencl_limits(const struct opencl_state *state, struct limits *limits);

/* memory.c */
weft_status opencl_alloc(struct device *device, size_t bytes, void **memory);
void opencl_free(struct device *device, void *memory);
weft_status opencl_upload(struct device *device, void *memory, size_t offset, const void *data,
                          size_t bytes);
weft_status opencl_download(struct device *device, const void *memory, size_t offset, void *data,
                            size_t bytes);

/* queue.c */
weft_status opencl_sync(struct device *device, void *queue);
/* Makes what follows in a queue wait for what is in it, unless it works in order anyway. */
weft_status opencl_order(const struct opencl_state *state, cl_command_queue queue);

/* kernel.c */
weft_status opencl_pass_create(struct device *device, const struct program *program, int index,
                               const void *const *tables, struct kernel **kernel);
void opencl_pass_destroy(struct device *device, struct kernel **kernel);
size_t opencl_pass_table_bytes(const struct kernel *kernel);
weft_status opencl_pass_run(struct device *device, const struct kernel *kernel,
                            const struct pass_arguments *arguments);
weft_status opencl_pass_source(struct device *device, const struct program *program, int index,
                               const struct kernel *kernel, struct text *text);

#endif

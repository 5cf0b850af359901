/* The CUDA driver, libcuda.so.1, opened at run time. The declarations are our own, of what is used
 * here: CUDA's headers are not needed to build. Names and numbers are those of the CUDA Driver API
 * reference. */
#ifndef WEFT_DEVICE_CUDA_DRIVER_H
#define WEFT_DEVICE_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int cuda_result;       /* CUresult */
typedef int cuda_id;           /* CUdevice */
typedef uint64_t cuda_address; /* CUdeviceptr */
typedef struct CUctx_st *cuda_context;
typedef struct CUstream_st *cuda_stream;
typedef struct CUevent_st *cuda_event;
typedef struct CUmod_st *cuda_module;
typedef struct CUfunc_st *cuda_function;

/* CUresult */
enum {
    CUDA_OK = 0,
    CUDA_OUT_OF_MEMORY = 2,
    CUDA_ALREADY_REGISTERED = 712 /* CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED */
};

/* The default stream that the runtime API calls stream 0. */
#define CUDA_STREAM_LEGACY ((cuda_stream)(uintptr_t)1)

/* CUdevice_attribute */
enum cuda_attribute {
    CUDA_MAX_THREADS = 1,
    CUDA_MAX_GRID_X = 5,
    CUDA_WARP_SIZE = 10,
    CUDA_CLOCK_KILOHERTZ = 13,
    CUDA_MULTIPROCESSORS = 16,
    CUDA_MEMORY_KILOHERTZ = 36,
    CUDA_MEMORY_BUS_BITS = 37,
    CUDA_L2_BYTES = 38,
    CUDA_CAPABILITY_MAJOR = 75,
    CUDA_CAPABILITY_MINOR = 76,
    CUDA_THREADS_PER_MULTIPROCESSOR = 39,
    CUDA_SHARED_PER_MULTIPROCESSOR = 81,
    CUDA_REGISTERS_PER_MULTIPROCESSOR = 82,
    CUDA_SINGLE_TO_DOUBLE = 87,
    CUDA_REGISTERED_BY_HOST_ADDRESS = 91, /* kernels reach memory that was registered so */
    CUDA_SHARED_PER_BLOCK = 97            /* at most, for kernels that ask for it */
};

/* CUfunction_attribute */
enum { CUDA_FUNCTION_DYNAMIC_SHARED_BYTES = 8 };

/* CUpointer_attribute */
enum { CUDA_POINTER_CONTEXT = 1, CUDA_POINTER_MEMORY_TYPE = 2, CUDA_POINTER_DEVICE = 9 };

/* CUstreamCaptureMode */
enum { CUDA_CAPTURE_RELAXED = 2 };

/* CUmemorytype */
enum { CUDA_MEMORY_HOST = 1, CUDA_MEMORY_DEVICE = 2 };

/* CUDA_MEMCPY2D, whose two ends are alike. */
struct cuda_copy_end {
    size_t x_bytes, y;
    unsigned type;
    void *host;
    cuda_address device;
    void *array;
    size_t pitch;
};

struct cuda_copy {
    struct cuda_copy_end from, to;
    size_t bytes, rows;
};

struct cuda_driver {
    cuda_result (*init)(unsigned flags);
    cuda_result (*driver_version)(int *version);
    cuda_result (*error_name)(cuda_result result, const char **name);
    cuda_result (*error_text)(cuda_result result, const char **text);

    cuda_result (*device_count)(int *count);
    cuda_result (*device_get)(cuda_id *device, int ordinal);
    cuda_result (*device_name)(char *name, int capacity, cuda_id device);
    cuda_result (*device_memory)(size_t *bytes, cuda_id device);
    cuda_result (*device_attribute)(int *value, enum cuda_attribute attribute, cuda_id device);

    cuda_result (*primary_retain)(cuda_context *context, cuda_id device);
    cuda_result (*primary_release)(cuda_id device);
    cuda_result (*context_current)(cuda_context *context);
    cuda_result (*context_device)(cuda_id *device);
    cuda_result (*context_push)(cuda_context context);
    cuda_result (*context_pop)(cuda_context *context);

    cuda_result (*alloc)(cuda_address *memory, size_t bytes);
    cuda_result (*free)(cuda_address memory);
    cuda_result (*clear)(cuda_address memory, unsigned char value, size_t bytes,
                         cuda_stream stream);
    cuda_result (*upload)(cuda_address to, const void *from, size_t bytes, cuda_stream stream);
    cuda_result (*download)(void *to, cuda_address from, size_t bytes, cuda_stream stream);
    cuda_result (*copy_rows)(const struct cuda_copy *copy, cuda_stream stream);
    cuda_result (*host_register)(void *memory, size_t bytes, unsigned flags);
    cuda_result (*host_unregister)(void *memory);
    cuda_result (*pointer_attributes)(unsigned count, const int *attributes, void **values,
                                      cuda_address pointer);

    cuda_result (*stream_create)(cuda_stream *stream, unsigned flags);
    cuda_result (*stream_destroy)(cuda_stream stream);
    cuda_result (*stream_wait)(cuda_stream stream);
    cuda_result (*stream_wait_event)(cuda_stream stream, cuda_event event, unsigned flags);
    cuda_result (*event_create)(cuda_event *event, unsigned flags);
    cuda_result (*event_destroy)(cuda_event event);
    cuda_result (*event_record)(cuda_event event, cuda_stream stream);
    cuda_result (*exchange_capture_mode)(int *mode);

    cuda_result (*module_load)(cuda_module *module, const void *image);
    cuda_result (*module_unload)(cuda_module module);
    cuda_result (*module_function)(cuda_function *function, cuda_module module, const char *name);
    cuda_result (*function_set)(cuda_function function, int attribute, int value);
    cuda_result (*launch)(cuda_function function, unsigned blocks_x, unsigned blocks_y,
                          unsigned blocks_z, unsigned threads_x, unsigned threads_y,
                          unsigned threads_z, unsigned shared_bytes, cuda_stream stream,
                          void **arguments, void **extra);
};

/* The driver, initialised; the same for the whole process. NULL if there is none, or if it has no
 * devices; then *why (not NULL) says so in one line. Callable from any thread. */
const struct cuda_driver *cuda_driver_get(const char **why);

#endif

/* CUDA as its callers have it: their own context, memory between guards, and a stream; and problems
 * that are executed there and compared with the reference. */
#ifndef TESTS_SUPPORT_CUDA_H
#define TESTS_SUPPORT_CUDA_H

#include <stdbool.h>
#include <stdint.h>

#include <weft/cuda.h>

typedef struct CUctx_st *context_handle;
typedef struct CUstream_st *stream_handle;
typedef struct CUgraph_st *graph_handle;

/* What of the driver these tests call. */
struct cuda_driver {
    int (*init)(unsigned flags);
    int (*device_count)(int *count);
    int (*primary_retain)(context_handle *context, int device);
    int (*primary_release)(int device);
    int (*create)(context_handle *context, unsigned flags, int device);
    int (*destroy)(context_handle context);
    int (*push)(context_handle context);
    int (*pop)(context_handle *context);
    int (*current)(context_handle *context);
    int (*alloc)(uint64_t *memory, size_t bytes);
    int (*free)(uint64_t memory);
    int (*upload)(uint64_t to, const void *from, size_t bytes, stream_handle stream);
    int (*download)(void *to, uint64_t from, size_t bytes, stream_handle stream);
    int (*stream_create)(stream_handle *stream, unsigned flags);
    int (*stream_destroy)(stream_handle stream);
    int (*stream_wait)(stream_handle stream);
    int (*begin_capture)(stream_handle stream, int mode);
    int (*end_capture)(stream_handle stream, graph_handle *graph);
    int (*instantiate)(graph_handle *executable, graph_handle graph, unsigned long long flags);
    int (*launch)(graph_handle executable, stream_handle stream);
    int (*destroy_executable)(graph_handle executable);
    int (*destroy_graph)(graph_handle graph);
};

extern struct cuda_driver cuda;

enum { NON_BLOCKING = 1, CAPTURE_GLOBAL = 0 };

/* A context of the caller's own, a device in it, and a stream. */
extern context_handle cuda_context;
extern weft_device *cuda_device;
extern stream_handle cuda_stream;

/* Of a group: all of it stays NULL where there is no driver or no device. */
int cuda_start(void **state);
int cuda_stop(void **state);

/* Memory of the device between guards. */
struct cuda_array {
    uint64_t block;
    size_t bytes; /* between the guards */
};

/* Packed but for the distance from a batch's array to the next and, if transposed, the output,
 * which has the batch as its fastest axis. */
struct cuda_problem {
    int64_t size[3];
    int rank;
    int64_t batch, padding;
    weft_precision precision;
    weft_format format;
    bool transposed;
};

/* Sure to be had; the caller destroys it. */
weft_plan *cuda_make_plan(weft_device *on, const struct cuda_problem *p);

/* As packed pairs of doubles, freed by the caller: random numbers that single precision holds. */
double *cuda_random_pairs(const struct cuda_problem *p, uint64_t seed);

/* Fails the test unless `out` is the transform of `in`, as near as its precision should be. */
void cuda_compare(const struct cuda_problem *p, weft_direction direction, const double *in,
                  const double *out);

/* One side of a problem, on the device. */
struct cuda_side {
    struct cuda_array array;
    weft_buffer *buffer;
};

struct cuda_side cuda_make_side(weft_device *on, const struct cuda_problem *p);
void cuda_free_side(struct cuda_side *side);

/* Between packed pairs on the host and a side; what get returns the caller frees. */
void cuda_put(const struct cuda_problem *p, struct cuda_side *side, const double *pairs);
double *cuda_get(const struct cuda_problem *p, const struct cuda_side *side);

void cuda_execute(const weft_plan *plan, weft_direction direction, struct cuda_side *in,
                  struct cuda_side *out, stream_handle on);

/* There and back on the stream, against the reference. */
void cuda_try_problem(const struct cuda_problem *p, bool in_place);

#endif

/* A CUDA driver for machines without a GPU, libcuda.so.1 for the tests: memory is the host's, work
 * is done when it is started, and kernels are what fake/nvrtc.c made of their text, their threads
 * coroutines that take turns at barriers. What is captured is kept and done by graph launches; what
 * is in streams that wait for each other is done when one is waited for, in any order that their
 * events allow. */
#ifndef TESTS_FAKE_CUDA_H
#define TESTS_FAKE_CUDA_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

enum { MOST_ARGUMENTS = 24 };
#define DEVICE_BYTES ((size_t)1 << 30)

struct CUctx_st {
    int device;
};

struct launch {
    struct CUfunc_st *function;
    int blocks, threads;
    int64_t argument[MOST_ARGUMENTS];
    struct launch *next;
};

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

/* The context of this thread; NULL: none. */
struct CUctx_st *current_context(void);

/* Streams that are captured forbid allocating, unless the mode of this thread says otherwise. */
bool forbids_allocating(void);

/* How many arguments it takes. */
int count_arguments(const struct CUfunc_st *function);
int run_launch(const struct launch *launch);

bool is_default(const struct CUstream_st *stream);
bool is_captured(const struct CUstream_st *stream);
bool puts_off(const struct CUstream_st *stream);
void begin_to_put_off(struct CUstream_st *stream);
int put_off(struct CUstream_st *stream, const struct work *work);

/* A place to come in a stream, kept until the process ends: streams may wait for it. */
struct moment *moment_to_come(void);

/* Streams take turns by chance, each with few things or many, until one of them, or all (NULL),
 * have nothing left. */
void do_all(const struct CUstream_st *until);

#endif

/* A device behind one table of functions. What calls them (src/run/, src/api/) has checked all
 * arguments: backends assume valid input. */
#ifndef WEFT_DEVICE_DEVICE_H
#define WEFT_DEVICE_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "base/threads.h"
#include "spec/limits.h"
#include "spec/program.h"
#include "weft/weft.h"

struct device;

/* Device memory as the passes see it: one array of pairs (im == NULL), or two planes. What the
 * pointers mean is the device's affair, so nobody else does arithmetic on them. */
struct device_memory {
    void *re, *im; /* as alloc() gave them, or as the caller wrapped them */
    int64_t first; /* elements from there to the pass's element 0: complex ones, or reals in an
                    * array of reals */
};

/* Where a pass works, by enum pass_place; already moved to the outer counters of its stage.
 * PASS_SPECTRUM begins where its memory does, but on a CPU. */
struct pass_arguments {
    struct device_memory place[PASS_PLACES];
    int64_t position[2]; /* of the places' element 0, for hooks (struct pass) */
    weft_direction direction;
    int64_t slice;   /* of passes that have several (pass_slices()) the one to run */
    void *queue;     /* the caller's stream or command queue; NULL: the device's own */
    void *workspace; /* pass_workspace_bytes() bytes that no other run uses meanwhile */
};

/* A pass made ready for a device: compiled, with its tables. */
struct kernel;

struct codelet_shape;

/* What running a kernel comes to where it is a call or two on host memory: transforms of less than
 * a hundred nanoseconds notice every layer in between. By weft_direction; NULL: this direction has
 * none. The planes are as in struct device_memory, exchanged by the caller for planar data in the
 * inverse direction. */
struct pass_call {
    void (*run[2])(const struct codelet_shape *shape, const void *in_re, const void *in_im,
                   void *out_re, void *out_im, const void *twiddles, const void *fine);
    const struct codelet_shape *shape[2];
    const void *twiddles[2], *fine[2];
};

struct pass_shortcut {
    struct pass_call call; /* from the input to the output */
    struct pass_call then; /* on the output, of pairs; NULL: that was all */
};

/* Rows of memory to be copied: `rows` of them, each `bytes` long. */
struct device_rows {
    void *memory;         /* of the device */
    size_t offset, pitch; /* bytes to the first row there, and from one to the next */
    char *host;           /* the first row here */
    size_t host_pitch;
    size_t bytes, rows;
    bool scattered; /* these rows, or those that are copied the other way meanwhile, are short */
};

/* Whether queues may copy host memory: DEVICE_WAS_PINNED, by somebody else, whose affair it is. */
enum device_pin { DEVICE_NOT_PINNED, DEVICE_WAS_PINNED, DEVICE_PINNED };

/* Copies that go on while kernels run and the host does something else. */
struct device_link {
    /* A queue of the device's, as in pass_arguments; what is started in it is done in order, and
     * beside what is in other queues. */
    weft_status (*queue_create)(struct device *device, void **queue);
    void (*queue_destroy)(struct device *device, void *queue);
    /* What is started in the queue from now on begins when all is done that was started in the
     * other before. */
    weft_status (*follow)(struct device *device, void *queue, void *other);
    /* Starts copying to the device (up) or from it. The host's memory must be pinned. */
    weft_status (*copy)(struct device *device, void *queue, const struct device_rows *rows,
                        bool up);
    /* Has host memory stay where the device can reach it, until it is unpinned. */
    enum device_pin (*pin)(struct device *device, void *memory, size_t bytes);
    void (*unpin)(struct device *device, void *memory);
};

struct device_ops {
    const char *name; /* "cpu" */

    /* Devices of this backend that there are, named "opencl:0" and so on; none where its driver is
     * missing. NULL: one, named as the backend. */
    int (*count)(void);
    /* Whether the index-th may be chosen where the caller names no device. NULL: each. */
    bool (*by_itself)(int index);
    /* Whether any that may be chosen so can be there, told without opening a driver. NULL: yes. */
    bool (*worth_asking)(void);

    /* Fills device->limits, ->description and ->state. argument: what followed "name:", or NULL. */
    weft_status (*open)(const char *argument, struct device *device);
    void (*close)(struct device *device);

    /* Zeroed memory. */
    weft_status (*alloc)(struct device *device, size_t bytes, void **memory);
    void (*free)(struct device *device, void *memory);
    weft_status (*upload)(struct device *device, void *memory, size_t offset, const void *data,
                          size_t bytes);
    weft_status (*download)(struct device *device, const void *memory, size_t offset, void *data,
                            size_t bytes);

    /* tables[i]: the program's i-th table in the problem's precision, m real and then m imaginary
     * parts. Where host_memory, they live as long as the kernel, which may use them in place;
     * elsewhere they are read during the call only. */
    weft_status (*pass_create)(struct device *device, const struct program *program, int index,
                               const void *const *tables, struct kernel **kernel);
    void (*pass_destroy)(struct device *device, struct kernel **kernel);
    /* Bytes of the tables that the kernel holds. */
    size_t (*pass_table_bytes)(const struct kernel *kernel);
    /* Host memory one run of the kernel works in. NULL: none. */
    size_t (*pass_workspace_bytes)(const struct kernel *kernel);
    /* Several threads may run one kernel at once, on different memory. */
    weft_status (*pass_run)(struct device *device, const struct kernel *kernel,
                            const struct pass_arguments *arguments);

    /* Calls the body for all of [0, count), on up to so many threads at once, and waits for them
     * (base/threads.h). NULL: the device has no threads of the host's. */
    void (*deal)(struct device *device, int threads, int64_t count, thread_loop_body *body,
                 void *context);

    /* Fills in the shortcut if the kernel has one. NULL: no kernel has. */
    bool (*pass_shortcut)(const struct kernel *kernel, struct pass_shortcut *shortcut);
    /* Likewise of the kernels of all a program's passes, one after the other. */
    bool (*program_shortcut)(struct kernel *const *kernel, const struct program *program,
                             struct pass_shortcut *shortcut);

    /* Appends for people to read what the kernel of the program's pass is: the text that was
     * compiled, or what it calls. NULL: there is nothing to show. */
    weft_status (*pass_source)(struct device *device, const struct program *program, int index,
                               const struct kernel *kernel, struct text *text);

    /* Waits for everything that was started on the queue (NULL: the device's own). NULL: pass_run
     * returns when it is done. */
    weft_status (*sync)(struct device *device, void *queue);

    /* NULL: there is nothing but upload and download. */
    const struct device_link *link;
};

struct device {
    const struct device_ops *ops;
    struct limits limits;
    const struct limits *extended; /* those it has in WEFT_DD; NULL: the same */
    bool host_memory; /* device memory is host memory: wrapped buffers are used in place */
    weft_format scratch_format; /* of PASS_SCRATCH; planar only where host_memory */
    char description[160];
    void *state;
};

/* What a device can do in a precision of arithmetic. */
static inline const struct limits *device_limits(const struct device *device,
                                                 weft_precision precision)
{
    return precision == WEFT_DD && device->extended ? device->extended : &device->limits;
}

/* The backends there are, the best first (device.c). */
extern const struct device_ops *const device_table[];
extern const int device_table_count;

#endif

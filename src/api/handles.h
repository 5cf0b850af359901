/* What the public handles are. */
#ifndef WEFT_API_HANDLES_H
#define WEFT_API_HANDLES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "api/params.h"
#include "device/device.h"
#include "run/plan_cache.h"
#include "run/runner.h"
#include "stream/stream.h"
#include "tune/wisdom.h"
#include "weft/weft.h"

struct weft_device {
    struct device device;
    struct plan_cache cache;
    struct wisdom *wisdom;
};

/* Gives a device the rest if its backend was opened, as `status` says, and hands it over; on that
 * error, or another (MEMORY), it is freed, closed if it was open. (device.c) */
weft_status device_complete(weft_device *opened, weft_status status, weft_device **device);

/* Whether it is a device of that backend, of which `function` accepts those alone. ARGUMENT.
 * (device.c) */
weft_status device_check(const weft_device *device, const struct device_ops *ops,
                         const char *accepted, const char *function);

/* Where a plane begins, to tell which memory is the same: planes in different objects are apart. */
struct buffer_plane {
    const void *object; /* NULL: whatever has addresses */
    uintptr_t start;    /* the address, or the bytes from the object's beginning */
};

/* Address bits that are 0 in a plain buffer. */
#define BUFFER_PLAIN_BITS (sizeof(double) - 1)

struct weft_buffer {
    weft_device *device;
    /* The device again, if the buffer is plain: one plane, no image, aligned to doubles; else the
     * buffer itself. So executes of short transforms ask one question. */
    const void *plain;
    struct device_memory memory;  /* im == NULL: interleaved */
    struct buffer_plane plane[2]; /* of re and im */
    size_t bytes;                 /* at each of the planes; of an image, its texels */
    int64_t image;                /* texels_shape(); 0: it is none; BUFFER_BY_CALLS */
    weft_calls calls;             /* with the latter, instead of memory */
    void *owned;                  /* to be freed with the buffer; NULL: the caller's memory */
    bool host; /* host memory, and the device works in memory of its own: executes copy */
    atomic_int pin; /* enum device_pin: by streamed executes, for all that follow */
};

/* No image's shape, so that what takes memory takes no such buffer. */
#define BUFFER_BY_CALLS (-1)

struct weft_plan {
    weft_device *device;
    struct stream *stream; /* that does it all, without what follows the problem; NULL: none */
    struct layout layout;
    const struct problem *problem;
    struct prepared *prepared; /* shared with the device's other plans for the problem, */
    struct runner *runner;     /* which have runners of their own */
    const struct program *program;
    struct executable *executable; /* these three are of `prepared` */
    struct pass_shortcut shortcut; /* call.run[direction] == NULL: none */
    const void *direct[2]; /* by direction: the device, if there is one that takes plain buffers of
                            * it; else NULL, which is no buffer's `plain` */
    uintptr_t apart; /* the output's address less that of the input's end is at most this, modulo
                      * 2^64, if the two do not overlap */
    int64_t start[2];              /* bytes to element (0, ..., 0) in these */
    size_t spectrum_bytes;         /* that an execute is given; 0: the plan is a transform's */
    int rank;                      /* of the parameters, */
    weft_axis_order order[WEFT_MAX_RANK]; /* and the order of each axis there */
};

/* Makes a plan; images: of the input and of the output. Arguments are not NULL. (plan.c) */
weft_status plan_make(weft_device *device, const weft_params *params,
                      const struct side_image images[2], weft_plan **plan);

#endif

/* What the public handles are. */
#ifndef WEFT_API_HANDLES_H
#define WEFT_API_HANDLES_H

#include <stdbool.h>

#include "api/params.h"
#include "base/arena.h"
#include "device/device.h"
#include "run/executable.h"
#include "weft/weft.h"

struct weft_device {
    struct device device;
};

struct weft_buffer {
    weft_device *device;
    struct device_memory memory; /* im == NULL: interleaved */
    size_t bytes;                /* at each of the planes */
    void *owned;                 /* to be freed with the buffer; NULL: the caller's memory */
};

struct weft_plan {
    weft_device *device;
    arena *arena;
    struct layout layout;
    const struct program *program;
    struct executable *executable;
    struct pass_shortcut shortcut; /* run[direction] == NULL: none */
};

#endif

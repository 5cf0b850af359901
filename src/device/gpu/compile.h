/* Compiling kernels, and not compiling those again that the store has. */
#ifndef WEFT_DEVICE_GPU_COMPILE_H
#define WEFT_DEVICE_GPU_COMPILE_H

#include <stddef.h>

#include "base/text.h"
#include "store/store.h"
#include "weft/weft.h"

/* Everything that a compiled kernel depends on. */
struct gpu_recipe {
    const char *dialect; /* "opencl" */
    const char *device, *driver, *options;
    const struct text *source; /* text or words */
};

/* What a backend does to make a kernel ready for launches; `context` is its own. */
struct gpu_compiler {
    void *context;
    /* Loads a compiled kernel. Failing says that it is of no use. */
    weft_status (*load)(void *context, const void *binary, size_t bytes);
    /* Compiles the source and loads that. *binary: for memory_free(), or NULL if there is none to
     * keep. */
    weft_status (*compile)(void *context, const struct text *source, void **binary, size_t *bytes);
};

/* Loads the kernel from the store (NULL: there is none) or compiles it and puts it there. */
weft_status gpu_compile(struct store *store, const struct gpu_recipe *recipe,
                        const struct gpu_compiler *compiler);

#endif

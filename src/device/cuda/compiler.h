/* NVRTC, the compiler of CUDA C++, opened at run time. */
#ifndef WEFT_DEVICE_CUDA_COMPILER_H
#define WEFT_DEVICE_CUDA_COMPILER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "weft/weft.h"

/* The library is looked for where the variable WEFT_NVRTC says (a file), then by its names of CUDA
 * 13, 12 and 11 where the loader looks, then in /usr/local/cuda. NULL: WEFT_OK and ready, or one
 * line that says what is missing. Callable from any thread; the answer never changes. */
const char *cuda_compiler_missing(void);

/* The version, e.g. 1209 for 12.9. The compiler must not be missing. */
int cuda_compiler_version(void);

/* What a source is compiled for: compute capability 9.0 is 90. */
struct cuda_target {
    int capability; /* of the device */
    int compiled;   /* what the compiler is asked for: at most the newest that it knows */
    bool machine;   /* machine code; otherwise PTX, which the driver compiles for the device */
};

/* The best the compiler can do for a device of that capability. UNSUPPORTED if it knows none that
 * the device could run. */
weft_status cuda_compiler_target(int capability, struct cuda_target *target);

/* The options, in a line: part of a kernel's key in the store. */
void cuda_compiler_print_options(struct text *t, const struct cuda_target *target);

/* Compiles a source. *image is the caller's to memory_free(): machine code, or PTX ending in a 0.
 * DEVICE with the compiler's first complaints if it refuses; MEMORY. kernel: its name, for
 * messages. */
weft_status cuda_compile(const struct cuda_target *target, const char *kernel, const char *source,
                         void **image, size_t *bytes);

/* Compiles a source to machine code and appends what the assembler reports of it: registers, bytes
 * spilled, shared memory. Errors as above. */
weft_status cuda_compile_report(const struct cuda_target *target, const char *kernel,
                                const char *source, struct text *report);

#endif

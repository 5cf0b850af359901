/* What the backends share that print kernels for a driver to compile: from a pass of a program to
 * the source of its kernel, its tables, and the launches of a run. */
#ifndef WEFT_DEVICE_GPU_PASS_H
#define WEFT_DEVICE_GPU_PASS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "device/device.h"
#include "kernel/block.h"
#include "print/c_like.h"
#include "store/store.h"

#define GPU_NAME_BYTES 64

/* Where a kernel's tables lie, by its buffers. */
struct gpu_tables {
    bool read[IR_MAX_BUFFERS];      /* it is used */
    bool joined[IR_MAX_BUFFERS];    /* it lies in the memory of the first such one, which is the
                                     * argument for them all, */
    uint32_t start[IR_MAX_BUFFERS]; /* from this byte on */
};

struct gpu_pass {
    struct block_kernel info;
    char name[GPU_NAME_BYTES];    /* of the kernel's function */
    struct text source;           /* or a module's words; until gpu_pass_forget_source() */
    int64_t dynamic_shared_bytes; /* to be asked for at a launch */
    enum pass_place from, to;
    bool one_way; /* the direction exchanges no planes */
    int64_t slices; /* pass_slices() */
    int buffers;                 /* arguments that are buffers; the params follow, info.params
                                  * 64-bit integers */
    int buffer[IR_MAX_BUFFERS];  /* which buffer of the kernel such an argument is */
    void *table[IR_MAX_BUFFERS]; /* device memory, by buffer of the kernel; NULL: no table */
    size_t table_bytes;
    struct gpu_tables tables;
};

/* A language that kernels are printed in. */
struct gpu_printer {
    const char *name; /* tells apart any two printers that print a kernel differently */
    bool fma; /* it has fused operations: products are fused into sums */
    bool rounds_once; /* ... and they are bound to round once: extended precision may rely on it */
    bool joins_tables; /* small ones lie in one buffer, for buffers are few */
    /* Appends the kernel to pass->source, in pass->info.precision. UNSUPPORTED: there are no words
     * for it; MEMORY. */
    weft_status (*print)(const struct gpu_printer *printer, const struct ir *ir,
                         struct gpu_pass *pass);
    const void *language; /* that print() writes; its own affair */
};

/* Prints the C of GPUs; the language is a struct c_dialect. */
weft_status gpu_print_c_like(const struct gpu_printer *printer, const struct ir *ir,
                             struct gpu_pass *pass);

/* Builds the kernel of the program's pass for the device's limits and prints it, unless the store
 * (NULL: there is none) has it. UNSUPPORTED: it does not fit the limits, or the language; MEMORY.
 * Nothing is left of a pass that failed. */
weft_status gpu_pass_build(const struct device *device, const struct program *program, int index,
                           const struct gpu_printer *printer, struct store *store,
                           struct gpu_pass *pass);

/* Appends the source, which is text, for people to read, headed by what it is compiled with
 * (`options`) and how it is launched. */
weft_status gpu_pass_show(const struct device *device, const struct program *program, int index,
                          const struct gpu_printer *printer, const char *options,
                          struct text *text);

/* Frees the text of a kernel that was compiled. */
void gpu_pass_forget_source(struct gpu_pass *pass);

/* Puts the pass's tables into device memory. tables: the program's, as device_ops.pass_create gets
 * them. What was allocated before a failure goes with gpu_pass_destroy(). */
weft_status gpu_pass_upload_tables(struct device *device, const struct program *program,
                                   const void *const *tables, struct gpu_pass *pass);

/* Frees tables and source, and empties the pass. */
void gpu_pass_destroy(struct device *device, struct gpu_pass *pass);

/* One launch of a run, to be filled by
 *     struct gpu_launch launch = gpu_launch_start(pass, arguments);
 *     while (gpu_launch_next(pass, most_blocks, &launch)) ... */
struct gpu_launch {
    void *buffer[IR_MAX_BUFFERS];     /* by argument: a handle of device memory */
    int64_t param[BLOCK_PARAM_COUNT]; /* the arguments after them */
    int64_t blocks;
    int64_t end; /* of the blocks of the run, behind the last */
};

struct gpu_launch gpu_launch_start(const struct gpu_pass *pass,
                                   const struct pass_arguments *arguments);

/* The next launch, of at most `most_blocks`. False: there is none. */
bool gpu_launch_next(const struct gpu_pass *pass, int64_t most_blocks, struct gpu_launch *launch);

#endif

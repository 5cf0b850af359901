/* A program made ready for a device: compiled passes and tables. Never changes once made; any
 * number of runners (run/runner.h) run it. */
#ifndef WEFT_RUN_EXECUTABLE_H
#define WEFT_RUN_EXECUTABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "device/device.h"
#include "spec/program.h"

struct executable {
    struct device *device;
    const struct program *program;
    struct kernel *kernel[PROGRAM_MAX_PASSES];
    size_t workspace_bytes;          /* of host memory that a run works in */
    size_t dealt_bytes;              /* of it, a thread's where steps are dealt */
    size_t scratch_bytes;            /* of PASS_SCRATCH */
    void *table[PROGRAM_MAX_PASSES]; /* the program's, while the kernels use them in place */
    size_t table_bytes;              /* that the kernels and these hold */
    const struct kernel *lone[2]; /* by direction: the only kernel that runs, if it does once and
                                   * needs no scratch; or NULL */
};

/* The program must outlive the executable; so must the device. */
weft_status executable_create(struct device *device, const struct program *program,
                              struct executable **made);

/* Whether a run is a single call on host memory, and which. */
bool executable_shortcut(const struct executable *executable, struct pass_shortcut *shortcut);

/* Appends what the program's pass runs, for people to read; nothing where the device has nothing to
 * show. */
weft_status executable_source(const struct executable *executable, int pass, struct text *text);

size_t executable_scratch_bytes(const struct executable *executable);
size_t executable_table_bytes(const struct executable *executable);
void executable_destroy(struct executable **executable);

#endif

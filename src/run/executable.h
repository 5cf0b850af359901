/* A program made ready for a device: compiled passes, tables, scratch. Never changes once made, and
 * may run on several threads at once. */
#ifndef WEFT_RUN_EXECUTABLE_H
#define WEFT_RUN_EXECUTABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "device/device.h"
#include "spec/program.h"

struct executable;

/* The program must outlive the executable; so must the device. */
weft_status executable_create(struct device *device, const struct program *program,
                              struct executable **made);

/* Runs the program once. scratch: executable_scratch_bytes() bytes of device memory that nobody else
 * uses meanwhile; NULL: the executable brings its own. queue: one of the caller's that the device
 * knows, in whose order the work is started and not waited for; NULL: returns when it is done. On an
 * error before the first pass ran nothing was written. */
weft_status executable_run(struct executable *executable, weft_direction direction,
                           struct device_memory in, struct device_memory out, void *scratch,
                           void *queue);

/* Whether a run is a single call on host memory, and which. */
bool executable_shortcut(const struct executable *executable, struct pass_shortcut *shortcut);

/* Appends what the program's pass runs, for people to read; nothing where the device has nothing to
 * show. */
weft_status executable_source(const struct executable *executable, int pass, struct text *text);

size_t executable_scratch_bytes(const struct executable *executable);
size_t executable_table_bytes(const struct executable *executable);
void executable_destroy(struct executable **executable);

#endif

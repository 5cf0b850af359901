/* Kernels as they were printed, kept so that planning builds none that it built before. */
#ifndef WEFT_DEVICE_GPU_PRINTED_H
#define WEFT_DEVICE_GPU_PRINTED_H

#include <stdbool.h>

#include "base/text.h"
#include "device/gpu/pass.h"
#include "store/store.h"

/* Appends all that gpu_pass_build() depends on, this build of the library among it. */
void gpu_printed_key(struct text *key, const struct device *device, const struct program *program,
                     int index, const struct gpu_printer *printer);

/* Fills in what gpu_pass_build() would make of a pass that is empty but for what it owes to the
 * program. False, with the pass as it was: the store does not have it, or no memory. */
bool gpu_printed_get(struct store *store, const struct text *key, struct gpu_pass *pass);

void gpu_printed_put(struct store *store, const struct text *key, const struct gpu_pass *pass);

#endif

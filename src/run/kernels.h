/* The kernels of a program's passes. */
#ifndef WEFT_RUN_KERNELS_H
#define WEFT_RUN_KERNELS_H

#include "device/device.h"
#include "spec/program.h"

/* Has the device make kernel[p] for every pass p of the program; several at once where they are
 * compiled. table: run_tables_make()'s. On an error some may have been made; the message is the
 * first failed pass's. */
weft_status run_kernels_make(struct device *device, const struct program *program,
                             void *const *table, struct kernel **kernel);

#endif

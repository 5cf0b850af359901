/* Passes in extended precision, WEFT_DD: the kernels that GPUs run, on a machine (machine.h). */
#ifndef WEFT_DEVICE_CPU_EXTENDED_H
#define WEFT_DEVICE_CPU_EXTENDED_H

#include "device/cpu/engine.h"

/* What blocks of the machine can do, from what is known of the processor. */
void cpu_extended_limits(struct limits *limits, const struct limits *processor);

/* Fills kernel->extended and ->workspace. UNSUPPORTED, MEMORY. */
weft_status cpu_extended_create(struct kernel *kernel, const struct program *program, int index,
                                const void *const *tables);
void cpu_extended_run(const struct kernel *kernel, const struct pass_arguments *arguments);
/* What the machine runs, as C of a GPU. */
weft_status cpu_extended_source(struct device *device, const struct program *program, int index,
                                struct text *text);

#endif

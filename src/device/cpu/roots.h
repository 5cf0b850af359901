/* Tables of roots from which a kernel's tables are made. They are handed from a kernel to the next
 * one: the passes of a plan have lengths in common. */
#ifndef WEFT_DEVICE_CPU_ROOTS_H
#define WEFT_DEVICE_CPU_ROOTS_H

#include "device/cpu/engine.h"

/* Roots of order n, the kernel's until kernel_roots_give(). NULL: no memory. */
const struct root_table *kernel_roots(struct kernel *kernel, int64_t n);

/* A kernel has all its tables: the next may have its roots. */
void kernel_roots_give(struct kernel *kernel);

/* No kernel of the plan is to come. */
void kernel_roots_free(struct cpu_state *state);

#endif

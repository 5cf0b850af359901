/* What the kernels of a plan make once for all of them: tables of roots, from which tables are
 * made, and tables of steps. Each kernel hands what it has to the next; the passes of a plan have
 * lengths in common, those of both directions of a DCT all of them. */
#ifndef WEFT_DEVICE_CPU_HANDED_H
#define WEFT_DEVICE_CPU_HANDED_H

#include "device/cpu/table_maker.h"

/* Roots of order n, until the kernel hands them on. NULL: no memory. */
const struct root_table *handed_roots(struct kernel *kernel, int64_t n);

/* A table as table_find() says that a kernel before has, as one of this kernel; NULL: none has. */
const struct cpu_table *handed_table(struct kernel *kernel, enum table_kind kind, int radix,
                                     int64_t rows, int64_t columns);

/* The kernel has all its tables: the next may have what it has. */
void handed_on(struct kernel *kernel);

/* ... or it was the last of its plan: what nobody has taken goes. */
void handed_end(struct kernel *kernel);

/* The device is closed. */
void handed_free(struct cpu_state *state);

#endif

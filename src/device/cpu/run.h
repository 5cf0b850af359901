/* What tiles and straight kernels find their operands by. */
#ifndef WEFT_DEVICE_CPU_RUN_H
#define WEFT_DEVICE_CPU_RUN_H

#include "device/cpu/engine.h"

/* Bytes from the memory's beginning to the element of an end, which counts as the kernel has it. */
int64_t run_bytes_to(const struct kernel *kernel, enum cpu_operand operand,
                     const struct device_memory *memory, int64_t element);

/* Puts a tile buffer where the results will lie, if the kernel borrows one. */
void run_borrow(const struct kernel *kernel, const char *from, char *to, char **re, char **im,
                char **base);

/* What vectors read behind the planes of a workspace, and leave, is 0 at first: of subnormal
 * numbers, as addresses are that a stack has kept, operations take a hundred times as long if the
 * data are zeros. (Experiment "zeros behind" in docs/experiments.) */
void run_clear_behind(const struct kernel *kernel, char *workspace);

/* An operation that is a codelet between pairs or reals, whose places are given by operand. */
static inline void run_plain_operation(const struct kernel *kernel,
                                       const struct cpu_operation *op, weft_direction direction,
                                       char *const *place)
{
    const bool forward = kernel->pass->one_way && !op->directed;
    const weft_direction way = forward ? WEFT_FORWARD : direction;
    op->codelet[way](&op->shape[way], place[op->from] + op->from_bytes, NULL,
                     place[op->to] + op->to_bytes, NULL, cpu_twiddles(op, direction), op->fine);
}

/* All of a straight kernel. */
void straight_run(const struct kernel *kernel, const struct pass_arguments *arguments);

#endif

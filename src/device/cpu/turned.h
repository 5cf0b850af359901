/* Passes of contiguous lines of reals that stand for more, whose ends are codelets (mirror.h):
 * cosine and sine transforms of types II to IV and Hartley transforms of even lengths. */
#ifndef WEFT_DEVICE_CPU_TURNED_H
#define WEFT_DEVICE_CPU_TURNED_H

#include "device/cpu/pipeline.h"

/* What an end's numbers k are, but for number 0 and, if there are half as many, the last one: reals
 * k + o and n - k + o, one for each part. */
struct turned_end {
    bool exists;
    int64_t o;
    int up;           /* the part that real k + o is */
    double weight[2]; /* by part, with the sign that an imaginary part has */
};

struct turned_end turned_end(const struct pass *pass, bool out);

/* Whether neighbours of a line that is every other real from the first on, and then the rest back
 * to it, are the parts of a number, and the first of the next one's is so many further on. */
bool turned_goes_there_and_back(const struct reals *reals, int64_t each);

/* Whether the kernel's pass is one. */
bool turned_suits(const struct kernel *kernel);
/* Likewise a pass that does no more than one of its ends, between reals and pairs. */
bool turned_sweeps(const struct kernel *kernel);

/* How many of `columns` such lines shall be a tile: more than one where codelets take them all. */
int64_t turned_columns(const struct kernel *kernel, int64_t columns);

/* Adds its operations. */
void turned_build(struct pipeline_builder *b);

/* Whether the first step of tiles of so many columns of such a line can read the reals there and
 * back where they lie, and runs it. */
bool turned_enters(const struct kernel *kernel, int64_t columns);
void turned_enter(const struct cpu_operation *op, const struct cpu_tile *tile);

#endif

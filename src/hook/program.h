/* A hook's kernel as the interpreter has it: operations on slots, which are runs of values. */
#ifndef WEFT_HOOK_PROGRAM_H
#define WEFT_HOOK_PROGRAM_H

#include "hook/run.h"
#include "ir/ir.h"

/* Bytes of a slot: any type has a double's. */
#define HOOK_SLOT_BYTES (HOOK_RUN * sizeof(double))

/* Buffers of a hook's kernel: the element's parts and those of what becomes of it; then tables. */
#define HOOK_BUFFERS 4

/* What the tables of a hook may come to. */
#define HOOK_TABLE_BYTES (INT64_C(4) << 20)
#define HOOK_MAX_TABLES  64

/* What was computed in advance (hook/table.h). */
struct hook_tables {
    int count;
    int64_t bytes;
    const void *table[HOOK_MAX_TABLES]; /* in the kernel's precision; of bools likewise wide */
};

struct hook_operation {
    enum ir_op op;
    enum ir_type type; /* of the result */
    int to, a, b, c;   /* slots; of a load or a store, `a` is its index or what is stored and `b`
                        * the buffer */
    const void *table; /* what a load is from; NULL: the elements */
    double real;       /* constants: the value, in the precision that it is rounded from */
    int64_t integer;
};

/* Operations that are the same for all elements come first and keep their slots. */
struct hook_program {
    int constants, operations;
    const struct hook_operation *constant, *operation;
    int slots;
    int64_t table_bytes;
};

/* The program, in the arena, of a kernel as hook_kernel() makes them that may load from the tables.
 * NULL: no memory. */
const struct hook_program *hook_program_make(arena *a, const struct ir *kernel, bool single,
                                             const struct hook_tables *tables);

#endif

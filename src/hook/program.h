/* A hook's kernel as the interpreter has it: operations on slots, which are runs of values. */
#ifndef WEFT_HOOK_PROGRAM_H
#define WEFT_HOOK_PROGRAM_H

#include "hook/run.h"
#include "ir/ir.h"

/* Bytes of a slot: any type has a double's. */
#define HOOK_SLOT_BYTES (HOOK_RUN * sizeof(double))

struct hook_operation {
    enum ir_op op;
    enum ir_type type; /* of the result */
    int to, a, b, c;   /* slots; of a load or a store, `b` is the buffer */
    double real;       /* constants: the value, in the precision that it is rounded from */
    int64_t integer;
};

/* Operations that are the same for all elements come first and keep their slots. */
struct hook_program {
    int constants, operations;
    const struct hook_operation *constant, *operation;
    int slots;
};

#endif

/* Kernels on pairs of reals, which c_pair.h prints: what a pair is computed from, and its names. */
#ifndef WEFT_PRINT_C_PAIR_FORM_H
#define WEFT_PRINT_C_PAIR_FORM_H

#include "base/arena.h"
#include "base/text.h"
#include "ir/ir.h"
#include "print/c_vector.h"

/* Two reals as the lanes of a vector. */
struct c_pair {
    ir_value lane[2];
};

struct c_pair_printer {
    struct text *text;
    const struct c_vector_target *target;
    const struct ir *kernel;
    ir_value *partner; /* of the first lane of a pair that has a name; IR_NONE */
    bool signs; /* what is multiplied by i has the direction's signs, a vector `sign` */
};

/* Fuses operations; no pair has a name yet. False: no memory. */
bool c_pair_begin(struct c_pair_printer *p, arena *a, const struct ir *kernel);

/* Of an access of the first row, in reals, as if legs were neighbours. */
int64_t c_pair_address(const struct c_pair_printer *p, ir_value access);

/* The access to the odd element beside that of an even one. */
ir_value c_pair_neighbour(const struct c_pair_printer *p, ir_value access);

/* Gives the pair a name, and before that those that it is made of: loads have theirs. One that is
 * turned throughout is made of pairs as they lie. */
void c_pair_define(struct c_pair_printer *p, struct c_pair x);

/* Makes the text fail: the kernel's reals are no pairs. */
void c_pair_refuse(struct c_pair_printer *p);

/* Appends a pair that has a name, or is constant. */
void c_pair_print_name(struct c_pair_printer *p, struct c_pair x);

#endif

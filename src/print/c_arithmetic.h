/* Arithmetic of vectors in the words of generated C, which its prologue defines. */
#ifndef WEFT_PRINT_C_ARITHMETIC_H
#define WEFT_PRINT_C_ARITHMETIC_H

#include "ir/ir.h"

/* before a between b [between c] after */
struct c_arithmetic {
    const char *before, *between, *after;
    int operands; /* 0: there are no words for the operation */
};

extern const struct c_arithmetic c_arithmetic[IR_OP_COUNT];

#endif

/* Integer and bool operations on numbers of the host. */
#ifndef WEFT_IR_INTEGER_H
#define WEFT_IR_INTEGER_H

#include "ir/ir.h"

/* What op makes of x and y, bools being 0 and 1; y is ignored by IR_NOT. For any x and y, since
 * what threads hold that are not active may be anything: sums, differences and products wrap
 * around, quotients and remainders by what is not positive are 0. Inline, so that loops over one op
 * have nothing to choose. */
static inline int64_t ir_combine(enum ir_op op, int64_t x, int64_t y)
{
    switch (op) {
    case IR_INT_ADD: return (int64_t)((uint64_t)x + (uint64_t)y);
    case IR_INT_SUB: return (int64_t)((uint64_t)x - (uint64_t)y);
    case IR_INT_MUL: return (int64_t)((uint64_t)x * (uint64_t)y);
    case IR_INT_DIV: return y > 0 ? x / y : 0;
    case IR_INT_MOD: return y > 0 ? x % y : 0;
    case IR_LESS: return x < y;
    case IR_EQUAL: return x == y;
    case IR_OR: return x || y;
    case IR_NOT: return !x;
    default: return x && y; /* IR_AND */
    }
}

#endif

#include "print/c_arithmetic.h"

const struct c_arithmetic c_arithmetic[IR_OP_COUNT] = {
    [IR_ADD] = {"", " + ", "", 2},       [IR_SUB] = {"", " - ", "", 2},
    [IR_MUL] = {"", " * ", "", 2},       [IR_NEG] = {"-", "", "", 1},
    [IR_FMA] = {"FMA(", ", ", ")", 3},   [IR_FMS] = {"FMS(", ", ", ")", 3},
    [IR_FNMA] = {"FNMA(", ", ", ")", 3},
};

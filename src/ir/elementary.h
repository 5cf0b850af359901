/* Elementary functions as arithmetic of the IR: every machine computes them by the same operations,
 * and none needs functions of its own. Errors are a few units in the last place of the precision
 * that the kernel is for, where it rounds subnormal numbers as IEEE says:
 *  - sine and cosine of arguments up to 10^5 (single: 10^4), beyond which they lose digits;
 *  - exp wherever the result is a normal number; log of normal numbers;
 *  - what is infinite, NaN or out of range gives what C's functions give. */
#ifndef WEFT_IR_ELEMENTARY_H
#define WEFT_IR_ELEMENTARY_H

#include "ir/ir.h"

/* Who they are built for. */
struct elementary {
    struct ir_builder *b;
    bool single; /* the kernel computes in single precision: shorter series do */
};

struct elementary_pair {
    ir_value cos, sin;
};

struct elementary_pair elementary_cos_sin(const struct elementary *e, ir_value x);
ir_value elementary_exp(const struct elementary *e, ir_value x);
ir_value elementary_log(const struct elementary *e, ir_value x);
/* The angle of (x, y), from -pi to pi; of (0, 0): 0. */
ir_value elementary_angle(const struct elementary *e, ir_value y, ir_value x);

#endif

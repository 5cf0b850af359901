/* The inside of c_like_print, shared by its files. */
#ifndef WEFT_PRINT_C_LIKE_VALUE_H
#define WEFT_PRINT_C_LIKE_VALUE_H

#include "print/c_like.h"

struct c_like_printer {
    struct text *text;
    const struct c_like_target *target;
    const struct ir *kernel;
};

/* The type of the elements of a buffer. */
const char *c_like_element_type(const struct c_like_target *target, const struct ir_buffer *buffer);

/* Appends the type that the value is declared with. */
void c_like_print_type(const struct c_like_printer *p, const struct ir_node *node);

/* Appends the name of a value. */
void c_like_print_name(const struct c_like_printer *p, ir_value value);

/* Appends a value as an operand: its name, or the constant that it is. */
void c_like_print_operand(const struct c_like_printer *p, ir_value value);

/* Appends the expression that computes the value from its operands. False: it has none. */
bool c_like_print_expression(const struct c_like_printer *p, const struct ir_node *node);

#endif

/* The language of the expressions that callers have applied to elements (docs/hooks.md), parsed
 * straight into the kernel IR. */
#ifndef WEFT_HOOK_HOOK_H
#define WEFT_HOOK_HOOK_H

#include "ir/ir.h"
#include "spec/problem.h"

/* An element that is loaded or stored, as values of the kernel around it. */
struct hook_element {
    bool real;         /* x is a real and im is not used */
    ir_value re, im;
    ir_value position; /* of the element (spec/hook.h) */
    ir_value inverse;  /* an integer: 1 in the inverse direction, 0 in the forward one */
};

struct hook_result {
    ir_value re, im; /* of a real element re alone is set */
};

/* Appends the expression of that side to the kernel. It must be one that hook_check() accepted. */
struct hook_result hook_apply(struct ir_builder *b, const struct problem *problem, bool out,
                              const struct hook_element *element);

/* The expression as a kernel of its own, each of whose threads has the element whose position is
 * the thread's number: buffers 0 and 1 are its parts, 2 and 3 those of what becomes of it; of a
 * real side the first of each. Parameter 0: 1 in the inverse direction, 0 in the forward one. NULL
 * with an error: as hook_check() says. */
const struct ir *hook_kernel(arena *a, const struct problem *problem, bool out);

/* Whether the expression of that side is one: ARGUMENT with line, column and what would be accepted
 * if not; MEMORY. Without an expression it is. */
weft_status hook_check(const struct problem *problem, bool out);

#endif

/* What c_vector prints, and in which order: the codelet's own operations regrouped for a machine
 * with few registers. */
#ifndef WEFT_PRINT_C_VECTOR_ORDER_H
#define WEFT_PRINT_C_VECTOR_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "ir/ir.h"

#define C_VECTOR_MAX_GROUP 64

/* Loads or stores that together touch every element of a run of memory: same buffer and index, lane
 * stride `size`, offsets 0 .. size-1. Of loads some may be missing, and the stride be -size. */
struct c_vector_group {
    int size;
    bool back;                           /* lanes lie backwards */
    int members;                         /* found so far; equals size in a whole group */
    ir_value member[C_VECTOR_MAX_GROUP]; /* by offset; IR_NONE: missing */
    ir_value leader;                     /* the first of them */
};

struct c_vector_order {
    int32_t count;
    struct ir_node *node; /* the kernel's, with fmas formed */
    int32_t length;
    ir_value *step;    /* nodes to print; one node stands for its whole group */
    int32_t *group_of; /* of a node; -1: none */
    struct c_vector_group *group;
    int32_t group_count;
    bool *core; /* of a node: arithmetic on nothing but the loads the kernel begins with */
    int32_t core_operations;   /* an fma is two */
    bool *output;              /* of a node: in the core and used outside */
    ir_value first_arithmetic; /* the kernel begins with the loads before it */
};

/* What is asked of it. */
struct c_vector_wish {
    bool fma;     /* products that only feed additions become fmas */
    bool in_turn; /* stores keep their order; they are of no groups */
};

/* Loads move down to their first use; a leg's last operations and its store move up to where its
 * value is ready, or to where it is its turn. Loads before the first store stay before it. NULL:
 * the arena failed, or an incomplete group (error_last() says so). */
struct c_vector_order *c_vector_order_make(arena *a, const struct ir *kernel,
                                           struct c_vector_wish wish);

/* Whether a node of it was a product that sums took up. */
bool c_vector_order_merged(const struct ir_node *node);

#endif

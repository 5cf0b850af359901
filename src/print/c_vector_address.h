/* The integers of a kernel as c_vector prints them, and what its loads and stores point at. */
#ifndef WEFT_PRINT_C_VECTOR_ADDRESS_H
#define WEFT_PRINT_C_VECTOR_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "ir/ir.h"
#include "print/c_vector_order.h"

#define C_VECTOR_MAX_POINTERS 16
#define C_VECTOR_MAX_PARAMS   16
#define C_VECTOR_MAX_MULTIPLE 64

/* An address is `pointer + multiple * stride + constant`: the pointer changes from row to row and
 * from vector to vector, the stride is a parameter. */
struct c_vector_address {
    int pointer;
    int64_t multiple, constant;
};

struct c_vector_pointer {
    int buffer;
    ir_value row; /* the term that changes from row to row, IR_NONE: none */
    int64_t lane_stride;
    int64_t times[C_VECTOR_MAX_PARAMS]; /* parameters that are added once */
    int stride;                         /* the parameter, -1: none */
    bool wanted[C_VECTOR_MAX_MULTIPLE]; /* multiples of the stride that are used; */
    bool base[C_VECTOR_MAX_MULTIPLE];   /* ... that are pointers of their own, */
    bool printed[C_VECTOR_MAX_MULTIPLE];
};

/* Where it prints, and what it found in the kernel. */
struct c_vector_addresses {
    struct text *text;
    const struct ir *kernel;
    const struct ir_node *node; /* the order's */
    int32_t count;
    bool *by_row; /* of an integer: changes from row to row */
    bool *needed; /* of an integer: is printed */
    int64_t unit[C_VECTOR_MAX_PARAMS]; /* of a parameter that is a stride: all its multiples are
                                        * multiples of this; otherwise 0 */
    struct c_vector_address *address;  /* of a load or store */
    struct c_vector_pointer pointer[C_VECTOR_MAX_POINTERS];
    int pointers;
    bool moving; /* the pointers of a vector are those of the one before, moved on */
};

/* Takes all addresses of the kernel apart. false: the arena failed. Too many pointers make the text
 * fail, and so does below an integer that C has no words for; error_last() says so. */
bool c_vector_addresses_init(struct c_vector_addresses *a, arena *memory, struct text *text,
                             const struct ir *kernel, const struct c_vector_order *order);

/* Declares the integers that addresses are made of: those that change from row to row, or those
 * that do not; and the strides, in bytes. */
void c_vector_print_integers(struct c_vector_addresses *a, bool by_row);
void c_vector_print_strides(const struct c_vector_addresses *a);

/* Declares the pointers of a row. */
void c_vector_print_row_pointers(const struct c_vector_addresses *a);

/* The loop over a row's vectors, `last` being the first lane of the last one: what comes before
 * the statements of a vector, with its pointers, of one real a lane in blocks of so many lanes (1
 * where they move), and what comes after them. */
void c_vector_print_lanes_begin(const struct c_vector_addresses *a, int block);
void c_vector_print_lanes_end(const struct c_vector_addresses *a, int lanes);

/* Declares what the address of load or store n begins at, where no address before it did. */
void c_vector_print_base(struct c_vector_addresses *a, ir_value n);

/* Prints the address of load or store n, `more` elements on. */
void c_vector_print_address(const struct c_vector_addresses *a, ir_value n, int64_t more);

#endif

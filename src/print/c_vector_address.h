/* The integers of a kernel as c_vector prints them, and what its loads and stores point at. */
#ifndef WEFT_PRINT_C_VECTOR_ADDRESS_H
#define WEFT_PRINT_C_VECTOR_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "ir/ir.h"
#include "print/c_vector_order.h"

#define C_VECTOR_MAX_POINTERS 64
#define C_VECTOR_MAX_OFFSETS  3

/* A memory address is `pointer + offsets`: the pointer changes from row to row and from vector to
 * vector, the offsets (integers of the kernel) are the same in all rows. */
struct c_vector_address {
    int pointer, offsets;
    ir_value offset[C_VECTOR_MAX_OFFSETS];
};

struct c_vector_pointer {
    int buffer;
    ir_value row;
    int64_t lane_stride;
};

/* Where it prints, and what it found in the kernel. */
struct c_vector_addresses {
    struct text *text;
    const struct ir *kernel;
    const struct ir_node *node; /* the order's */
    int32_t count;
    bool *by_row;                     /* of an integer: changes from row to row */
    bool *needed;                     /* of an integer: is printed */
    struct c_vector_address *address; /* of a load or store */
    struct c_vector_pointer pointer[C_VECTOR_MAX_POINTERS];
    int pointers;
};

/* Takes all addresses of the kernel apart. false: the arena failed. Too many pointers make the text
 * fail, and so does below an integer that C has no words for; error_last() says so. */
bool c_vector_addresses_init(struct c_vector_addresses *a, arena *memory, struct text *text,
                             const struct ir *kernel, const struct c_vector_order *order);

/* Declares the integers that addresses are made of: those that change from row to row, or those
 * that do not. */
void c_vector_print_integers(const struct c_vector_addresses *a, bool by_row);

/* Declares the pointers of a row, and from them those of a vector. */
void c_vector_print_row_pointers(const struct c_vector_addresses *a);
void c_vector_print_lane_pointers(const struct c_vector_addresses *a);

/* Prints the address of load or store n, `more` elements on. */
void c_vector_print_address(const struct c_vector_addresses *a, ir_value n, int64_t more);

#endif

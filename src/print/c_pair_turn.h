/* Vectors of pairs that lie beside each other. */
#ifndef WEFT_PRINT_C_PAIR_TURN_H
#define WEFT_PRINT_C_PAIR_TURN_H

#include "print/c_vector.h"

/* Appends what a file of functions on such vectors starts with, of target->lanes reals: besides
 * SWAP(v) and PAIR(x, y) there is TURN(a, b, ..., p, q, ...), which makes of as many vectors as
 * each has pairs those of the first pairs, of the second ones, and so on. The target is an x86
 * with vectors of 32 or 64 bytes. */
void c_pair_turn_prologue(struct text *t, const struct c_vector_target *target);

#endif

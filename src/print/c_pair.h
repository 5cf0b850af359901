/* Prints kernels of one thread, lone butterflies of interleaved numbers (kernel/line.h), as C on
 * vectors of a pair: re and im go through the same operations, so no shuffle parts them. */
#ifndef WEFT_PRINT_C_PAIR_H
#define WEFT_PRINT_C_PAIR_H

#include "print/c_vector.h"

/* Appends what a file of such functions starts with, of vectors of one row or of several. */
void c_pair_prologue(struct text *t, const struct c_vector_target *target);
void c_pairs_prologue(struct text *t, const struct c_vector_target *target);

/* Appends the function of type codelet_function that c_vector_name() names; a row is a block.
 *
 * Reals are loaded and stored two by two, the first at an even element; in what they come from and
 * what becomes of them the two go through operations that differ by signs alone. Rows are in_row
 * and out_row complex numbers apart. A kernel that is none of that makes the text fail. The target
 * is an x86 with fma. */
void c_pair_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel);

/* Likewise a kernel of CODELET_PAIRS: a vector has the same pair of as many rows as it has room
 * for, wherever these lie, and lacks none: the last row fills it up. */
void c_pairs_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel);

#endif

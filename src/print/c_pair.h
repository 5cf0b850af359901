/* Prints kernels of one thread, lone butterflies of interleaved numbers (kernel/line.h), as C on
 * vectors of a pair: re and im go through the same operations, so no shuffle parts them. */
#ifndef WEFT_PRINT_C_PAIR_H
#define WEFT_PRINT_C_PAIR_H

#include "print/c_vector.h"

/* Appends what a file of such functions starts with, of vectors of one row or of several. */
void c_pair_prologue(struct text *t, const struct c_vector_target *target);
void c_pairs_prologue(struct text *t, const struct c_vector_target *target);
void c_pairs_beside_prologue(struct text *t, const struct c_vector_target *target);

/* Appends the function of type codelet_function that c_vector_name() names; a row is a block.
 *
 * Reals are loaded and stored two by two, the first at an even element; in what they come from and
 * what becomes of them the two go through operations that differ by signs alone. Rows are in_row
 * and out_row complex numbers apart. A kernel that is none of that makes the text fail. The target
 * is an x86 with fma. */
void c_pair_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel);

/* Likewise kernels of CODELET_PAIRS: a vector has the same pair of as many rows as 32 bytes. It
 * lacks no rows: the last one fills it up. */
void c_pairs_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel);

/* Of CODELET_PAIRS_LEAVE, of CODELET_PAIRS_OPEN, whose results are transposed, and of
 * CODELET_PAIRS_PARTED, whose kernel is that of the one before: only vectors of 32 bytes. */
enum c_pairs_step { C_PAIRS_LEAVE, C_PAIRS_OPEN, C_PAIRS_PARTED };

/* Likewise steps: a vector, of target->lanes reals, has the same pair of lanes beside each other,
 * which are its pairs at least; the last vector of a row's lanes overlaps the one before. So does
 * what is transposed, whose legs are a vector's pairs at least, too. */
void c_pairs_beside_print(struct text *t, const struct c_vector_target *target,
                          const struct ir *kernel, enum c_pairs_step step);

#endif

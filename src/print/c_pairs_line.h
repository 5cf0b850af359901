/* Prints short lines of interleaved numbers that are two steps between vectors of pairs as one
 * function: what lies between the steps stays in registers, as far as these hold it (FFTW's "vector
 * recursion" of one transform; Frigo and Johnson 2005, 4). Longer lines are a loop over each step,
 * between which numbers lie in the output, or in place on the stack. */
#ifndef WEFT_PRINT_C_PAIRS_LINE_H
#define WEFT_PRINT_C_PAIRS_LINE_H

#include "print/c_vector.h"

/* Two butterflies whose radices are vectors' pairs at least: the first one of CODELET_PAIRS_OPEN,
 * the second one of CODELET_PAIRS_LEAVE. */
struct c_pairs_line {
    const char *name;
    const struct ir *step[2];
    int radix[2];
};

/* Appends what a file of such functions starts with, of vectors of target->lanes reals. The target
 * is an x86 with vectors of 32 or 64 bytes. */
void c_pairs_line_prologue(struct text *t, const struct c_vector_target *target);

/* Appends the function of type codelet_function that c_vector_name() names, of both directions.
 * Rows are in_row and out_row complex numbers apart. From twiddle_plane on the twiddles have a
 * vector of the direction's signs, those of re and im: 1 and -1 for the forward one; then those of
 * CODELET_PAIRS_LEAVE of the second radix, for as many lanes as the first one and vectors of this
 * width. In place a row's loads come before its stores. */
void c_pairs_line_print(struct text *t, const struct c_vector_target *target,
                        const struct c_pairs_line *line);

#endif

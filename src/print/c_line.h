/* Prints kernels of a whole block of few threads (kernel/line.h) as straight C with vector types:
 * the threads become the lanes of a few vectors, shared memory becomes shuffles between them. */
#ifndef WEFT_PRINT_C_LINE_H
#define WEFT_PRINT_C_LINE_H

#include "print/c_vector.h"

/* Appends the function of type codelet_function that c_vector_name() names; a row is a block. The
 * prologue of c_vector.h stands before it, for the same target; its lanes may be fewer than the
 * instruction set's.
 *
 * Between barriers the kernel has at most one `if`, on the thread's number. Addresses depend on the
 * thread alone, but for a term of block and parameters that is the same for all accesses to a
 * buffer. Buffers whose neighbouring threads read neighbouring elements are tables: whole vectors
 * of them are read, for threads that do not exist too. Of other buffers a vector at least is
 * accessed, and every element of the run of those written. All reading comes before all writing.
 * A kernel that is none of that makes the text fail. */
void c_line_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel);

#endif

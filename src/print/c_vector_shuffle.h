/* Vectors of interleaved sequences taken apart and put together, printed as shuffles. */
#ifndef WEFT_PRINT_C_VECTOR_SHUFFLE_H
#define WEFT_PRINT_C_VECTOR_SHUFFLE_H

#include "print/c_shuffle.h"
#include "print/c_vector.h"

/* Where shuffles are printed; vectors are named by number, "v12". */
struct c_vector_shuffler {
    struct c_shuffles *shuffles;
    int lanes; /* of a vector */
    int piece; /* lanes within which shuffles are cheap: all, or those of 128 bits */
    int small; /* lanes of 128 bits */
    int next;  /* the first unused number */
};

struct c_vector_shuffler c_vector_shuffler_make(struct c_shuffles *shuffles,
                                                const struct c_vector_target *target, int next);

/* sequence[k] holds element k of every lane; memory[] becomes the vectors in which element k of
 * lane i stands at place i * size + k. size <= C_VECTOR_MAX_GROUP. */
void c_vector_interleave(struct c_vector_shuffler *s, int size, const int *sequence, int *memory);
/* The same but for the order of pieces, halves of vectors of c_vector_piece() lanes: piece n in the
 * order of memory is piece n / size of pieces[n % size]. Vectors of 16 bytes are one piece. */
int c_vector_piece(const struct c_vector_target *target);
void c_vector_interleave_pieces(struct c_vector_shuffler *s, int size, int lanes,
                                const int *sequence, int *pieces);
/* The way back from memory[]; back: lanes of the sequences are in the opposite order, for vectors
 * that are one piece. */
void c_vector_deinterleave(struct c_vector_shuffler *s, int size, bool back, const int *memory,
                           int *sequence);
/* Likewise of pairs, but for the order of lanes: c_vector_woven_lane(). */
void c_vector_part_woven(struct c_vector_shuffler *s, const int *memory, int *sequence);

#endif

/* Shuffles of vectors, printed when all that is made of some vectors is known: only then it shows
 * which of them depend on a transform's direction.
 *
 * The inverse transform exchanges real and imaginary parts at both ends. What is shuffled at an end
 * is parted, or joined, by some of its shuffles, whose lanes alone differ from those of the forward
 * transform. Where an instruction takes lanes from a vector anyway, one codelet serves both
 * directions, if it loads these from a table that the direction chooses. */
#ifndef WEFT_PRINT_C_SHUFFLE_H
#define WEFT_PRINT_C_SHUFFLE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/text.h"

#define C_SHUFFLE_MAX_LANES 16
#define C_EXCHANGE_MAX_ROWS 512

/* The lanes of shuffles that depend on the direction, by direction; -1: any. Codelets of as many
 * lanes share them: a row is added where none agrees. */
struct c_exchange {
    int rows;
    int lane[C_EXCHANGE_MAX_ROWS][2][C_SHUFFLE_MAX_LANES];
    bool used[C_EXCHANGE_MAX_ROWS]; /* by the statements that are printed */
};

/* Prints what loads the rows that statements use; those that come next use none. It stands before
 * them, so before all that is stored, which compilers would take for the table. */
void c_exchange_print(struct text *t, struct c_exchange *x);

/* lane[i]: of v<first>, from `lanes` on of v<second>; -1: any. */
struct c_shuffle {
    int first, second, lane[C_SHUFFLE_MAX_LANES];
    bool target;
    bool exchanged; /* backwards lane i has what lane i ^ 1 has forwards */
};

/* What the vectors are that shuffles begin, or end, with. */
enum c_shuffle_end {
    C_SHUFFLE_INSIDE, /* neither lies in memory */
    C_SHUFFLE_LOADED, /* were loaded as they lie: numbers in pairs */
    C_SHUFFLE_STORED  /* are stored so */
};

struct c_shuffles {
    struct text *text;
    arena *arena;
    struct c_exchange *exchange; /* NULL: there is a codelet for each direction */
    int lanes;
    int first; /* the number of the first one's result, and so on */
    int count, room;
    struct c_shuffle *shuffle;
};

/* Adds the shuffle that makes v<number>, which is one more than that of the one before. False: no
 * memory. */
bool c_shuffles_add(struct c_shuffles *s, int number, struct c_shuffle shuffle);

/* Prints them, and forgets them. target: the vectors that are wanted of them, any of which may
 * become a new one, numbered from *next on. False: no memory. */
bool c_shuffles_print(struct c_shuffles *s, enum c_shuffle_end end, int *target, int targets,
                      int *next);

#endif

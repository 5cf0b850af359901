/* The caller's own expressions, applied to each element of the input as it is loaded and to each of
 * the output before it is stored. Here they are text and sizes; src/hook/ knows the language. */
#ifndef WEFT_SPEC_HOOK_H
#define WEFT_SPEC_HOOK_H

#include <stdbool.h>
#include <stdint.h>

#include "weft/weft.h"

/* Characters of an expression. */
#define HOOK_MAX_LENGTH 1000

/* The batch and the axes of the caller's array, batch first: an element's position is its number
 * when all of a side's elements are counted in row-major order, wherever they lie, a convolution's
 * results kernel after kernel. Expressions know their element by it. All zero without
 * expressions. */
#define HOOK_MAX_DIMS (WEFT_MAX_RANK + 1)
struct hooks {
    char source[2][HOOK_MAX_LENGTH + 1]; /* of the input's side and of the output's; "": none */
    int dims;
    int64_t size[HOOK_MAX_DIMS];      /* of the transform, */
    int64_t length[2][HOOK_MAX_DIMS]; /* and of the array on either side: half a spectrum has
                                       * fewer */
    /* Where the problem is but a band of the array: the greatest position that a run's element 0
     * may have, by side, and whether positions may go on behind the array, of elements that nobody
     * keeps. */
    int64_t most_first[2];
    bool beyond;
    /* Positions from one count to the next of the problem's axes and loops, by side; and from a
     * kernel's result to the next kernel's. */
    int64_t axis[2][HOOK_MAX_DIMS], loop[2][HOOK_MAX_DIMS], kernel;
};

static inline bool hook_exists(const struct hooks *hooks, bool out)
{
    return hooks->source[out][0] != 0;
}

#endif

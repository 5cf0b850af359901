/* The sines in the butterflies of odd radix, rounded so that their errors cancel instead of adding
 * up from step to step. */
#ifndef WEFT_KERNEL_SINES_H
#define WEFT_KERNEL_SINES_H

#include "math/extended.h"
#include "weft/weft.h"

#define MAX_SINES 32

/* sin(2 pi j k / radix), 1 <= j <= radix / 2, as scale * ratio[j]: the sine that is largest in
 * magnitude is the scale, and its own ratio is 1. */
struct sines {
    int count;   /* radix / 2 */
    int largest; /* which */
    struct extended scale;
    struct extended ratio[MAX_SINES]; /* from 1 */
};

/* For output k of a butterfly of an odd radix up to 63, in numbers of that precision. `turn` counts
 * the butterflies of the same radix that the data went through before: each makes up for the errors
 * of the earlier ones as far as a different rounding of a number can. */
void sines_rounded(int radix, int k, weft_precision precision, int turn, struct sines *sines);

#endif

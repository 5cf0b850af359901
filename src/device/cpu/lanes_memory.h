/* Vectors that memory has in another order, and those that go there so: the end of lanes.h. At a
 * place are LANES pairs of numbers, real parts and others, which APART makes vectors of: of half of
 * those each of the other macros. BACK counts numbers down, BACKWARDS pairs of LANES numbers.
 * What crosses the halves of a vector of 32 bytes takes two operations on many processors, and
 * compilers make a shuffle of two vectors of four of those: halves find their places as they are
 * read instead, so that shuffles stay within them. (Experiment "halves of vectors" in
 * docs/experiments.) */
#undef APART
#undef APART_AT
#undef APART_BACK
#undef REALS_AT
#undef OTHERS_BACK_AT
#undef BACK_AT
#undef BACKWARDS_AT
#undef PUT_BACK
#undef PUT_BACKWARDS
#undef PUT_PAIRS
#undef PUT_PAIRS_AT
#undef PUT_PAIRS_BACK

#if VECTOR_BYTES == 32 && LANES == MOST_LANES
#include "device/cpu/lanes_halves.h"
#else
#define APART(place, re, im)                                                                       \
    const VECTOR re = SHUFFLED(AT(place), AT((place) + LANES), REALS);                             \
    const VECTOR im = SHUFFLED(AT(place), AT((place) + LANES), OTHERS)
#define APART_AT(place, other, re, im)                                                             \
    const VECTOR re = SHUFFLED(AT(place), AT(other), REALS);                                       \
    const VECTOR im = SHUFFLED(AT(place), AT(other), OTHERS)
#define APART_BACK(place, re, im)                                                                  \
    const VECTOR re = SHUFFLED(AT(place), AT((place) + LANES), REALS_BACK);                        \
    const VECTOR im = SHUFFLED(AT(place), AT((place) + LANES), OTHERS_BACK)
#define REALS_AT(place)         SHUFFLED(AT(place), AT((place) + LANES), REALS)
#define OTHERS_BACK_AT(place)   SHUFFLED(AT(place), AT((place) + LANES), OTHERS_BACK)
#define BACK_AT(place)          SHUFFLED(AT(place), AT(place), BACK)
#define BACKWARDS_AT(place)     SHUFFLED(AT(place), AT(place), BACKWARDS)
#define PUT_BACK(place, v)      PUT(place, SHUFFLED(v, v, BACK))
#define PUT_BACKWARDS(place, v) PUT(place, SHUFFLED(v, v, BACKWARDS))
#define PUT_PAIRS_AT(place, other, re, im)                                                         \
    do {                                                                                           \
        PUT(place, SHUFFLED(re, im, LOW));                                                         \
        PUT(other, SHUFFLED(re, im, HIGH));                                                        \
    } while (0)
#define PUT_PAIRS_BACK(place, re, im)                                                              \
    do {                                                                                           \
        PUT(place, SHUFFLED(re, im, LOW_BACK));                                                    \
        PUT((place) + LANES, SHUFFLED(re, im, HIGH_BACK));                                         \
    } while (0)
#endif
#define PUT_PAIRS(place, re, im) PUT_PAIRS_AT(place, (place) + LANES, re, im)

/* Vectors that memory has in another order, and those that go there so: the end of lanes.h. At a
 * place are LANES pairs of numbers, real parts and others, which APART makes vectors of: of half of
 * those each of the other macros; FOURS are four vectors, a number of each after the other, from
 * lane to lane `step` numbers, 4 if LANES are more. BACK counts numbers down, BACKWARDS pairs of
 * LANES numbers.
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
#undef PUT_FOURS
#undef FOURS_AT
#undef OF_FOURS

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
#if LANES == 2
#define OF_FOURS(place, step, v) ((place) + (v) / 2 * (step) + (v) % 2 * 2)
#elif LANES == 4
#define OF_FOURS(place, step, v) ((place) + (v) * (step))
#else /* a vector has several of them, which follow one another */
#define OF_FOURS(place, step, v) ((place) + (v) * LANES)
#endif
#define PUT_FOURS(place, step, a, b, c, d)                                                         \
    do {                                                                                           \
        const VECTOR a_ = (a), b_ = (b), c_ = (c), d_ = (d);                                       \
        const VECTOR ab_ = SHUFFLED(a_, b_, LOW), after_ab_ = SHUFFLED(a_, b_, HIGH);              \
        const VECTOR cd_ = SHUFFLED(c_, d_, LOW), after_cd_ = SHUFFLED(c_, d_, HIGH);              \
        PUT(OF_FOURS(place, step, 0), SHUFFLED(ab_, cd_, LOW_PAIRS));                              \
        PUT(OF_FOURS(place, step, 1), SHUFFLED(ab_, cd_, HIGH_PAIRS));                             \
        PUT(OF_FOURS(place, step, 2), SHUFFLED(after_ab_, after_cd_, LOW_PAIRS));                  \
        PUT(OF_FOURS(place, step, 3), SHUFFLED(after_ab_, after_cd_, HIGH_PAIRS));                 \
    } while (0)
#define FOURS_AT(place, step, a, b, c, d)                                                          \
    const VECTOR front_##a = AT(OF_FOURS(place, step, 0));                                         \
    const VECTOR rear_##a = AT(OF_FOURS(place, step, 1));                                          \
    const VECTOR front_##c = AT(OF_FOURS(place, step, 2));                                         \
    const VECTOR rear_##c = AT(OF_FOURS(place, step, 3));                                          \
    const VECTOR low_##a = SHUFFLED(front_##a, rear_##a, EVEN_PAIRS);                              \
    const VECTOR low_##c = SHUFFLED(front_##a, rear_##a, ODD_PAIRS);                               \
    const VECTOR high_##a = SHUFFLED(front_##c, rear_##c, EVEN_PAIRS);                             \
    const VECTOR high_##c = SHUFFLED(front_##c, rear_##c, ODD_PAIRS);                              \
    const VECTOR a = SHUFFLED(low_##a, high_##a, REALS), b = SHUFFLED(low_##a, high_##a, OTHERS);  \
    const VECTOR c = SHUFFLED(low_##c, high_##c, REALS), d = SHUFFLED(low_##c, high_##c, OTHERS)
#endif
#define PUT_PAIRS(place, re, im) PUT_PAIRS_AT(place, (place) + LANES, re, im)

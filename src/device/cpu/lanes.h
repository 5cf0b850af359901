/* Vectors of LANES numbers of type REAL, or one number, and the orders of their shuffles: included
 * anew for each width, by files that templates are made of. */
#undef VECTOR
#undef MEMORY
#undef REALS
#undef OTHERS
#undef REALS_BACK
#undef OTHERS_BACK
#undef BACK
#undef BACKWARDS
#undef NEXT
#undef PREVIOUS
#undef LOW
#undef HIGH
#undef LOW_BACK
#undef HIGH_BACK
#undef SHUFFLED
#undef AT
#undef PUT
#undef ROW_BY_ROW
#undef LOW_PAIRS
#undef HIGH_PAIRS
#undef EVEN_PAIRS
#undef ODD_PAIRS
#undef PARTS_SWAPPED
#undef REAL_PARTS
#undef OTHER_PARTS
#undef BY_TURNS

#define VECTOR NAME_OF(numbers_, LANES, PRECISION)
#define MEMORY NAME_OF(numbers_memory_, LANES, PRECISION)

#if LANES == 16
#define REALS       0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define OTHERS      1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define REALS_BACK  30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0
#define OTHERS_BACK 31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1
#define BACK        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#define BACKWARDS   14, 15, 12, 13, 10, 11, 8, 9, 6, 7, 4, 5, 2, 3, 0, 1
#define NEXT        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16
#define PREVIOUS    15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30
#define LOW         0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH        8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#define LOW_BACK    15, 31, 14, 30, 13, 29, 12, 28, 11, 27, 10, 26, 9, 25, 8, 24
#define HIGH_BACK   7, 23, 6, 22, 5, 21, 4, 20, 3, 19, 2, 18, 1, 17, 0, 16
#define LOW_PAIRS   0, 1, 16, 17, 2, 3, 18, 19, 4, 5, 20, 21, 6, 7, 22, 23
#define HIGH_PAIRS  8, 9, 24, 25, 10, 11, 26, 27, 12, 13, 28, 29, 14, 15, 30, 31
#define EVEN_PAIRS  0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25, 28, 29
#define ODD_PAIRS   2, 3, 6, 7, 10, 11, 14, 15, 18, 19, 22, 23, 26, 27, 30, 31
#define PARTS_SWAPPED 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#define REAL_PARTS  0, 0, 2, 2, 4, 4, 6, 6, 8, 8, 10, 10, 12, 12, 14, 14
#define OTHER_PARTS 1, 1, 3, 3, 5, 5, 7, 7, 9, 9, 11, 11, 13, 13, 15, 15
#define BY_TURNS    0, 17, 2, 19, 4, 21, 6, 23, 8, 25, 10, 27, 12, 29, 14, 31
#elif LANES == 8
#define REALS       0, 2, 4, 6, 8, 10, 12, 14
#define OTHERS      1, 3, 5, 7, 9, 11, 13, 15
#define REALS_BACK  14, 12, 10, 8, 6, 4, 2, 0
#define OTHERS_BACK 15, 13, 11, 9, 7, 5, 3, 1
#define BACK        7, 6, 5, 4, 3, 2, 1, 0
#define BACKWARDS   6, 7, 4, 5, 2, 3, 0, 1
#define NEXT        1, 2, 3, 4, 5, 6, 7, 8
#define PREVIOUS    7, 8, 9, 10, 11, 12, 13, 14
#define LOW         0, 8, 1, 9, 2, 10, 3, 11
#define HIGH        4, 12, 5, 13, 6, 14, 7, 15
#define LOW_BACK    7, 15, 6, 14, 5, 13, 4, 12
#define HIGH_BACK   3, 11, 2, 10, 1, 9, 0, 8
#define LOW_PAIRS   0, 1, 8, 9, 2, 3, 10, 11
#define HIGH_PAIRS  4, 5, 12, 13, 6, 7, 14, 15
#define EVEN_PAIRS  0, 1, 4, 5, 8, 9, 12, 13
#define ODD_PAIRS   2, 3, 6, 7, 10, 11, 14, 15
#define PARTS_SWAPPED 1, 0, 3, 2, 5, 4, 7, 6
#define REAL_PARTS  0, 0, 2, 2, 4, 4, 6, 6
#define OTHER_PARTS 1, 1, 3, 3, 5, 5, 7, 7
#define BY_TURNS    0, 9, 2, 11, 4, 13, 6, 15
#elif LANES == 4
#define REALS       0, 2, 4, 6
#define OTHERS      1, 3, 5, 7
#define REALS_BACK  6, 4, 2, 0
#define OTHERS_BACK 7, 5, 3, 1
#define BACK        3, 2, 1, 0
#define BACKWARDS   2, 3, 0, 1
#define NEXT        1, 2, 3, 4
#define PREVIOUS    3, 4, 5, 6
#define LOW         0, 4, 1, 5
#define HIGH        2, 6, 3, 7
#define LOW_BACK    3, 7, 2, 6
#define HIGH_BACK   1, 5, 0, 4
#define LOW_PAIRS   0, 1, 4, 5
#define HIGH_PAIRS  2, 3, 6, 7
#define EVEN_PAIRS  0, 1, 4, 5
#define ODD_PAIRS   2, 3, 6, 7
#define PARTS_SWAPPED 1, 0, 3, 2
#define REAL_PARTS  0, 0, 2, 2
#define OTHER_PARTS 1, 1, 3, 3
#define BY_TURNS    0, 5, 2, 7
#elif LANES == 2
#define REALS       0, 2
#define OTHERS      1, 3
#define REALS_BACK  2, 0
#define OTHERS_BACK 3, 1
#define BACK        1, 0
#define BACKWARDS   0, 1
#define NEXT        1, 2
#define PREVIOUS    1, 2
#define LOW         0, 2
#define HIGH        1, 3
#define LOW_BACK    1, 3
#define HIGH_BACK   0, 2
#define LOW_PAIRS   0, 1
#define HIGH_PAIRS  2, 3
#define EVEN_PAIRS  0, 1
#define ODD_PAIRS   2, 3
#define PARTS_SWAPPED 1, 0
#define REAL_PARTS  0, 0
#define OTHER_PARTS 1, 1
#define BY_TURNS    0, 3
#else
#define REALS       0
#define OTHERS      1
#define REALS_BACK  0
#define OTHERS_BACK 1
#define BACK        0
#define LOW         0
#define HIGH        1
#define LOW_BACK    0
#define HIGH_BACK   1
#endif

#if LANES > 1
#define SHUFFLED(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
typedef REAL VECTOR __attribute__((vector_size(LANES * sizeof(REAL))));
typedef REAL MEMORY
    __attribute__((vector_size(LANES * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
#else
#define SHUFFLED(a, b, index) ((index) == 0 ? (a) : (b))
typedef REAL VECTOR, MEMORY;
#endif
#define AT(place)     (*(const MEMORY *)(place))
#define PUT(place, v) (*(MEMORY *)(place) = (v))
#include "device/cpu/lanes_memory.h"
/* The first lane of the vector that comes next, the last of which overlaps the one before. */
#undef NEXT_LANE
#define NEXT_LANE(c, lanes)                                                                        \
    ((c) + LANES < (lanes) && (c) + 2 * LANES > (lanes) ? (lanes) - LANES : (c) + LANES)
/* Compilers would read again for each use of a vector, as an operand. */
#undef READ_ONCE
#if defined(__x86_64__) && !defined(__clang__)
#define READ_ONCE(vector) __asm__("" : "+v"(vector))
#else
#define READ_ONCE(vector) ((void)0)
#endif
/* Before loops whose few steps compilers would unroll. */
#undef UNKNOWN
#define UNKNOWN(count) __asm__("" : "+r"(count))
/* In loops which compilers would make much text of: always, or over rows of one lane. */
#undef SCALAR
#define SCALAR() __asm__ volatile("")
#if LANES == 1
#define ROW_BY_ROW() SCALAR()
#else
#define ROW_BY_ROW() ((void)0)
#endif

/* A line's numbers times factors, in vectors: on their way between pairs and the planes of a tile,
 * or where they lie. (Experiments "primes", "parities" in docs/experiments.) */
#ifndef WEFT_DEVICE_CPU_FACTORS_H
#define WEFT_DEVICE_CPU_FACTORS_H

#include <stdint.h>

#include "device/cpu/codelet.h"

struct cpu_factors_line {
    int64_t count;
    void *pair;                        /* the first real of the first pair */
    void *re, *im;                     /* of the tile, for the parts of pairs */
    const void *factor_re, *factor_im; /* neighbours */
    double sign;  /* of all factors' imaginary parts: -1 where re and im are exchanged */
    double scale; /* of what leaves, too */
    /* Of a line in two parities (parity.h), else NULL: what the second one's numbers are multiplied
     * by as they enter, and by the conjugates of as they leave; they lie `half` reals on. */
    const void *root_re, *root_im;
    int64_t half;
};

typedef void cpu_factors_function(const struct cpu_factors_line *line);

struct cpu_factors {
    cpu_factors_function *enter; /* from pairs to planes */
    cpu_factors_function *leave; /* from planes to pairs */
    cpu_factors_function *stay;  /* in planes */
    cpu_factors_function *stay_mirrored; /* likewise, by the factors from the last to the first */

    /* Rader's lines of n numbers in pairs (rader.h), lanes being n - 1; NULL: vectors are too short
     * for the steps of such lines. Rows are lines, n - 1 numbers behind one another where their
     * steps are, and their first numbers one behind the other. pick: number fine[e] of a line,
     * whose numbers are in_leg apart, to e, and its first one to out + out_leg. turn: numbers times
     * those of `twiddles`, whose imaginary parts have the sign shape.turn; in: the first one, which
     * gets number 0 before, and is added to it afterwards. leave: number e to number fine[e] of a
     * line, out_leg apart, lines out_row. first: to number 0 of each. */
    codelet_function *rader_pick, *rader_turn, *rader_leave, *rader_first;
};

/* By weft_precision. */
extern const struct cpu_factors factors_basic[2];
#if defined(__x86_64__)
extern const struct cpu_factors factors_avx2[2], factors_avx512[2];
#endif

#endif

#include "plan/cost_butterfly.h"

#include "math/factor.h"
#include "spec/opening_sums.h"

/* (Experiment "estimates" in docs/experiments.) */
static const struct {
    double fused_operations;   /* of a complex product, where two of them are fused */
    double shuffle_operations; /* per value and shuffle of a transposing store, */
    double opening_operations; /* ... and per butterfly and byte of a vector */
    double access_operations;  /* per value read and written */
    double spilling;           /* how much longer butterflies take that overflow 32 registers, */
    double spill_operations;   /* ... and per value that overflows fewer */
    double tile_spilling;      /* `spilling` of butterflies above 16 in tiles of several, */
    double core_spilling;      /* ... of 11 and 13 around a core: all but a line's first step, */
    double tile_core;          /* ... and likewise in tiles of several, */
    double inlined_spilling;   /* ... of 11 where there is no core, so that lanes may be few, */
    double half_opening;       /* ... and of both where vectors are half a line of the cache, a
                              * line's first step, */
    double half_spilling;      /* ... and others (experiment "half a line") */
} constants = {
    .fused_operations = 4,
    .shuffle_operations = 1.8,
    .opening_operations = 0.3,
    .access_operations = 0.5,
    .spilling = 1.9,
    .spill_operations = 1,
    .tile_spilling = 2.8,
    .core_spilling = 3.8,
    .tile_core = 4.4,
    .inlined_spilling = 1.6,
    .half_opening = 1.2,
    .half_spilling = 1.7,
};

/* The most shuffles of a value where vectors are half a line of the cache. */
#define HALF_SHUFFLES 4

/* Real operations of a butterfly, an fma counting as one: published counts for the powers of two,
 * the direct symmetric form for odd primes, products of both by the cheaper of prime-factor and
 * Cooley-Tukey splitting. */
static const short butterfly_operations[LIMITS_MAX_RADIX + 1] = {
    0,    0,    4,    16,   16,   40,   44,   72,   52,   112,  100,  160,  112,
    216,  172,  200,  168,  352,  260,  432,  240,  328,  364,  616,  284,  464,
    484,  544,  400,  952,  460,  1080, 456,  656,  772,  640,  592,  1512, 940,
    856,  580,  1840, 740,  2016, 816,  920,  1324, 2392, 756,  1152, 1028, 1328,
    1072, 3016, 1196, 1240, 940,  1600, 2020, 3712, 1040, 3960, 2284, 1432, 1160,
    [67] = 4752, [71] = 5320, [73] = 5616, [79] = 6552, [83] = 7216, [89] = 8272,
    [97] = 9792,
};

bool cost_is_large_prime(int radix)
{
    return radix >= OPENING_SUMS && is_prime(radix);
}

/* Shuffles that interleaving `radix` vectors takes for each: p - 1 for every prime factor; few
 * lanes are transposed before (experiment "half a line"). */
static int transposing_shuffles(const struct limits *limits, int radix)
{
    int shuffles = 0;
    for (int p = 2; radix > 1; p++) {
        for (; radix % p == 0; radix /= p)
            shuffles += p - 1;
    }
    return limits_halve_lines(limits) && shuffles > HALF_SHUFFLES ? HALF_SHUFFLES : shuffles;
}

/* The direct form of 11 and of larger primes keeps all its sums alive at once, and so do
 * butterflies of more than 16. (Experiment "steps" in docs/experiments.) */
static bool overflows(int radix)
{
    return radix > 16 || radix == 13 || radix == 11;
}

/* Steps of 11 that leave pairs, or multiply by a line's own twiddles, have no core. */
static double spilling(const struct limits *limits, int radix, const struct cost_butterfly *place)
{
    const bool around_core = !limits->partial[radix] || place->kept, several = place->columns > 1;
    if (radix <= 16 && limits_halve_lines(limits))
        return place->opens ? constants.half_opening : constants.half_spilling;
    if (radix == 11 && !around_core) return constants.inlined_spilling;
    if (radix > 16) return several ? constants.tile_spilling : constants.spilling;
    if (place->opens) return constants.spilling;
    return several ? constants.tile_core : constants.core_spilling;
}

double cost_butterfly_operations(const struct limits *limits, int radix,
                                 const struct cost_butterfly *place)
{
    const bool opens = place->opens;
    double operations = butterfly_operations[radix] + constants.access_operations * 2 * radix;
    /* Around a core nothing is fused. */
    const double twiddle =
        cost_is_large_prime(radix) ? COST_TWIDDLE_OPERATIONS : constants.fused_operations;
    if (!place->last) operations += twiddle * (radix - 1);
    if (overflows(radix)) operations *= spilling(limits, radix, place);
    int spilled = 2 * radix - limits->registers;
    if (spilled > 0 && !overflows(radix)) operations += constants.spill_operations * spilled;
    if (opens) {
        operations +=
            constants.shuffle_operations * 2 * radix * transposing_shuffles(limits, radix) +
            constants.opening_operations * limits->vector_bytes;
    }
    return operations;
}

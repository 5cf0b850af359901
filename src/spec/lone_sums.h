/* Primes whose lines of pairs a CPU does as sums of products, where a plan would convolve them. */
#ifndef WEFT_SPEC_LONE_SUMS_H
#define WEFT_SPEC_LONE_SUMS_H

#include "spec/limits.h"
#include "spec/pass.h"

/* The last one of sums by definition. */
#define LONE_SUMS_MOST 127

/* Circulants (device/cpu/circulant.h) are of these primes at most; a line's terms are at most so
 * many reals, of so many parts. Half of these or less stay in registers up to CIRCULANT_FEW. */
#define CIRCULANT_MOST  509
#define CIRCULANT_REALS 1024
#define CIRCULANT_PARTS 13
#define CIRCULANT_FEW   4

/* Vectors of a row's b pairs. */
static inline int circulant_vectors(int b, int lanes)
{
    return (2 * b - 1) / lanes + 1;
}

/* In how many parts the sums of a prime are best done so by vectors of so many lanes, which are
 * odd; 1: not so. */
int circulant_parts(int64_t p, int lanes, weft_precision precision);

/* Whether lines of n are circulants: of a prime, or twice one. */
bool lone_circulants(int64_t n, int lanes, weft_precision precision);

/* What the sums of a line take. */
double lone_sums_seconds(int64_t n, const struct limits *limits, weft_precision precision);

bool lone_sums(int64_t n, const struct limits *limits, weft_precision precision);

/* Whether they are quicker than Rader's algorithm, which one line of a prime may take so many
 * seconds by: the two prices are not of one scale. */
bool lone_sums_beat_rader(int64_t n, double rader, const struct limits *limits,
                          weft_precision precision);

/* Whether the lines of a pass are, provided that both ends are pairs; and whether they would be if
 * their elements followed one another. */
bool lone_sums_once_laid(const struct limits *limits, weft_precision precision,
                         const struct pass *pass);
bool lone_sums_of(const struct limits *limits, weft_precision precision, const struct pass *pass);

/* Whether a pass is one line by Rader's algorithm that steps between pairs transform there and back
 * (device/cpu/rader.h), provided that both ends are pairs where they lie: it is no sum then, for a
 * planner takes Rader's tree of such a line where it is quicker, and Bluestein's where sums are. */
bool lone_rader(const struct limits *limits, weft_precision precision, const struct pass *pass);

#endif

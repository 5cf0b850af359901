#include "spec/lone_sums.h"

#include "math/factor.h"

/* Vectors of products, and of what the transforms of `parts` numbers take; of rows of b pairs. */
static int operations(int parts, int b)
{
    const int half = parts / 2;
    return 2 * circulant_vectors(b) * ((2 * parts - 1) * b + 2 * half * (2 * half + 3));
}

static bool has_room(int parts, int b)
{
    return 2 * parts * circulant_vectors(b) * CIRCULANT_LANES <= CIRCULANT_REALS;
}

/* Fewer than this share of what sums take by themselves, for the ends take longer. (Experiment
 * "circulants" in docs/experiments.) */
#define MOST_SHARE 0.53

int circulant_parts(int64_t p)
{
    const int count = (int)(p - 1) / 2, sums = 4 * count * ((count - 1) / CIRCULANT_LANES + 1);
    int best = 1, least = (int)(MOST_SHARE * sums);
    for (int a = 3; a <= CIRCULANT_PARTS && p <= CIRCULANT_MOST; a += 2) {
        if (count % a != 0 || !has_room(a, count / a)) continue;
        if (operations(a, count / a) >= least) continue;
        least = operations(a, count / a);
        best = a;
    }
    return best;
}

bool lone_sums(int64_t n, const struct limits *limits, weft_precision precision)
{
    const bool wide = limits->vector_bytes == 8 * CIRCULANT_LANES && precision == WEFT_F64;
    if (n > (wide ? CIRCULANT_MOST : LONE_SUMS_MOST) || !is_prime(n)) return false;
    return n <= LONE_SUMS_MOST || circulant_parts(n) > 1;
}

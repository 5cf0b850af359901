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

/* By definition. */
static int sums_vectors(int64_t p, int lanes)
{
    const int count = (int)(p - 1) / 2;
    return 4 * count * ((count - 1) / lanes + 1);
}

/* Fewer than this share of what sums take by themselves, for the ends take longer. (Experiment
 * "circulants" in docs/experiments.) */
#define MOST_SHARE 0.53

int circulant_parts(int64_t p)
{
    const int count = (int)(p - 1) / 2;
    int best = 1, least = (int)(MOST_SHARE * sums_vectors(p, CIRCULANT_LANES));
    for (int a = 3; a <= CIRCULANT_PARTS && p <= CIRCULANT_MOST; a += 2) {
        if (count % a != 0 || !has_room(a, count / a)) continue;
        if (operations(a, count / a) >= least) continue;
        least = operations(a, count / a);
        best = a;
    }
    return best;
}

/* Vectors have the circulants' lanes. */
static bool is_wide(weft_precision precision, int lanes)
{
    return precision == WEFT_F64 && lanes == CIRCULANT_LANES;
}

/* Of the line, of each of its elements at both ends, and real operations in the time of each that
 * a vector's lanes take; and what circulants take more, by line and by operation. (Experiment
 * "prices of sums" in docs/experiments.) */
#define LINE_SECONDS      31e-9
#define END_SECONDS       0.37e-9
#define LANE_OPERATIONS   2.0
#define CIRCULANT_SECONDS 36e-9
#define CIRCULANT_LONGER  1.35

double lone_sums_seconds(int64_t p, const struct limits *limits, weft_precision precision)
{
    const int lanes = limits_lanes(limits, precision);
    const double operation = LANE_OPERATIONS * lanes / limits->flops[precision];
    const double seconds = LINE_SECONDS + (double)p * END_SECONDS;
    const int parts = is_wide(precision, lanes) ? circulant_parts(p) : 1;
    if (parts == 1) return seconds + operation * sums_vectors(p, lanes);
    return seconds + CIRCULANT_SECONDS +
           CIRCULANT_LONGER * operation * operations(parts, (int)(p - 1) / 2 / parts);
}

bool lone_sums(int64_t n, const struct limits *limits, weft_precision precision)
{
    const bool wide = is_wide(precision, limits_lanes(limits, precision));
    if (n > (wide ? CIRCULANT_MOST : LONE_SUMS_MOST) || !is_prime(n)) return false;
    return n <= LONE_SUMS_MOST || circulant_parts(n) > 1;
}

bool lone_sums_of(const struct limits *limits, weft_precision precision, const struct pass *pass)
{
    const bool whole = pass->body == PASS_CONVOLUTION && pass->chirp_before && pass->chirp_after;
    if (limits->vector_bytes == 0 || !(whole || pass->body == PASS_RADER)) return false;
    if (pass->twiddle_order || pass->one_way || pass->hook[0] || pass->hook[1]) return false;
    if (pass->from == PASS_SCRATCH || pass->to == PASS_SCRATCH) return false;
    return pass->line.in_stride == 1 && pass->line.out_stride == 1 &&
           lone_sums(pass->line.n, limits, precision);
}

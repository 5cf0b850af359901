#include "spec/lone_sums.h"

#include "math/factor.h"
#include "spec/pair_steps.h"

/* Of the line, of each of its elements at both ends, and real operations in the time of each that
 * a vector's lanes take. (Experiment "prices of sums" in docs/experiments.) */
#define LINE_SECONDS    31e-9
#define END_SECONDS     0.37e-9
#define LANE_OPERATIONS 2.0

/* How many times dearer sums by definition are, beside Rader's lines, than they take. (Experiment
 * "Rader for few numbers" in docs/experiments.) */
#define DEARER 1.28

/* Where circulants are worth it: up to which prime; of sums by definition those of fewer than this
 * share of their operations, for the ends take longer; of primes that are no such sums those of
 * fewer operations an element, and of twice a prime, since lines that are resampled take so long.
 * How much longer transforms take of parts that do not stay in registers; and what circulants take
 * by line beside other sums, by element and by operation; and how many times dearer they are beside
 * Rader's lines. (Experiments "circulants", "prices of sums", "circulants of narrow vectors" and
 * "Rader for few numbers" in docs/experiments.) */
struct circulants {
    int64_t most;
    double share, each, twice, many;
    double line_seconds, end_seconds, longer, dearer;
};

static struct circulants circulants_of(weft_precision precision, int lanes)
{
    static const struct circulants none = {0};
    static const struct circulants wide = {
        211, 0.53, 0, 0, 1, 36e-9, END_SECONDS, 1.35, 1.48};
    static const struct circulants narrow[] = {
        [WEFT_F32] = {CIRCULANT_MOST, 0.53, 10.2, 8.2, 1.6, 9e-9, 0.8e-9, 0.71, 1},
        [WEFT_F64] = {CIRCULANT_MOST, 0.65, 25.9, 22.6, 1.6, 9e-9, 0.8e-9, 0.71, 1}};
    if (precision == WEFT_F64 && lanes == 8) return wide;
    return lanes == (precision == WEFT_F64 ? 4 : 8) ? narrow[precision] : none;
}

/* Vectors of products, and of what the transforms of `parts` numbers take; of rows of b pairs. */
static double operations(int parts, int b, int lanes, double many)
{
    const int half = parts / 2;
    const double transforms = (half <= CIRCULANT_FEW ? 1 : many) * 2 * half * (2 * half + 3);
    return 2 * circulant_vectors(b, lanes) * ((2 * parts - 1) * b + transforms);
}

static bool has_room(int parts, int b, int lanes)
{
    return 2 * parts * circulant_vectors(b, lanes) * lanes <= CIRCULANT_REALS;
}

/* By definition; of primes, too, that are too long for any int of them. */
static double sums_vectors(int64_t p, int lanes)
{
    const int64_t count = (p - 1) / 2;
    return 4.0 * (double)count * (double)((count - 1) / lanes + 1);
}

static double operations_of(int64_t p, int lanes, weft_precision precision)
{
    const int parts = circulant_parts(p, lanes, precision);
    return operations(parts, (int)(p - 1) / 2 / parts, lanes, circulants_of(precision, lanes).many);
}

int circulant_parts(int64_t p, int lanes, weft_precision precision)
{
    const struct circulants worth = circulants_of(precision, lanes);
    if (p > worth.most) return 1;
    const bool beside = p <= LONE_SUMS_MOST || worth.each == 0;
    const int count = (int)(p - 1) / 2;
    double least = beside ? worth.share * sums_vectors(p, lanes) : worth.each * (double)p;
    int best = 1;
    for (int a = 3; a <= CIRCULANT_PARTS; a += 2) {
        if (count % a != 0 || !has_room(a, count / a, lanes)) continue;
        const double found = operations(a, count / a, lanes, worth.many);
        if (found >= least) continue;
        least = found;
        best = a;
    }
    return best;
}

/* Of a prime. */
static double line_seconds(int64_t p, const struct limits *limits, weft_precision precision)
{
    const int lanes = limits_lanes(limits, precision);
    const double operation = LANE_OPERATIONS * lanes / limits->flops[precision];
    if (circulant_parts(p, lanes, precision) == 1)
        return LINE_SECONDS + (double)p * END_SECONDS + operation * sums_vectors(p, lanes);
    const struct circulants take = circulants_of(precision, lanes);
    return LINE_SECONDS + take.line_seconds + (double)p * take.end_seconds +
           take.longer * operation * operations_of(p, lanes, precision);
}

double lone_sums_seconds(int64_t n, const struct limits *limits, weft_precision precision)
{
    if (n % 2) return line_seconds(n, limits, precision);
    return 2 * line_seconds(n / 2, limits, precision) + (double)n * END_SECONDS;
}

bool lone_sums_beat_rader(int64_t n, double rader, const struct limits *limits,
                          weft_precision precision)
{
    const int lanes = limits_lanes(limits, precision);
    const bool circulant = circulant_parts(n, lanes, precision) > 1;
    const double dearer = circulant ? circulants_of(precision, lanes).dearer : DEARER;
    return lone_sums(n, limits, precision) &&
           lone_sums_seconds(n, limits, precision) < dearer * rader;
}

/* Twice a prime up to this one has steps. */
#define LARGEST_STEP 97

bool lone_circulants(int64_t n, int lanes, weft_precision precision)
{
    const int64_t p = n % 2 ? n : n / 2;
    if (!is_prime(p) || circulant_parts(p, lanes, precision) == 1) return false;
    return p == n || (p > LARGEST_STEP && operations_of(p, lanes, precision) <
                                              circulants_of(precision, lanes).twice * (double)p);
}

bool lone_sums(int64_t n, const struct limits *limits, weft_precision precision)
{
    if (n <= LONE_SUMS_MOST && is_prime(n)) return true;
    return n <= 2 * CIRCULANT_MOST &&
           lone_circulants(n, limits_lanes(limits, precision), precision);
}

/* One line, of numbers that follow one another at both ends. */
static bool is_one_line(const struct pass *pass)
{
    const bool complex_ends = pass->half == PASS_NO_HALF && !pass->real_in && !pass->real_out;
    const bool whole = !pass->range[0].range.count && !pass->range[1].range.count;
    return complex_ends && whole && pass_lines(pass) == 1 && pass->line.in_stride == 1 &&
           pass->line.out_stride == 1;
}

bool lone_rader(const struct limits *limits, weft_precision precision, const struct pass *pass)
{
    return pass->body == PASS_RADER && pass->radices > 1 && is_one_line(pass) &&
           pair_steps_of(limits, precision, pass->length, 1).count > 0;
}

bool lone_sums_once_laid(const struct limits *limits, weft_precision precision,
                         const struct pass *pass)
{
    const bool whole = pass->body == PASS_CONVOLUTION && pass->chirp_before && pass->chirp_after;
    if (limits->vector_bytes == 0 || !(whole || pass->body == PASS_RADER)) return false;
    if (pass_joins_lines(pass)) return false;
    if (pass->twiddle_order || pass->one_way || pass->hook[0] || pass->hook[1]) return false;
    if (pass->from == PASS_SCRATCH || pass->to == PASS_SCRATCH) return false;
    return lone_sums(pass->line.n, limits, precision);
}

bool lone_sums_of(const struct limits *limits, weft_precision precision, const struct pass *pass)
{
    return pass->line.in_stride == 1 && pass->line.out_stride == 1 &&
           lone_sums_once_laid(limits, precision, pass);
}

#include "spec/abreast.h"

#include "math/factor.h"
#include "spec/kind.h"

/* Shorter lines are lanes in registers, of one codelet. (Experiment "packs" in docs/experiments.)
 */
#define SHORTEST 14
#define PACKED   16

/* Longer lines than so many vectors fill those by themselves. */
#define MOST_VECTORS 16

static bool has_codelet(const struct limits *limits, weft_precision precision, int64_t n)
{
    return n <= LIMITS_MAX_LINE && limits->line[n] >> precision & 1;
}

/* Of lines that have codelets of their own those of more vectors are slower abreast where units
 * take halves of vectors, and longer ones by vectors of 32 bytes. (Experiment "steps of pairs" in
 * docs/experiments.) */
#define MOST_HALVED_VECTORS 2
#define MOST_NUMBERS        56
#define WIDE_BYTES          64

static bool is_long(const struct limits *limits, int64_t n, int lanes)
{
    if (limits->unit_bytes < limits->vector_bytes) return n > MOST_HALVED_VECTORS * lanes;
    return limits->vector_bytes < WIDE_BYTES && n > MOST_NUMBERS;
}

/* A line's own codelet keeps up if it fills halves of vectors. (Experiment "abreast" in
 * docs/experiments, with all numbers here.) */
static bool has_better_codelet(const struct limits *limits, weft_precision precision, int64_t n,
                               int lanes)
{
    if (!has_codelet(limits, precision, n)) return false;
    const bool registers = limits->line_of_pairs[n] >> precision & 1;
    return registers || n % (lanes / 2) == 0 || is_long(limits, n, lanes);
}

/* Longer primes are sums of products, whose lanes are results. */
#define LONGEST_PRIME 13

static bool is_summed(int64_t n)
{
    return n > LONGEST_PRIME && is_prime(n);
}

/* Whether so many lines of n complex numbers are: the tile of as many as a vector has lanes stays
 * in the first level. */
static bool lines_abreast(const struct limits *limits, weft_precision precision, int64_t n,
                          int64_t lines)
{
    if (limits->vector_bytes < LIMITS_NARROWEST_VECTOR || precision > WEFT_F64) return false;
    const int bytes = precision_bytes(precision), lanes = limits_lanes(limits, precision);
    if (n < SHORTEST || n == PACKED || lines < lanes) return false;
    if (n > MOST_VECTORS * lanes || n > limits->cache_bytes[0] / (4 * bytes * lanes)) return false;
    return !has_better_codelet(limits, precision, n, lanes) && !is_summed(n);
}

/* Reals are as many numbers as half of them are pairs. */
int64_t lines_abreast_in(const struct limits *limits, const struct problem *axis)
{
    const struct dim *line = &axis->axis[0], *loop = &axis->loop[0];
    const bool halves = kind_is_half(axis->kind), odd = halves && line->n % 2 != 0;
    if (kind_is_trigonometric(axis->kind) || odd || axis->loops == 0) return 1;
    if (line->in_stride != 1 || line->out_stride != 1) return 1;
    const int64_t n = halves ? line->n / 2 : line->n;
    return lines_abreast(limits, axis->precision, n, loop->n) ? loop->n : 1;
}

/* Whether it is steps of pairs of numbers, of reals or not, and nothing else. */
static bool is_plain(const struct pass *pass)
{
    const bool mirrored = (pass->half == PASS_HALF_SPREAD || pass->half == PASS_HALF_FOLD) &&
                          pass->length == pass->half_n / 2;
    if (pass->half != PASS_NO_HALF && !mirrored) return false;
    if (pass->body != PASS_TRANSFORM || pass->radices == 0 || pass->backward) return false;
    if (pass->hook[0] || pass->hook[1] || pass_reflects(pass) || pass->twiddle_order) return false;
    if (pass->chirp_n || pass->lone || pass->folds) return false;
    return pass->range[0].range.count == 0 && pass->range[1].range.count == 0;
}

bool lines_abreast_of(const struct limits *limits, weft_precision precision,
                      const struct pass *pass)
{
    if (!is_plain(pass) || pass->loops == 0) return false;
    if (pass->line.in_stride != 1 || pass->line.out_stride != 1) return false;
    return lines_abreast(limits, precision, pass->length, pass->loop[0].n);
}

bool line_has_codelet(const struct limits *limits, weft_precision precision,
                      const struct pass *pass)
{
    if (precision > WEFT_F64 || pass->half != PASS_NO_HALF || !is_plain(pass)) return false;
    if (pass->line.in_stride != 1 || pass->line.out_stride != 1) return false;
    return pass->radices > 1 && has_codelet(limits, precision, pass->length) &&
           !lines_abreast_of(limits, precision, pass);
}

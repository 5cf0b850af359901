#include "plan/cost_sums.h"

#include "spec/lone_sums.h"
#include "spec/opening_sums.h"

/* Seconds of a butterfly of many sums, of a few, and of each of its elements; and how much longer
 * than others their operations take. (Experiments "sums", "few butterflies" and "primes first" in
 * docs/experiments.) */
struct sums_price {
    double butterfly, few, element, longer;
};

/* Of vectors that fill a line of the cache, and of others. */
static const struct sums_price whole_lines = {9e-9, 6.5e-9, 0.3e-9, 1.7};
static const struct sums_price part_lines = {18e-9, 6.5e-9, 0.7e-9, 1.45};

/* A table of more than this share of the first level is hardly there beside a line: operations take
 * so many times longer. (Experiment "two lines" in docs/experiments.) */
#define FAR_SHARE  0.65
#define FAR_LONGER 1.35

double cost_opening_sums(const struct cost_machine *machine, int64_t n, int radix)
{
    const struct limits *limits = machine->limits;
    const int results = radix / 2, lanes = limits_lanes(limits, machine->precision);
    const int vectors = (results + lanes - 1) / lanes;
    const double products = (double)results * vectors * lanes;
    const bool far = products * machine->element_bytes > FAR_SHARE * (double)limits->cache_bytes[0];
    const bool whole = limits->vector_bytes >= limits->coalescing_bytes;
    const struct sums_price price = whole ? whole_lines : part_lines;
    const double operations = 4 * products * price.longer * (far ? FAR_LONGER : 1);
    const double each = radix >= OPENING_SUMS ? price.butterfly : price.few;
    return (double)n * price.element +
           (double)(n / radix) * (each + operations / limits->flops[machine->precision]);
}

bool cost_sums_serve(const struct cost_machine *machine, int64_t n)
{
    if (machine->limits->vector_bytes == 0 || machine->precision > WEFT_F64) return false;
    return n >= OPENING_SUMS && n <= LIMITS_MAX_RADIX && is_prime(n);
}

/* Strided lines of reals that stand for more are laid one behind the other (device/cpu/laid.c):
 * those that would be permuted always, others unless they are beside each other. */
static bool are_laid(const struct pass *pass)
{
    const struct dim *lines = &pass->loop[0];
    const bool beside = pass->loops > 0 && lines->in_stride == 1 && lines->out_stride == 1;
    return pass->body == PASS_RADER || (pass->body == PASS_TRANSFORM && !beside);
}

/* Complex numbers, two reals each, or the halves of their spectra; even lines of reals that stand
 * for more are made such pairs first. */
static bool are_pairs(const struct pass *pass)
{
    const bool half = pass->half == PASS_NO_HALF || pass->half == PASS_HALF_SPREAD ||
                      pass->half == PASS_HALF_FOLD;
    if (!half || pass->from == PASS_SCRATCH || pass->to == PASS_SCRATCH) return false;
    if (!pass_reflects(pass)) return pass->line.in_stride == 1 && pass->line.out_stride == 1;
    const struct reals *in = &pass->reals[0], *out = &pass->reals[1];
    return in->n == 2 * pass->length && ((in->stride == 1 && out->stride == 1) || are_laid(pass));
}

bool cost_are_sums(const struct cost_machine *machine, const struct pass *pass, int64_t columns)
{
    const bool rader = machine->plain && lone_rader(machine->limits, machine->precision, pass);
    if (!rader && lone_sums_of(machine->limits, machine->precision, pass)) return true;
    if (pass->body != PASS_TRANSFORM || pass->radices != 1 || columns > 1) return false;
    if (pass->twiddle_order || pass->hook[0] || pass->hook[1]) return false;
    return are_pairs(pass) && cost_sums_serve(machine, pass->length);
}

double cost_sums(const struct cost_machine *machine, const struct pass *pass)
{
    const int64_t n = pass->body == PASS_TRANSFORM ? pass->length : pass->line.n;
    return lone_sums_seconds(n, machine->limits, machine->precision);
}

/* Lines of odd cosines and the like that lie as they are computed with, or of type I. */
static bool are_cosines(const struct pass *pass)
{
    const struct reals *in = &pass->reals[0], *out = &pass->reals[1];
    const bool odd = pass->half == PASS_NO_HALF && in->n == pass->line.n && in->n % 2 != 0;
    const bool first = pass->half == PASS_HALF_SPREAD && in->n != pass->half_n;
    if (!pass->lone || !(odd || first) || pass->hook[0] || pass->hook[1]) return false;
    if (!in->parts || !out->parts) return false;
    if (pass->twiddle_order) return false;
    return (in->stride == 1 && out->stride == 1) || are_laid(pass);
}

bool cost_are_products(const struct cost_machine *machine, const struct pass *pass,
                       struct matrix_shape *shape)
{
    const bool cut = pass->half == PASS_HALF_CUT, extended = pass->half == PASS_HALF_EXTEND;
    const int lanes = limits_lanes(machine->limits, machine->precision);
    int64_t most;
    if (machine->limits->vector_bytes == 0 || !pass->lone) return false;
    if (are_cosines(pass)) {
        *shape = matrix_shape_of_reals(pass->reals, lanes);
        most = matrix_most_reflected(machine->limits, pass->reals);
    } else if ((cut || extended) && pass->half_n == pass->line.n && !pass_reflects(pass)) {
        *shape = matrix_shape_of_half(pass->half_n, cut, lanes);
        most = matrix_most_products(machine->limits, pass->half_n, true);
    } else {
        return false;
    }
    return matrix_shape_suits(shape, machine->limits, most);
}

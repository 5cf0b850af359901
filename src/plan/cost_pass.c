/* What one line of a pass costs: its steps, and what comes to them at its ends. */
#include "plan/cost_pass.h"

#include <math.h>

#include "plan/cost_apart.h"
#include "plan/cost_crowding.h"
#include "plan/cost_sums.h"
#include "plan/odd.h"
#include "plan/stride.h"
#include "plan/tile.h"
#include "spec/abreast.h"
#include "spec/far_columns.h"
#include "spec/joined_lines.h"
#include "spec/lone_lines.h"

/* (Experiments "legs", "estimates", "own codelets".) */
static const struct {
    int packed_radix;     /* CPU: the largest butterfly done a contiguous line a lane */
    double apart_seconds; /* CPU: per element of a spectrum that is read by single elements, */
    double far;           /* ... and how much longer if the second-level cache does not hold it */
    double own_codelet;   /* CPU: the share of its steps' time that a line's own codelet takes, if
                           * it is not short; */
    double near_pairs; /* CPU: likewise of lines of pairs that the second level holds, where the
                        * third is far, */
    double far_pairs;  /* ... and how many times longer lines take that no tile holds, of a batch
                        * that leaves the caches, which the steps neither ask for nor go past */
    double rader_pairs; /* CPU: how many times longer than its parts by themselves Rader takes in
                         * pairs (experiment "Rader in pairs"), */
    double joined[2];      /* ... and in lines of which the steps are done at once, by whether
                            * vectors are half a line of the cache, */
    double joined_far;     /* ... how much more if the first level does not hold both buffers, */
    double joined_seconds; /* ... and what all lines take, whatever they are (experiment "joined
                            * lines") */
} constants = {
    .packed_radix = 16,
    .apart_seconds = 2.4e-9,
    .far = 2,
    .own_codelet = 0.5,
    .near_pairs = 0.8,
    .far_pairs = 1.6,
    .rader_pairs = 1.15,
    .joined = {1.04, 0.9},
    .joined_far = 1.3,
    .joined_seconds = 25e-9,
};

static bool is_unit(int64_t stride)
{
    return magnitude(stride) == 1;
}

/* As if ends that are not of pairs were: for reals are, and planes are seldom. */
static bool goes_abreast(const struct cost_machine *machine, const struct pass *pass)
{
    return lines_abreast_of(machine->limits, machine->precision, pass);
}

bool cost_is_whole(const struct cost_machine *machine, const struct pass *pass)
{
    return pass->body == PASS_TRANSFORM && pass->radices == 1 && pass->chirp_n == 0 &&
           !goes_abreast(machine, pass);
}

int64_t cost_pass_columns(const struct cost_machine *machine, const struct pass *pass)
{
    if (pass->loops == 0) return 1;
    const struct dim *across = &pass->loop[0];
    bool contiguous = is_unit(pass->line.in_stride) && is_unit(pass->line.out_stride);
    bool beside = is_unit(across->in_stride) && is_unit(across->out_stride);
    if (goes_abreast(machine, pass)) return cost_columns(machine, pass->length, across->n);
    if (cost_is_whole(machine, pass)) {
        bool packed = contiguous && pass->length <= constants.packed_radix;
        return packed || beside ? across->n : 1;
    }
    if (contiguous || lone_lines_of(machine->limits, machine->precision, pass)) return 1;
    if (long_lines_of(machine->limits, machine->precision, pass)) return 1;
    const int64_t columns = cost_columns(machine, pass->length, across->n);
    if (columns == 1 || !cost_reads_far_columns(machine, pass)) return columns;
    return far_columns(machine->limits, machine->precision, pass->length, columns, across->n);
}

/* Sweeps between the places and a tile, where no step reads or writes them itself. */
static int carrying_sweeps(const struct cost_machine *machine, const struct pass *pass,
                           bool across)
{
    if (cost_is_whole(machine, pass) || (pass->body == PASS_COPY && pass->spectrum_given)) return 0;
    bool whole = pass->body == PASS_CONVOLUTION && pass->radices > 1 && !pass->real_in &&
                 pass->line.n == pass->length;
    bool steps = pass->body == PASS_TRANSFORM || whole;
    bool planes = !pass->backward || pass->from == PASS_SCRATCH;
    int64_t in = across ? pass->loop[0].in_stride : pass->line.in_stride;
    int64_t out = across ? pass->loop[0].out_stride : pass->line.out_stride;
    bool apart = pass->twiddle_order > 0 && !(across && pass->twiddle_loop == 0);
    bool gathers = !(steps && planes) || pass->chirp_before || !is_unit(in);
    bool scatters = !steps || pass->chirp_after || !is_unit(out) || apart ||
                    pass->half == PASS_HALF_REFLECT;
    return (int)gathers + (int)scatters;
}

static double steps_seconds(const struct cost_line *line, int radices, const int *radix)
{
    double seconds = 0;
    int64_t before = 1;
    for (int i = 0; i < radices; i++) {
        seconds += cost_line_step(line, radix[i], before);
        before *= radix[i];
    }
    return seconds;
}

/* Of a line's part of a given spectrum, where that lies as columns do. */
static double apart_seconds(const struct cost_machine *machine, const struct pass *pass)
{
    if (is_unit(pass->spectrum_map.line)) return 0;
    const double elements = (double)pass->length, lines = (double)pass_lines(pass);
    const double bytes = elements * lines * machine->element_bytes;
    const bool near = cost_level(machine->limits, bytes) < 2;
    return constants.apart_seconds * (near ? 1 : constants.far) * elements;
}

/* Whether the last step leaves planes: results that something else puts where they belong, of odd
 * lines of reals and of all beside each other, or that belong there. Others are pairs, or priced as
 * if they were. */
static bool keeps_results(const struct cost_machine *machine, const struct pass *pass,
                          int64_t columns)
{
    if (pass->from == PASS_SCRATCH || pass->to == PASS_SCRATCH) return false;
    if (pass->reals[1].parts > 0) return columns > 1 || pass->reals[1].n % 2 != 0;
    switch (pass->half) {
    case PASS_NO_HALF: return machine->planar && !pass->real_out;
    case PASS_HALF_SPREAD:
    case PASS_HALF_REFLECT: return columns > 1;
    case PASS_HALF_EXTEND: return pass->line.n % 2 != 0;
    case PASS_HALF_CUT:
    case PASS_HALF_PART:
    case PASS_HALF_JOIN: return true;
    default: return false;
    }
}

/* The steps of one transform, or of half of a convolution. */
static double transform_seconds(const struct cost_machine *machine, const struct pass *pass,
                                int64_t columns)
{
    const bool parts = machine->limits->vector_bytes > 0 && pass_parts_parities(pass);
    const int64_t length = parts ? pass->length / 2 : pass->length;
    struct cost_line line = cost_line(machine, length, columns, pass_convolves(pass));
    line.kept = line.convolved || keeps_results(machine, pass, columns);
    if (!parts) return steps_seconds(&line, pass->radices, pass->radix);
    return 2 * steps_seconds(&line, pass->radices - 1, pass->radix + 1) +
           cost_parities(machine, pass->line.n, columns);
}

/* What the ends of a line's transform take more than its steps. */
static double ends_seconds(const struct cost_machine *machine, const struct pass *pass,
                           int64_t columns)
{
    const int64_t n = pass->line.n;
    const int first = pass->radix[0], last = pass->radix[pass->radices - 1];
    const int64_t in = magnitude(pass->line.in_stride), out = magnitude(pass->line.out_stride);
    if (columns == 1) {
        return cost_end(machine, n, first, false) + cost_end(machine, n, last, true);
    }
    const bool rows = pass->from == PASS_SCRATCH && pass->to != PASS_SCRATCH;
    if (rows && pass->half == PASS_HALF_REFLECT && pass->reals[1].parts == 0)
        return cost_tile_legs(machine, n, last, columns, true);
    if (rows) {
        const bool near = cost_stays_near(machine, pass);
        return (near ? cost_crowding_rows(machine, n, first, columns) : 0) +
               (out > 1 ? cost_across(machine, n, last, out, true) : 0);
    }
    const bool whole = pass->from != PASS_SCRATCH && pass->to != PASS_SCRATCH;
    const bool numbers =
        pass->half == PASS_NO_HALF && !pass->real_out && pass->twiddle_order == 0;
    if (whole) return numbers && out > 1 ? cost_across(machine, n, last, out, true) : 0;
    if (pass->twiddle_order == 0 || pass->to != PASS_SCRATCH) return 0;
    const bool reads = pass->from != PASS_SCRATCH && !pass->chirp_before && in > 1;
    return cost_tile_legs(machine, n, last, columns, false) +
           (reads ? cost_across(machine, n, first, in, false) : 0);
}

/* Of one of a few lines whose elements each lie in a line of the cache of their own, and leave the
 * first level before that is used up. (Experiment "few lines" in docs/experiments.) */
static double scattered_seconds(const struct cost_machine *machine, const struct pass *pass)
{
    const int64_t strides[] = {pass->line.in_stride, pass->line.out_stride};
    double seconds = 0;
    if (pass->loops == 0 || cost_is_whole(machine, pass)) return 0;
    if (!lone_lines_of(machine->limits, machine->precision, pass)) return 0;
    for (int end = 0; end < 2; end++) {
        const int64_t bytes = magnitude(strides[end]) * machine->element_bytes;
        if (bytes < 2 * machine->limits->coalescing_bytes) continue;
        seconds += constants.apart_seconds * (double)pass->line.n;
    }
    return seconds;
}

/* The share of its steps' time that a line's own codelet takes. (Experiment "odd rows".) */
static double own_codelet(int64_t n)
{
    return constants.own_codelet * fmin(1, (double)(n + 20) / 80);
}

/* Whether neither end is strided, in ranges or in the scratch. */
static bool ends_are_whole(const struct pass *pass)
{
    return is_unit(pass->line.in_stride) && is_unit(pass->line.out_stride) &&
           !pass->range[0].range.count && !pass->range[1].range.count &&
           pass->from != PASS_SCRATCH && pass->to != PASS_SCRATCH;
}

/* Both ends, what is between, and factors of long lines that are not in pairs where they lie, for
 * these to be priced as if they were. */
#define ARRAYS 5

/* Whether it is of single odd lines of reals, whose numbers have no imaginary parts. */
static bool is_odd_half(const struct pass *pass)
{
    const bool whole = pass->half == PASS_HALF_CUT || pass->half == PASS_HALF_EXTEND;
    return whole && pass->line.n % 2 != 0;
}

/* Whether the CPU takes the lines in steps between pairs, if there are any. As if short ones whose
 * ends are not of pairs were, and hooked ones, too: blocks are quicker than splits for those as
 * well. Odd lines of reals by themselves are not, for those are quicker cut. */
static bool is_of_pairs(const struct cost_machine *machine, const struct pass *pass)
{
    const int64_t bytes = pass->length * machine->element_bytes;
    if (is_odd_half(pass)) return false;
    if (!machine->plain && ARRAYS * bytes > machine->limits->cache_bytes[1]) return false;
    return pass->body == PASS_TRANSFORM && pass->radices > 1 && ends_are_whole(pass) &&
           pass->line.n == pass->length && pass->twiddle_order == 0 && !pass->chirp_before &&
           !pass->chirp_after && !pass->spectrum_given && pass->folds == 0;
}

/* Whether Rader's lines are steps between pairs, if there are any (device/cpu/rader.h). */
static bool is_rader_of_pairs(const struct cost_machine *machine, const struct pass *pass)
{
    const bool plain = pass->half == PASS_NO_HALF && !pass->real_in && !pass->real_out &&
                       !pass->hook[0] && !pass->hook[1] && pass->twiddle_order == 0;
    return pass->body == PASS_RADER && machine->of_pairs && plain && ends_are_whole(pass);
}

double cost_rader_pairs(const struct cost_machine *machine, int64_t n, double bytes)
{
    if (machine->limits->vector_bytes == 0) return INFINITY;
    const int64_t lines = (int64_t)(bytes / (double)n / machine->element_bytes);
    const struct pair_steps steps =
        pair_steps_of(machine->limits, machine->precision, n - 1, lines);
    if (steps.count == 0) return INFINITY;
    const double steps_seconds = 2 * cost_pairs(machine, &steps, n - 1, bytes);
    return constants.rader_pairs *
           (steps_seconds + cost_spectrum(machine, n - 1) + cost_permutation(machine, n));
}

double cost_joined_lines(const struct cost_machine *machine, int64_t prime, int64_t cofactor,
                         double bytes)
{
    const struct limits *limits = machine->limits;
    const weft_precision precision = machine->precision;
    const struct pair_steps steps = joined_lines_steps(limits, precision, prime);
    const struct pair_steps last = pair_steps_last(limits, precision, cofactor, prime);
    const double each = 2 * cost_pairs(machine, &steps, prime - 1, bytes) +
                        cost_spectrum(machine, prime - 1) + cost_permutation(machine, prime);
    const bool far = 2 * prime * cofactor * machine->element_bytes > limits->cache_bytes[0];
    const double longer =
        constants.joined[limits_halve_lines(limits)] * (far ? constants.joined_far : 1);
    return constants.joined_seconds + longer * (double)cofactor * each + last.seconds;
}

/* Of a line of reals, each half a number, that is laid at the ends where it is strided. */
static double laying_seconds(const struct cost_machine *machine, const struct pass *pass)
{
    double seconds = 0;
    for (int end = 0; end < 2 && pass_reflects(pass); end++)
        if (pass->reals[end].stride != 1) seconds += cost_carrying(machine, pass->reals[end].n) / 2;
    return seconds;
}

double cost_pairs(const struct cost_machine *machine, const struct pair_steps *steps, int64_t n,
                  double bytes)
{
    const int64_t *cache = machine->limits->cache_bytes;
    const bool leaves = 2.0 * (double)n * machine->element_bytes > (double)cache[0];
    const bool stays = 2 * bytes <= (double)cache[1];
    const bool near = limits_far_third(machine->limits) && leaves && stays;
    if (near) return constants.near_pairs * steps->seconds;
    const bool is_long = tile_lines(machine->limits, machine->precision, n) == 0;
    const int64_t numbers = (int64_t)(bytes / machine->element_bytes);
    const bool far = is_long && cost_leaves_caches(machine, numbers);
    return (far ? constants.far_pairs : 1) * steps->seconds;
}

/* Whether lines beside each other are a part of a convolution of many passes: all of a tile's take
 * the same of the split's twiddles and of the chirp, which no codelet does. */
static bool convolves_beside(const struct pass *pass, int64_t columns)
{
    const bool convolves = pass->chirp_n > 0 || pass_convolves(pass);
    return convolves && columns > 1 && pass->twiddle_order > 0 && pass->twiddle_loop != 0;
}

double cost_pass_line(const struct cost_machine *machine, const struct pass *pass)
{
    int64_t columns = cost_pass_columns(machine, pass), n = pass->line.n;
    struct matrix_shape shape;
    if (pass_joins_lines(pass)) {
        const double bytes = (double)pass_lines(pass) * (double)n * machine->element_bytes;
        return cost_joined_lines(machine, pass->length + 1, pass_cofactor(pass), bytes) +
               cost_lone(machine, pass);
    }
    if (cost_are_sums(machine, pass, columns))
        return cost_sums(machine, pass) + laying_seconds(machine, pass);
    if (cost_are_products(machine, pass, &shape))
        return cost_matrix(machine, pass, &shape) + laying_seconds(machine, pass);
    double seconds = transform_seconds(machine, pass, columns);
    if (line_has_codelet(machine->limits, machine->precision, pass))
        return own_codelet(n) * seconds;
    if (columns == 1 && is_of_pairs(machine, pass)) {
        const int64_t lines = pass_lines(pass);
        const struct pair_steps steps =
            pair_steps_of(machine->limits, machine->precision, n, lines);
        const double bytes = (double)lines * (double)n * machine->element_bytes;
        if (steps.count) return cost_pairs(machine, &steps, n, bytes) + cost_lone(machine, pass);
    }
    for (int i = 0; i < pass->folds; i++) {
        const struct pass_fold *fold = &pass->fold[i];
        const struct cost_line line = cost_line(machine, pass->length, columns, false);
        seconds += steps_seconds(&line, fold->radices, fold->radix);
    }
    if (pass->body == PASS_TRANSFORM && pass->radices > 1 && machine->limits->vector_bytes > 0)
        seconds += ends_seconds(machine, pass, columns);
    const bool rows = cost_permutes_rows(machine, pass, columns);
    if (pass_convolves(pass)) {
        if (!rows) seconds += pass->radices * cost_convolved(machine, pass->length, columns);
        seconds *= 2;
        if (!pass->spectrum_given) seconds += cost_spectrum(machine, pass->length);
    }
    if (pass->spectrum_given) {
        seconds += cost_products(machine, (double)pass->length);
        if (columns == 1) seconds += apart_seconds(machine, pass);
    }
    if (pass->body == PASS_RADER && !rows) seconds += cost_permutation(machine, n);
    if (pass->body == PASS_RADER && pass->twiddle_order > 0)
        seconds += cost_permuted_twiddle(machine, n);
    if (pass->chirp_before) seconds += cost_chirp(machine, n);
    if (pass->chirp_after) seconds += cost_chirp(machine, n);
    if (pass->twiddle_order > 0) seconds += cost_products(machine, (double)n);
    if (convolves_beside(pass, columns)) seconds += cost_turned_beside(machine, n);
    seconds += cost_lone(machine, pass) + scattered_seconds(machine, pass);
    seconds += carrying_sweeps(machine, pass, columns > 1) * cost_carrying(machine, n);
    if (columns > 1 || !is_rader_of_pairs(machine, pass)) return seconds;
    const double bytes = (double)pass_lines(pass) * (double)n * machine->element_bytes;
    const double pairs = cost_rader_pairs(machine, n, bytes);
    return isfinite(pairs) ? pairs : seconds;
}

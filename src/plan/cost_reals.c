#include "plan/cost_reals.h"

#include "plan/tile.h"
#include "spec/pass.h"

/* What both ends of a line are turned to at once takes twice as long as runs from one of them.
 * (Experiment "swept reals" in docs/experiments.) */
#define TURNED_FAR 2

/* ... and what is unfolded in memory behind rows that go past the caches so much longer.
 * (Experiment "reflected legs" in docs/experiments.) */
#define UNFOLDED_FAR 1.18

/* Where a sweep finds its numbers. To unfolding, behind all others, a far third level gives no
 * more than memory does, but of what is not much more than the second. (Experiment "sweeps of a far
 * third level" in docs/experiments.) */
static int swept_level(const struct limits *limits, const struct pass *pass, double bytes)
{
    const int level = cost_level(limits, 1.5 * bytes);
    const bool leaves = bytes > 1.5 * (double)limits->cache_bytes[1];
    const bool last = limits_far_third(limits) && pass->half == PASS_HALF_UNFOLD && leaves;
    return last ? LIMITS_CACHES : level;
}

/* Folding is the first that a program does: it finds less in its way than unfolding, the last. */
double cost_half_sweep(const struct cost_machine *machine, const struct pass *pass, bool far)
{
    const struct limits *limits = machine->limits;
    const double bytes = (double)pass->line.n * machine->element_bytes;
    const double moved = (double)pass_lines(pass) * 2.5 * bytes;
    const bool folds = pass->half == PASS_HALF_FOLD;
    const int level = swept_level(limits, pass, bytes);
    if (!far) return moved / cost_bandwidth(machine, level);
    if (folds && level < LIMITS_CACHES)
        return TURNED_FAR * moved / cost_bandwidth(machine, LIMITS_CACHES - 1);
    return (folds ? 1 : UNFOLDED_FAR) * moved / cost_bandwidth(machine, LIMITS_CACHES);
}

/* What is unfolded, or folded, in the pass of a line that no tile holds: as by a sweep of its own.
 * (Experiment "long lines of pairs" in docs/experiments.) */
double cost_long_half(const struct cost_machine *machine, const struct pass *pass)
{
    const struct limits *limits = machine->limits;
    const bool halves = pass->half == PASS_HALF_SPREAD || pass->half == PASS_HALF_FOLD;
    if (limits->vector_bytes == 0 || pass->body != PASS_TRANSFORM || !halves) return 0;
    if (tile_lines(limits, machine->precision, pass->length) > 0 || pass_reflects(pass)) return 0;
    return cost_half_sweep(machine, pass, false);
}

/* The share of the time more. (Experiments "folded apart" and "near sweeps" in docs/experiments.)
 */
#define TWO_ENDS 0.6
/* ... of what extends or reflects, where the third level is far. */
#define TWO_FAR_ENDS 0.12

/* Shares of the time more that columns of a split of reals take, by the bytes of a complex number,
 * and its rows, which lie apart by no multiple of a cache line. (Experiment "unaligned reals" in
 * docs/experiments.) */
#define UNALIGNED_COLUMNS 5.0
#define UNALIGNED_ROWS    0.45

static bool is_unaligned(const struct cost_machine *machine, int64_t stride)
{
    return stride * machine->element_bytes % machine->limits->coalescing_bytes != 0;
}

double cost_unaligned_reals(const struct cost_machine *machine, const struct pass *pass)
{
    if (pass->reals[0].parts > 0 || pass->reals[1].parts > 0) return 1;
    const bool columns = pass->half == PASS_HALF_PART && pass->twiddle_order > 0;
    const bool rows = pass->half == PASS_HALF_REFLECT && pass->from == PASS_SCRATCH;
    if (columns && is_unaligned(machine, pass->line.in_stride))
        return 1 + UNALIGNED_COLUMNS / machine->element_bytes;
    return rows && is_unaligned(machine, pass->line.out_stride) ? 1 + UNALIGNED_ROWS : 1;
}

double cost_two_ends(const struct cost_machine *machine, const struct pass *pass)
{
    const bool extends = pass->half == PASS_HALF_EXTEND && pass->twiddle_order > 0;
    const bool joins = pass->half == PASS_HALF_JOIN && pass->from == PASS_SCRATCH;
    const bool turned = pass->half == PASS_NO_HALF && pass->reals[0].parts == 2 &&
                        reals_turn(&pass->reals[0]) && pass->twiddle_order > 0;
    const bool reflects = pass->half == PASS_HALF_REFLECT;
    const bool far = limits_far_third(machine->limits);
    if (extends || reflects) return 1 + (far ? TWO_FAR_ENDS : TWO_ENDS);
    return joins || turned ? 1 + TWO_ENDS : 1;
}

/* Runs as long as the line come from the third level as fast as from the second, unless they are
 * turned where what is done besides takes much of it. */
double cost_line_sweep(const struct cost_machine *machine, const struct pass *pass, bool far)
{
    const int64_t n = pass->half_n ? pass->half_n : 2 * pass->length;
    const double bytes = (double)n / 2 * machine->element_bytes;
    const int level = swept_level(machine->limits, pass, bytes);
    const bool turned = far && level == 2 && pass->half != PASS_NO_HALF;
    const double moved = (double)pass_lines(pass) * 2.25 * bytes;
    if (turned) return TURNED_FAR * moved / cost_bandwidth(machine, level);
    return moved / cost_bandwidth(machine, level == 2 ? 1 : level);
}

/* Less where the second level has room for the tile's two buffers too, which are one of the
 * sweeps' ends. */
double cost_comprised_sweeps(const struct cost_machine *machine, const struct pass *pass, bool far)
{
    const struct reals *in = &pass->reals[0], *out = &pass->reals[1];
    const bool ends = pass->half == PASS_HALF_SPREAD || pass->half == PASS_HALF_FOLD ||
                      pass->half_n == 0; /* type IV */
    if (machine->limits->vector_bytes == 0 || !ends || in->parts != 2 || out->parts != 2) return 0;
    if (in->stride != 1 || out->stride != 1) return 0;
    const int64_t bytes = 4 * pass->length * machine->element_bytes;
    const double each = bytes < machine->limits->cache_bytes[1] ? 2.0 / 3 : 1;
    const bool pairs = in->part[1].at - in->part[0].at == 2; /* which steps read */
    return (pairs ? each : 2 * each) * cost_line_sweep(machine, pass, far);
}

/* Shares of the time more; lines of reals that are whole pages, whose legs and their mirrors have
 * the same places in these, meet splits between two sweeps. (Experiments "estimates" and "real
 * lines" in docs/experiments.) */
#define SWEPT      0.1
#define SWEPT_HALF 0.25

/* Narrower vectors than a cache line compute as long as the second level takes; columns of what is
 * folded as it is gathered take more than is known here. */
double cost_line_sweeping(const struct cost_machine *machine, const struct pass *pass)
{
    const struct limits *limits = machine->limits;
    const int64_t bytes = pass->length * machine->element_bytes;
    const bool narrow = limits->vector_bytes < limits->coalescing_bytes;
    if (narrow || bytes <= limits->cache_bytes[0] || pass->body != PASS_TRANSFORM) return 1;
    const bool half = pass->half != PASS_NO_HALF && !pass_reflects(pass);
    if (half && bytes % COST_PAGE_BYTES == 0) return 1 + SWEPT_HALF;
    return pass->half == PASS_HALF_FOLD ? 1 : 1 + SWEPT;
}

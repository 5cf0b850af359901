#include "spec/block_ends.h"

#include <math.h>
#include <stdlib.h>

#include "spec/block_counts.h"
#include "spec/block_shared.h"
#include "spec/problem.h"

/* Measured; see the experiments "tiles", "rows of halves" and "cut runs" in docs/experiments. */
static const struct {
    double near_bytes; /* strides up to this cost nothing, */
    double far;        /* ... beyond so much for every doubling; */
    double near_short_bytes; /* reads of runs shorter than a transaction lose from here */
    double far_short_bytes;  /* ... to here, */
    double far_short;        /* so much for every doubling */
    double part_read;  /* this power of the part of half a transaction that is read is that of the
                        * speed: the tiles beside it find the rest in a cache */
    double begun_read; /* what it costs to begin a run, in transactions, where it is read, */
    double begun_written; /* ... and where it is written */
    double near_pair;  /* a run counts so often whose pair's begins within a transaction */
    double cut_read;   /* reading a run of a transaction that begins in a sector adds so much, */
    double cut_written; /* ... writing one, */
    double cut_line;   /* ... and one that begins within a transaction */
    double most_cut;   /* times those, for shorter runs, */
    double most_cut_rows; /* ... begun in sectors, where lines are read in their order */
    double reflected;  /* what a run of a transaction adds that is written, or its mirror is, from
                        * the middle of a sector on; shorter ones so much more; */
    double priced_reflected; /* ... to its price */
    double in_turns;   /* what numbers of two lines add that are written in turns, */
    double reals_in_turns; /* ... and reals, in runs of a transaction */
    double unfilled;   /* this power of the share of columns that are there is that of the speed */
    int even_rows;     /* rows of half a spectrum that are no multiple of this take longer, by */
    double broken_run; /* ... this over their number */
} constants = {
    .near_bytes = 131072,
    .far = 0.08,
    .near_short_bytes = 2048,
    .far_short_bytes = 16384,
    .far_short = 0.12,
    .part_read = 0.4,
    .begun_read = 5.0 / 32,
    .begun_written = 1.0 / 32,
    .near_pair = 1.5,
    .cut_read = 0.3,
    .cut_written = 0.9,
    .cut_line = 0.2,
    .most_cut = 1.2,
    .most_cut_rows = 3,
    .reflected = 0.85,
    .priced_reflected = 0.1,
    .in_turns = 0.35,
    .reals_in_turns = 0.5,
    .unfilled = 0.3,
    .even_rows = 8,
    .broken_run = 3,
};

static int64_t stride_of(const struct pass *pass, const struct dim *dim, bool out)
{
    return llabs(pass_stride(pass, dim, out));
}

/* Whether a line's numbers stand for two lines of reals that lie beside each other. */
static bool pairs_neighbours(const struct pass *pass, bool out)
{
    return pass->reals[out].parts == 2 && stride_of(pass, &pass->loop[0], out) == 2;
}

/* Elements that are neighbours in memory at one end of a tile. */
static int64_t run_of(const struct block_tile *tile, const struct pass *pass, bool out)
{
    int64_t line = 1, column = 1;
    if (pass->cluster > 0)
        return stride_of(pass, &pass->line, out) == 1 ? block_shared_run(pass, out) : 1;
    if (stride_of(pass, &pass->line, out) == 1) {
        line = least(pass->line.n, tile->length);
        for (int i = 0; i < pass->folds && stride_of(pass, &pass->fold[i].dim, out) == line; i++)
            line *= pass->fold[i].dim.n;
        if (pass->loops && stride_of(pass, &pass->loop[0], out) == line) line *= tile->columns;
    }
    if (pass->loops && stride_of(pass, &pass->loop[0], out) == 1) column = tile->columns;
    if (pass->loops && pairs_neighbours(pass, out)) column = 2 * tile->columns;
    return line > column ? line : column;
}

/* Short runs open more of the memory's rows and move what nobody wants: where they are written
 * below a quarter of a transaction, where they are read below a half. */
static double run_share(double bytes, bool out, const struct limits *limits)
{
    double begun = out ? constants.begun_written : constants.begun_read;
    double lost = limits->coalescing_bytes * begun;
    double sector = limits->coalescing_bytes / (out ? 4.0 : 2.0);
    double share = bytes / (bytes + lost) * (limits->coalescing_bytes + lost) /
                   limits->coalescing_bytes;
    if (bytes < sector) share *= pow(bytes / sector, out ? 1 : constants.part_read);
    return share < 1 ? share : 1;
}

static double doublings(double bytes, double from)
{
    return bytes > from ? log2(bytes / from) : 0;
}

/* Lines whose elements lie far apart touch as many of the memory's pages, for a run each. Reads of
 * short runs feel it sooner, but not for ever. */
static double page_share(double stride, double run, bool out, const struct limits *limits)
{
    double lost = constants.far * doublings(stride, constants.near_bytes);
    if (run >= limits->coalescing_bytes) return 1 / (1 + lost * limits->coalescing_bytes / run);
    double sooner = doublings(fmin(stride, constants.far_short_bytes), constants.near_short_bytes);
    lost *= limits->coalescing_bytes / run;
    return 1 / (1 + lost + (out ? 0 : constants.far_short * sooner));
}

/* Of runs so many bytes apart, those that begin within a unit of so many. */
static double cut_part(int64_t stride, int64_t unit)
{
    int64_t aligned = stride & -stride;
    return aligned > 0 && aligned < unit ? 1 - (double)aligned / (double)unit : 0;
}

/* Runs that do not begin where sectors and transactions do take up more of them; and parts of
 * sectors are read before they are written. Rows lose whatever their runs fall short; short runs of
 * columns are those of long ones, which wait for other things first. */
static double cut_share(const struct pass *pass, int64_t stride, double run, bool out,
                        const struct limits *limits)
{
    const int64_t transaction = limits->coalescing_bytes;
    const double times = (double)transaction / run, sectors = cut_part(stride, transaction / 4);
    const bool rows = out && stride_of(pass, &pass->line, false) <= 1;
    if (sectors == 0) {
        const double lost = constants.cut_line * cut_part(stride, transaction);
        return 1 / (1 + fmin(times, constants.most_cut) * lost);
    }
    const double lost = sectors * (out ? constants.cut_written : constants.cut_read);
    return 1 / (1 + fmin(times, rows ? constants.most_cut_rows : constants.most_cut) * lost);
}

/* What the strides count at that end, in bytes: complex numbers, or reals that do not lie beside
 * their imaginary parts. */
static int64_t unit_of(const struct pass *pass, int real_bytes, bool out)
{
    const bool real = (out ? pass->real_out : pass->real_in) && !pass->reals[out].parts;
    return real && pass_pair_distance(pass, out) != 1 ? real_bytes : 2 * real_bytes;
}

/* Of the numbers that a tile has at one end, in bytes: those of both lines of a pair may lie within
 * a transaction or two. */
static double run_bytes(const struct block_tile *tile, const struct pass *pass, int real_bytes,
                        bool out, const struct limits *limits)
{
    const int64_t unit = unit_of(pass, real_bytes, out), run = run_of(tile, pass, out) * unit;
    const int64_t pair = llabs(pass_pair_distance(pass, out)) * unit;
    const bool near = pair > unit && pair <= limits->coalescing_bytes;
    return (double)run * (near && run >= limits->coalescing_bytes / 4 ? constants.near_pair : 1);
}

/* What is added where numbers that another line, or another tile, writes lie between those of a
 * line: a pair's, or every other real of those that a DCT's line puts in order. */
static double turns_loss(const struct pass *pass, double run, const struct limits *limits)
{
    const struct reals *reals = &pass->reals[1];
    const double of_reals = constants.reals_in_turns * limits->coalescing_bytes / run;
    if (reals->parts > 0 && llabs(reals->part[0].step) > 2) return of_reals;
    if (pass_pair_distance(pass, true) != 1) return 0;
    return pass->real_out ? of_reals : constants.in_turns;
}

static double end_share(const struct block_tile *tile, const struct pass *pass, int real_bytes,
                        bool out, const struct limits *limits)
{
    const int64_t unit = unit_of(pass, real_bytes, out);
    const int64_t stride = stride_of(pass, &pass->line, out) * unit;
    const double run = run_bytes(tile, pass, real_bytes, out, limits);
    double share = run_share(run, out, limits) * page_share((double)stride, run, out, limits);
    if (out && pass->half == PASS_HALF_REFLECT) {
        const double lost = tile->priced ? constants.priced_reflected : constants.reflected;
        return share / (1 + lost * limits->coalescing_bytes / run);
    }
    if (stride <= unit) return share;
    if (out) share /= 1 + turns_loss(pass, run, limits);
    return share * cut_share(pass, stride, run, out, limits);
}

/* Rows of half a spectrum, of which there is an odd number: the last tile along loop[0] may have
 * few, and where rows are no multiple of what a warp likes, its runs are broken. */
static double rows_share(const struct block_tile *tile, const struct pass *pass)
{
    if (pass->half != PASS_HALF_REFLECT) return 1;
    const int64_t n = pass->loop[0].n, columns = tile->columns;
    const double filled = (double)n / (double)(quotient_up(n, columns) * columns);
    const bool even = columns % constants.even_rows == 0;
    return pow(filled, constants.unfilled) /
           (1 + (even ? 0 : constants.broken_run / (double)columns));
}

double block_ends_share(const struct block_tile *tile, const struct pass *pass,
                        weft_precision precision, const struct limits *limits)
{
    const int real_bytes = precision_bytes(precision);
    const double in = end_share(tile, pass, real_bytes, false, limits);
    const double out = end_share(tile, pass, real_bytes, true, limits);
    return rows_share(tile, pass) * 2 / (1 / in + 1 / out);
}

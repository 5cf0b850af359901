#include "spec/block_tile.h"

#include <math.h>

#include "spec/block_counts.h"
#include "spec/block_ends.h"
#include "spec/block_half.h"
#include "spec/block_issue.h"
#include "spec/block_registers.h"
#include "spec/block_shared.h"
#include "spec/problem.h"

/* The constants of the model; measured, see the experiments "tiles", "instructions", "kernels of
 * reals", "tiles of few bytes" and "convolutions again" in docs/experiments. */
static const struct {
    double step;       /* what every step adds */
    double late;       /* how many times longer lines take that are late (block_issue.h) */
    double waits[2];   /* instructions take so many times longer than they are issued, the latter
                        * where all tiles are convolved by one spectrum, */
    double step_waits[2]; /* ... and so much longer for every step, over the blocks that there are
                           * to go on with meanwhile; */
    double permuted;   /* ... so many times longer where shared memory is accessed in any order */
    double lone;       /* the times of memory and of instructions add up as powers: this one with
                        * a block alone, */
    double beside;     /* ... with many beside it one higher by this */
    double latency;    /* seconds from asking memory to having */
    double crowd;      /* data on their way that are so many times the first-level cache begin to
                        * get into each other's way; */
    double crowded;    /* what those add that are twice as many */
    double apart[2];   /* what twice the barriers add; and with factors that want registers, too */
    double wide;       /* what a thread's data add that take up twice light_registers: loads are put
                        * off; it grows as the square of what is above them */
    double squeezed;   /* registers that are wanted for two blocks, over those that there are, at
                        * most */
    double spilling;   /* how many times longer anything takes at most that spills registers */
    double padded;     /* how many times longer it takes to read with a chirp, and zeros */
    int most_uneven;   /* tiles of equally many rows of half a spectrum have no more than this, */
    int64_t most_uneven_bytes; /* ... and are not larger */
    double gain;       /* a larger tile must be better by so much, */
    double clear_gain; /* ... one of three lines, or twice that and so on, by this, too, */
    int most_threes;   /* ... and of no more than so many */
    double cache_over_shared; /* the first-level cache and shared memory, over the latter */
    int64_t block_overhead;   /* bytes of shared memory that every block takes */
    int most_blocks;          /* of a multiprocessor */
    int light_registers;      /* of a thread's data, that leave the compiler free */
} constants = {
    .step = 0.02,
    .late = 1.05,
    .waits = {1.2, 1},
    .step_waits = {0.15, 0.06},
    .permuted = 1.35,
    .lone = 1.75,
    .beside = 2,
    .latency = 1.7e-6,
    .crowd = 2,
    .crowded = 0.1,
    .apart = {0.007, 0.5},
    .wide = 0.02,
    .squeezed = 1.15,
    .spilling = 8,
    .padded = 1.15,
    .most_uneven = 72,
    .most_uneven_bytes = 98304,
    .gain = 1.003,
    .clear_gain = 1.01,
    .most_threes = 12,
    .cache_over_shared = 1.125,
    .block_overhead = 1024,
    .most_blocks = 32,
    .light_registers = 32,
};

/* A copy has no transform that says how long a tile's line is. */
#define COPY_TILE 1024
#define LEAST_HELD 4

/* The fewest threads that do so many butterflies in `times` as many rounds as there must be, each
 * with a few elements at least: so many loads on their way a thread hide memory's latency. */
static int threads_for(const struct limits *limits, int64_t butterflies, int radix, int times)
{
    int64_t rounds = times * quotient_up(butterflies, limits->threads);
    if (rounds * radix < LEAST_HELD) rounds = quotient_up(LEAST_HELD, radix);
    return (int)quotient_up(butterflies, least(rounds, butterflies));
}

/* ---- what a multiprocessor holds ---- */

static int64_t register_file(const struct limits *limits)
{
    return limits->register_file > 0 ? limits->register_file
                                     : (int64_t)limits->registers * limits->threads;
}

static int64_t shared_total(const struct limits *limits)
{
    int64_t one = limits->shared_bytes + constants.block_overhead;
    return limits->shared_total > one ? limits->shared_total : one;
}

bool block_tile_fits(const struct limits *limits, weft_precision precision, int64_t elements)
{
    int bytes = precision_bytes(precision);
    if (elements > limits->shared_bytes / bytes) return false;
    return 2 * (bytes / 4) * elements <= register_file(limits) / 4 * 3;
}

static int64_t shared_bytes_of(const struct block_tile *tile, int real_bytes)
{
    int64_t part = tile->columns * tile->length * real_bytes;
    return tile->apart ? part : 2 * part;
}

/* What a block takes of a multiprocessor's registers; above 1 some are spilled. */
static double register_need(const struct block_tile *tile, int64_t registers,
                            const struct limits *limits)
{
    int64_t lanes = quotient_up(tile->threads, limits->simd_width) * limits->simd_width;
    return (double)(registers * lanes) / (double)register_file(limits);
}

/* For a second block compilers make do with a little less than they would take; not reckoned with
 * where parts are exchanged one after the other. */
static int64_t blocks_by_registers(const struct block_tile *tile, double need)
{
    if (!tile->apart && need > 0.5 && 2 * need <= constants.squeezed) return 2;
    return need < 1 ? (int64_t)(1 / need) : 1;
}

static int resident_blocks(const struct block_tile *tile, double register_need, int real_bytes,
                           const struct limits *limits)
{
    int64_t shared = shared_bytes_of(tile, real_bytes);
    int64_t blocks = shared_total(limits) / (shared + constants.block_overhead);
    blocks = least(blocks, blocks_by_registers(tile, register_need));
    if (limits->resident_threads > 0)
        blocks = least(blocks, limits->resident_threads / tile->threads);
    blocks = least(blocks, constants.most_blocks);
    return blocks > 1 ? (int)blocks : 1;
}

/* ---- what becomes of the bandwidth ---- */

/* Whether all its tiles are convolved by the same numbers, which a cache keeps near. */
static bool shares_spectrum(const struct pass *pass)
{
    for (int i = 0; i < pass->loops; i++)
        if (pass->spectrum_map.loop[i] != 0) return false;
    return pass_convolves(pass);
}

/* How many times longer instructions make it: the less so the more blocks there are to issue some
 * while others wait. Convolutions have so many that what short runs cost is done meanwhile. */
static double issue_slowness(const struct block_tile *tile, const struct pass *pass,
                             weft_precision precision, double ends, const struct limits *limits)
{
    double elements = (double)(tile->columns * least(pass_line_elements(pass), tile->length));
    double moving = 4 * precision_bytes(precision) * elements / limits->bandwidth[LIMITS_CACHES];
    double issuing = block_issue_seconds(pass, precision, limits, tile->columns * tile->length,
                                         tile->threads, tile->apart) +
                     block_half_seconds(tile, pass, precision, limits);
    const bool shares = shares_spectrum(pass);
    if (pass_convolves(pass)) moving /= ends;
    issuing *= constants.waits[shares];
    issuing *= 1 + constants.step_waits[shares] * block_issue_steps(pass) / tile->resident;
    if (pass->body == PASS_RADER) issuing *= constants.permuted;
    double power = constants.lone + constants.beside * (1 - 1.0 / tile->resident);
    return pow(1 + pow(issuing / moving, power), 1 / power);
}

/* How many times longer than memory alone would; ends: block_ends_share(). */
static double slowness(const struct block_tile *tile, const struct pass *pass,
                       weft_precision precision, int64_t held, double ends,
                       const struct limits *limits)
{
    int real_bytes = precision_bytes(precision);
    double moving = (double)(tile->columns * tile->length * 2 * real_bytes) * tile->resident;
    double cache = constants.cache_over_shared * (double)shared_total(limits) -
                   (double)shared_bytes_of(tile, real_bytes) * tile->resident;
    double wanted = limits->bandwidth[LIMITS_CACHES] / limits->cores * constants.latency;
    double slow = 1 + constants.step * block_issue_steps(pass);
    if (block_issue_is_late(pass, limits)) slow *= constants.late;
    slow *= issue_slowness(tile, pass, precision, ends, limits);
    double crowd = moving / cache / constants.crowd - 1;
    if (cache <= 0 || crowd > 1) crowd = 1;
    if (crowd > 0) slow *= 1 + constants.crowded * crowd;
    if (moving < wanted) slow *= wanted / moving;
    double lasting = 2 * moving / tile->resident * slow / limits->bandwidth[LIMITS_CACHES];
    if (lasting < limits->block_seconds) slow *= limits->block_seconds / lasting;
    if (tile->apart) slow *= 1 + constants.apart[pass_convolves(pass)];
    slow *= block_half_slowness(tile, pass, precision, limits);
    if (pass->chirp_n && pass->chirp_before && !pass_convolves(pass)) slow *= constants.padded;
    if (pass->cluster > 0) slow *= block_shared_slowness(tile, pass, 2 * real_bytes, limits);
    double wide = 2.0 * (real_bytes / 4) * (double)held / constants.light_registers - 1;
    if (wide > 0) slow *= 1 + constants.wide * wide * wide;
    return slow;
}

static double share_of(const struct block_tile *tile, const struct pass *pass,
                       weft_precision precision, int64_t held, const struct limits *limits)
{
    const double ends = block_ends_share(tile, pass, precision, limits);
    return ends / slowness(tile, pass, precision, held, ends, limits);
}

/* ---- choosing ---- */

static int64_t copy_length(const struct pass *pass, int real_bytes, const struct limits *limits,
                           int64_t columns)
{
    int64_t most = least(COPY_TILE, limits->shared_bytes / (2 * real_bytes));
    return least(pass->line.n, columns < most ? most / columns : 1);
}

/* What a thread takes of the registers that it may have, too. */
static double thread_need(const struct block_tile *tile, int64_t registers,
                          const struct limits *limits)
{
    const double need = register_need(tile, registers, limits);
    if (limits->register_file == 0) return need;
    return fmax(need, (double)registers / limits->registers);
}

/* How many times longer it takes for the registers that it spills. A convolution gives up those
 * that it reads ahead to first. */
static double spilled(const struct block_tile *tile, const struct pass *pass, double need,
                      int64_t scarce, const struct limits *limits)
{
    if (pass_convolves(pass)) need = thread_need(tile, scarce, limits) / constants.squeezed;
    return need > 1 ? fmin(need * need, constants.spilling) : 1;
}

/* False if the tile may want more registers than there are, for what it reads ahead as well: it is
 * worth the less the more it spills. */
static bool weigh(struct block_tile *tile, const struct pass *pass, weft_precision precision,
                  const struct limits *limits)
{
    const int real_bytes = precision_bytes(precision), words = real_bytes / 4;
    int64_t held = block_issue_held(pass, tile->columns * tile->length, tile->threads);
    const bool paired = block_half_is_paired(tile, pass, precision, limits);
    const int64_t registers = block_registers(pass, held, words, paired);
    const int64_t scarce = block_registers_scarce(pass, held, words, paired);
    double need = register_need(tile, registers, limits);
    tile->resident = resident_blocks(tile, need, real_bytes, limits);
    tile->share = share_of(tile, pass, precision, held, limits);
    if (tile->resident == 2) tile->share /= fmax(1, 2 * need); /* as far as they are squeezed */
    need = thread_need(tile, registers, limits);
    tile->share /= spilled(tile, pass, need, scarce, limits);
    return need <= 1;
}

/* Takes a tile of so many columns, with as many threads as a step of this radix likes, or fewer if
 * they had too few registers or have mirrors then, its parts together or apart, if it is better. */
static void try_threads(const struct pass *pass, weft_precision precision,
                        const struct limits *limits, struct block_tile other, int radix,
                        struct block_tile *tile)
{
    int64_t butterflies = other.columns * other.length / radix;
    const bool mirrors = pass_folds_line(pass) || (pass->cluster > 0 && pass_half_mirrors(pass));
    for (int times = 1, fits = 0; (!fits || mirrors) && times <= 2; times++) {
        other.threads = threads_for(limits, butterflies > 0 ? butterflies : 1, radix, times);
        for (int apart = 0; apart < 2; apart++) {
            other.apart = apart;
            if (shared_bytes_of(&other, precision_bytes(precision)) > limits->shared_bytes)
                continue;
            fits = weigh(&other, pass, precision, limits);
            if (other.share > tile->share * constants.gain) *tile = other;
        }
    }
}

/* What is best for one step need not be for all. */
static void try_columns(const struct pass *pass, weft_precision precision,
                        const struct limits *limits, int64_t columns, struct block_tile *tile)
{
    struct block_tile other = {.columns = columns, .length = pass_block_length(pass)};
    if (pass->body == PASS_COPY)
        other.length = copy_length(pass, precision_bytes(precision), limits, columns);
    int radix = 0;
    while ((radix = block_issue_next_radix(pass, radix)) > 0)
        try_threads(pass, precision, limits, other, radix, tile);
}

/* Rows of half a spectrum, whose runs are the better the longer they are: half as many more while
 * they are short, or such that the middle one has no tile of its own. */
static void try_rows(const struct pass *pass, weft_precision precision,
                     const struct limits *limits, int64_t columns, int64_t most,
                     struct block_tile *tile)
{
    const int64_t n = pass->loop[0].n, more = columns + columns / 2;
    const int64_t even = quotient_up(n, quotient_up(n, 2 * columns));
    const int64_t element = 2 * precision_bytes(precision);
    if (columns * element <= limits->coalescing_bytes && more <= most)
        try_columns(pass, precision, limits, more, tile);
    if (even <= least(most, constants.most_uneven) &&
        even * pass->length * element <= constants.most_uneven_bytes)
        try_columns(pass, precision, limits, even, tile);
}

/* Whether whole lines of reals that stand for more are unfolded to such reals, as those of a DCT-II
 * are. */
static bool unfolds_to_reals(const struct pass *pass)
{
    const struct reals *in = &pass->reals[0], *out = &pass->reals[1];
    if (pass->body != PASS_TRANSFORM || pass->half != PASS_HALF_SPREAD) return false;
    if (pass->cluster > 0 || pass->folds > 0) return false;
    return in->parts && out->parts && in->stride == 1 && out->stride == 1;
}

/* Three such lines and so on: steps whose butterflies leave threads idle by twos may fill them so.
 * The model must see a clear gain. (Experiment "three lines" in docs/experiments.) */
static void try_threes(const struct pass *pass, weft_precision precision,
                       const struct limits *limits, int64_t most, struct block_tile *tile)
{
    const double least_share = constants.clear_gain * tile->share;
    struct block_tile other = {.share = least_share};
    for (int64_t columns = 3; columns <= least(most, constants.most_threes); columns *= 2)
        try_columns(pass, precision, limits, columns, &other);
    if (other.share > least_share) *tile = other;
}

/* False: there is no tile. */
static bool price(struct block_tile *tile, const struct pass *pass, weft_precision precision,
                  const struct limits *limits)
{
    if (!(tile->share > 0)) return false;
    tile->priced = precision == WEFT_F64;
    if (tile->priced) weigh(tile, pass, precision, limits);
    return true;
}

bool block_tile_choose(const struct pass *pass, weft_precision precision,
                       const struct limits *limits, int64_t most_columns, struct block_tile *tile)
{
    int64_t most = least(pass->loops ? pass->loop[0].n : 1, most_columns);
    if (pass->cluster > 0) most = 1;
    *tile = (struct block_tile){.share = 0};
    if (pass->columns > 0 && pass->columns <= most) {
        try_columns(pass, precision, limits, pass->columns, tile);
        if (tile->share > 0) return price(tile, pass, precision, limits);
    }
    for (int64_t columns = 1; columns <= most; columns = least(2 * columns, most)) {
        try_columns(pass, precision, limits, columns, tile);
        if (columns == most) break;
        if (pass->half == PASS_HALF_REFLECT)
            try_rows(pass, precision, limits, columns, most, tile);
    }
    if (unfolds_to_reals(pass)) try_threes(pass, precision, limits, most, tile);
    return price(tile, pass, precision, limits);
}

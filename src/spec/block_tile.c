#include "spec/block_tile.h"

#include <math.h>
#include <stdlib.h>

#include "spec/problem.h"

/* The constants of the model; measured, see the experiment "tiles" in docs/performance.md. */
static const struct {
    double step_stall; /* what a step adds to the time of memory, over the square of the blocks that
                        * there are to go on with meanwhile */
    double latency;    /* seconds from asking memory to having */
    double crowded;    /* what data on their way add when they overflow the first-level cache */
    double apart;      /* what twice the barriers add */
    double wide;       /* what data add that take up twice light_registers: loads are put off */
    double near_bytes; /* strides up to this cost nothing, */
    double far;        /* ... beyond so much for every doubling */
    double lost_run;   /* of a run, what it costs to begin one, in transactions */
    double idle;       /* what lanes without work add */
    double gain;       /* a larger tile must be better by so much */
    double cache_over_shared; /* the first-level cache and shared memory, over the latter */
    int64_t block_overhead;   /* bytes of shared memory that every block takes */
    int most_blocks;          /* of a multiprocessor */
    int other_registers;      /* of a thread, for addresses */
    int light_registers;      /* of a thread's data, that leave the compiler free */
} constants = {
    .step_stall = 0.09,
    .latency = 1.25e-6,
    .crowded = 0.1,
    .apart = 0.007,
    .wide = 0.02,
    .near_bytes = 131072,
    .far = 0.1,
    .lost_run = 5.0 / 32,
    .idle = 0.05,
    .gain = 1.003,
    .cache_over_shared = 1.125,
    .block_overhead = 1024,
    .most_blocks = 32,
    .other_registers = 24,
    .light_registers = 32,
};

/* A copy has no transform that says how long a tile's line is. */
#define COPY_TILE 1024
#define LEAST_HELD 4

static int64_t least(int64_t x, int64_t y)
{
    return x < y ? x : y;
}

static int64_t quotient_up(int64_t x, int64_t y)
{
    return (x + y - 1) / y;
}

static int largest_of(int radices, const int *radix)
{
    int largest = 1;
    for (int i = 0; i < radices; i++) {
        if (radix[i] > largest) largest = radix[i];
    }
    return largest;
}

int block_tile_radix(const struct pass *pass)
{
    int largest = largest_of(pass->radices, pass->radix);
    for (int i = 0; i < pass->folds; i++) {
        int other = largest_of(pass->fold[i].radices, pass->fold[i].radix);
        if (other > largest) largest = other;
    }
    return largest;
}

/* The most threads that so many butterflies keep equally busy, each with a few elements at least:
 * so many loads on their way a thread hide memory's latency. */
static int threads_for(const struct limits *limits, int64_t butterflies, int radix)
{
    int64_t rounds = quotient_up(butterflies, limits->threads);
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

/* 32-bit registers of a thread that holds so many elements: their parts, the butterflies'
 * temporaries and addresses. */
static int64_t registers_for(int64_t elements, int words)
{
    return 2 * words * elements + words * elements / 2 + constants.other_registers;
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

/* Elements that a thread holds. */
static int64_t held_elements(const struct block_tile *tile, const struct pass *pass)
{
    int radix = block_tile_radix(pass);
    return quotient_up(tile->columns * tile->length, (int64_t)radix * tile->threads) * radix;
}

/* 32-bit registers without any of the temporaries that make life easier. */
static int64_t bare_registers(int64_t elements, int words)
{
    return 2 * words * elements + constants.other_registers;
}

/* 0: not one without spilling registers. */
static int resident_blocks(const struct block_tile *tile, const struct pass *pass, int real_bytes,
                           const struct limits *limits)
{
    int64_t shared = shared_bytes_of(tile, real_bytes);
    int64_t registers = registers_for(held_elements(tile, pass), real_bytes / 4);
    if (registers > limits->registers && limits->register_file > 0) return 0;
    int64_t blocks = shared_total(limits) / (shared + constants.block_overhead);
    int64_t by_registers = register_file(limits) / (registers * tile->threads);
    int64_t bare = bare_registers(held_elements(tile, pass), real_bytes / 4);
    if (by_registers == 0) by_registers = bare * tile->threads <= register_file(limits);
    blocks = least(blocks, by_registers);
    if (limits->resident_threads > 0)
        blocks = least(blocks, limits->resident_threads / tile->threads);
    return (int)least(blocks, constants.most_blocks);
}

/* ---- what becomes of the bandwidth ---- */

static int64_t stride_of(const struct dim *dim, bool out)
{
    return llabs(out ? dim->out_stride : dim->in_stride);
}

/* Elements that are neighbours in memory at one end of a tile. */
static int64_t run_of(const struct block_tile *tile, const struct pass *pass, bool out)
{
    int64_t line = 1, column = 1;
    if (stride_of(&pass->line, out) == 1) {
        line = least(pass->line.n, tile->length);
        for (int i = 0; i < pass->folds && stride_of(&pass->fold[i].dim, out) == line; i++)
            line *= pass->fold[i].dim.n;
        if (pass->loops && stride_of(&pass->loop[0], out) == line) line *= tile->columns;
    }
    if (pass->loops && stride_of(&pass->loop[0], out) == 1) column = tile->columns;
    return line > column ? line : column;
}

/* Short runs open more of the memory's rows and move what nobody wants: where they are written
 * below a quarter of a transaction, where they are read below a half. */
static double run_share(double bytes, bool out, const struct limits *limits)
{
    double lost = limits->coalescing_bytes * constants.lost_run;
    double sector = limits->coalescing_bytes / (out ? 4.0 : 2.0);
    double share = bytes / (bytes + lost) * (limits->coalescing_bytes + lost) /
                   limits->coalescing_bytes;
    if (bytes < sector) share *= bytes / sector;
    return share < 1 ? share : 1;
}

/* What stalls like a step: the two tables of a split's twiddle do so twice. */
static int steps_of(const struct pass *pass)
{
    int steps = pass->radices;
    for (int i = 0; i < pass->folds; i++)
        steps += pass->fold[i].radices;
    bool twice = pass->body == PASS_CONVOLUTION || pass->body == PASS_RADER;
    return (twice ? 2 * steps : steps) + (pass->twiddle_order > 0 ? 2 : 0);
}

/* How many times longer than memory alone would. */
static double slowness(const struct block_tile *tile, const struct pass *pass, int real_bytes,
                       const struct limits *limits)
{
    double held = (double)(tile->columns * tile->length * 2 * real_bytes) * tile->resident;
    double cache = constants.cache_over_shared * (double)shared_total(limits) -
                   (double)shared_bytes_of(tile, real_bytes) * tile->resident;
    double wanted = limits->bandwidth[LIMITS_CACHES] / limits->cores * constants.latency;
    double slow = 1 + constants.step_stall * steps_of(pass) / (tile->resident * tile->resident);
    if (held > cache) slow *= 1 + constants.crowded * (held < 2 * cache ? held / cache - 1 : 1);
    if (held < wanted) slow *= wanted / held;
    if (tile->apart) slow *= 1 + constants.apart;
    int64_t data = 2 * (real_bytes / 4) * held_elements(tile, pass);
    if (data > constants.light_registers)
        slow *= 1 + constants.wide * ((double)data / constants.light_registers - 1);
    int64_t lanes = quotient_up(tile->threads, limits->simd_width) * limits->simd_width;
    return slow * (1 + constants.idle * (double)(lanes - tile->threads) / (double)lanes);
}

/* Lines whose elements lie far apart touch as many of the memory's pages, for a run each. */
static double page_share(double stride, double run, const struct limits *limits)
{
    if (stride <= constants.near_bytes) return 1;
    double runs = run < limits->coalescing_bytes ? limits->coalescing_bytes / run : 1;
    return 1 / (1 + constants.far * runs * log2(stride / constants.near_bytes));
}

static double end_share(const struct block_tile *tile, const struct pass *pass, int real_bytes,
                        bool out, const struct limits *limits)
{
    double element = 2.0 * real_bytes, run = (double)run_of(tile, pass, out) * element;
    double stride = (double)stride_of(&pass->line, out) * element;
    return run_share(run, out, limits) * page_share(stride, run, limits);
}

static double share_of(const struct block_tile *tile, const struct pass *pass, int real_bytes,
                       const struct limits *limits)
{
    double in = end_share(tile, pass, real_bytes, false, limits);
    double out = end_share(tile, pass, real_bytes, true, limits);
    return 2 / (1 / in + 1 / out) / slowness(tile, pass, real_bytes, limits);
}

/* ---- choosing ---- */

static int64_t copy_length(const struct pass *pass, int real_bytes, const struct limits *limits,
                           int64_t columns)
{
    int64_t most = least(COPY_TILE, limits->shared_bytes / (2 * real_bytes));
    return least(pass->line.n, columns < most ? most / columns : 1);
}

static struct block_tile tile_of(const struct pass *pass, int real_bytes,
                                 const struct limits *limits, int64_t columns, bool apart)
{
    struct block_tile tile = {.columns = columns, .length = pass->length, .apart = apart};
    if (pass->body == PASS_COPY) tile.length = copy_length(pass, real_bytes, limits, columns);
    int radix = block_tile_radix(pass);
    int64_t butterflies = columns * tile.length / radix;
    tile.threads = threads_for(limits, butterflies > 0 ? butterflies : 1, radix);
    return tile;
}

/* A tile that spills registers is worth something only where there is no other. */
static void weigh(struct block_tile *tile, const struct pass *pass, int real_bytes,
                  const struct limits *limits)
{
    tile->resident = resident_blocks(tile, pass, real_bytes, limits);
    bool spills = tile->resident < 1;
    if (spills) tile->resident = 1;
    tile->share = share_of(tile, pass, real_bytes, limits);
    if (spills) tile->share /= 8;
}

/* Takes a tile of so many columns, with its parts together or apart, if it is better. */
static void try_columns(const struct pass *pass, int real_bytes, const struct limits *limits,
                        int64_t columns, struct block_tile *tile)
{
    for (int apart = 0; apart < 2; apart++) {
        struct block_tile other = tile_of(pass, real_bytes, limits, columns, apart);
        if (shared_bytes_of(&other, real_bytes) > limits->shared_bytes) continue;
        weigh(&other, pass, real_bytes, limits);
        if (other.share > tile->share * constants.gain) *tile = other;
    }
}

bool block_tile_choose(const struct pass *pass, weft_precision precision,
                       const struct limits *limits, int64_t most_columns, struct block_tile *tile)
{
    int real_bytes = precision_bytes(precision);
    int64_t most = least(pass->loops ? pass->loop[0].n : 1, most_columns);
    tile->share = 0;
    if (pass->columns > 0 && pass->columns <= most) {
        try_columns(pass, real_bytes, limits, pass->columns, tile);
        if (tile->share > 0) return true;
    }
    for (int64_t columns = 1; columns <= most; columns = least(2 * columns, most)) {
        try_columns(pass, real_bytes, limits, columns, tile);
        if (columns == most) break;
    }
    return tile->share > 0;
}

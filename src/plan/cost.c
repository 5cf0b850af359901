#include "plan/cost.h"

#include <math.h>
#include <string.h>

#include "plan/cost_butterfly.h"
#include "plan/cost_crowding.h"
#include "plan/cost_sums.h"
#include "plan/tile.h"
#include "spec/block_issue.h"
#include "spec/block_tile.h"
#include "spec/lone_lines.h"
#include "spec/opening_sums.h"

/* The constants of the model that limits do not hold. (Experiment "estimates" in
 * docs/experiments.) */
static const struct {
    double step_seconds;       /* CPU: calling a codelet */
    double alone_seconds;      /* CPU: ... where it is all there is to do */
    double row_seconds;        /* CPU: starting one row of it */
    double permuted_seconds; /* CPU: per element read and written at a scattered place of a line
                              * that the first-level cache holds, */
    double scattered;        /* ... and how much longer it takes in a longer line */
    double turned_seconds;   /* CPU: per such element that has a split's twiddle */
    double beside_seconds;   /* CPU: per element of lines beside each other that are convolved in
                              * several passes (experiment "columns of long primes") */
    int heavy_radix;         /* GPU: butterflies above take */
    double heavy;            /* ... so many times longer: they leave few registers */
    /* CPU, of elements of 8 bytes; others take longer as they are larger: */
    double carried_seconds;  /* gathered to or scattered from a tile apart from the steps, */
    double chirped_seconds;  /* ... more with a chirp on its way, */
    double weighted_seconds; /* ... and multiplied by a spectrum in the tile */
    double misaligned;       /* CPU: how much longer vectors take that start anywhere, */
    double half_aligned;     /* ... or at half vectors, */
    double opening_misaligned; /* ... or are stored transposed in runs that start anywhere */
    double short_run; /* ... or of few legs, where vectors are half a line of the cache */
    double beside;           /* CPU: of computing and moving, the shorter's share not done beside */
    double meeting_seconds;  /* CPU: per element at an end of a line whose legs all have the same
                              * place in a page */
    double across_read_seconds;    /* CPU: per element of lines beside each other whose first legs
                                    * have the same place in a page, */
    double across_written_seconds; /* ... or whose last legs have */
    double tile_leg_seconds; /* CPU: per element and last leg of a split's columns, if those legs
                              * have the same place in a page of the tile */
    double reflected_leg_seconds; /* ... and per element of rows that are reflected */
    double tile_company;     /* CPU: a tile of several lines in the second level, with the caller's
                              * lines and the twiddles that pass through beside it, over itself, */
    double spectrum_company; /* ... and one that is convolved, with spectrum and chirps as well */
    double scratch_share;    /* CPU: of the third level, what a convolution's scratch may take, with
                              * as much beside it */
    int memory_sharers;      /* CPU: cores that together reach the memory's bandwidth */
} constants = {
    .step_seconds = 20e-9,
    .alone_seconds = 4e-9,
    .row_seconds = 2e-9,
    .permuted_seconds = 0.3e-9,
    .scattered = 1.2,
    .turned_seconds = 1.6e-9,
    .beside_seconds = 2e-9,
    .heavy_radix = 16,
    .heavy = 1.2,
    .carried_seconds = 0.15e-9,
    .chirped_seconds = 0.05e-9,
    .weighted_seconds = 0.12e-9,
    .misaligned = 1.3,
    .half_aligned = 1.1,
    .opening_misaligned = 1.1,
    .short_run = 2,
    .beside = 0.2,
    .meeting_seconds = 0.15e-9,
    .across_read_seconds = 0.04e-9,
    .across_written_seconds = 0.15e-9,
    .tile_leg_seconds = 0.005e-9,
    .reflected_leg_seconds = 0.2e-9,
    .tile_company = 2.5,
    .spectrum_company = 6,
    .scratch_share = 0.4,
    .memory_sharers = 4,
};

struct cost_machine cost_machine(const struct limits *limits, const struct problem *problem)
{
    bool cpu = limits->vector_bytes > 0;
    int threads = problem->threads < limits->cores ? problem->threads : limits->cores;
    return (struct cost_machine){
        .limits = limits,
        .precision = problem->precision,
        .element_bytes = 2 * precision_bytes(problem->precision),
        .threads = cpu && threads > 1 ? threads : 1,
        .of_pairs = problem->kind == WEFT_C2C,
        .plain = problem_is_plain(problem),
        .planar = problem->format == WEFT_PLANAR,
    };
}

int cost_level(const struct limits *limits, double bytes)
{
    for (int level = 0; level < LIMITS_CACHES; level++) {
        if (bytes <= (double)limits->cache_bytes[level]) return level;
    }
    return LIMITS_CACHES;
}

double cost_bandwidth(const struct cost_machine *machine, int level)
{
    /* What cores share still serves several of them as fast as one. (Experiment "threads".) */
    const bool memory = level == LIMITS_CACHES && machine->threads > constants.memory_sharers;
    const int sharers = memory ? constants.memory_sharers : machine->threads;
    return machine->limits->bandwidth[level] * sharers;
}

bool cost_leaves_caches(const struct cost_machine *machine, int64_t n)
{
    const double kept = constants.scratch_share * (double)machine->limits->cache_bytes[2];
    return machine->limits->vector_bytes > 0 && 2.0 * (double)n * machine->element_bytes > kept;
}

/* As src/device/cpu/ does it: a cache line of columns in either plane, more while they fit the
 * first level, fewer, to a line of pairs, while they do not fit the tile; one, if it does not hold
 * a narrow vector's. */
static int64_t cpu_columns(const struct cost_machine *machine, int64_t n)
{
    const struct limits *limits = machine->limits;
    if (n > limits->shared_bytes) return 1; /* and beyond any product below */
    int64_t bytes = tile_bytes(limits, machine->precision, n);
    int64_t narrowest = LIMITS_NARROWEST_VECTOR / precision_bytes(machine->precision);
    int64_t least = limits->coalescing_bytes / machine->element_bytes;
    if (least < 1) least = 1;
    if (narrowest * bytes > limits->shared_bytes) return 1;
    int64_t columns = 2 * least;
    while (2 * columns * bytes <= limits->cache_bytes[0] / 4 * 3)
        columns *= 2;
    while (columns > least && columns * bytes > limits->shared_bytes)
        columns /= 2;
    return columns;
}

int64_t cost_columns(const struct cost_machine *machine, int64_t n, int64_t available)
{
    if (available <= 1) return 1;
    bool cpu = machine->limits->vector_bytes > 0;
    if (lone_lines(machine->limits, machine->precision, available, false)) return 1;
    int64_t columns =
        cpu ? cpu_columns(machine, n) : tile_lines(machine->limits, machine->precision, n);
    if (columns > available) columns = available;
    return columns > 1 ? columns : 1;
}

int64_t cost_convolved_columns(const struct cost_machine *machine, int64_t n, int64_t available)
{
    const bool alone = lone_lines(machine->limits, machine->precision, available, true);
    return alone ? 1 : cost_columns(machine, n, available);
}

/* Lanes of a run's vectors: one shorter than a vector takes narrower ones or none. It may be a part
 * of one, at an end of a line, or by a large prime, from half of it on. */
static int64_t vector_width(const struct cost_line *line, int64_t run, int radix, bool end)
{
    const struct cost_machine *machine = line->machine;
    int64_t width = limits_lanes(machine->limits, machine->precision);
    const bool large = cost_is_large_prime(radix);
    const bool partial = end && machine->limits->partial[radix] && !line->convolved;
    const bool halved = large && limits_take_halves(machine->limits);
    if ((partial || halved) && 2 * run >= width) return width;
    if (!end && machine->limits->in_turn && 2 * run != width) return width;
    while (width > run)
        width /= 2;
    return width * machine->element_bytes < 2 * (large ? 32 : 16) ? 1 : width;
}

/* Lanes that a run takes. Narrower vectors are no faster, and the last overlaps the one before. */
static int64_t lanes_taken(const struct cost_machine *machine, int64_t run, int64_t width)
{
    return (run + width - 1) / width * limits_lanes(machine->limits, machine->precision);
}

/* How much longer vectors take that do not start where a vector may. A first step's runs are those
 * it stores, of `radix` values. */
static double misalignment(int64_t run, int64_t width, int radix, bool opens)
{
    if (opens) return radix % 4 == 0 ? 1 : constants.opening_misaligned;
    if (run % width == 0) return 1;
    return 2 * run % width == 0 ? constants.half_aligned : constants.misaligned;
}

/* Into shared memory and out of it. */
static double exchange_seconds(const struct cost_machine *machine, int64_t n)
{
    return 2.0 * (double)n * machine->element_bytes / machine->limits->bandwidth[0];
}

static double gpu_step(const struct cost_machine *machine, int64_t n, int radix, bool first)
{
    double seconds = block_issue_butterfly(radix, first, machine->precision, machine->limits);
    if (radix > constants.heavy_radix) seconds *= constants.heavy;
    return (double)(n / radix) * seconds;
}

/* Seconds to read and write every element of a line in a CPU's tile, which with its company is so
 * many times as large. (Experiment "blocks" in docs/experiments.) */
static double tile_seconds(const struct cost_machine *machine, int64_t n, int64_t columns,
                           double company)
{
    const struct limits *limits = machine->limits;
    const double moved = 2.0 * (double)n * machine->element_bytes;
    const double tile = (double)tile_bytes(limits, machine->precision, n) * (double)columns;
    const int level = cost_level(limits, tile);
    const double needed = company * tile;
    if (level != 1 || needed <= (double)limits->cache_bytes[1]) {
        return moved / limits->bandwidth[level];
    }
    const double inside = (double)limits->cache_bytes[1] / needed;
    return moved * (inside / limits->bandwidth[1] + (1 - inside) / limits->bandwidth[2]);
}

static double tile_company(int64_t columns)
{
    return columns > 1 ? constants.tile_company : 1;
}

/* Seconds of computing and moving, some of the shorter one beside the longer. */
static double beside(double compute, double moved)
{
    return compute > moved ? compute + constants.beside * moved
                           : moved + constants.beside * compute;
}

struct cost_line cost_line(const struct cost_machine *machine, int64_t n, int64_t columns,
                           bool convolved)
{
    const bool cpu = machine->limits->vector_bytes > 0;
    return (struct cost_line){
        .machine = machine,
        .n = n,
        .columns = columns,
        .convolved = convolved,
        .moved = cpu ? tile_seconds(machine, n, columns, tile_company(columns)) : 0,
    };
}

/* How much longer narrow vectors take of a line's runs that are shorter than a vector: those of
 * half a line of the cache have 16 bytes then, and butterflies of more than four legs no registers.
 * (Experiment "half a line".) */
static double short_runs(const struct limits *limits, int radix)
{
    return limits_halve_lines(limits) && radix > 4 ? constants.short_run : 1;
}

double cost_line_step(const struct cost_line *line, int radix, int64_t before)
{
    const struct cost_machine *machine = line->machine;
    const struct limits *limits = machine->limits;
    const int64_t n = line->n, columns = line->columns, legs = n / radix;
    if (limits->vector_bytes == 0) return gpu_step(machine, n, radix, before == 1);
    const bool last = before * radix == n, opens = columns == 1 && before == 1 && !last;
    const int64_t run = opens ? legs : before * columns, rows = opens ? 1 : legs / before;
    const int64_t width = vector_width(line, run, radix, opens || last);
    const struct cost_butterfly place = {opens, last, last && line->kept, columns};
    double operations = cost_butterfly_operations(limits, radix, &place);
    /* Sums are long: how their ends are read and written counts where most vectors that start
     * anywhere are in two lines of the cache. */
    const bool wide = limits->vector_bytes >= limits->coalescing_bytes;
    if (wide || !cost_is_large_prime(radix)) operations *= misalignment(run, width, radix, opens);
    const double taken = (double)lanes_taken(machine, run, width);
    if (!opens && columns == 1 && run < limits_lanes(limits, machine->precision))
        operations *= short_runs(limits, radix);
    double compute =
        (double)legs * operations * taken / (limits->flops[machine->precision] * (double)run);
    if (opens && opening_sums(radix, run, limits_lanes(machine->limits, machine->precision)))
        compute = cost_opening_sums(machine, n, radix);
    const bool alone = columns == 1 && radix == n;
    double overhead = (alone ? constants.alone_seconds : constants.step_seconds) +
                      constants.row_seconds * (double)rows;
    return beside(compute, line->moved) + cost_crowding(line, radix, before) +
           overhead / (double)columns;
}

double cost_step(const struct cost_machine *machine, int64_t n, int radix, int64_t before,
                 int64_t columns)
{
    const struct cost_line line = cost_line(machine, n, columns, false);
    return cost_line_step(&line, radix, before);
}

double cost_convolved(const struct cost_machine *machine, int64_t n, int64_t columns)
{
    if (machine->limits->vector_bytes == 0) return 0;
    return tile_seconds(machine, n, columns, constants.spectrum_company) -
           tile_seconds(machine, n, columns, tile_company(columns));
}

double cost_products(const struct cost_machine *machine, double count)
{
    return count * COST_TWIDDLE_OPERATIONS / machine->limits->flops[machine->precision];
}

/* A load of each real and of its factors, two or three times as long from beyond the first level,
 * and so much longer than arithmetic. (Experiments "odd rows", "single reals".) */
#define MATRIX_LONGER 1.4
double cost_matrix(const struct cost_machine *machine, const struct pass *pass,
                   const struct matrix_shape *shape)
{
    const double products = (double)matrix_shape_products(shape);
    const double lanes = limits_lanes(machine->limits, machine->precision);
    const bool far = cost_level(machine->limits, products * lanes * machine->element_bytes / 2) > 0;
    const double times = far ? (pass_reflects(pass) ? 2 : 3) : 1;
    const double loads = MATRIX_LONGER * (times * products + (double)shape->count);
    return constants.row_seconds + loads * lanes / machine->limits->flops[machine->precision];
}

/* Of n elements on a CPU, each `seconds` if it has 8 bytes. */
static double moving_seconds(const struct cost_machine *machine, int64_t n, double seconds)
{
    if (machine->limits->vector_bytes == 0) return 0;
    return seconds * (double)n * machine->element_bytes / 8;
}

/* Legs that meet at the same place of their pages compete for the few lines of a cache's set, and
 * loads wait for stores that only look as if they were to the same place. Butterflies of few legs
 * get along. */
#define MEETING_LEGS 8

double cost_end(const struct cost_machine *machine, int64_t n, int radix, bool last)
{
    const int64_t apart = n / radix * machine->element_bytes;
    if (2 * apart % COST_PAGE_BYTES != 0 || (!last && radix <= MEETING_LEGS)) return 0;
    if (cost_level(machine->limits, 2.0 * (double)n * machine->element_bytes) == 0) return 0;
    const double share = apart % COST_PAGE_BYTES == 0 ? 1 : 0.5;
    const double legs = fmin(1, (double)radix / MEETING_LEGS);
    return share * legs * moving_seconds(machine, n, constants.meeting_seconds);
}

double cost_across(const struct cost_machine *machine, int64_t n, int radix, int64_t stride,
                   bool last)
{
    const double bytes = (double)n * (double)stride * machine->element_bytes;
    const int64_t apart = n / radix % COST_PAGE_BYTES * (stride % COST_PAGE_BYTES);
    const bool meet = apart * machine->element_bytes % COST_PAGE_BYTES == 0;
    if (radix == n || radix <= MEETING_LEGS || !meet) return 0;
    if (!last) return moving_seconds(machine, n, constants.across_read_seconds);
    /* What leaves the second level takes as long by any legs. */
    if (bytes >= (double)machine->limits->cache_bytes[1]) return 0;
    return moving_seconds(machine, n, constants.across_written_seconds);
}

/* Whether legs have the same place in a page of a tile. */
static bool meet_in_tile(const struct cost_machine *machine, int64_t n, int radix, int64_t columns)
{
    const int64_t apart = n / radix * columns * machine->element_bytes / 2;
    return radix < n && apart % COST_PAGE_BYTES == 0;
}

double cost_tile_legs(const struct cost_machine *machine, int64_t n, int radix, int64_t columns,
                      bool reflected)
{
    if (!reflected && limits_halve_lines(machine->limits))
        return cost_crowding_columns(machine, n, radix, columns);
    if (!meet_in_tile(machine, n, radix, columns)) return 0;
    if (!reflected) return radix * moving_seconds(machine, n, constants.tile_leg_seconds);
    return radix <= MEETING_LEGS ? 0 : moving_seconds(machine, n, constants.reflected_leg_seconds);
}

double cost_carrying(const struct cost_machine *machine, int64_t n)
{
    return moving_seconds(machine, n, constants.carried_seconds);
}

double cost_chirp(const struct cost_machine *machine, int64_t n)
{
    return cost_products(machine, (double)n) +
           moving_seconds(machine, n, constants.chirped_seconds);
}

double cost_spectrum(const struct cost_machine *machine, int64_t m)
{
    return cost_products(machine, (double)m) +
           moving_seconds(machine, m, constants.weighted_seconds);
}

double cost_parities(const struct cost_machine *machine, int64_t n, int64_t columns)
{
    /* Lines by themselves are multiplied on their way. */
    return columns == 1 ? cost_products(machine, 2 * (double)n) : cost_spectrum(machine, n);
}

double cost_permutation(const struct cost_machine *machine, int64_t n)
{
    const struct limits *limits = machine->limits;
    if (limits->vector_bytes == 0) return 2 * exchange_seconds(machine, n);
    const bool near = cost_level(limits, 2.0 * (double)n * machine->element_bytes) == 0;
    return 2 * constants.permuted_seconds * (double)n * (near ? 1 : constants.scattered);
}

double cost_turned_beside(const struct cost_machine *machine, int64_t n)
{
    return moving_seconds(machine, n, constants.beside_seconds);
}

double cost_permuted_twiddle(const struct cost_machine *machine, int64_t n)
{
    return machine->limits->vector_bytes == 0 ? 0 : constants.turned_seconds * (double)n;
}

/* Lines enough to fill any tile, far apart where they are not beside each other. */
static struct pass pass_of(const struct plan_node *block, enum cost_ends ends)
{
    const int64_t n = block->n, far = 2 * BLOCK_TILE_MOST_COLUMNS;
    struct pass pass = {.body = PASS_TRANSFORM, .length = n, .loops = 1, .radices = block->radices,
                        .cluster = block->cluster, .line = {n, 1, 1}, .loop[0] = {far, n, n}};
    memcpy(pass.radix, block->radix, sizeof pass.radix);
    if (ends == COST_COLUMNS) {
        pass.line.in_stride = far;
        pass.loop[0].in_stride = 1;
        pass.twiddle_order = n * far;
    }
    if (ends != COST_ROWS) {
        pass.line.out_stride = far;
        pass.loop[0].out_stride = 1;
    }
    return pass;
}

double cost_share(const struct cost_machine *machine, const struct pass *pass)
{
    struct block_tile tile;
    bool fits = block_tile_choose(pass, machine->precision, machine->limits,
                                  BLOCK_TILE_MOST_COLUMNS, &tile);
    return fits ? tile.share : 1e-3;
}

double cost_memory(const struct cost_machine *machine, int64_t n)
{
    return 2.0 * (double)n * machine->element_bytes / cost_bandwidth(machine, LIMITS_CACHES);
}

double cost_tile(const struct cost_machine *machine, const struct plan_node *block,
                 enum cost_ends ends)
{
    struct pass pass = pass_of(block, ends);
    return cost_memory(machine, block->n) / cost_share(machine, &pass);
}

double cost_sweep(const struct cost_machine *machine, int64_t n)
{
    double bytes = 2.0 * (double)n * machine->element_bytes;
    return bytes / cost_bandwidth(machine, cost_level(machine->limits, bytes));
}

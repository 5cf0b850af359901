#include "plan/cost.h"

#include <math.h>
#include <string.h>

#include "plan/order.h"
#include "plan/stride.h"
#include "plan/tile.h"
#include "spec/block_issue.h"
#include "spec/block_tile.h"

/* The constants of the model that limits do not hold. */
static const struct {
    double step_seconds;       /* CPU: calling a codelet */
    double alone_seconds;      /* CPU: ... where it is all there is to do */
    double row_seconds;        /* CPU: starting one row of it */
    double twiddle_operations; /* of a complex product */
    double shuffle_operations; /* CPU: per value and shuffle of a transposing store */
    double spilling;         /* CPU: how much longer butterflies take that overflow 32 registers, */
    double spill_operations; /* ... and per value that overflows fewer */
    double permuted_seconds; /* CPU: per element read and written at a scattered place of a line
                              * that the first-level cache holds, */
    double scattered;        /* ... and how much longer it takes in a longer line */
    int heavy_radix;         /* GPU: butterflies above take */
    double heavy;            /* ... so many times longer: they leave few registers */
    /* CPU, of elements of 8 bytes; others take longer as they are larger: */
    double carried_seconds;  /* gathered to or scattered from a tile apart from the steps, */
    double chirped_seconds;  /* ... more with a chirp on its way, */
    double weighted_seconds; /* ... and multiplied by a spectrum in the tile */
    double misaligned;       /* CPU: how much longer vectors take that start anywhere, */
    double half_aligned;     /* ... or at half vectors */
    double tile_bandwidth;   /* CPU: the share of a cache's bandwidth that steps reach */
    double tile_company;     /* CPU: a tile of several lines in the second level, with the caller's
                              * lines and the twiddles that pass through beside it, over the tile */
    int packed_radix;        /* CPU: the largest butterfly done a contiguous line a lane */
} constants = {
    .step_seconds = 15e-9,
    .alone_seconds = 4e-9,
    .row_seconds = 2e-9,
    .twiddle_operations = 6,
    .shuffle_operations = 1.8,
    .spilling = 1.9,
    .spill_operations = 1,
    .permuted_seconds = 0.4e-9,
    .scattered = 2.2,
    .heavy_radix = 16,
    .heavy = 1.2,
    .carried_seconds = 0.4e-9,
    .chirped_seconds = 0.15e-9,
    .weighted_seconds = 0.2e-9,
    .misaligned = 1.45,
    .half_aligned = 1.1,
    .tile_bandwidth = 0.6,
    .tile_company = 2.5,
    .packed_radix = 16,
};

/* Real operations of a butterfly, an fma counting as one: published counts for the powers of two,
 * the direct symmetric form for odd primes, products of both by the cheaper of prime-factor and
 * Cooley-Tukey splitting. */
static const short butterfly_operations[LIMITS_MAX_RADIX + 1] = {
    0,    0,    4,    16,   16,   40,   44,   72,   52,   112,  100,  160,  112,
    216,  172,  200,  168,  352,  260,  432,  240,  328,  364,  616,  284,  464,
    484,  544,  400,  952,  460,  1080, 456,  656,  772,  640,  592,  1512, 940,
    856,  580,  1840, 740,  2016, 816,  920,  1324, 2392, 756,  1152, 1028, 1328,
    1072, 3016, 1196, 1240, 940,  1600, 2020, 3712, 1040, 3960, 2284, 1432, 1160,
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
    /* Cores have first and second levels of their own and share what lies beyond. */
    double sharers = level < 2 ? machine->threads : 1;
    return machine->limits->bandwidth[level] * sharers;
}

static int vector_lanes(const struct cost_machine *machine)
{
    int lanes = machine->limits->vector_bytes * 2 / machine->element_bytes;
    return lanes > 1 ? lanes : 1;
}

/* As src/device/cpu/ does it: a cache line of columns, more while they fit the first level, fewer
 * while they do not fit the tile. */
static int64_t cpu_columns(const struct cost_machine *machine, int64_t n)
{
    const struct limits *limits = machine->limits;
    if (n > limits->shared_bytes) return 1; /* and beyond any product below */
    int64_t bytes = tile_bytes(limits, machine->precision, n);
    int64_t columns = limits->coalescing_bytes * 2 / machine->element_bytes;
    while (2 * columns * bytes <= limits->cache_bytes[0] / 4 * 3)
        columns *= 2;
    while (columns > 1 && columns * bytes > limits->shared_bytes)
        columns /= 2;
    return columns;
}

int64_t cost_columns(const struct cost_machine *machine, int64_t n, int64_t available)
{
    if (available <= 1) return 1;
    bool cpu = machine->limits->vector_bytes > 0;
    int64_t columns =
        cpu ? cpu_columns(machine, n) : tile_lines(machine->limits, machine->precision, n);
    if (columns > available) columns = available;
    return columns > 1 ? columns : 1;
}

/* Lanes of the vectors that a run takes: a run shorter than a vector takes narrower ones, of 16
 * bytes at least, or none. */
static int64_t vector_width(const struct cost_machine *machine, int64_t run)
{
    int64_t width = vector_lanes(machine);
    while (width > run)
        width /= 2;
    return width * machine->element_bytes < 2 * 16 ? 1 : width;
}

/* Used lanes over lanes. Narrower vectors are no faster, and the last of a run overlaps the one
 * before. */
static double lane_efficiency(const struct cost_machine *machine, int64_t run)
{
    int64_t width = vector_width(machine, run);
    int64_t vectors = (run + width - 1) / width;
    return (double)run / (double)(vectors * vector_lanes(machine));
}

/* How much longer vectors take that do not start where a vector may. A first step's runs are those
 * it stores, of `radix` values. */
static double misalignment(const struct cost_machine *machine, int64_t run, int radix, bool opens)
{
    if (opens) return radix % 4 == 0 ? 1 : constants.misaligned;
    int64_t width = vector_width(machine, run);
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

/* Shuffles that interleaving `radix` vectors takes for each of them: p - 1 for every prime factor.
 */
static int transposing_shuffles(int radix)
{
    int shuffles = 0;
    for (int p = 2; radix > 1; p++) {
        for (; radix % p == 0; radix /= p)
            shuffles += p - 1;
    }
    return shuffles;
}

/* The direct form of 11 and of larger primes keeps all its sums alive at once, and so do
 * butterflies of more than 16. (Experiment "steps" in docs/performance.md.) */
static bool overflows(int radix)
{
    return radix > 16 || radix == 13 || radix == 11;
}

static double cpu_step_operations(const struct cost_machine *machine, int radix, bool opens,
                                  bool last)
{
    double operations = butterfly_operations[radix];
    if (!last) operations += constants.twiddle_operations * (radix - 1);
    if (overflows(radix)) operations *= constants.spilling;
    int spilled = 2 * radix - machine->limits->registers;
    if (spilled > 0 && !overflows(radix)) operations += constants.spill_operations * spilled;
    if (opens) {
        operations += constants.shuffle_operations * 2 * radix * transposing_shuffles(radix);
    }
    return operations;
}

/* Seconds to read and write every element of a line in a CPU's tile. (Experiment "blocks" in
 * docs/performance.md.) */
static double tile_seconds(const struct cost_machine *machine, int64_t n, int64_t columns)
{
    const struct limits *limits = machine->limits;
    const double moved = 2.0 * (double)n * machine->element_bytes / constants.tile_bandwidth;
    const double tile = (double)tile_bytes(limits, machine->precision, n) * (double)columns;
    const int level = cost_level(limits, tile);
    const double needed = columns > 1 ? constants.tile_company * tile : tile;
    if (level != 1 || needed <= (double)limits->cache_bytes[1]) {
        return moved / limits->bandwidth[level];
    }
    const double inside = (double)limits->cache_bytes[1] / needed;
    return moved * (inside / limits->bandwidth[1] + (1 - inside) / limits->bandwidth[2]);
}

double cost_step(const struct cost_machine *machine, int64_t n, int radix, int64_t before,
                 int64_t columns)
{
    const struct limits *limits = machine->limits;
    bool last = before * radix == n;
    if (limits->vector_bytes == 0) return gpu_step(machine, n, radix, before == 1);
    bool opens = columns == 1 && before == 1 && !last;
    int64_t run = opens ? n / radix : before * columns;
    int64_t rows = opens ? 1 : n / (radix * before);
    double operations =
        cpu_step_operations(machine, radix, opens, last) * misalignment(machine, run, radix, opens);
    double compute = (double)(n / radix) * operations /
                     (limits->flops[machine->precision] * lane_efficiency(machine, run));
    double moved = tile_seconds(machine, n, columns);
    const bool alone = columns == 1 && radix == n;
    double overhead = (alone ? constants.alone_seconds : constants.step_seconds) +
                      constants.row_seconds * (double)rows;
    return fmax(compute, moved) + overhead / (double)columns;
}

double cost_products(const struct cost_machine *machine, double count)
{
    return count * constants.twiddle_operations / machine->limits->flops[machine->precision];
}

/* Of n elements on a CPU, each `seconds` if it has 8 bytes. */
static double moving_seconds(const struct cost_machine *machine, int64_t n, double seconds)
{
    if (machine->limits->vector_bytes == 0) return 0;
    return seconds * (double)n * machine->element_bytes / 8;
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

double cost_permutation(const struct cost_machine *machine, int64_t n)
{
    const struct limits *limits = machine->limits;
    if (limits->vector_bytes == 0) return 2 * exchange_seconds(machine, n);
    const bool near = cost_level(limits, 2.0 * (double)n * machine->element_bytes) == 0;
    return 2 * constants.permuted_seconds * (double)n * (near ? 1 : constants.scattered);
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

/* Of the memory's bandwidth. Next to nothing where no tile fits. */
static double tile_share(const struct cost_machine *machine, const struct pass *pass)
{
    struct block_tile tile;
    bool fits = block_tile_choose(pass, machine->precision, machine->limits,
                                  BLOCK_TILE_MOST_COLUMNS, &tile);
    return fits ? tile.share : 1e-3;
}

double cost_memory(const struct cost_machine *machine, int64_t n)
{
    double bytes = 2.0 * (double)n * machine->element_bytes;
    return bytes / cost_bandwidth(machine, LIMITS_CACHES);
}

double cost_tile(const struct cost_machine *machine, const struct plan_node *block,
                 enum cost_ends ends)
{
    struct pass pass = pass_of(block, ends);
    return cost_memory(machine, block->n) / tile_share(machine, &pass);
}

double cost_sweep(const struct cost_machine *machine, int64_t n)
{
    double bytes = 2.0 * (double)n * machine->element_bytes;
    return bytes / cost_bandwidth(machine, cost_level(machine->limits, bytes));
}

/* ---- passes ---- */

static bool is_unit(int64_t stride)
{
    return magnitude(stride) == 1;
}

/* One butterfly from place to place, without a tile. */
static bool is_whole(const struct pass *pass)
{
    return pass->body == PASS_TRANSFORM && pass->radices == 1 && pass->chirp_n == 0;
}

/* Lines that are done at once, as the CPU engine chooses. */
static int64_t pass_columns(const struct cost_machine *machine, const struct pass *pass)
{
    if (pass->loops == 0) return 1;
    const struct dim *across = &pass->loop[0];
    bool contiguous = is_unit(pass->line.in_stride) && is_unit(pass->line.out_stride);
    bool beside = is_unit(across->in_stride) && is_unit(across->out_stride);
    if (is_whole(pass)) {
        bool packed = contiguous && pass->length <= constants.packed_radix;
        return packed || beside ? across->n : 1;
    }
    int64_t narrowest = 16 * 2 / machine->element_bytes;
    if (contiguous || across->n < narrowest) return 1;
    return cost_columns(machine, pass->length, across->n);
}

/* Sweeps between the places and a tile, where no step reads or writes them itself. */
static int carrying_sweeps(const struct pass *pass, bool across)
{
    if (is_whole(pass) || (pass->body == PASS_COPY && pass->spectrum_given)) return 0;
    bool whole = pass->body == PASS_CONVOLUTION && pass->radices > 1 && !pass->real_in &&
                 pass->line.n == pass->length;
    bool steps = pass->body == PASS_TRANSFORM || whole;
    bool planes = !pass->backward || pass->from == PASS_SCRATCH;
    int64_t in = across ? pass->loop[0].in_stride : pass->line.in_stride;
    int64_t out = across ? pass->loop[0].out_stride : pass->line.out_stride;
    bool apart = pass->twiddle_order > 0 && !(across && pass->twiddle_loop == 0);
    bool gathers = !(steps && planes) || pass->chirp_before || !is_unit(in);
    bool scatters = !steps || pass->chirp_after || !is_unit(out) || apart;
    return (int)gathers + (int)scatters;
}

static double steps_seconds(const struct cost_machine *machine, int64_t length, int radices,
                            const int *radix, int64_t columns)
{
    double seconds = 0;
    int64_t before = 1;
    for (int i = 0; i < radices; i++) {
        seconds += cost_step(machine, length, radix[i], before, columns);
        before *= radix[i];
    }
    return seconds;
}

static double line_seconds(const struct cost_machine *machine, const struct pass *pass)
{
    int64_t columns = pass_columns(machine, pass), n = pass->line.n;
    double seconds = steps_seconds(machine, pass->length, pass->radices, pass->radix, columns);
    for (int i = 0; i < pass->folds; i++) {
        const struct pass_fold *fold = &pass->fold[i];
        seconds += steps_seconds(machine, pass->length, fold->radices, fold->radix, columns);
    }
    if (pass->body == PASS_CONVOLUTION || pass->body == PASS_RADER) {
        seconds = 2 * seconds;
        if (!pass->spectrum_given) seconds += cost_spectrum(machine, pass->length);
    }
    if (pass->spectrum_given) seconds += cost_products(machine, (double)pass->length);
    if (pass->body == PASS_RADER) seconds += cost_permutation(machine, n);
    if (pass->chirp_before) seconds += cost_chirp(machine, n);
    if (pass->chirp_after) seconds += cost_chirp(machine, n);
    if (pass->twiddle_order > 0) seconds += cost_products(machine, (double)n);
    return seconds + carrying_sweeps(pass, columns > 1) * cost_carrying(machine, n);
}

/* The share of what is moved that is wanted, at one end of a pass. */
static double coalesced(const struct cost_machine *machine, const struct pass *pass,
                        int64_t line_stride, int64_t loop_stride)
{
    const struct limits *limits = machine->limits;
    int64_t run = 1;
    if (magnitude(line_stride) == 1) {
        run = pass->line.n;
    } else if (pass->loops > 0 && magnitude(loop_stride) == 1) {
        int64_t most = tile_lines(limits, machine->precision, pass->length);
        run = pass->loop[0].n < most ? pass->loop[0].n : most;
    }
    double bytes = (double)(run > 1 ? run : 1) * machine->element_bytes;
    return fmin(1, bytes / limits->coalescing_bytes);
}

/* Elements at an end of a pass, where neither Bluestein's zeros are moved nor what is out of its
 * range. */
static double moved_elements(const struct pass *pass, bool out, double elements)
{
    const struct pass_range *range = &pass->range[out];
    const bool chirped = out ? pass->chirp_after : pass->chirp_before;
    elements *= range_share(range->range, range->n);
    if (!chirped) return elements;
    return elements * (double)pass->chirp_n / ((double)pass->line.n * (double)pass->chirp_map.line);
}

/* Where the two ends of a pass lie, and how often it runs. */
struct setting {
    int from_level, to_level, whole_level;
    double repeats;
};

/* Returns what counts where orders of axes are compared. */
static double pass_cost(const struct cost_machine *machine, struct pass *pass,
                        const struct setting *setting)
{
    double lines = (double)pass_lines(pass);
    double elements = lines * (double)pass_line_elements(pass);
    double read = moved_elements(pass, false, elements) * machine->element_bytes;
    double written = moved_elements(pass, true, elements) * machine->element_bytes;
    if (pass->spectrum_given) read += elements * machine->element_bytes;
    int64_t loop_in = pass->loops > 0 ? pass_stride(pass, &pass->loop[0], false) : 0;
    int64_t loop_out = pass->loops > 0 ? pass_stride(pass, &pass->loop[0], true) : 0;
    bool gpu = machine->limits->vector_bytes == 0;
    double share = gpu ? tile_share(machine, pass) : 1;
    double in = gpu ? share : coalesced(machine, pass, pass->line.in_stride, loop_in);
    double out = gpu ? share : coalesced(machine, pass, pass->line.out_stride, loop_out);
    double moving = read / in / cost_bandwidth(machine, setting->from_level) +
                    written / out / cost_bandwidth(machine, setting->to_level);
    /* Every twiddle is read once, on a CPU from a table as long as the split. */
    if (pass->twiddle_order > 0 && !gpu) {
        double table = (double)pass->twiddle_order * machine->element_bytes;
        moving += elements * machine->element_bytes /
                  cost_bandwidth(machine, cost_level(machine->limits, table));
    }
    /* A GPU's share says what instructions cost. */
    double computing = gpu ? 0 : lines * line_seconds(machine, pass) / machine->threads;
    pass->bytes = (read + written) * setting->repeats;
    pass->seconds = (fmax(moving, computing) + machine->limits->launch_seconds) * setting->repeats;
    const struct order_traffic traffic = {read, written, setting->from_level > 1,
                                          setting->to_level > 1, setting->whole_level > 1};
    return gpu ? pass->seconds : order_pass_seconds(machine, pass, &traffic) * setting->repeats;
}

static void stage_cost(const struct cost_machine *machine, struct program *program,
                       const struct program_stage *stage)
{
    double steps = 1;
    for (int i = 0; i < stage->outers; i++)
        steps *= (double)stage->outer[i].n;
    double elements = (double)problem_elements(&program->problem);
    double scratch = (double)program->scratch_elements;
    int whole = cost_level(machine->limits, (2 * elements + scratch) * machine->element_bytes);
    int step =
        cost_level(machine->limits, (2 * elements / steps + scratch) * machine->element_bytes);
    for (int i = stage->first; i < stage->first + stage->passes; i++) {
        struct pass *pass = &program->pass[i];
        bool first = i == stage->first, last = i == stage->first + stage->passes - 1;
        struct setting setting = {
            first ? whole : step, last ? whole : step, .whole_level = whole, .repeats = steps};
        const double order_seconds = pass_cost(machine, pass, &setting);
        if (!stage->runs[WEFT_FORWARD]) continue;
        program->order_seconds += order_seconds;
        program->bytes += pass->bytes;
        program->seconds += pass->seconds;
    }
}

void cost_program(struct program *program, const struct limits *limits)
{
    struct cost_machine machine = cost_machine(limits, &program->problem);
    program->bytes = program->seconds = program->order_seconds = 0;
    for (int i = 0; i < program->stages; i++)
        stage_cost(&machine, program, &program->stage[i]);
    double bytes = (problem_side_share(&program->problem, false) +
                    problem_side_share(&program->problem, true)) *
                   (double)problem_elements(&program->problem) * machine.element_bytes;
    program->bound_seconds = bytes / cost_bandwidth(&machine, cost_level(limits, bytes));
}

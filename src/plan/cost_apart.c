#include "plan/cost_apart.h"

#include <math.h>

#include "plan/stride.h"
#include "plan/tile.h"
#include "spec/far_columns.h"

static const struct {
    double unaligned;      /* the share of a pass's time that it takes more where lines lie apart by
                            * no multiple of a cache line, */
    double half_unaligned[2]; /* ... where vectors are half such a line, of which but every other
                               * lies in two: of an end that is read, and of one that is written, */
    double meeting;        /* ... by a multiple of a page, */
    double nearly_meeting; /* ... or of a quarter of one */
    /* Of splits that leave the second level (leaves_second()): */
    double met_rows;     /* the share of `meeting` where rows are written, of which tiles have more
                          * lines then; */
    double long_columns; /* what columns take more for each doubling beyond near_pages(), where both
                          * ends are near, */
    double long_rows;    /* ... and rows */
    double short_runs; /* what far columns of the input take more whose tiles have short runs */
    double unasked; /* what columns take more to move whose next tile is not asked for, */
    double unaligned_columns; /* ... which lie apart by no multiple of a cache line, beyond the
                               * third level, */
    double unaligned_rows;    /* ... and rows */
    double chirped; /* how many times longer columns take that are convolved by a chirp, */
    double far_chirped; /* ... if they are in memory; */
    double half_columns; /* what columns take more where vectors are half a line of the cache, */
    double half_whole;   /* ... those that are one butterfly, */
    double half_rows;    /* ... and rows, */
    double half_far;     /* ... and what sweeps to or from scratch take more to move that the third
                          * level does not keep, */
    double half_long;    /* ... and those of lines too long for wide tiles besides */
    double turned; /* copies between columns and contiguous lines, */
    double turned_meeting; /* ... and columns whose elements lie a multiple of a page apart */
} constants = {
    .unaligned = 0.3,
    .half_unaligned = {0.05, 0.1},
    .meeting = 0.3,
    .nearly_meeting = 0.1,
    .met_rows = 0.25,
    .long_columns = 0.15,
    .long_rows = 0.3,
    .short_runs = 0.45,
    .unasked = 0.03,
    .unaligned_columns = 0.2,
    .unaligned_rows = 0.3,
    .chirped = 1.3,
    .far_chirped = 2,
    .half_columns = 0.33,
    .half_whole = 1.1,
    .half_rows = 0.24,
    .half_far = 1.5,
    .half_long = 2,
    .turned = 1.3,
    .turned_meeting = 4,
};

/* Lines of the cache in a run of columns whose elements lie a multiple of a page apart, and of
 * others. (As device/cpu/tiles.c chooses.) */
#define MET_RUN_LINES 4
#define RUN_LINES     2

#define LONG_PAGES 2

/* Where the third level is far: one end is near in such a share of the second, and columns, whose
 * end is no more than twice that level, are long from there on. (Experiment "a far third level" in
 * docs/experiments.) */
#define FAR_THIRD_SHARE 6
#define FAR_THIRD_PAGES 4

/* Whether it is the columns, or the rows, of a split of plain lines. Those within transforms of
 * reals find more in the caches, and took longer as these terms cut them but where the third level
 * is far or far columns are wide (far_columns.h). */
static bool is_split(const struct cost_machine *machine, const struct pass *pass)
{
    const struct limits *limits = machine->limits;
    const bool plain = pass->half == PASS_NO_HALF && pass->body == PASS_TRANSFORM &&
                       !pass->chirp_before && !pass->chirp_after && !pass_reflects(pass);
    const bool counts =
        machine->of_pairs || limits_far_third(limits) || far_columns_are_wide(limits);
    return plain && counts && (pass->from == PASS_SCRATCH) != (pass->to == PASS_SCRATCH);
}

/* Of one end, as of the other. */
static double end_bytes(const struct cost_machine *machine, const struct pass *pass)
{
    return (double)pass_lines(pass) * (double)pass->line.n * machine->element_bytes;
}

/* Whether scratch, too, leaves the second level. Where the third is far it counts what else is
 * there: the other end, both tile buffers and their twiddles. */
static bool leaves_second(const struct cost_machine *machine, const struct pass *pass)
{
    const double kept = (double)machine->limits->cache_bytes[1];
    const double share = limits_far_third(machine->limits) ? FAR_THIRD_SHARE : 1;
    return is_split(machine, pass) && share * end_bytes(machine, pass) > kept;
}

bool cost_stays_near(const struct cost_machine *machine, const struct pass *pass)
{
    return is_split(machine, pass) && !leaves_second(machine, pass);
}

static int64_t page_elements(const struct cost_machine *machine)
{
    return COST_PAGE_BYTES / machine->element_bytes;
}

static int64_t line_stride(const struct pass *pass, bool out)
{
    const struct dim *line = &pass->line;
    return magnitude(out ? line->out_stride : line->in_stride);
}

static bool is_unaligned(const struct cost_machine *machine, const struct pass *pass, bool out)
{
    const int64_t bytes = line_stride(pass, out) * machine->element_bytes;
    return bytes % machine->limits->coalescing_bytes != 0;
}

/* Rows nearly meet that are written so far apart, or by a multiple of that. */
static int64_t near_bytes(const struct cost_machine *machine)
{
    const int line = machine->limits->coalescing_bytes;
    return limits_halve_lines(machine->limits) ? 2 * line : COST_PAGE_BYTES / 4;
}

/* The share of `meeting`. Tiles of columns that meet are of two lines and more, or of one that
 * comes with its neighbour, which pays for it where a line is two vectors. */
static double met_share(const struct cost_machine *machine, const struct pass *pass, bool out)
{
    if (out) return leaves_second(machine, pass) ? constants.met_rows : 1;
    const bool tiled = is_split(machine, pass) && pass->radices > 1;
    return limits_halve_lines(machine->limits) && tiled ? 0 : 1;
}

/* How much more a pass takes for one of its ends: lines beside each other are read or written in
 * short runs, which cross lines of the cache where they do not begin with one, and meet in its sets
 * where they are pages apart. Scratch lies in blocks instead. */
static double end_apart(const struct cost_machine *machine, const struct pass *pass, bool out)
{
    const int64_t stride = line_stride(pass, out), page = page_elements(machine);
    const enum pass_place place = out ? pass->to : pass->from;
    if (place == PASS_SCRATCH || pass->loops == 0 || stride == 1) return 0;
    if (magnitude(out ? pass->loop[0].out_stride : pass->loop[0].in_stride) != 1) return 0;
    const bool rows = out && leaves_second(machine, pass);
    if (is_unaligned(machine, pass, out))
        return limits_halve_lines(machine->limits) ? constants.half_unaligned[out]
                                                   : constants.unaligned;
    if (stride % page == 0) return met_share(machine, pass, out) * constants.meeting;
    const int64_t near = rows ? near_bytes(machine) / machine->element_bytes : page / 4;
    return stride % near == 0 ? constants.nearly_meeting : 0;
}

static bool leaves_share(const struct cost_machine *machine, const struct pass *pass)
{
    const struct limits *limits = machine->limits;
    return 2 * end_bytes(machine, pass) > (double)far_sweep_bytes(limits, limits->cache_bytes[2]);
}

bool cost_reads_far_columns(const struct cost_machine *machine, const struct pass *pass)
{
    return far_columns_are_wide(machine->limits) && pass->body == PASS_TRANSFORM &&
           line_stride(pass, false) != 1 && leaves_share(machine, pass);
}

/* Whether both ends leave so much of the third level that what comes next is asked for beforehand,
 * as device/cpu/ahead.c chooses. */
static bool is_far(const struct cost_machine *machine, const struct pass *pass)
{
    return leaves_second(machine, pass) && leaves_share(machine, pass);
}

/* Likewise the columns of a split of reals. (Experiment "reflected legs".) */
static bool parts_far(const struct cost_machine *machine, const struct pass *pass)
{
    return pass->half == PASS_HALF_PART && pass->twiddle_order > 0 && leaves_share(machine, pass);
}

/* Whether the third level does not hold both ends and what else there is, scratch or output. */
static bool leaves_third(const struct cost_machine *machine, const struct pass *pass)
{
    const int64_t *cache = machine->limits->cache_bytes;
    return leaves_second(machine, pass) && 3 * end_bytes(machine, pass) > (double)cache[2];
}

/* Whether a tile has but a cache line of each row of columns, and half of the lanes: more would not
 * fit into the second level with both buffers (as device/cpu/widths.c narrows tiles). */
static bool has_short_runs(const struct cost_machine *machine, const struct pass *pass)
{
    const struct limits *limits = machine->limits;
    return pass->from == PASS_INPUT && pass->to == PASS_SCRATCH && !far_columns_are_wide(limits) &&
           4 * limits->coalescing_bytes * pass->length > limits->shared_bytes;
}

static int64_t near_pages(const struct cost_machine *machine, const struct pass *pass, bool rows)
{
    const double second = (double)machine->limits->cache_bytes[1];
    if (rows || !limits_far_third(machine->limits)) return LONG_PAGES;
    return end_bytes(machine, pass) <= 2 * second ? FAR_THIRD_PAGES : LONG_PAGES;
}

/* Elements of long lines lie in more pages, and in more lines of the cache, than are near. */
static double longer(const struct cost_machine *machine, const struct pass *pass)
{
    if (is_far(machine, pass) || parts_far(machine, pass))
        return has_short_runs(machine, pass) ? 1 + constants.short_runs : 1;
    const bool rows = pass->from == PASS_SCRATCH;
    const int64_t near = near_pages(machine, pass, rows) * page_elements(machine);
    const double times = (double)pass->line.n / (double)near;
    if (!leaves_second(machine, pass) || times <= 1) return 1;
    return 1 + (rows ? constants.long_rows : constants.long_columns) * log2(times);
}

double cost_coalesced(const struct cost_machine *machine, const struct pass *pass,
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

bool cost_permutes_rows(const struct cost_machine *machine, const struct pass *pass,
                        int64_t columns)
{
    const bool pairs = !pass->real_in && !pass->real_out && pass->half == PASS_NO_HALF;
    const bool axis = pass->from == PASS_INPUT || pass->from == PASS_OUTPUT;
    return machine->limits->vector_bytes > 0 && pass->body == PASS_RADER && columns > 1 && axis &&
           pairs && pass->twiddle_order == 0 && !pass_reflects(pass);
}

double cost_convolved_apart(const struct pass *pass, int64_t columns, int level)
{
    if (!pass->chirp_before || columns == 1) return 1;
    return level == LIMITS_CACHES ? constants.far_chirped : constants.chirped;
}

double cost_turned(const struct cost_machine *machine, const struct pass *pass)
{
    const int64_t from = line_stride(pass, false), to = line_stride(pass, true);
    const bool copies = pass->body == PASS_COPY && pass->half == PASS_NO_HALF && pass->loops > 0;
    if (!copies || (from == 1) == (to == 1)) return 1;
    return from * to % page_elements(machine) == 0 ? constants.turned_meeting : constants.turned;
}

/* Lines of several vectors take longer than the model's steps, which are of vectors that are a line
 * of the cache. (Experiment "half a line".) */
static double by_halves(const struct cost_machine *machine, const struct pass *pass)
{
    if (!limits_halve_lines(machine->limits) || !is_split(machine, pass)) return 1;
    if (pass->to != PASS_SCRATCH) return 1 + constants.half_rows;
    return 1 + (pass->radices > 1 ? constants.half_columns : constants.half_whole);
}

double cost_apart_computing(const struct cost_machine *machine, const struct pass *pass)
{
    const double ends = end_apart(machine, pass, false) + end_apart(machine, pass, true);
    return (1 + ends) * longer(machine, pass) * by_halves(machine, pass);
}

/* Columns whose elements lie a multiple of a page apart, or far, are read in longer runs. Of either
 * the next tile is asked for while three of them stay in half of the second level. */
static bool asks_onward(const struct cost_machine *machine, const struct pass *pass)
{
    const struct limits *limits = machine->limits;
    const bool meet = line_stride(pass, false) % page_elements(machine) == 0;
    const bool wide = meet || cost_reads_far_columns(machine, pass);
    const int64_t lines = wide ? MET_RUN_LINES : RUN_LINES;
    const int64_t tile = lines * limits->coalescing_bytes * pass->length;
    return 2 * 3 * tile <= limits->cache_bytes[1];
}

/* What any of a split's sweeps takes more that goes far, where far columns are wide. */
static double far_by_halves(const struct cost_machine *machine, const struct pass *pass)
{
    const bool scratch = pass->from == PASS_SCRATCH || pass->to == PASS_SCRATCH;
    const bool far = scratch && leaves_share(machine, pass);
    if (!far_columns_are_wide(machine->limits) || !far) return 0;
    const int64_t longest = far_columns_longest(machine->limits, machine->precision);
    return constants.half_far + (pass->length > longest ? constants.half_long : 0);
}

double cost_apart_moving(const struct cost_machine *machine, const struct pass *pass)
{
    const bool columns = pass->to == PASS_SCRATCH;
    double more = far_by_halves(machine, pass);
    if (columns && is_far(machine, pass) && !asks_onward(machine, pass)) more += constants.unasked;
    if (leaves_third(machine, pass) && is_unaligned(machine, pass, !columns))
        more += columns ? constants.unaligned_columns : constants.unaligned_rows;
    return 1 + more;
}

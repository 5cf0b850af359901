#include "device/cpu/laid.h"

#include "base/memory.h"
#include "device/cpu/abreast.h"
#include "device/cpu/matrix.h"
#include "device/cpu/pairs.h"
#include "device/cpu/tiles.h"
#include "spec/abreast.h"
#include "spec/lone_lines.h"
#include "spec/lone_sums.h"
#include "spec/price_lines.h"

/* Copies begin at cache lines, and not in the same sets of a cache. */
#define PADDING_BYTES 192

#define NARROWEST_VECTOR 16

/* ---- what is laid ---- */

/* Whether a pass that convolves has lines that are quicker as sums, which are of elements that
 * follow one another. */
static bool convolves_sums(const struct kernel *kernel)
{
    return lone_sums_once_laid(&kernel->device->limits, kernel->precision, kernel->pass);
}

static bool is_plain(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const bool reals = pass_reflects(pass) || pass->half != PASS_NO_HALF;
    const bool sums = !reals && convolves_sums(kernel);
    if (kernel->own_pass || kernel->fill.runs || kernel->precision > WEFT_F64) return false;
    if (pass->body != PASS_TRANSFORM && pass->body != PASS_RADER && !sums) return false;
    if (pass->radices == 0 && !reals) return false;
    if (pass->backward || pass->twiddle_order || (pass->chirp_n && !sums)) return false;
    if (pass->hook[0] || pass->hook[1] || pass->slice_columns) return false;
    return pass->range[0].range.count == 0 && pass->range[1].range.count == 0;
}

/* Of planes in the order of the device's own. */
static bool is_scratch(enum pass_place place)
{
    return place == PASS_SCRATCH;
}

static struct laid_end end_of(const struct kernel *kernel, bool out, int64_t elements)
{
    const struct dim *line = &kernel->pass->line;
    const struct dim *lines = &kernel->pass->loop[0]; /* without strides where there are no loops */
    const int64_t element = out ? line->out_stride : line->in_stride;
    const bool planes = kernel->format[out] == WEFT_PLANAR && !kernel->real_place[out] &&
                        !is_scratch(out ? kernel->pass->to : kernel->pass->from);
    return (struct laid_end){.laid = element != 1 || planes,
                             .planes = planes,
                             .bytes = 2 * kernel->real_bytes,
                             .elements = elements,
                             .element = element,
                             .column = out ? lines->out_stride : lines->in_stride};
}

static struct laid_end reals_of(const struct kernel *kernel, bool out)
{
    const struct pass *pass = kernel->pass;
    struct laid_end end = end_of(kernel, out, pass->half_n / 2);
    if (kernel->format[out] == WEFT_INTERLEAVED) return end;
    end.laid = true;
    end.bytes = kernel->real_bytes;
    end.elements = pass->half_n;
    end.element = pass->pair;
    return end;
}

/* Whether whole lines of reals stand for others at both ends: of cosines and the like. */
static bool find_cosines(const struct kernel *kernel, struct laid_end end[2])
{
    const struct pass *pass = kernel->pass;
    const bool whole = pass->half == PASS_NO_HALF || pass->half == PASS_HALF_SPREAD ||
                       pass->half == PASS_HALF_FOLD;
    const bool all = pass->line.n == pass->length || pass->body == PASS_RADER;
    if (!whole || !pass->lone || !all) return false;
    for (int out = 0; out < 2; out++) {
        const struct reals *reals = &pass->reals[out];
        if (!reals->parts) return false;
        end[out] = end_of(kernel, out, reals->n);
        end[out].bytes = kernel->real_bytes;
        end[out].element = reals->stride;
        end[out].laid = reals->stride != 1;
    }
    return true;
}

/* Whether what is there are pairs, or will be once it is laid. */
static bool has_numbers(const struct kernel *kernel, const struct laid_end *end, bool out)
{
    return kernel->format[out] == WEFT_INTERLEAVED || end->planes;
}

/* False: the pass has no lines that can be laid. */
static bool find_ends(const struct kernel *kernel, struct laid_end end[2])
{
    const struct pass *pass = kernel->pass;
    const bool even = pass->half_n == 2 * pass->length, whole = pass->half_n == pass->line.n;
    const int64_t kept = pass->half_n / 2 + 1;
    if (pass_reflects(pass)) return find_cosines(kernel, end);
    end[CPU_FROM] = end_of(kernel, false, pass->line.n);
    end[CPU_TO] = end_of(kernel, true, pass->line.n);
    const bool pairs[2] = {has_numbers(kernel, &end[CPU_FROM], false),
                           has_numbers(kernel, &end[CPU_TO], true)};
    if (pass->half == PASS_NO_HALF)
        return !pass->real_in && !pass->real_out && pairs[0] && pairs[1] &&
               (pass->line.n == pass->length || convolves_sums(kernel));
    if (pass->half == PASS_HALF_SPREAD && even && pairs[CPU_TO]) {
        end[CPU_FROM] = reals_of(kernel, false);
        end[CPU_TO].elements = kept;
    } else if (pass->half == PASS_HALF_FOLD && even && pairs[CPU_FROM]) {
        end[CPU_FROM].elements = kept;
        end[CPU_TO] = reals_of(kernel, true);
    } else if (pass->half == PASS_HALF_CUT && whole && pass->lone && pairs[CPU_TO]) {
        end[CPU_FROM].laid = false; /* products read reals wherever they are */
        end[CPU_FROM].bytes = kernel->real_bytes;
        end[CPU_TO].elements = kept;
    } else if (pass->half == PASS_HALF_EXTEND && whole && pass->lone && pairs[CPU_FROM]) {
        end[CPU_FROM].elements = kept;
        end[CPU_TO].bytes = kernel->real_bytes;
    } else {
        return false;
    }
    return true;
}

/* ---- whether it pays ---- */

/* Neither a line's elements nor lines follow one another. */
static bool is_scattered(const struct laid_end *end)
{
    return end->element != 1 && end->column != 1;
}

static struct price_lines lines_of(const struct kernel *kernel, const struct laid_end end[2])
{
    const struct pass *pass = kernel->pass;
    const bool halves = pass->half != PASS_NO_HALF, steps = pass->body == PASS_TRANSFORM;
    return (struct price_lines){.limits = &kernel->device->limits,
                                .precision = kernel->precision,
                                .kind = !halves                    ? PRICE_PAIRS
                                        : pass_scatters_half(pass) ? PRICE_REALS_TO_HALVES
                                                                   : PRICE_HALVES_TO_REALS,
                                .n = halves ? pass->half_n : pass->line.n,
                                .lines = pass->loops ? pass->loop[0].n : 1,
                                .apart = {end[CPU_FROM].element != 1, end[CPU_TO].element != 1},
                                .scattered = {is_scattered(&end[CPU_FROM]),
                                              is_scattered(&end[CPU_TO])},
                                .planes = {end[CPU_FROM].planes, end[CPU_TO].planes},
                                .lone = pass->lone,
                                .two_steps = steps && pairs_take_line(kernel),
                                .any_ends = steps && pairs_take_apart(kernel)};
}

/* Longer butterflies of a line that is apart are scalar. */
#define LONGEST_LOOSE 16

/* Whether a codelet finds each number of the lines by itself, so that no order is better. */
static bool are_loose(const struct kernel *kernel, const struct price_lines *lines)
{
    if (lines->kind != PRICE_PAIRS || !pairs_exist(kernel, lines->n)) return false;
    if (lines->planes[CPU_FROM] || lines->planes[CPU_TO]) return false;
    return lines->lines > 1 || (lines->n <= LONGEST_LOOSE && tiles_whole(kernel));
}

static bool pays(const struct kernel *kernel, const struct laid_end end[2])
{
    if (!end[CPU_FROM].laid && !end[CPU_TO].laid) return false;
    if (long_lines_of(&kernel->device->limits, kernel->precision, kernel->pass)) return true;
    if (pass_reflects(kernel->pass)) return true; /* by what becomes of it */
    const struct price_lines lines = lines_of(kernel, end);
    return !are_loose(kernel, &lines) && price_way(&lines) == PRICE_LAID;
}

/* Lines of cosines that are short, or so short that columns pay by half a vector more, and fewer
 * than which lanes of a vector are few. */
#define SHORT_COSINES    16
#define SHORTEST_COSINES 8
#define FEWEST_LANES     4

/* Cosines and the like. In columns of fewer lines than the narrowest vector has lanes numbers are
 * found one by one, in others a vector's lanes stay empty; lines whose numbers take longer to be
 * found than to be transformed, and products, are quicker one by one up to a whole vector of them.
 * (Experiments "laid cosines" and "short cosines".) */
static bool cosines_pay(const struct kernel *kernel, const struct pass *before)
{
    const int64_t columns = tiles_shape(kernel->pass).columns;
    const int64_t lanes = cpu_widest_lanes(kernel);
    const int64_t half = lanes / 2 > FEWEST_LANES ? lanes / 2 : FEWEST_LANES;
    const bool short_line = kernel->pass->reals[0].n <= SHORT_COSINES;
    if (kernel->pass->reals[0].n <= SHORTEST_COSINES) return 2 * columns <= 3 * lanes;
    if (long_lines_of(&kernel->device->limits, kernel->precision, before)) return true;
    return columns < (short_line || matrix_suits(kernel) ? lanes : half);
}

/* Columns of lines that are not beside each other at both ends find their numbers one by one;
 * products read them so. Lines that are laid are to be none. (Experiment "scattered lines" in
 * docs/experiments.) */
static bool cosines_are_found(const struct kernel *before, const struct kernel *laid,
                              const struct laid_end end[2])
{
    const struct shape_of_pass shape = tiles_shape(laid->pass);
    if (end[CPU_FROM].column == 1 && end[CPU_TO].column == 1) return false;
    return !matrix_suits(before) && (matrix_suits(laid) || !tiles_go_across(laid, &shape));
}

/* ---- the pass ---- */

static void lay_end(struct kernel *kernel, struct pass *pass, bool out)
{
    const struct laid_end *end = &kernel->laid->end[out];
    if (!end->laid) return;
    const bool reals = !pass->lone && !end->planes && kernel->format[out] != WEFT_INTERLEAVED;
    const int64_t pitch = reals ? end->elements / 2 : end->elements;
    *(out ? &pass->line.out_stride : &pass->line.in_stride) = 1;
    *(out ? &pass->loop[0].out_stride : &pass->loop[0].in_stride) = pass->loops ? pitch : 0;
    pass->reals[out].stride = 1;
    if (!out) pass->half_stride = 1;
    if (reals || end->planes) kernel->format[out] = WEFT_INTERLEAVED;
    if (!reals) return;
    *(out ? &pass->real_out : &pass->real_in) = false;
}

static bool lay(struct kernel *kernel, const struct laid_end end[2])
{
    struct pass *pass = arena_alloc(kernel->arena, sizeof *pass);
    kernel->laid = arena_alloc(kernel->arena, sizeof *kernel->laid);
    if (!pass || !kernel->laid) return false;
    *pass = *kernel->pass;
    *kernel->laid = (struct cpu_laid){.end = {end[0], end[1]}};
    lay_end(kernel, pass, false);
    lay_end(kernel, pass, true);
    kernel->pass = pass;
    return true;
}

/* Whether the radices, which were chosen for lines beside each other, leave the second step of one
 * by itself the lanes of the narrowest vector. */
static bool has_lanes(const struct kernel *laid)
{
    const struct pass *pass = laid->pass;
    const struct limits *limits = &laid->device->limits;
    const bool steps = pass->half == PASS_NO_HALF && pass->radices > 1;
    return !steps || pass->radix[0] * laid->real_bytes >= NARROWEST_VECTOR ||
           pairs_take_line(laid) || line_has_codelet(limits, laid->precision, pass);
}

/* Permuted lines and those of single reals are to be products then, or sums. */
static bool is_good(const struct kernel *before, const struct kernel *laid,
                    const struct laid_end end[2])
{
    const struct pass *pass = laid->pass;
    if (pass_reflects(pass) && pass->body != PASS_RADER)
        return cosines_are_found(before, laid, end) || cosines_pay(laid, before->pass);
    if (pass_reflects(pass)) return matrix_suits(laid) && !matrix_suits(before);
    if (!pass->lone && pass->body != PASS_TRANSFORM) return tiles_sums(laid);
    if (!has_lanes(laid) && !long_lines_of(&laid->device->limits, laid->precision, before->pass))
        return false;
    return (!pass->lone && pass->radices > 0) || matrix_suits(laid);
}

bool laid_describe(struct kernel *kernel)
{
    struct laid_end end[2];
    kernel->laid = NULL;
    if (!is_plain(kernel) || !find_ends(kernel, end) || !pays(kernel, end)) return true;
    const struct kernel before = *kernel;
    if (!lay(kernel, end)) return false;
    if (!is_good(&before, kernel, end)) *kernel = before;
    return true;
}

/* ---- where ---- */

static int64_t line_bytes(const struct laid_end *end)
{
    return end->laid ? end->elements * end->bytes : 0;
}

/* Whether lines are beside each other in what is copied. */
static bool copies_beside(const struct laid_end *end)
{
    return end->laid && end->element != 1;
}

/* So many that copies take half of the first level, and rows of them are whole lines of a cache. */
int64_t laid_columns(const struct kernel *kernel)
{
    if (!kernel->laid) return INT64_MAX;
    const struct laid_end *end = kernel->laid->end;
    const struct limits *limits = &kernel->device->limits;
    const bool beside = copies_beside(&end[0]) || copies_beside(&end[1]);
    const int64_t line = beside ? limits->coalescing_bytes / kernel->real_bytes : 1;
    const int64_t room = limits->cache_bytes[0] / 2;
    const int64_t columns = room / (line_bytes(&end[0]) + line_bytes(&end[1])) / line * line;
    return columns > line ? columns : line;
}

static struct laid_move move_of(const struct laid_end *end, bool out, int64_t lines)
{
    const int64_t bytes = end->bytes, own = laid_caller_bytes(end);
    const struct laid_move gather = {end->column * own, end->element * own, end->elements * bytes,
                                     bytes, lines, end->elements};
    const struct laid_move scatter = {bytes, end->elements * bytes, end->element * own,
                                      end->column * own, end->elements, lines};
    return out && !end->planes ? scatter : gather;
}

void laid_finish(struct kernel *kernel)
{
    struct cpu_laid *laid = kernel->laid;
    const struct cpu_abreast *abreast = &kernel->sets->abreast[kernel->precision];
    if (!laid) return;
    const int64_t main = kernel->main.columns, rest = kernel->rest.columns;
    const int64_t wanted = laid_columns(kernel) / main;
    laid->tiles = wanted < 1 ? 1 : wanted < kernel->tiles ? wanted : kernel->tiles;
    const int64_t lines = laid->tiles * main + (rest > main ? rest - main : 0);
    for (int out = 0; out < 2; out++) {
        struct laid_end *end = &laid->end[out];
        if (!end->laid) continue;
        end->mover = end->bytes == kernel->real_bytes ? abreast->move : abreast->move_pairs;
        end->join = abreast->join;
        end->part = abreast->part;
        end->move = move_of(end, out, laid->tiles * main);
        kernel->tile_step[out] = main * end->column;
        end->start = kernel->workspace;
        kernel->workspace += (size_t)(lines * line_bytes(end) + 63) / 64 * 64 + PADDING_BYTES;
    }
}

/* ---- copying ---- */

int64_t laid_bytes_to(const struct kernel *kernel, enum cpu_operand end,
                      const struct device_memory *memory, int64_t element)
{
    const int64_t bytes = laid_caller_bytes(&kernel->laid->end[end]);
    const int64_t first = kernel->real_place[end] ? kernel->real_bytes : bytes;
    return memory->first * first + element * bytes;
}

void laid_gather(const struct kernel *kernel, const struct device_memory *from, int64_t element,
                 char *workspace, int64_t lines)
{
    const struct laid_end *end = &kernel->laid->end[CPU_FROM];
    if (!end->laid) return;
    const int64_t at = laid_bytes_to(kernel, CPU_FROM, from, element);
    struct laid_move move = end->move;
    move.rows = lines;
    laid_bring(end, &move, (const char *)from->re + at, cpu_further(from->im, at),
               workspace + end->start);
}

void laid_scatter(const struct kernel *kernel, const struct device_memory *to, int64_t element,
                  char *workspace, int64_t lines)
{
    const struct laid_end *end = &kernel->laid->end[CPU_TO];
    if (!end->laid) return;
    const int64_t at = laid_bytes_to(kernel, CPU_TO, to, element);
    struct laid_move move = end->move;
    *(end->planes ? &move.rows : &move.columns) = lines;
    laid_take(end, &move, workspace + end->start, (char *)to->re + at, cpu_further(to->im, at));
}

#include "device/cpu/tables.h"

#include <string.h>

#include "base/memory.h"
#include "device/cpu/general.h"
#include "device/cpu/handed.h"
#include "device/cpu/spectrum.h"
#include "device/cpu/sum.h"
#include "device/cpu/table_maker.h"
#include "math/factor.h"
#include "math/roots.h"
#include "print/c_vector.h"

/* Of a vector, and bytes within which machines shuffle fastest. */
#define MOST_LANES  16
#define SMALL_BYTES 16

const struct cpu_table *table_find(struct kernel *kernel, enum table_kind kind, int radix,
                                   int64_t rows, int64_t columns)
{
    for (const struct cpu_table *t = kernel->table; t; t = t->next) {
        if (t->kind == (int)kind && t->radix == radix && t->rows == rows && t->columns == columns) {
            return t;
        }
    }
    return handed_table(kernel, kind, radix, rows, columns);
}

struct cpu_table *table_add(struct kernel *kernel, enum table_kind kind, int radix, int64_t rows,
                            int64_t columns, int64_t plane, int64_t reals)
{
    struct cpu_table *t = arena_alloc(kernel->arena, sizeof *t);
    if (!t) return NULL;
    const size_t bytes = (size_t)reals * (size_t)kernel->real_bytes;
    *t = (struct cpu_table){kernel->table, (int)kind, radix, rows, columns, plane, NULL};
    t->data = table_data(bytes + MEMORY_ALIGNMENT);
    if (!t->data) return NULL;
    kernel->table = t;
    kernel->table_bytes += bytes;
    return t;
}

void table_store(const struct kernel *kernel, const struct cpu_table *t, int64_t at, double x)
{
    if (kernel->precision == WEFT_F32)
        ((float *)t->data)[at] = (float)x;
    else
        ((double *)t->data)[at] = x;
}

bool table_fill_turns(const struct kernel *kernel, const struct root_table *roots,
                      struct extended factor, const struct root_range *range, void *re, void *im)
{
    if (kernel->precision == WEFT_F32) {
        return root_table_fill_turns_float(roots, factor, range->first, range->step, range->count,
                                           re, im);
    }
    return root_table_fill_turns(roots, factor, range->first, range->step, range->count, re, im);
}

double table_load(const struct kernel *kernel, const struct cpu_table *t, int64_t at)
{
    const float *single = t->data;
    return kernel->precision == WEFT_F32 ? (double)single[at] : ((const double *)t->data)[at];
}

/* Writes exp(-2 pi i (first + j) step / n), j < count, to data[start + j * stride], through double:
 * the angles of one row of a table. */
struct root_row {
    int64_t n, first, step, count;
    int64_t start, stride, plane;
};

/* From a table of roots: of rows of few of them each most would be computed one by one. */
static bool fill_row(struct kernel *kernel, void *data, struct root_row row)
{
    const struct root_table *roots = handed_roots(kernel, row.n);
    if (!roots) return false;
    const struct cpu_general *general = cpu_general_of(kernel);
    char *re = (char *)data + row.start * kernel->real_bytes;
    char *im = re + row.plane * kernel->real_bytes;
    const int64_t chunk = row.stride == 1 ? row.count : ROOT_CHUNK;
    for (int64_t done = 0; done < row.count; done += chunk) {
        const int64_t count = row.count - done < chunk ? row.count - done : chunk;
        const int64_t first = (int64_t)multiply_mod((uint64_t)(row.first + done),
                                                    (uint64_t)row.step, (uint64_t)row.n);
        const struct root_range range = {row.n, first, row.step, count, row.stride};
        const int64_t at = done * row.stride * kernel->real_bytes;
        if (!general->fill_roots(&range, roots, re + at, im + at)) return false;
    }
    return true;
}

/* The circle from which all steps of the pass take their twiddles, or its sums; it goes when the
 * kernel is made. */
static const void *circle_of(struct kernel *kernel, int64_t n)
{
    if (kernel->circle) return kernel->circle;
    char *circle = memory_alloc_large((size_t)(2 * n * kernel->real_bytes));
    const struct cpu_general *general = cpu_general_of(kernel);
    if (circle && !general->fill_circle(n, circle, circle + n * kernel->real_bytes)) {
        memory_free(circle);
        circle = NULL;
    }
    kernel->circle = circle;
    return circle;
}

/* The third plane is the second's negative: with it in its place factors are their conjugates. */
static void add_conjugates(const struct kernel *kernel, struct cpu_table *t)
{
    float *single = t->data;
    double *wide = t->data;
    for (int64_t i = t->plane; i < 2 * t->plane; i++) {
        if (kernel->precision == WEFT_F32)
            single[i + t->plane] = -single[i];
        else
            wide[i + t->plane] = -wide[i];
    }
}

/* Fills t with exp(-2 pi i p k / (radix rows)), p < rows, 0 < k < radix, at
 * [p * row_stride + (k - 1) * radix_stride]. */
static bool fill_steps(struct kernel *kernel, struct cpu_table *t, int64_t row_stride,
                       int64_t radix_stride)
{
    const int64_t n = kernel->pass->length;
    const void *circle = circle_of(kernel, n);
    if (!circle) return false;
    for (int k = 1; k < t->radix; k++) {
        const struct root_range range = {n, 0, n / (t->radix * t->rows) * k, t->rows, row_stride};
        char *re = (char *)t->data + (k - 1) * radix_stride * kernel->real_bytes;
        cpu_general_of(kernel)->pick_roots(&range, circle, re, re + t->plane * kernel->real_bytes);
    }
    add_conjugates(kernel, t);
    return true;
}

const struct cpu_table *table_row(struct kernel *kernel, int radix, int64_t rows)
{
    const struct cpu_table *old = table_find(kernel, TABLE_ROW, radix, rows, 0);
    if (old) return old;
    const int64_t plane = rows * (radix - 1);
    struct cpu_table *t = table_add(kernel, TABLE_ROW, radix, rows, 0, plane, 3 * plane);
    return t && fill_steps(kernel, t, radix - 1, 1) ? t : NULL;
}

/* Which lane of a run is where in a block that is woven. */
struct weaving {
    int lanes;
    int lane[MOST_LANES];
};

static struct weaving weaving_of(const struct kernel *kernel, int lanes)
{
    struct weaving w = {.lanes = lanes};
    for (int i = 0; i < lanes; i++)
        w.lane[i] = c_vector_woven_lane(i, lanes, SMALL_BYTES / kernel->real_bytes);
    return w;
}

/* Lanes `first` and on of a run become a block of it. */
static void weave_block(const struct kernel *kernel, const struct weaving *w, char *run,
                        int64_t first, int64_t at)
{
    double natural[MOST_LANES];
    const bool single = kernel->precision == WEFT_F32;
    memcpy(natural, run + first * kernel->real_bytes, (size_t)(w->lanes * kernel->real_bytes));
    for (int i = 0; i < w->lanes; i++) {
        const int lane = w->lane[i];
        if (single) ((float *)run)[at + i] = ((const float *)natural)[lane];
        else ((double *)run)[at + i] = natural[lane];
    }
}

/* The last block first, which has lanes of the one before where it is not full. */
static void weave(const struct kernel *kernel, const struct cpu_table *t, int64_t rows, int lanes)
{
    const struct weaving w = weaving_of(kernel, lanes);
    const int64_t leg = table_lane_leg(rows, lanes), last = rows > lanes ? rows - lanes : 0;
    for (int64_t i = 0; i < 3 * t->plane; i += leg) {
        char *run = (char *)t->data + i * kernel->real_bytes;
        weave_block(kernel, &w, run, last, leg - lanes);
        for (int64_t at = 0; at < leg - lanes; at += lanes)
            weave_block(kernel, &w, run, at, at);
    }
}

const struct cpu_table *table_lane(struct kernel *kernel, int radix, int64_t rows, int block)
{
    const struct cpu_table *old = table_find(kernel, TABLE_LANE, radix, rows, block);
    if (old) return old;
    const int64_t leg = table_lane_leg(rows, block), plane = leg * (radix - 1);
    struct cpu_table *t = table_add(kernel, TABLE_LANE, radix, rows, block, plane, 3 * plane);
    if (!t) return NULL;
    memset(t->data, 0, (size_t)(3 * plane * kernel->real_bytes));
    if (!fill_steps(kernel, t, 1, leg)) return NULL;
    if (block > 1) weave(kernel, t, rows, block);
    return t;
}

const struct cpu_table *table_results(struct kernel *kernel, int radix, int64_t rows)
{
    const struct cpu_table *old = table_find(kernel, TABLE_RESULTS, radix, rows, 0);
    if (old) return old;
    const int64_t plane = rows * radix, n = kernel->pass->length;
    struct cpu_table *t = table_add(kernel, TABLE_RESULTS, radix, rows, 0, plane, 3 * plane);
    const void *circle = t ? circle_of(kernel, n) : NULL;
    if (!circle) return NULL;
    for (int64_t p = 0; p < rows; p++) {
        const struct root_range range = {n, 0, n / plane * p, radix, 1};
        char *re = (char *)t->data + p * radix * kernel->real_bytes;
        cpu_general_of(kernel)->pick_roots(&range, circle, re, re + plane * kernel->real_bytes);
    }
    add_conjugates(kernel, t);
    return t;
}

const struct cpu_table *table_roots(struct kernel *kernel, int64_t n, int shift)
{
    const struct cpu_table *old = table_find(kernel, TABLE_ROOTS, shift, n, 0);
    if (old) return old;
    const int64_t fine = INT64_C(1) << shift, coarse = ((n - 1) >> shift) + 1;
    const int64_t plane = fine + coarse;
    struct cpu_table *t = table_add(kernel, TABLE_ROOTS, shift, n, 0, plane, 2 * plane);
    if (!t) return NULL;
    const struct root_row fine_row = {n, 0, 1, fine, 0, 1, plane};
    const struct root_row coarse_row = {n, 0, fine % n, coarse, fine, 1, plane};
    return fill_row(kernel, t->data, fine_row) && fill_row(kernel, t->data, coarse_row) ? t : NULL;
}

/* Rows of each tile's lanes. */
static bool fill_grids(struct kernel *kernel, const struct cpu_table *t, int64_t n, int64_t step,
                       int64_t rows, struct table_tiles tiles)
{
    const struct root_table *roots = handed_roots(kernel, n);
    struct root_grid grid;
    if (!roots || !root_grid_init(&grid, roots, step, rows, tiles.lanes)) return false;
    for (int64_t i = 0; i < tiles.count; i++) {
        const int64_t first = tiles.first + i * tiles.lanes, at = 2 * i * t->plane;
        float *single = (float *)t->data + at;
        double *wide = (double *)t->data + at;
        if (kernel->precision == WEFT_F32)
            root_grid_float(&grid, first, single, single + t->plane);
        else
            root_grid_double(&grid, first, wide, wide + t->plane);
    }
    root_grid_free(&grid);
    return true;
}

const struct cpu_table *table_split(struct kernel *kernel, int64_t n, int64_t step, int64_t rows,
                                    struct table_tiles tiles)
{
    const int64_t plane = rows * tiles.lanes;
    struct cpu_table *t = table_add(kernel, TABLE_SPLIT, (int)tiles.lanes, rows, tiles.first, plane,
                                    2 * plane * tiles.count);
    return t && fill_grids(kernel, t, n, step, rows, tiles) ? t : NULL;
}

const struct cpu_table *table_coarse(struct kernel *kernel, int64_t rows, int64_t columns,
                                     int64_t first, int64_t step, int64_t count)
{
    struct cpu_table *t =
        table_add(kernel, TABLE_COARSE, (int)step, rows, first, rows, 2 * rows * count);
    for (int64_t i = 0; t && i < count; i++) {
        const struct root_row row = {
            rows * columns, 0, first + i * step, rows, 2 * rows * i, 1, rows};
        if (!fill_row(kernel, t->data, row)) return NULL;
    }
    return t;
}

const struct cpu_table *table_fine(struct kernel *kernel, int64_t rows, int64_t columns,
                                   int64_t lanes)
{
    const struct cpu_table *old = table_find(kernel, TABLE_FINE, (int)lanes, rows, columns);
    if (old) return old;
    const int64_t plane = rows * lanes;
    struct cpu_table *t =
        table_add(kernel, TABLE_FINE, (int)lanes, rows, columns, plane, 2 * plane);
    for (int64_t c = 0; t && c < lanes; c++) {
        const struct root_row row = {rows * columns, 0, c, rows, c, lanes, plane};
        if (!fill_row(kernel, t->data, row)) return NULL;
    }
    return t;
}

/* The factors of the k-th results of one step: thread q + s p takes exp(-2 pi i p k s / n). */
static void fill_line(struct kernel *kernel, struct cpu_table *t, const void *circle, int64_t at,
                      struct root_range range)
{
    for (int64_t q = 0; q < range.stride; q++) {
        char *re = (char *)t->data + (at + q) * kernel->real_bytes;
        cpu_general_of(kernel)->pick_roots(&range, circle, re, re + t->plane * kernel->real_bytes);
    }
}

const struct cpu_table *table_line(struct kernel *kernel, const struct line *line)
{
    if (line->form == LINE_PAIRS) return table_line_of_pairs(kernel, line);
    const int64_t plane = line_twiddles(line, line->steps - 1);
    struct cpu_table *table =
        table_add(kernel, TABLE_LINE, line->n, line->lanes, 0, plane, 2 * plane);
    const void *circle = table ? circle_of(kernel, line->n) : NULL;
    if (!circle) return NULL;
    /* Padding is multiplied with too: by zeros it costs nothing. */
    memset(table->data, 0, (size_t)(2 * plane * kernel->real_bytes));
    for (int t = 0; t < line->steps - 1; t++) {
        const int64_t threads = line->n / line->radix[t], s = line->n / line_order(line, t);
        for (int k = 1; k < line->radix[t]; k++) {
            const int64_t at = line_twiddles(line, t) + (k - 1) * line_padded(threads);
            fill_line(kernel, table, circle, at,
                      (struct root_range){line->n, 0, s * k, threads / s, s});
        }
    }
    return table;
}

/* Of the results from k on: cos (2 pi j k / radix) and then sin, for every j, of a circle of n. */
static void fill_sums(const struct kernel *kernel, struct cpu_table *t, int64_t n, int64_t at,
                      int k, int width)
{
    const struct cpu_table circle = {.data = kernel->circle};
    for (int j = 1; 2 * j < t->radix; j++, at += 2 * width) {
        for (int i = 0; i < width; i++) {
            const int64_t turn = (int64_t)j * (k + i) % t->radix * (n / t->radix);
            table_store(kernel, t, at + i, table_load(kernel, &circle, turn));
            table_store(kernel, t, at + width + i, -table_load(kernel, &circle, n + turn));
        }
    }
}

const struct cpu_table *table_sums(struct kernel *kernel, int radix, int64_t n)
{
    const int count = (radix - 1) / 2;
    const int lanes = kernel->sets->sums[kernel->precision].lanes;
    const struct cpu_table *old = table_find(kernel, TABLE_SUMS, radix, lanes, 0);
    if (old) return old;
    struct cpu_table *t =
        table_add(kernel, TABLE_SUMS, radix, lanes, 0, 0, 2 * count * (count + lanes));
    if (!t || !circle_of(kernel, n)) return NULL;
    int64_t at = 0;
    for (int k = 1, width; k <= count; k += width, at += 2 * width * count) {
        width = sum_width(lanes, radix >= SUM_PAIRED, count - k + 1);
        fill_sums(kernel, t, n, at, k, width);
    }
    return t;
}

const struct cpu_table *table_half(struct kernel *kernel, int64_t n)
{
    const struct cpu_table *old = table_find(kernel, TABLE_HALF, 0, n, 0);
    const int64_t plane = n / 2 + 1;
    if (old) return old;
    struct cpu_table *t = table_add(kernel, TABLE_HALF, 0, n, 0, plane, 2 * plane);
    struct root_table roots;
    if (!t || !root_table_init(&roots, n)) return NULL;
    const struct root_range range = {n, 0, 1, plane, 1};
    char *im = (char *)t->data + plane * kernel->real_bytes;
    bool filled = cpu_general_of(kernel)->fill_roots(&range, &roots, t->data, im);
    root_table_free(&roots);
    return filled ? t : NULL;
}

/* Where the turns are a quarter: the numbers up to there reflect those up to the middle. 0: nowhere
 * that there are numbers. */
static int64_t quarter_of(const struct reals *reals)
{
    const int64_t step = reals->turn_step, quarter = reals->order / 4 / (step > 0 ? step : 1);
    const bool reached = reals->turn == 0 && step > 0 && quarter * step * 4 == reals->order;
    return reached && quarter <= reals->numbers ? quarter : 0;
}

/* Numbers beyond `quarter` / 2 up to it, without itself. */
static void reflect_turns(const struct kernel *kernel, const struct cpu_table *t, int64_t quarter)
{
    for (int64_t k = quarter / 2 + 1; k < quarter; k++) {
        table_store(kernel, t, k, 0 - table_load(kernel, t, quarter - k + t->plane));
        table_store(kernel, t, k + t->plane, 0 - table_load(kernel, t, quarter - k));
    }
}

/* Numbers from `first` to before `end`. */
static bool fill_turns(const struct kernel *kernel, const struct cpu_table *t,
                       const struct root_table *roots, int64_t first, int64_t end)
{
    const struct reals *reals = &kernel->pass->reals[t->radix];
    const int64_t turn = (reals->turn + first * reals->turn_step) % reals->order;
    const struct root_range range = {reals->order, turn, reals->turn_step, end - first, 1};
    char *re = (char *)t->data + first * kernel->real_bytes;
    return table_fill_turns(kernel, roots, reals_extended_factor(reals->factor), &range, re,
                            re + t->plane * kernel->real_bytes);
}

static bool make_turns(struct kernel *kernel, const struct cpu_table *t,
                       const struct reals *reals)
{
    const int64_t quarter = quarter_of(reals), direct = quarter > 0 ? quarter / 2 + 1 : t->plane;
    const int64_t end = quarter > 0 ? quarter : t->plane;
    const struct root_table *roots = handed_roots(kernel, reals->order);
    if (!roots) return false;
    const bool filled = fill_turns(kernel, t, roots, 0, direct < end ? direct : end) &&
                        fill_turns(kernel, t, roots, end, t->plane);
    reflect_turns(kernel, t, quarter);
    return filled;
}

const struct cpu_table *table_turn(struct kernel *kernel, bool out)
{
    const struct cpu_table *old = table_find(kernel, TABLE_TURN, out, 0, 0);
    const struct reals *reals = &kernel->pass->reals[out];
    const int64_t plane = reals->turn_step ? reals->numbers : 1;
    if (old) return old;
    struct cpu_table *t = table_add(kernel, TABLE_TURN, out, 0, 0, plane, 2 * plane);
    if (t && reals->turn_step == 0) {
        double re, im;
        reals_constant_turn(reals, &re, &im);
        table_store(kernel, t, 0, re);
        table_store(kernel, t, 1, im);
        return t;
    }
    return t && make_turns(kernel, t, reals) ? t : NULL;
}

const struct cpu_table *table_spectrum(struct kernel *kernel, const void *spectrum, int64_t plane,
                                       const struct spectrum_order *order)
{
    const int64_t entries = order->entries;
    const struct cpu_table *old = table_find(kernel, TABLE_SPECTRUM, 0, entries, 0);
    if (old) return old;
    struct cpu_table *t = table_add(kernel, TABLE_SPECTRUM, 0, entries, 0, entries, 2 * entries);
    for (int part = 0; t && part < 2; part++) {
        spectrum_reorder(kernel, order, (const char *)spectrum + part * plane * kernel->real_bytes,
                         (char *)t->data + part * entries * kernel->real_bytes);
    }
    return t;
}

const struct cpu_table *table_parities(struct kernel *kernel, const void *spectrum, int64_t entries)
{
    const struct cpu_table *old = table_find(kernel, TABLE_PARITIES, 0, 0, 0);
    if (old) return old;
    struct cpu_table *t = table_add(kernel, TABLE_PARITIES, 0, 0, 0, entries, 2 * entries);
    for (int part = 0; t && part < 2; part++) {
        const int64_t at = part * entries * kernel->real_bytes;
        spectrum_part(kernel, (const char *)spectrum + at, (char *)t->data + at, entries);
    }
    return t;
}

void tables_done(struct kernel *kernel)
{
    memory_free(kernel->circle);
    kernel->circle = NULL;
}

void tables_free(struct kernel *kernel)
{
    tables_done(kernel);
    handed_end(kernel);
    for (struct cpu_table *t = kernel->table; t; t = t->next)
        table_let_go(t);
    kernel->table = NULL;
}

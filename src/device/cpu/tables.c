#include "device/cpu/tables.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"
#include "device/cpu/general.h"
#include "device/cpu/mirror.h"
#include "device/cpu/spectrum.h"
#include "device/cpu/sum.h"
#include "math/factor.h"
#include "math/roots.h"

enum table_kind {
    TABLE_ROW,
    TABLE_LANE,
    TABLE_ROOTS,
    TABLE_COARSE,
    TABLE_FINE,
    TABLE_HALF,
    TABLE_LINE,
    TABLE_SUMS,
    TABLE_MIRROR,
    TABLE_FACTORS,
    TABLE_MIRRORED_TURNS,
    TABLE_TURN,
    TABLE_SPECTRUM
};

static const struct cpu_table *find(const struct kernel *kernel, int kind, int radix, int64_t rows,
                                    int64_t columns)
{
    for (const struct cpu_table *t = kernel->table; t; t = t->next) {
        if (t->kind == kind && t->radix == radix && t->rows == rows && t->columns == columns) {
            return t;
        }
    }
    return NULL;
}

/* Adds a table of `reals` reals. */
static struct cpu_table *add(struct kernel *kernel, int kind, int radix, int64_t rows,
                             int64_t columns, int64_t plane, int64_t reals)
{
    struct cpu_table *t = arena_alloc(kernel->arena, sizeof *t);
    if (!t) return NULL;
    const size_t bytes = (size_t)reals * (size_t)kernel->real_bytes;
    *t = (struct cpu_table){kernel->table, kind, radix, rows, columns, plane, NULL};
    t->data = memory_alloc_large(bytes + MEMORY_ALIGNMENT);
    if (!t->data) return NULL;
    kernel->table = t;
    kernel->table_bytes += bytes;
    return t;
}

static void store_real(const struct kernel *kernel, const struct cpu_table *t, int64_t at, double x)
{
    if (kernel->precision == WEFT_F32) ((float *)t->data)[at] = (float)x;
    else ((double *)t->data)[at] = x;
}

static double load_real(const struct kernel *kernel, const struct cpu_table *t, int64_t at)
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

/* The angles of one row go out in chunks, where they do not go straight to their places. */
#define ROOT_CHUNK 2048

/* Roots of the order of the pass's twiddle: of its tables of few roots each most would be computed
 * one by one. They go when the kernel is made. */
static const struct root_table *roots_of(struct kernel *kernel, int64_t n)
{
    assert(kernel->roots.n == 0 || kernel->roots.n == n);
    if (kernel->roots.n == 0 && !root_table_init(&kernel->roots, n)) return NULL;
    return &kernel->roots;
}

static bool fill_row(struct kernel *kernel, void *data, struct root_row row)
{
    const struct root_table *roots = roots_of(kernel, row.n);
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

/* The circle of the pass's length, from which all of its steps take their twiddles; it goes when
 * the kernel is made. */
static const void *circle_of(struct kernel *kernel)
{
    if (kernel->circle) return kernel->circle;
    const int64_t n = kernel->pass->length;
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
        if (kernel->precision == WEFT_F32) single[i + t->plane] = -single[i];
        else wide[i + t->plane] = -wide[i];
    }
}

/* Fills t with exp(-2 pi i p k / (radix rows)), p < rows, 0 < k < radix, at
 * [p * row_stride + (k - 1) * radix_stride]. */
static bool fill_steps(struct kernel *kernel, struct cpu_table *t, int64_t row_stride,
                       int64_t radix_stride)
{
    const void *circle = circle_of(kernel);
    if (!circle) return false;
    const int64_t n = kernel->pass->length;
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
    const struct cpu_table *old = find(kernel, TABLE_ROW, radix, rows, 0);
    if (old) return old;
    const int64_t plane = rows * (radix - 1);
    struct cpu_table *t = add(kernel, TABLE_ROW, radix, rows, 0, plane, 3 * plane);
    return t && fill_steps(kernel, t, radix - 1, 1) ? t : NULL;
}

const struct cpu_table *table_lane(struct kernel *kernel, int radix, int64_t rows)
{
    const struct cpu_table *old = find(kernel, TABLE_LANE, radix, rows, 0);
    if (old) return old;
    const int64_t plane = rows * (radix - 1);
    struct cpu_table *t = add(kernel, TABLE_LANE, radix, rows, 0, plane, 3 * plane);
    return t && fill_steps(kernel, t, 1, rows) ? t : NULL;
}

const struct cpu_table *table_roots(struct kernel *kernel, int64_t n, int shift)
{
    const struct cpu_table *old = find(kernel, TABLE_ROOTS, shift, n, 0);
    if (old) return old;
    const int64_t fine = INT64_C(1) << shift, coarse = ((n - 1) >> shift) + 1;
    const int64_t plane = fine + coarse;
    struct cpu_table *t = add(kernel, TABLE_ROOTS, shift, n, 0, plane, 2 * plane);
    if (!t) return NULL;
    const struct root_row fine_row = {n, 0, 1, fine, 0, 1, plane};
    const struct root_row coarse_row = {n, 0, fine % n, coarse, fine, 1, plane};
    return fill_row(kernel, t->data, fine_row) && fill_row(kernel, t->data, coarse_row) ? t : NULL;
}

const struct cpu_table *table_coarse(struct kernel *kernel, int64_t rows, int64_t columns,
                                     int64_t first, int64_t step, int64_t count)
{
    struct cpu_table *t = add(kernel, TABLE_COARSE, (int)step, rows, first, rows, 2 * rows * count);
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
    const struct cpu_table *old = find(kernel, TABLE_FINE, (int)lanes, rows, columns);
    if (old) return old;
    const int64_t plane = rows * lanes;
    struct cpu_table *t = add(kernel, TABLE_FINE, (int)lanes, rows, columns, plane, 2 * plane);
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
    const int64_t plane = line_twiddles(line, line->steps - 1);
    struct cpu_table *table = add(kernel, TABLE_LINE, line->n, line->lanes, 0, plane, 2 * plane);
    const void *circle = table ? circle_of(kernel) : NULL;
    int64_t s = 1;
    if (!circle) return NULL;
    /* Padding is multiplied with too: by zeros it costs nothing. */
    memset(table->data, 0, (size_t)(2 * plane * kernel->real_bytes));
    for (int t = 0; t < line->steps - 1; t++) {
        const int64_t threads = line->n / line->radix[t];
        for (int k = 1; k < line->radix[t]; k++) {
            const int64_t at = line_twiddles(line, t) + (k - 1) * line_padded(threads);
            fill_line(kernel, table, circle, at,
                      (struct root_range){line->n, 0, s * k, threads / s, s});
        }
        s *= line->radix[t];
    }
    return table;
}

/* Of the results from k on: cos (2 pi j k / n) and then sin, for every j. */
static void fill_sums(const struct kernel *kernel, struct cpu_table *t, int64_t at, int k,
                      int width)
{
    const int n = (int)kernel->pass->length;
    const struct cpu_table circle = {.data = kernel->circle};
    for (int j = 1; 2 * j < n; j++, at += 2 * width) {
        for (int i = 0; i < width; i++) {
            const int64_t turn = (int64_t)j * (k + i) % n;
            store_real(kernel, t, at + i, load_real(kernel, &circle, turn));
            store_real(kernel, t, at + width + i, -load_real(kernel, &circle, n + turn));
        }
    }
}

const struct cpu_table *table_sums(struct kernel *kernel)
{
    const int n = (int)kernel->pass->length, count = (n - 1) / 2;
    const int lanes = kernel->sets->sums[kernel->precision].lanes;
    const struct cpu_table *old = find(kernel, TABLE_SUMS, n, lanes, 0);
    if (old) return old;
    struct cpu_table *t = add(kernel, TABLE_SUMS, n, lanes, 0, 0, 2 * count * (count + lanes));
    if (!t || !circle_of(kernel)) return NULL;
    int64_t at = 0;
    for (int k = 1, width; k <= count; k += width, at += 2 * width * count) {
        width = sum_width(lanes, count - k + 1);
        fill_sums(kernel, t, at, k, width);
    }
    return t;
}

const struct cpu_table *table_half(struct kernel *kernel, int64_t n)
{
    const struct cpu_table *old = find(kernel, TABLE_HALF, 0, n, 0);
    const int64_t plane = n / 2 + 1;
    if (old) return old;
    struct cpu_table *t = add(kernel, TABLE_HALF, 0, n, 0, plane, 2 * plane);
    struct root_table roots;
    if (!t || !root_table_init(&roots, n)) return NULL;
    const struct root_range range = {n, 0, 1, plane, 1};
    char *im = (char *)t->data + plane * kernel->real_bytes;
    bool filled = cpu_general_of(kernel)->fill_roots(&range, &roots, t->data, im);
    root_table_free(&roots);
    return filled ? t : NULL;
}

/* The factor i or -i is a quarter of a turn more. */
const struct cpu_table *table_mirror(struct kernel *kernel, int64_t n, bool folds)
{
    const struct cpu_table *old = find(kernel, TABLE_MIRROR, folds, n, 0);
    const int64_t count = n / 4, order = 4 * n, first = folds ? 3 * n : n;
    if (old) return old;
    struct cpu_table *t = add(kernel, TABLE_MIRROR, folds, n, 0, 1, 2 * count);
    struct root_table roots;
    if (!t || !root_table_init(&roots, order)) return NULL;
    bool filled = true;
    for (int64_t k = 0; k < count && filled; k += ROOT_CHUNK) {
        const int64_t some = count - k < ROOT_CHUNK ? count - k : ROOT_CHUNK;
        const struct root_range range = {order, first + 4 * (k + 1), 4, some, 2};
        char *re = (char *)t->data + 2 * k * kernel->real_bytes;
        filled = cpu_general_of(kernel)->fill_roots(&range, &roots, re, re + kernel->real_bytes);
    }
    root_table_free(&roots);
    return filled ? t : NULL;
}

#define FACTORS (2 * TABLE_FACTORS_A_DIRECTION)

const struct cpu_table *table_mirror_factors(struct kernel *kernel, bool folds)
{
    const struct cpu_table *old = find(kernel, TABLE_FACTORS, 0, 0, 0);
    if (old) return old;
    struct cpu_table *t = add(kernel, TABLE_FACTORS, 0, 0, 0, 1, FACTORS);
    for (int d = 0; t && d < 2; d++) {
        const bool conjugate = d == WEFT_INVERSE && pass_half_directed(kernel->pass);
        const double factor = folds ? kernel->scale[d] : kernel->scale[d] / 2;
        const int64_t at = TABLE_FACTORS_A_DIRECTION * d;
        store_real(kernel, t, at, factor);
        store_real(kernel, t, at + 1, conjugate ? -factor : factor);
    }
    return t;
}

static void store_turns(const struct kernel *kernel, const struct cpu_table *t, int64_t first,
                        int64_t count, double factor, const double *re, const double *im)
{
    for (int64_t i = 0; i < count; i++) {
        store_real(kernel, t, first + i, factor * re[i]);
        store_real(kernel, t, first + i + t->plane, factor * im[i]);
    }
}

const struct cpu_table *table_turn(struct kernel *kernel, bool out)
{
    const struct cpu_table *old = find(kernel, TABLE_TURN, out, 0, 0);
    const struct reals *reals = &kernel->pass->reals[out];
    const int64_t plane = reals->turn_step ? reals->numbers : 1;
    if (old) return old;
    struct cpu_table *t = add(kernel, TABLE_TURN, out, 0, 0, plane, 2 * plane);
    double re[ROOT_CHUNK], im[ROOT_CHUNK];
    if (t && reals->turn_step == 0) {
        reals_constant_turn(reals, re, im);
        store_turns(kernel, t, 0, 1, 1, re, im);
        return t;
    }
    for (int64_t first = 0; t && first < plane; first += ROOT_CHUNK) {
        const int64_t count = plane - first < ROOT_CHUNK ? plane - first : ROOT_CHUNK;
        const int64_t turn = (reals->turn + first * reals->turn_step) % reals->order;
        if (!roots_fill_double(reals->order, turn, reals->turn_step, count, re, im)) return NULL;
        store_turns(kernel, t, first, count, reals->factor, re, im);
    }
    return t;
}

struct turn {
    double re, im;
};

static struct turn turn_of(struct kernel *kernel, const struct cpu_table *turns, bool out,
                           int64_t k)
{
    const int64_t at = kernel->pass->reals[out].turn_step ? k : 0;
    if (!turns) return (struct turn){1, 0};
    return (struct turn){load_real(kernel, turns, at), load_real(kernel, turns, at + turns->plane)};
}

/* NULL where numbers are not turned, which is no failure. */
static const struct cpu_table *turns_of(struct kernel *kernel, bool out, bool *failed)
{
    const bool turn = reals_turn(&kernel->pass->reals[out]);
    const struct cpu_table *turns = turn ? table_turn(kernel, out) : NULL;
    *failed = turn && !turns;
    return turns;
}

/* How the numbers of table_turned() are turned. */
struct turned_numbers {
    const struct root_table *roots; /* of order 8 h */
    const struct cpu_table *turns;
    bool out;
    double re, im; /* times re + i im */
};

/* The factors of `lanes` numbers from k on. */
static void store_turned(struct kernel *kernel, const struct cpu_table *t,
                         const struct turned_numbers *numbers, int64_t k, int64_t lanes)
{
    const int64_t h = kernel->pass->length, quarter = numbers->out ? 2 * h : 6 * h;
    const double a = numbers->re, b = numbers->im;
    for (int64_t i = 0; i < lanes; i++) {
        const int64_t at = 6 * (k - 1) + i;
        const struct turn own = turn_of(kernel, numbers->turns, numbers->out, k + i);
        const struct turn other = turn_of(kernel, numbers->turns, numbers->out, h - k - i);
        double re, im;
        root_table_get(numbers->roots, (quarter + 4 * (k + i)) % (8 * h), &re, &im);
        store_real(kernel, t, at, re);
        store_real(kernel, t, at + lanes, im);
        store_real(kernel, t, at + 2 * lanes, a * own.re - b * own.im);
        store_real(kernel, t, at + 3 * lanes, a * own.im + b * own.re);
        store_real(kernel, t, at + 4 * lanes, a * other.re - b * other.im);
        store_real(kernel, t, at + 5 * lanes, -a * other.im - b * other.re);
    }
}

const struct cpu_table *table_turned(struct kernel *kernel, bool out, bool quarter)
{
    const struct cpu_table *old = find(kernel, TABLE_MIRRORED_TURNS, out, 0, 0);
    if (old) return old;
    const int64_t h = kernel->pass->length;
    bool failed;
    struct root_table roots;
    const struct cpu_table *turns = turns_of(kernel, out, &failed);
    struct cpu_table *t = add(kernel, TABLE_MIRRORED_TURNS, out, 0, 0, 1, 6 * (h / 2));
    if (failed || !t || !root_table_init(&roots, 8 * h)) return NULL;
    const struct turned_numbers numbers = {
        &roots, turns, out, quarter ? 0 : 1, !quarter ? 0 : out ? -1 : 1};
    int64_t k = 1;
    for (int64_t lanes = kernel->sets->mirrors[kernel->precision].lanes; lanes > 0; lanes /= 2) {
        for (; 2 * (k + lanes - 1) <= h; k += lanes)
            store_turned(kernel, t, &numbers, k, lanes);
    }
    root_table_free(&roots);
    return t;
}

/* Between the real that number 0, or the last one, is of, and the number, which is real. */
static double real_factor(const struct kernel *kernel, bool out, int64_t k, struct turn turn)
{
    const struct reals *reals = &kernel->pass->reals[out];
    const double first = reals_run_at(reals, 0, k, 0).weight;
    const double second = reals_run_at(reals, 1, k, 0).weight;
    if (!out) return first * turn.re - second * turn.im;
    return first != 0 ? first * turn.re : second * reals->im_sign * turn.im;
}

const struct cpu_table *table_turned_factors(struct kernel *kernel, bool out, int up,
                                             const double weight[2])
{
    const struct cpu_table *old = find(kernel, TABLE_FACTORS, 1 + out, 0, 0);
    if (old) return old;
    bool failed;
    const struct cpu_table *turns = turns_of(kernel, out, &failed);
    struct cpu_table *t = add(kernel, TABLE_FACTORS, 1 + out, 0, 0, 1, FACTORS);
    const int64_t h = kernel->pass->length;
    if (failed || !t) return NULL;
    for (int d = 0; d < 2; d++) {
        const double scale = out ? kernel->scale[d] : 1, each = out ? scale / 2 : 1;
        const int64_t at = TABLE_FACTORS_A_DIRECTION * d;
        store_real(kernel, t, at, each * weight[up]);
        store_real(kernel, t, at + 1, up == 0 ? each * weight[1] : -each * weight[0]);
        for (int last = 0; last < 2; last++) {
            const struct turn turn = turn_of(kernel, turns, out, last * h);
            const double factor = real_factor(kernel, out, last * h, turn);
            store_real(kernel, t, at + 2 + last, scale * factor);
        }
    }
    return t;
}

const struct cpu_table *table_signs(struct kernel *kernel, bool scaled)
{
    const struct cpu_table *old = find(kernel, TABLE_FACTORS, 3 + scaled, 0, 0);
    if (old) return old;
    struct cpu_table *t = add(kernel, TABLE_FACTORS, 3 + scaled, 0, 0, 1, FACTORS);
    for (int i = 0; t && i < FACTORS; i++) {
        const double factor = scaled ? kernel->scale[i / TABLE_FACTORS_A_DIRECTION] : 1;
        store_real(kernel, t, i, i % 2 ? factor * kernel->pass->reals[scaled].right : factor);
    }
    return t;
}

const struct cpu_table *table_spectrum(struct kernel *kernel, const void *spectrum, int64_t plane,
                                       struct pass_map *map)
{
    const struct cpu_table *old = find(kernel, TABLE_SPECTRUM, 0, 0, 0);
    const int64_t entries = spectrum_in_order(kernel->pass, map);
    if (old) return old;
    struct cpu_table *t = add(kernel, TABLE_SPECTRUM, 0, 0, 0, entries, 2 * entries);
    for (int part = 0; t && part < 2; part++) {
        spectrum_reorder(kernel, map, (const char *)spectrum + part * plane * kernel->real_bytes,
                         (char *)t->data + part * entries * kernel->real_bytes);
    }
    return t;
}

void tables_done(struct kernel *kernel)
{
    memory_free(kernel->circle);
    kernel->circle = NULL;
    root_table_free(&kernel->roots);
}

void tables_free(struct kernel *kernel)
{
    tables_done(kernel);
    for (struct cpu_table *t = kernel->table; t; t = t->next)
        memory_free(t->data);
    kernel->table = NULL;
}

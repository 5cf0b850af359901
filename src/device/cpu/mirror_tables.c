/* Tables of mirrored numbers and of reals that are parted (mirror.h). */
#include <assert.h>
#include <math.h>

#include "device/cpu/general.h"
#include "device/cpu/handed.h"
#include "device/cpu/mirror.h"
#include "device/cpu/table_maker.h"
#include "device/cpu/tables.h"
#include "math/extended.h"

const struct cpu_mirrors *mirrors_of(const struct kernel *kernel)
{
    return &kernel->sets->mirrors[kernel->precision];
}

/* The factor i or -i is a quarter of a turn more. */
const struct cpu_table *table_mirror(struct kernel *kernel, int64_t n, bool folds)
{
    const struct cpu_table *old = table_find(kernel, TABLE_MIRROR, folds, n, 0);
    const int64_t count = n / 4, order = 4 * n, first = folds ? 3 * n : n;
    if (old) return old;
    struct cpu_table *t = table_add(kernel, TABLE_MIRROR, folds, n, 0, 1, 2 * count);
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
    const struct cpu_table *old = table_find(kernel, TABLE_FACTORS, 0, 0, 0);
    if (old) return old;
    struct cpu_table *t = table_add(kernel, TABLE_FACTORS, 0, 0, 0, 1, FACTORS);
    for (int d = 0; t && d < 2; d++) {
        const bool conjugate = d == WEFT_INVERSE && pass_half_directed(kernel->pass);
        const double factor = folds ? kernel->scale[d] : kernel->scale[d] / 2;
        const int64_t at = TABLE_FACTORS_A_DIRECTION * d;
        table_store(kernel, t, at, factor);
        table_store(kernel, t, at + 1, conjugate ? -factor : factor);
    }
    return t;
}

static const struct extended once = {1, 0};

/* How the numbers of an end are turned: number k, 0 <= k <= h, by factor times root
 * first + step k of the order, which is 8 h but where the end's turns take more. */
struct turned_numbers {
    const struct root_table *roots; /* NULL: no memory */
    int64_t order, h, first, step;
    int64_t besides; /* roots more where the first part counts down */
    int64_t quarter; /* of a turn that t_k of mirror.h has */
    struct extended factor;
};

static struct turned_numbers turned_numbers(struct kernel *kernel, bool out, bool quarter)
{
    const struct reals *reals = &kernel->pass->reals[out];
    const int64_t h = kernel->pass->half_n ? kernel->pass->half_n / 2 : kernel->pass->length;
    const int64_t order = 8 * h % reals->order == 0 ? 8 * h : reals->order;
    struct turned_numbers numbers = {
        .order = order, .h = h, .quarter = out ? order / 4 : order / 4 * 3, .factor = {1, 0}};
    numbers.roots = handed_roots(kernel, order);
    if (quarter) numbers.besides = numbers.quarter;
    if (!reals_turn(reals)) return numbers;
    numbers.first = order / reals->order * reals->turn;
    numbers.step = order / reals->order * reals->turn_step;
    numbers.factor = reals_extended_factor(reals->factor);
    return numbers;
}

struct turn {
    double re, im;
};

/* Number k's turn, by `more` roots of order 8 h besides. */
static struct turn turn_of(const struct turned_numbers *numbers, int64_t k, int64_t more)
{
    const int64_t at = (numbers->first + k * numbers->step + more) % numbers->order;
    const struct extended_root root = root_table_get_extended(numbers->roots, at);
    return (struct turn){extended_multiply(numbers->factor, root.re).hi,
                         extended_multiply(numbers->factor, root.im).hi};
}

/* Turns are made so many at a time. */
#define TURN_CHUNK ROOT_CHUNK

/* The kernel's reals. */
union turn_chunk {
    float single[TURN_CHUNK];
    double wide[TURN_CHUNK];
};

/* The turns of `count` numbers `by` apart from k on, and those that are a quarter of a turn and
 * four roots for each number further on: four reals each, `plane` apart, each number's `step` from
 * the one before. */
struct turned_list {
    int64_t k, by, count;
    int64_t at, plane, step;
};

/* Reals of the kernel's to places `step` apart from number `at` of the table on. */
static void spread(const struct kernel *kernel, const struct cpu_table *t,
                   const union turn_chunk *from, int64_t at, const struct turned_list *list)
{
    for (int64_t i = 0; i < list->count; i++) {
        if (kernel->precision == WEFT_F32)
            ((float *)t->data)[at + i * list->step] = from->single[i];
        else
            ((double *)t->data)[at + i * list->step] = from->wide[i];
    }
}

/* Two reals for each number of a list, which is at root `first` and `step` from the one before. */
static bool list_roots(const struct kernel *kernel, const struct cpu_table *t,
                       const struct turned_numbers *numbers, int64_t first, int64_t step,
                       const struct turned_list *list)
{
    union turn_chunk re, im;
    const int64_t order = numbers->order;
    const struct root_range range = {order, first % order, step % order, list->count, 1};
    if (!table_fill_turns(kernel, numbers->roots, numbers->factor, &range, &re, &im)) return false;
    spread(kernel, t, &re, list->at, list);
    spread(kernel, t, &im, list->at + list->plane, list);
    return true;
}

static bool list_turns(const struct kernel *kernel, const struct cpu_table *t,
                       const struct turned_numbers *numbers, const struct turned_list *list)
{
    const int64_t here = numbers->first + numbers->besides;
    for (int further = 0; further < 2; further++) {
        const int64_t a_number = numbers->step + 4 * further;
        const int64_t first = here + further * numbers->quarter + list->k * a_number;
        struct turned_list half = *list;
        half.at += 2 * further * list->plane;
        if (!list_roots(kernel, t, numbers, first, list->by * a_number, &half)) return false;
    }
    return true;
}

/* Those of the vectors of the numbers 1 to h / 2. */
static bool list_vectors(const struct kernel *kernel, const struct cpu_table *t,
                         const struct turned_numbers *numbers, int64_t most)
{
    const int64_t width = most, end = numbers->h / 2 + 1;
    struct turned_list list = {.k = 1, .by = width, .at = 4 * most, .plane = 1, .step = 4};
    while (list.k + width < end) {
        const int64_t left = (end - 1 - list.k) / width;
        list.count = left < TURN_CHUNK ? left : TURN_CHUNK;
        if (!list_turns(kernel, t, numbers, &list)) return false;
        list.k += list.count * width;
        list.at += 4 * list.count;
    }
    list.k = end - width;
    list.count = 1;
    return list_turns(kernel, t, numbers, &list);
}

/* Those of lanes, which a vector's are multiplied by. */
static bool list_lanes(const struct kernel *kernel, const struct cpu_table *t,
                       const struct turned_numbers *numbers, int64_t most)
{
    struct turned_numbers lanes = *numbers;
    lanes.first = lanes.besides = lanes.quarter = 0;
    lanes.factor = once;
    const struct turned_list list = {.by = 1, .count = most, .plane = most, .step = 1};
    return list_turns(kernel, t, &lanes, &list);
}

/* conj u_{h-k} / u_k, of any k: this root. */
static int64_t root_of_mirrors(const struct turned_numbers *numbers)
{
    const int64_t order = numbers->order;
    const int64_t both = 2 * (numbers->first + numbers->besides) + numbers->h * numbers->step;
    return (order - both % order) % order;
}

/* A root, for singles as near as they are. */
static struct extended_root near_root(const struct kernel *kernel,
                                      const struct turned_numbers *numbers, int64_t k)
{
    struct extended_root root = {{0, 0}, {0, 0}};
    k %= numbers->order;
    if (kernel->precision == WEFT_F64) return root_table_get_extended(numbers->roots, k);
    root_table_get_near(numbers->roots, k, &root.re.hi, &root.im.hi);
    return root;
}

/* The factor times a sum that is rounded no sooner. */
static double sum_of(struct extended factor, struct extended a, struct extended b)
{
    const struct extended sum = extended_sum(a.hi, b.hi);
    return extended_multiply(factor, (struct extended){sum.hi, sum.lo + (a.lo + b.lo)}).hi;
}

static void store_sum(const struct kernel *kernel, const struct cpu_table *t, int64_t at,
                      int64_t plane, const struct extended_root part[2], struct extended factor)
{
    table_store(kernel, t, at, sum_of(factor, part[0].re, part[1].re));
    table_store(kernel, t, at + plane, sum_of(factor, part[0].im, part[1].im));
}

/* Those of number k: a, b, c b and c a. */
static void store_listed(const struct kernel *kernel, const struct cpu_table *t, int64_t at,
                         int64_t plane, const struct turned_numbers *numbers, int64_t k)
{
    const int64_t mirrors[] = {0, root_of_mirrors(numbers)};
    const int64_t u = numbers->first + numbers->besides + k * numbers->step;
    const int64_t w = u + numbers->quarter + numbers->order / numbers->h / 2 * k;
    for (int m = 0; m < 2; m++) {
        struct extended_root part[] = {near_root(kernel, numbers, u + mirrors[m]),
                                       near_root(kernel, numbers, w + mirrors[m])};
        store_sum(kernel, t, at + 6 * m * plane, plane, part, numbers->factor);
        part[1] = (struct extended_root){extended_negate(part[1].re), extended_negate(part[1].im)};
        store_sum(kernel, t, at + (2 + 2 * m) * plane, plane, part, numbers->factor);
    }
}

/* Those of the numbers 1 to h / 2, of each vector one behind the other. */
static void list_numbers(const struct kernel *kernel, const struct cpu_table *t,
                         const struct turned_numbers *numbers, int64_t width)
{
    const int64_t end = numbers->h / 2 + 1;
    int64_t at = 0;
    for (int64_t i = 1; i < end; i += width, at += 8 * width) {
        const int64_t k = i + width < end ? i : end - width;
        for (int64_t lane = 0; lane < width; lane++)
            store_listed(kernel, t, at + lane, width, numbers, k + lane);
    }
}

static struct cpu_table *add_listed(struct kernel *kernel, bool out,
                                    const struct turned_numbers *numbers, int64_t width)
{
    const int64_t vectors = (numbers->h / 2 + width - 1) / width;
    struct cpu_table *t =
        table_add(kernel, TABLE_MIRRORED_TURNS, out, 0, 0, 1, 8 * width * vectors);
    if (!t || !numbers->roots) return NULL;
    list_numbers(kernel, t, numbers, width);
    return t;
}

static struct cpu_table *add_turned(struct kernel *kernel, bool out,
                                    const struct turned_numbers *numbers, int64_t most)
{
    const int64_t vectors = (numbers->h / 2 + most - 1) / most;
    struct cpu_table *t =
        table_add(kernel, TABLE_MIRRORED_TURNS, out, 0, 0, 1, 4 * (most + vectors));
    const bool made = t && numbers->roots && list_lanes(kernel, t, numbers, most) &&
                      list_vectors(kernel, t, numbers, most);
    return made ? t : NULL;
}

const struct cpu_table *table_turned(struct kernel *kernel, bool out, bool quarter)
{
    const struct cpu_table *old = table_find(kernel, TABLE_MIRRORED_TURNS, out, 0, 0);
    const int64_t most = mirrors_of(kernel)->lanes;
    if (old) return old;
    struct turned_numbers numbers = turned_numbers(kernel, out, quarter);
    const struct cpu_table *t =
        mirrors_turns_listed(numbers.h, kernel->real_bytes)
            ? add_listed(kernel, out, &numbers, mirrors_listed_width(most, numbers.h))
            : add_turned(kernel, out, &numbers, most);
    return t;
}

/* Between the real that number 0, or the last one, is of, and the number, which is real. */
static double real_factor(const struct reals *reals, bool out, int64_t k, struct turn turn)
{
    const double first = reals_run_at(reals, 0, k, 0).weight;
    const double second = reals_run_at(reals, 1, k, 0).weight;
    if (!out) return first * turn.re - second * turn.im;
    return first != 0 ? first * turn.re : second * reals->im_sign * turn.im;
}

const struct cpu_table *table_turned_factors(struct kernel *kernel, bool out, int up,
                                             const double weight[2])
{
    const struct cpu_table *old = table_find(kernel, TABLE_FACTORS, 1 + out, 0, 0);
    if (old) return old;
    struct cpu_table *t = table_add(kernel, TABLE_FACTORS, 1 + out, 0, 0, 1, FACTORS);
    struct turned_numbers numbers = turned_numbers(kernel, out, up == 1);
    if (!t || !numbers.roots) return NULL;
    struct turn mirrors;
    root_table_get(numbers.roots, root_of_mirrors(&numbers), &mirrors.re, &mirrors.im);
    for (int d = 0; d < 2; d++) {
        const double scale = out ? kernel->scale[d] : 1, each = out ? scale / 2 : 1;
        const int64_t at = TABLE_FACTORS_A_DIRECTION * d;
        table_store(kernel, t, at, each * weight[up]);
        table_store(kernel, t, at + 1, up == 0 ? each * weight[1] : -each * weight[0]);
        for (int last = 0; last < 2; last++) {
            const int64_t k = last * numbers.h;
            const struct turn turn = turn_of(&numbers, k, 0);
            const double factor = real_factor(&kernel->pass->reals[out], out, k, turn);
            table_store(kernel, t, at + 2 + last, scale * factor);
        }
        table_store(kernel, t, at + 4, mirrors.re);
        table_store(kernel, t, at + 5, mirrors.im);
    }
    return t;
}

static void store_turn(const struct kernel *kernel, const struct cpu_table *t, int64_t at,
                       int64_t plane, struct turn turn)
{
    table_store(kernel, t, at, turn.re);
    table_store(kernel, t, at + plane, turn.im);
}

/* Those of the vectors of all numbers; the last one ends with the last number. */
static bool list_ends(const struct kernel *kernel, const struct cpu_table *t,
                      const struct turned_numbers *numbers, int64_t most)
{
    const int64_t last = (numbers->h - 1) / most, here = numbers->first + numbers->besides;
    struct turned_list list = {.by = most, .at = 2 * most, .plane = 1, .step = 2};
    for (int64_t v = 0; v < last; v += list.count) {
        list.count = last - v < TURN_CHUNK ? last - v : TURN_CHUNK;
        const int64_t first = here + v * most * numbers->step;
        if (!list_roots(kernel, t, numbers, first, most * numbers->step, &list)) return false;
        list.at += 2 * list.count;
    }
    store_turn(kernel, t, list.at, 1, turn_of(numbers, numbers->h - most, numbers->besides));
    return true;
}

/* All of them. */
static struct cpu_table *add_listed_ends(struct kernel *kernel, bool out,
                                         const struct turned_numbers *numbers)
{
    const int64_t h = numbers->h, here = numbers->first + numbers->besides;
    struct cpu_table *t = table_add(kernel, TABLE_ENDS, out, 0, 0, 1, 2 * h);
    struct turned_list list = {.plane = h, .step = 1};
    bool made = t && numbers->roots;
    for (; made && list.at < h; list.at += list.count) {
        list.count = h - list.at < TURN_CHUNK ? h - list.at : TURN_CHUNK;
        made = list_roots(kernel, t, numbers, here + list.at * numbers->step, numbers->step, &list);
    }
    return made ? t : NULL;
}

static struct cpu_table *add_ends(struct kernel *kernel, bool out,
                                  const struct turned_numbers *numbers, int64_t most)
{
    const int64_t vectors = (numbers->h + most - 1) / most;
    struct cpu_table *t = table_add(kernel, TABLE_ENDS, out, 0, 0, 1, 2 * (most + vectors));
    struct turned_numbers lanes = *numbers;
    lanes.first = 0;
    lanes.factor = once;
    bool made = t && numbers->roots;
    for (int64_t i = 0; made && i < most; i++)
        store_turn(kernel, t, i, most, turn_of(&lanes, i, 0));
    made = made && list_ends(kernel, t, numbers, most);
    return made ? t : NULL;
}

const struct cpu_table *table_ends(struct kernel *kernel, bool out, bool quarter)
{
    const struct cpu_table *old = table_find(kernel, TABLE_ENDS, out, 0, 0);
    const int64_t most = mirrors_of(kernel)->lanes;
    if (old) return old;
    const struct turned_numbers numbers = turned_numbers(kernel, out, quarter);
    return mirrors_ends_listed(numbers.h, kernel->real_bytes)
               ? add_listed_ends(kernel, out, &numbers)
               : add_ends(kernel, out, &numbers, most);
}

const struct cpu_table *table_ends_factors(struct kernel *kernel, bool out, bool quarter)
{
    const struct cpu_table *old = table_find(kernel, TABLE_FACTORS, 5 + out, 0, 0);
    if (old) return old;
    struct cpu_table *t = table_add(kernel, TABLE_FACTORS, 5 + out, 0, 0, 1, FACTORS);
    const struct reals *reals = &kernel->pass->reals[out];
    struct turned_numbers numbers = turned_numbers(kernel, out, quarter), both = numbers;
    const bool made = t && numbers.roots;
    both.factor = once;
    const struct turn c = made ? turn_of(&both, both.h - 1, both.first) : (struct turn){1, 0};
    for (int d = 0; made && d < 2; d++) {
        const double scale = out ? kernel->scale[d] : 1;
        const int64_t at = TABLE_FACTORS_A_DIRECTION * d;
        table_store(kernel, t, at, out || !quarter ? scale : -1);
        store_turn(kernel, t, at + 1, 1,
                   (struct turn){scale * reals->im_sign * c.re, scale * reals->im_sign * c.im});
        table_store(kernel, t, at + 3, scale * reals->im_sign);
    }
    return made ? t : NULL;
}

/* `count` turns of numbers 0, step, ..., planar from `at` on. */
static void store_turns(const struct kernel *kernel, const struct cpu_table *t, int64_t at,
                        int64_t count, int64_t step, const struct turned_numbers *numbers)
{
    for (int64_t i = 0; i < count; i++) {
        const struct turn turn = turn_of(numbers, i * step, numbers->besides);
        table_store(kernel, t, at + i, turn.re);
        table_store(kernel, t, at + i + t->plane, turn.im);
    }
}

const struct cpu_table *table_lane_turns(struct kernel *kernel, bool out, bool quarter)
{
    const struct cpu_table *old = table_find(kernel, TABLE_LANE_TURNS, out, 0, 0);
    const int64_t lanes = kernel->pass->loop[0].n;
    if (old) return old;
    struct cpu_table *t = table_add(kernel, TABLE_LANE_TURNS, out, 0, 0, lanes, 2 * lanes);
    struct turned_numbers numbers = turned_numbers(kernel, out, quarter);
    const bool made = t && numbers.roots;
    if (made) store_turns(kernel, t, 0, lanes, 1, &numbers);
    return made ? t : NULL;
}

const struct cpu_table *table_row_turns(struct kernel *kernel, bool out, int up,
                                        const double weight[2])
{
    const struct cpu_table *old = table_find(kernel, TABLE_ROW_TURNS, out, 0, 0);
    const int64_t rows = kernel->pass->line.n, step = kernel->pass->half_map.line;
    if (old) return old;
    struct cpu_table *t =
        table_add(kernel, TABLE_ROW_TURNS, out, 0, 0, rows, 2 * TABLE_ROW_TURNS_REALS(rows));
    struct turned_numbers numbers = turned_numbers(kernel, out, up == 1);
    const bool made = t && numbers.roots;
    for (int d = 0; made && d < 2; d++) {
        const double scale = out ? kernel->scale[d] : 1;
        const int64_t at = d * TABLE_ROW_TURNS_REALS(rows);
        const struct turn first = turn_of(&numbers, 0, 0);
        struct turned_numbers rest = numbers;
        rest.first = rest.besides = 0;
        rest.factor = (struct extended){scale * weight[up], 0};
        store_turns(kernel, t, at, rows, step, &rest);
        table_store(kernel, t, at + 2 * rows,
                    scale * real_factor(&kernel->pass->reals[out], out, 0, first));
    }
    return made ? t : NULL;
}

const struct cpu_table *table_signs(struct kernel *kernel, bool scaled)
{
    const struct cpu_table *old = table_find(kernel, TABLE_FACTORS, 3 + scaled, 0, 0);
    if (old) return old;
    struct cpu_table *t = table_add(kernel, TABLE_FACTORS, 3 + scaled, 0, 0, 1, FACTORS);
    for (int i = 0; t && i < FACTORS; i++) {
        const double factor = scaled ? kernel->scale[i / TABLE_FACTORS_A_DIRECTION] : 1;
        table_store(kernel, t, i, i % 2 ? factor * kernel->pass->reals[scaled].right : factor);
    }
    return t;
}

/* Reals that stand for more at an end of the lines (spec/reals.h): a part of general_half.h. */
#include "spec/reals.h"

/* What the operations need of them at one end. */
struct real_end {
    const struct reals *reals; /* parts == 0: there are none */
    int64_t stride;            /* of the reals */
    const REAL *turn;          /* factors of the numbers; NULL: none */
    int64_t turn_step;         /* 0: one factor for them all */
    int64_t turn_plane;
};

static inline void set_real_end(struct real_end *end, const struct cpu_operation *op,
                                const struct pass *pass, bool out)
{
    const struct reals *reals = &pass->reals[out];
    end->reals = reals;
    end->stride = reals->stride;
    end->turn = (const REAL *)op->turn_table[out];
    end->turn_step = reals->turn_step != 0;
    end->turn_plane = op->turn_plane[out];
}

static inline struct complex turn_number(const struct real_end *end, int64_t k, struct complex x)
{
    if (!end->turn) return x;
    const REAL re = end->turn[k * end->turn_step];
    const REAL im = end->turn[k * end->turn_step + end->turn_plane];
    return (struct complex){x.re * re - x.im * im, x.re * im + x.im * re};
}

/* ---- one number ---- */

static REAL read_part(const struct real_end *end, const REAL *line, int part, int64_t k)
{
    const struct reals_run run = reals_run_at(end->reals, part, k, 0);
    return run.weight == 0 ? 0 : (REAL)run.weight * line[run.real * end->stride];
}

static void write_part(const struct real_end *end, REAL *line, int part, int64_t k, REAL x)
{
    const struct reals_run run = reals_run_at(end->reals, part, k, 0);
    if (run.weight != 0) line[run.real * end->stride] = (REAL)run.weight * x;
}

/* line: its real 0. */
static struct complex read_number(const struct real_end *end, const REAL *line, int64_t k)
{
    struct complex x = {read_part(end, line, 0, k), 0};
    if (end->reals->parts == 2) x.im = read_part(end, line, 1, k);
    return turn_number(end, k, x);
}

static void write_number(const struct real_end *end, REAL *line, int64_t k, struct complex x)
{
    x = turn_number(end, k, x);
    write_part(end, line, 0, k, x.re);
    if (end->reals->parts == 2) write_part(end, line, 1, k, (REAL)end->reals->im_sign * x.im);
}

/* ---- rows of neighbours ---- */

/* Some numbers, of one line or each of another. */
struct row {
    int64_t count;
    int64_t k, by;      /* the first's, and from one to the next */
    REAL *line;         /* the first's real 0, or of half a spectrum X[0], */
    REAL *line_im;      /* and its imaginary part, */
    int64_t line_step;  /* and from one's to the next one's */
    REAL *re, *im;      /* where it is, or is to be, as a complex number, NULL: as its real part, */
    int64_t step;       /* and from one to the next */
};

/* Where the parts of a row's numbers are, so many `apart`, as long as they go on like this. */
struct strand {
    int64_t at, step; /* from row.line */
    REAL weight;
    int64_t count;
};

static struct strand strand_at(const struct real_end *end, const struct row *row, int part,
                               int64_t i, int64_t apart)
{
    const struct reals_run run =
        reals_run_at(end->reals, part, row->k + i * row->by, apart * row->by);
    return (struct strand){i * row->line_step + run.real * end->stride,
                           apart * row->line_step + run.step * end->stride, (REAL)run.weight,
                           run.count};
}

static inline int64_t shorter(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* to[j to_step] = weight from[j from_step]: inlined with the steps that most rows have. */
static inline __attribute__((always_inline)) void
weigh_steps(REAL *restrict to, int64_t to_step, const REAL *restrict from, int64_t from_step,
            REAL weight, int64_t count)
{
    for (int64_t j = 0; j < count; j++)
        to[j * to_step] = weight * from[j * from_step];
}

static void weigh(REAL *to, int64_t to_step, const REAL *from, int64_t from_step, REAL weight,
                  int64_t count)
{
    if (weight == 0 && to_step == 1) {
        memset(to, 0, (size_t)count * sizeof(REAL));
        return;
    }
    if (from_step < 0) { /* loads that go up make better vectors */
        to += (count - 1) * to_step;
        from += (count - 1) * from_step;
        to_step = -to_step;
        from_step = -from_step;
    }
    if (to_step == 1 && from_step == 1) weigh_steps(to, 1, from, 1, weight, count);
    else if (to_step == -1 && from_step == 1) weigh_steps(to, -1, from, 1, weight, count);
    else if (to_step == 1 && from_step == 2) weigh_steps(to, 1, from, 2, weight, count);
    else if (to_step == -1 && from_step == 2) weigh_steps(to, -1, from, 2, weight, count);
    else weigh_steps(to, to_step, from, from_step, weight, count);
}

/* x *= t */
static inline __attribute__((always_inline)) void
turn_steps(REAL *restrict re, REAL *restrict im, int64_t step, const REAL *restrict turn_re,
           const REAL *restrict turn_im, int64_t turn_step, int64_t count)
{
    for (int64_t j = 0; j < count; j++) {
        keep_apart(step);
        const REAL a = turn_re[j * turn_step], b = turn_im[j * turn_step];
        const REAL x = re[j * step], y = im[j * step];
        re[j * step] = x * a - y * b;
        im[j * step] = x * b + y * a;
    }
}

static void turn_row(const struct real_end *end, const struct row *row)
{
    const REAL *re = end->turn + row->k * end->turn_step, *im = re + end->turn_plane;
    const int64_t step = row->by * end->turn_step;
    if (row->step != 1) turn_steps(row->re, row->im, row->step, re, im, step, row->count);
    else if (step == 1) turn_steps(row->re, row->im, 1, re, im, 1, row->count);
    else if (step == -1) turn_steps(row->re, row->im, 1, re, im, -1, row->count);
    else if (step == 0) turn_steps(row->re, row->im, 1, re, im, 0, row->count);
    else turn_steps(row->re, row->im, 1, re, im, step, row->count);
}

/* first[j first_step] = from[2 j] and second[j second_step] = from[2 j + 1], times their weights.
 */
static inline __attribute__((always_inline)) void
part_steps(REAL *restrict first, int64_t first_step, REAL *restrict second, int64_t second_step,
           const REAL *restrict from, REAL first_weight, REAL second_weight, int64_t count)
{
    for (int64_t j = 0; j < count; j++) {
        first[j * first_step] = first_weight * from[2 * j];
        second[j * second_step] = second_weight * from[2 * j + 1];
    }
}

/* Of numbers from both ends: last[-j] is the second part. */
static __attribute__((noinline)) void
part_ends(REAL *first, REAL *last, const REAL *from, REAL first_weight, REAL second_weight,
          int64_t count)
{
    part_steps(first, 1, last, -1, from, first_weight, second_weight, count);
}

/* The other way. */
static __attribute__((noinline)) void
join_parts(REAL *restrict to, const REAL *restrict first, const REAL *restrict last,
           REAL first_weight, REAL second_weight, int64_t count)
{
    for (int64_t j = 0; j < count; j++) {
        to[2 * j] = first_weight * first[j];
        to[2 * j + 1] = second_weight * last[-j];
    }
}

/* Whether the second part comes back between what the first one goes. */
static bool comes_back(const struct strand *a, const struct strand *b, int64_t count)
{
    return a->step == 2 && b->step == -2 && b->at == a->at + 2 * count - 1;
}

/* Parts that alternate along contiguous reals, upwards or there and back. False: they do not. */
static bool part_reals(const struct row *row, int64_t i, int64_t count, const struct strand *a,
                       const struct strand *b)
{
    const int64_t apart = b->at - a->at, last = count - 1;
    REAL *re = row->re + i, *im = row->im + i;
    const REAL *up = row->line + a->at;
    const REAL x = a->weight, y = b->weight;
    if (row->step != 1) return false;
    if (comes_back(a, b, count)) {
        part_ends(re, im + last, up, x, y, count);
        return true;
    }
    if (a->step != b->step || a->step != 2 * apart) return false;
    if (apart == 1) part_steps(re, 1, im, 1, up, x, y, count);
    return apart == 1;
}

static bool is_whole_line(const struct real_end *end, const struct row *row)
{
    return row->k == 0 && row->by == 1 && row->count == end->reals->numbers && row->step == 1 &&
           row->line_step == 0 && end->stride == 1;
}

/* A whole contiguous line that goes there and back, two parts a number: the four reals 4 j and on
 * are those of number j and of the j-th from the end. */
static bool goes_there_and_back(const struct real_end *end, const struct row *row)
{
    const struct reals *reals = end->reals;
    return reals->parts == 2 && reals->part[0].step == 8 && reals->part[1].step == 8 &&
           is_whole_line(end, row);
}

/* Likewise an odd one, whose reals 2 j and 2 j + 1 are number j and the j-th from the end. */
static bool goes_there_alone(const struct real_end *end, const struct row *row)
{
    const struct reals *reals = end->reals;
    return reals->n % 2 != 0 && reals->parts == 1 && reals->part[0].step == 4 &&
           is_whole_line(end, row);
}

static void gather_there_and_back(const struct real_end *end, const struct row *row)
{
    const int64_t h = row->count;
    const REAL sign = (REAL)end->reals->right;
    const REAL *restrict from = row->line;
    REAL *restrict re = row->re, *restrict im = row->im;
    for (int64_t j = 0; j < h / 2; j++) {
        re[j] = from[4 * j];
        im[h - 1 - j] = sign * from[4 * j + 1];
        im[j] = from[4 * j + 2];
        re[h - 1 - j] = sign * from[4 * j + 3];
    }
    if (h % 2 == 0) return;
    re[h / 2] = from[4 * (h / 2)];
    im[h / 2] = sign * from[4 * (h / 2) + 1];
}

/* From reals to complex numbers. */
static void gather_row(const struct real_end *end, const struct row *row)
{
    const bool lone = end->reals->parts == 1;
    const int64_t last = row->count - 1;
    if (goes_there_and_back(end, row)) {
        gather_there_and_back(end, row);
        return;
    }
    if (goes_there_alone(end, row)) {
        part_ends(row->re, row->re + last, row->line, 1, (REAL)end->reals->right, last / 2);
        row->re[last / 2] = row->line[last];
        if (row->im) memset(row->im, 0, (size_t)row->count * sizeof(REAL));
        return;
    }
    for (int64_t i = 0; i < row->count;) {
        const struct strand a = strand_at(end, row, 0, i, 1);
        const struct strand b =
            lone ? (struct strand){.at = a.at, .count = a.count} : strand_at(end, row, 1, i, 1);
        const int64_t count = shorter(shorter(a.count, b.count), row->count - i);
        if (lone || !part_reals(row, i, count, &a, &b)) {
            const int64_t to = i * row->step;
            weigh(row->re + to, row->step, row->line + a.at, a.step, a.weight, count);
            if (row->im) weigh(row->im + to, row->step, row->line + b.at, b.step, b.weight, count);
        }
        i += count;
    }
    if (end->turn) turn_row(end, row);
}

/* Numbers on their way, in the first-level cache. */
#define CHUNK 256
struct chunk {
    REAL re[CHUNK], im[CHUNK];
};

/* Numbers that are turned, at most a chunk: those of one line and i times those of the other. */
static void gather_turned(const struct real_end *end, const struct row *one, const struct row *two)
{
    struct chunk chunk;
    struct row other = *two;
    other.re = chunk.re;
    other.im = chunk.im;
    gather_row(end, one);
    gather_row(end, &other);
    for (int64_t j = 0; j < one->count; j++) {
        one->re[j] -= chunk.im[j];
        one->im[j] += chunk.re[j];
    }
}

/* Two lines, that of imaginary parts the other. */
static void gather_two(const struct real_end *end, const struct row *row)
{
    struct row one = *row, two = *row;
    two.line = row->line_im;
    if (end->reals->parts == 1 && !end->turn) {
        two.re = row->im;
        one.im = two.im = NULL;
        gather_row(end, &one);
        gather_row(end, &two);
        return;
    }
    for (int64_t i = 0; i < row->count; i += one.count) {
        one.count = two.count = shorter(CHUNK, row->count - i);
        one.k = two.k = row->k + i * row->by;
        one.line = row->line + i * row->line_step;
        two.line = row->line_im + i * row->line_step;
        one.re = row->re + i;
        one.im = row->im + i;
        gather_turned(end, &one, &two);
    }
}

/* Of eighths numbers 8 apart have reals as far apart as each other. */
static void scatter_part(const struct real_end *end, const struct row *row, int part,
                         const REAL *from, REAL factor)
{
    const int shift = end->reals->eighths && row->by % 8 != 0 ? 3 : 0;
    const int64_t apart = INT64_C(1) << shift;
    for (int64_t first = 0; first < apart; first++) {
        for (int64_t i = first; i < row->count;) {
            const struct strand a = strand_at(end, row, part, i, apart);
            const int64_t count = shorter(a.count, (row->count - i + apart - 1) >> shift);
            if (a.weight != 0) {
                weigh(row->line + a.at, a.step, from + i * row->step, apart * row->step,
                      factor * a.weight, count);
            }
            i += count << shift;
        }
    }
}

/* Both parts at once, where they lie so. */
static bool scatter_parts(const struct real_end *end, const struct row *row, REAL factor)
{
    if (end->reals->parts < 2 || row->step != 1) return false;
    const struct strand a = strand_at(end, row, 0, 0, 1), b = strand_at(end, row, 1, 0, 1);
    const bool whole = a.count >= row->count && b.count >= row->count;
    if (!whole || !comes_back(&a, &b, row->count)) return false;
    join_parts(row->line + a.at, row->re, row->im + row->count - 1, factor * a.weight,
               factor * (REAL)end->reals->im_sign * b.weight, row->count);
    return true;
}

static void scatter_there_and_back(const struct real_end *end, const struct row *row, REAL factor)
{
    const int64_t h = row->count;
    const REAL sign = factor * (REAL)end->reals->right;
    const REAL *restrict re = row->re, *restrict im = row->im;
    REAL *restrict to = row->line;
    for (int64_t j = 0; j < h / 2; j++) {
        to[4 * j] = factor * re[j];
        to[4 * j + 1] = sign * im[h - 1 - j];
        to[4 * j + 2] = factor * im[j];
        to[4 * j + 3] = sign * re[h - 1 - j];
    }
    if (h % 2 == 0) return;
    to[4 * (h / 2)] = factor * re[h / 2];
    to[4 * (h / 2) + 1] = sign * im[h / 2];
}

/* From complex numbers, which are overwritten, to reals. */
static void scatter_row(const struct real_end *end, const struct row *row, REAL factor)
{
    const int64_t last = row->count - 1;
    if (goes_there_and_back(end, row)) {
        scatter_there_and_back(end, row, factor);
        return;
    }
    if (goes_there_alone(end, row)) {
        join_parts(row->line, row->re, row->re + last, factor,
                   factor * (REAL)end->reals->right, last / 2);
        row->line[last] = factor * row->re[last / 2];
        return;
    }
    if (end->turn) turn_row(end, row);
    if (scatter_parts(end, row, factor)) return;
    scatter_part(end, row, 0, row->re, factor);
    if (end->reals->parts == 2)
        scatter_part(end, row, 1, row->im, factor * (REAL)end->reals->im_sign);
}

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

static struct real_end real_end_of(const struct cpu_operation *op, const struct cpu_tile *tile,
                                   bool out)
{
    const struct reals *reals = &tile->kernel->pass->reals[out];
    return (struct real_end){.reals = reals,
                             .stride = reals->stride,
                             .turn = (const REAL *)op->turn_table[out],
                             .turn_step = reals->turn_step != 0,
                             .turn_plane = op->turn_plane[out]};
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
    REAL *line;         /* the first's real 0, */
    int64_t line_step;  /* and from one's to the next one's */
    REAL *re, *im;      /* where it is, or is to be, as a complex number, */
    int64_t step;       /* and from one to the next */
};

/* Where the parts of a row's numbers are, as long as they go on like this. */
struct strand {
    int64_t at, step; /* from row.line */
    REAL weight;
    int64_t count;
};

static struct strand strand_at(const struct real_end *end, const struct row *row, int part,
                               int64_t i, bool mirrored)
{
    const int64_t h = end->reals->numbers - 1, k = row->k + i * row->by;
    const struct reals_run run = mirrored ? reals_run_at(end->reals, part, h - k, -row->by)
                                          : reals_run_at(end->reals, part, k, row->by);
    return (struct strand){i * row->line_step + run.real * end->stride,
                           row->line_step + run.step * end->stride, (REAL)run.weight, run.count};
}

static inline int64_t shorter(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void gather_strands(const struct row *row, int64_t i, int64_t count, struct strand a,
                           struct strand b)
{
    const REAL *x = row->line + a.at, *y = row->line + b.at;
    REAL *re = row->re + i * row->step, *im = row->im + i * row->step;
    for (int64_t j = 0; j < count; j++) {
        re[j * row->step] = a.weight * x[j * a.step];
        im[j * row->step] = b.weight * y[j * b.step];
    }
}

static void turn_row(const struct real_end *end, const struct row *row)
{
    for (int64_t i = 0; i < row->count; i++) {
        const struct complex x = {row->re[i * row->step], row->im[i * row->step]};
        const struct complex y = turn_number(end, row->k + i * row->by, x);
        row->re[i * row->step] = y.re;
        row->im[i * row->step] = y.im;
    }
}

/* From reals to complex numbers. */
static void gather_row(const struct real_end *end, const struct row *row)
{
    const bool lone = end->reals->parts == 1;
    for (int64_t i = 0; i < row->count;) {
        const struct strand a = strand_at(end, row, 0, i, false);
        const struct strand b =
            lone ? (struct strand){.at = a.at, .count = a.count} : strand_at(end, row, 1, i, false);
        const int64_t count = shorter(shorter(a.count, b.count), row->count - i);
        gather_strands(row, i, count, a, b);
        i += count;
    }
    if (end->turn) turn_row(end, row);
}

static void scatter_strand(const struct row *row, const REAL *from, int64_t i, int64_t count,
                           struct strand a)
{
    REAL *x = row->line + a.at;
    for (int64_t j = 0; a.weight != 0 && j < count; j++)
        x[j * a.step] = a.weight * from[(i + j) * row->step];
}

static void scatter_part(const struct real_end *end, const struct row *row, int part,
                         const REAL *from, REAL factor)
{
    for (int64_t i = 0; i < row->count;) {
        struct strand a = strand_at(end, row, part, i, false);
        const int64_t count = shorter(a.count, row->count - i);
        a.weight *= factor;
        scatter_strand(row, from, i, count, a);
        i += count;
    }
}

/* From complex numbers, which are overwritten, to reals. */
static void scatter_row(const struct real_end *end, const struct row *row, REAL factor)
{
    if (end->turn) turn_row(end, row);
    scatter_part(end, row, 0, row->re, factor);
    if (end->reals->parts == 2)
        scatter_part(end, row, 1, row->im, factor * (REAL)end->reals->im_sign);
}

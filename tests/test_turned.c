/* Spectra of cosine transforms turned as they are folded and unfolded, and lines in two passes
 * (mirror.h), of every instruction set this machine has, against their formulas. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>

#include "support/mirror_trial.h"
#include "support/numbers.h"

#define ROWS       3
#define MOST_SHORT 70 /* more than two of the widest vectors, and what is left by each */

/* Two more vectors than any numbers that are listed. */
#define MOST_TURNED (MIRRORS_LIST_BYTES / 8 + 32)
/* Reals of a row: a line, behind one that nobody may touch. */
#define TURNED_PITCH (2 * MOST_TURNED + 1)

struct turned_line {
    double x[2 * MOST_TURNED];
    complex double turn[MOST_TURNED + 1]; /* of numbers 0 to h - 1 */
    int64_t o, step;
    double up, down, first, last;
    complex double mirrors; /* conj turn[h - k] / turn[k] */
    complex double ends;    /* turn[h - 1 - k] / conj turn[k] */
};

/* A number's turn, and what it is times t_k but for a quarter of a turn. */
static complex double both_turns(const struct mirror_trial *t, int64_t k, complex double turn)
{
    return mirror_root(k, 2 * t->h) * turn;
}

/* a, b, c b and c a of number k, planes apart. */
static void put_listed(const struct mirror_trial *t, const struct turned_line *line, int64_t k,
                       void *roots, int64_t at, int64_t plane)
{
    const complex double turn = line->turn[k], c = line->mirrors;
    const complex double rest = (t->folds ? I : -I) * both_turns(t, k, turn);
    mirror_put_pair(t, roots, at, plane, turn + rest);
    mirror_put_pair(t, roots, at + 2 * plane, plane, turn - rest);
    mirror_put_pair(t, roots, at + 4 * plane, plane, c * (turn - rest));
    mirror_put_pair(t, roots, at + 6 * plane, plane, c * (turn + rest));
}

static void fill_listed(const struct mirror_trial *t, const struct turned_line *line, void *roots)
{
    const int64_t width = mirrors_listed_width(t->mirrors->lanes, t->h), end = t->h / 2 + 1;
    int64_t at = 0;
    for (int64_t k = 1; k < end; k += width, at += 8 * width) {
        const int64_t first = k + width < end ? k : end - width;
        for (int64_t i = 0; i < width; i++)
            put_listed(t, line, first + i, roots, at + i, width);
    }
}

static void fill_turns(const struct mirror_trial *t, const struct turned_line *line, void *roots)
{
    const int most = t->mirrors->lanes;
    const complex double quarter = t->folds ? I : -I;
    int64_t k = 1, at = 4 * most;
    for (int64_t i = 0; i < most; i++) {
        const complex double turn = mirror_root(i * line->step, 1000);
        mirror_put_pair(t, roots, i, most, turn);
        mirror_put_pair(t, roots, i + 2 * most, most, both_turns(t, i, turn));
    }
    for (; k <= t->h / 2; k += most, at += 4) {
        const int64_t first = k + most <= t->h / 2 ? k : t->h / 2 + 1 - most;
        mirror_put_pair(t, roots, at, 1, line->turn[first]);
        mirror_put_pair(t, roots, at + 2, 1, quarter * both_turns(t, first, line->turn[first]));
    }
}

static struct turned_line random_line(const struct mirror_trial *t, void *x)
{
    struct turned_line line = {
        .o = rand() % 2 ? -1 : 0, .up = 0.5, .down = -0.25, .first = 0.5, .last = -0.5};
    for (int64_t i = 0; i < 2 * t->h; i++)
        line.x[i] = mirror_random();
    for (int64_t i = 0; i < ROWS * TURNED_PITCH; i++) {
        const int64_t real = i % TURNED_PITCH - 1;
        number_put(t->precision, x, i,
                   real >= 0 && real < 2 * t->h ? line.x[real] : MIRROR_SENTINEL);
    }
    const int64_t turn = rand() % 1000, step = rand() % 1000;
    line.step = step;
    for (int64_t k = 0; k < t->h; k++)
        line.turn[k] = mirror_root(turn + k * step, 1000);
    line.ends = mirror_root(2 * turn + (t->h - 1) * step, 1000);
    line.mirrors = conj(mirror_root(2 * turn + t->h * step, 1000));
    return line;
}

/* X[k] of the line of reals. */
static complex double turned_number(const struct mirror_trial *t, const struct turned_line *l,
                                    int64_t k)
{
    const int64_t n = 2 * t->h;
    if (k == 0) return l->first * l->x[l->o ? n - 1 : 0];
    if (k == t->h) return l->last * l->x[t->h + l->o];
    return l->turn[k] * mirror_complex(l->up * l->x[k + l->o], l->down * l->x[n - k + l->o]);
}

/* All rows are the same line. */
static void compare_rows(const struct mirror_trial *t, const void *found)
{
    for (int64_t row = 1; row < ROWS; row++) {
        for (int64_t i = 0; i < 2 * t->h; i++) {
            assert_true(number_at(t->precision, found, row * TURNED_PITCH + i) ==
                        number_at(t->precision, found, i));
        }
    }
}

/* The rows of a line of reals, and what becomes of them. */
struct turned_places {
    void *line, *y, *z, *roots, *factors;
    double bound;
};

/* The pairs from the reals. */
static void try_fold_turned(const struct mirror_trial *t, const struct codelet_shape *shape,
                            const struct turned_places *p, const struct turned_line *line)
{
    t->mirrors->fold_turned(shape, p->line, NULL, p->z, NULL, p->roots, p->factors);
    for (int64_t k = 0; k < t->h; k++) {
        const complex double own = turned_number(t, line, k);
        const complex double other = conj(turned_number(t, line, t->h - k));
        const complex double even = own + other, odd = I * mirror_root(k, 2 * t->h) * (own - other);
        assert_true(cabs(mirror_number(t, p->z, k) - even - odd) <= p->bound);
    }
    compare_rows(t, p->z);
}

/* The reals from the pairs, which are x of random_line(). */
static void try_unfold_turned(const struct mirror_trial *t, const struct codelet_shape *shape,
                              const struct turned_places *p, const struct turned_line *l)
{
    const double bound = p->bound, *z = l->x;
    const int64_t n = 2 * t->h, width = t->precision == WEFT_F32 ? 4 : 8;
    char *const y = p->y;
    number_put(t->precision, y, 0, MIRROR_SENTINEL);
    t->mirrors->unfold_turned(shape, p->line, NULL, y + width, NULL, p->roots, p->factors);
    assert_true(number_at(t->precision, y, 0) == MIRROR_SENTINEL);
    assert_true(fabs(number_at(t->precision, y, l->o ? n : 1) - l->first * (z[0] + z[1])) <= bound);
    assert_true(fabs(number_at(t->precision, y, 1 + t->h + l->o) - l->last * (z[0] - z[1])) <=
                bound);
    for (int64_t k = 1; k < t->h; k++) {
        const complex double own = mirror_complex(z[2 * k], z[2 * k + 1]);
        const complex double other = mirror_complex(z[n - 2 * k], -z[n - 2 * k + 1]);
        const complex double odd = -I * mirror_root(k, n) * (own - other);
        const complex double turned = l->turn[k] * (own + other + odd);
        const double up = number_at(t->precision, y, 1 + k + l->o),
                     down = number_at(t->precision, y, 1 + n - k + l->o);
        assert_true(fabs(up - l->up * creal(turned)) <= bound);
        assert_true(fabs(down - l->down * cimag(turned)) <= bound);
    }
    compare_rows(t, y + width);
}

static void try_parting(const struct mirror_trial *t, const struct codelet_shape *shape,
                        const struct turned_places *p)
{
    const int64_t n = 2 * t->h;
    const void *const x = p->line, *const y = p->y, *const z = p->z;
    t->mirrors->part(shape, x, NULL, p->y, NULL, NULL, p->factors);
    t->mirrors->join(shape, y, NULL, p->z, NULL, NULL, p->factors);
    for (int64_t i = 0; i < t->h; i++) {
        assert_true(number_at(t->precision, y, i) == 0.5 * number_at(t->precision, x, 2 * i));
        assert_true(number_at(t->precision, y, n - 1 - i) ==
                    -0.25 * number_at(t->precision, x, 2 * i + 1));
        assert_true(number_at(t->precision, z, 2 * i) == 0.25 * number_at(t->precision, x, 2 * i));
        assert_true(number_at(t->precision, z, 2 * i + 1) ==
                    0.0625 * number_at(t->precision, x, 2 * i + 1));
    }
    compare_rows(t, y);
    compare_rows(t, z);
}

static void fill_listed_ends(const struct mirror_trial *t, const struct turned_line *line,
                             void *roots)
{
    for (int64_t k = 0; k < t->h; k++)
        mirror_put_pair(t, roots, k, t->h, line->turn[k]);
}

static void fill_ends(const struct mirror_trial *t, const struct turned_line *line, void *roots)
{
    const int64_t most = t->mirrors->lanes, last = t->h - most;
    for (int64_t i = 0; i < most; i++)
        mirror_put_pair(t, roots, i, most, mirror_root(i * line->step, 1000));
    for (int64_t k = 0; k < t->h; k += most)
        mirror_put_pair(t, roots, 2 * most + 2 * (k / most), 1, line->turn[k < last ? k : last]);
}

/* Numbers of reals from both ends of the line, and reals of these. */
static void try_ends(const struct mirror_trial *t, const struct codelet_shape *shape,
                     const struct turned_places *p, const struct turned_line *l)
{
    const int64_t n = 2 * t->h;
    if (mirrors_ends_listed(t->h, t->precision == WEFT_F32 ? 4 : 8))
        fill_listed_ends(t, l, p->roots);
    else
        fill_ends(t, l, p->roots);
    number_put(t->precision, p->factors, 6, -1);
    t->mirrors->of_ends(shape, p->line, NULL, p->z, NULL, p->roots, p->factors);
    number_put(t->precision, p->factors, 6, l->up);
    mirror_put_pair(t, p->factors, 7, 1, l->down * l->ends);
    number_put(t->precision, p->factors, 9, l->down);
    t->mirrors->to_ends(shape, p->z, NULL, p->y, NULL, p->roots, p->factors);
    for (int64_t k = 0; k < t->h; k++) {
        const complex double number =
            l->turn[k] * mirror_complex(l->x[2 * k], -l->x[n - 1 - 2 * k]);
        const complex double turned = l->turn[k] * number;
        const double end = number_at(t->precision, p->y, n - 1 - 2 * k);
        assert_true(cabs(mirror_number(t, p->z, k) - number) <= p->bound);
        assert_true(fabs(number_at(t->precision, p->y, 2 * k) - l->up * creal(turned)) <= p->bound);
        assert_true(fabs(end - l->down * cimag(turned)) <= p->bound);
    }
    compare_rows(t, p->z);
    compare_rows(t, p->y);
}

static void run_turned(struct mirror_trial *t)
{
    const bool single = t->precision == WEFT_F32;
    static double x[ROWS * TURNED_PITCH], y[ROWS * TURNED_PITCH], z[ROWS * TURNED_PITCH];
    static double roots[4 * MOST_TURNED], factors[12];
    const struct turned_line line = random_line(t, x);
    const struct turned_places p = {(char *)x + (single ? 4 : 8), y, z, roots, factors,
                                    single ? 2e-6 : 4e-15};
    const struct codelet_shape shape = {.rows = ROWS,
                                        .lanes = t->h,
                                        .in_row = TURNED_PITCH,
                                        .out_row = TURNED_PITCH,
                                        .turn = line.o,
                                        .fine_row = 6};
    const double each[] = {line.up,   line.down,           line.first,
                           line.last, creal(line.mirrors), cimag(line.mirrors)};
    for (int i = 0; i < 12; i++)
        number_put(t->precision, p.factors, i, i < 6 ? MIRROR_SENTINEL : each[i - 6]);
    if (mirrors_turns_listed(t->h, single ? 4 : 8))
        fill_listed(t, &line, p.roots);
    else
        fill_turns(t, &line, p.roots);
    if (t->folds)
        try_fold_turned(t, &shape, &p, &line);
    else
        try_unfold_turned(t, &shape, &p, &line);
    try_parting(t, &shape, &p);
    try_ends(t, &shape, &p, &line);
}

static void turn_all(const struct cpu_mirrors *mirrors)
{
    for (int i = 0; i < 8; i++) {
        struct mirror_trial t = {.precision = i & 1 ? WEFT_F64 : WEFT_F32, .folds = i & 2};
        t.mirrors = &mirrors[t.precision];
        const int64_t real = t.precision == WEFT_F32 ? 4 : 8;
        const int64_t listed = MIRRORS_LIST_BYTES / 4 / real;
        for (t.h = t.mirrors->lanes; t.h <= MOST_SHORT; t.h++)
            run_turned(&t);
        for (t.h = listed - 1; t.h <= listed + 32; t.h++)
            run_turned(&t);
        for (t.h = 2 * listed - 1; t.h <= 2 * listed + 32; t.h++)
            run_turned(&t);
    }
}

/* ---- lines in two passes ---- */

#define MOST_LANES 40
#define PLACES     (2 * ROWS * MOST_LANES) /* of reals, twice as many as a tile has */

struct split_trial {
    const struct mirror_trial *t;
    struct codelet_shape shape;
    void *x, *y, *planes, *lane, *row;
};

static complex double planar_at(const struct mirror_trial *t, const void *from, int64_t at,
                                int64_t plane)
{
    return mirror_complex(number_at(t->precision, from, at),
                          number_at(t->precision, from, at + plane));
}

static void *place_in(const struct mirror_trial *t, void *data, int64_t at)
{
    return (char *)data + at * (t->precision == WEFT_F32 ? 4 : 8);
}

/* Reals up and down from the middle of x to planes, and from there to y: times a turn and back. */
static void try_reals(const struct split_trial *s)
{
    const struct mirror_trial *t = s->t;
    const int64_t up = PLACES / 2, down = up - 1, lanes = s->shape.lanes, plane = ROWS * lanes;
    const double bound = t->precision == WEFT_F32 ? 2e-6 : 4e-15;
    t->mirrors->of_reals(&s->shape, place_in(t, s->x, up), place_in(t, s->x, down), s->planes,
                         place_in(t, s->planes, plane), s->row, s->lane);
    t->mirrors->to_reals(&s->shape, s->planes, place_in(t, s->planes, plane), place_in(t, s->y, up),
                         place_in(t, s->y, down), s->row, s->lane);
    for (int64_t i = 0; i < plane; i++) {
        const double sign = (double)s->shape.turn;
        const complex double turn =
            planar_at(t, s->row, i / lanes, ROWS) * planar_at(t, s->lane, i % lanes, MOST_LANES);
        const complex double x =
            turn * mirror_complex(number_at(t->precision, s->x, up + i),
                                  sign * number_at(t->precision, s->x, down - i));
        const complex double y = turn * x;
        assert_true(cabs(planar_at(t, s->planes, i, plane) - x) <= bound);
        assert_true(fabs(number_at(t->precision, s->y, up + i) - creal(y)) <= bound);
        assert_true(fabs(number_at(t->precision, s->y, down - i) - sign * cimag(y)) <= bound);
    }
    assert_true(number_at(t->precision, s->y, up + plane) == MIRROR_SENTINEL);
    assert_true(number_at(t->precision, s->y, down - plane) == MIRROR_SENTINEL);
}

/* Pairs of x from its beginning, and from its last one back. */
static void try_numbers(struct split_trial *s)
{
    const struct mirror_trial *t = s->t;
    const int64_t lanes = s->shape.lanes, plane = ROWS * lanes, last = PLACES / 2 - 1;
    t->mirrors->of_numbers(&s->shape, s->x, NULL, s->planes, place_in(t, s->planes, plane), NULL,
                           s->row);
    for (int64_t i = 0; i < plane; i++)
        assert_true(planar_at(t, s->planes, i, plane) ==
                    mirror_scaled(t, mirror_number(t, s->x, i)));
    s->shape.in_row = -lanes;
    t->mirrors->of_mirrored(&s->shape, place_in(t, s->x, 2 * last), NULL, s->planes,
                            place_in(t, s->planes, plane), NULL, s->row);
    for (int64_t i = 0; i < plane; i++) {
        const complex double x = conj(mirror_scaled(t, mirror_number(t, s->x, last - i)));
        assert_true(planar_at(t, s->planes, i, plane) == x);
    }
}

static void run_split(const struct mirror_trial *t, int64_t lanes)
{
    static double x[PLACES], y[PLACES], planes[PLACES], lane[2 * MOST_LANES], row[2 * ROWS];
    struct split_trial s = {
        t,  {.rows = ROWS, .lanes = lanes, .in_row = lanes, .out_row = lanes}, x, y, planes, lane,
        row};
    s.shape.turn = rand() % 2 ? 1 : -1;
    s.shape.twiddle_plane = ROWS;
    s.shape.fine_plane = MOST_LANES;
    for (int64_t i = 0; i < PLACES; i++) {
        number_put(t->precision, s.x, i, mirror_random());
        number_put(t->precision, s.y, i, MIRROR_SENTINEL);
    }
    for (int64_t i = 0; i < MOST_LANES; i++)
        mirror_put_pair(t, s.lane, i, MOST_LANES, mirror_root(rand() % 1000, 1000));
    for (int64_t i = 0; i < ROWS; i++)
        mirror_put_pair(t, s.row, i, ROWS, mirror_root(rand() % 1000, 1000));
    try_reals(&s);
    number_put(t->precision, s.row, 0, t->factor[0]);
    number_put(t->precision, s.row, 1, t->factor[1]);
    try_numbers(&s);
}

static void split_all(const struct cpu_mirrors *mirrors)
{
    for (int i = 0; i < 2; i++) {
        struct mirror_trial t = {.precision = i ? WEFT_F64 : WEFT_F32, .factor = {0.5, -0.25}};
        t.mirrors = &mirrors[t.precision];
        for (int64_t lanes = 1; lanes < MOST_LANES; lanes++)
            run_split(&t, lanes);
    }
}

static void every_width_of_vectors_turns_mirrored_numbers_as_the_formulas_say(void **state)
{
    (void)state;
    mirror_on_every_width(turn_all);
}

static void every_width_of_vectors_takes_lines_in_two_passes(void **state)
{
    (void)state;
    mirror_on_every_width(split_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_of_vectors_turns_mirrored_numbers_as_the_formulas_say),
        cmocka_unit_test(every_width_of_vectors_takes_lines_in_two_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

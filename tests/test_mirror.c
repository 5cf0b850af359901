/* Half a spectrum folded and unfolded where lines of pairs lie (mirror.h), of every instruction set
 * this machine has, against the formulas of enum pass_half, number by number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "device/cpu/engine.h"
#include "device/cpu/mirror.h"
#include "math/roots.h"

#define MOST_NUMBERS 70 /* more than two of the widest vectors, and what is left by each */
#define ROWS         3
#define GAP          2 /* numbers between two rows that nobody may touch */
#define SENTINEL     1234.5
#define PITCH        (MOST_NUMBERS + 1 + GAP)

struct trial {
    const struct cpu_mirrors *mirrors;
    weft_precision precision;
    bool folds, in_place;
    int64_t h;
    double factor[2]; /* of real and imaginary parts */
};

static double random_real(void)
{
    return (double)(float)((double)rand() / RAND_MAX - 0.5);
}

static complex double complex_of(double re, double im)
{
    return re + I * im;
}

static complex double root(int64_t k, int64_t n)
{
    double re, im;
    root_double(k, n, &re, &im);
    return complex_of(re, im);
}

static complex double scaled(const struct trial *t, complex double x)
{
    return complex_of(t->factor[0] * creal(x), t->factor[1] * cimag(x));
}

/* Number k of what becomes of the line. */
static complex double expected(const struct trial *t, const complex double *line, int64_t k)
{
    const int64_t h = t->h, first = t->folds ? h : 0; /* the mirror of number 0 */
    complex double x = line[k == h ? first : k], y = line[k == 0 ? first : h - k];
    if (!t->folds) return scaled(t, x + conj(y) - I * root(k, 2 * h) * (x - conj(y)));
    if (k == 0) x = creal(x), y = creal(y);
    x = scaled(t, x);
    y = scaled(t, y);
    return x + conj(y) + I * root(k, 2 * h) * (x - conj(y));
}

static void put(const struct trial *t, void *to, int64_t at, double x)
{
    if (t->precision == WEFT_F32) ((float *)to)[at] = (float)x;
    else ((double *)to)[at] = x;
}

static complex double number_at(const struct trial *t, const void *from, int64_t at)
{
    if (t->precision == WEFT_F64)
        return complex_of(((const double *)from)[2 * at], ((const double *)from)[2 * at + 1]);
    const float *single = from;
    return complex_of((double)single[2 * at], (double)single[2 * at + 1]);
}

static void fill(const struct trial *t, complex double in[ROWS][PITCH], void *from)
{
    for (int64_t i = 0; i < ROWS * PITCH; i++) {
        const bool there = i % PITCH < t->h + t->folds;
        const complex double x = there ? complex_of(random_real(), random_real()) : SENTINEL;
        in[i / PITCH][i % PITCH] = x;
        put(t, from, 2 * i, creal(x));
        put(t, from, 2 * i + 1, cimag(x));
    }
}

static void fill_roots(const struct trial *t, void *roots, void *factors)
{
    for (int64_t k = 1; 2 * k <= t->h; k++) {
        const complex double x = (t->folds ? I : -I) * root(k, 2 * t->h);
        put(t, roots, 2 * k - 2, creal(x));
        put(t, roots, 2 * k - 1, cimag(x));
    }
    for (int i = 0; i < 4; i++)
        put(t, factors, i, i < 2 ? SENTINEL : t->factor[i - 2]);
}

static void compare(const struct trial *t, complex double in[ROWS][PITCH], const void *found)
{
    const double bound = t->precision == WEFT_F32 ? 2e-6 : 4e-15;
    for (int64_t row = 0; row < ROWS; row++) {
        const int64_t numbers = t->h + !t->folds, touched = t->in_place ? t->h + 1 : numbers;
        for (int64_t k = 0; k < numbers; k++) {
            const complex double x = number_at(t, found, row * PITCH + k);
            assert_true(cabs(x - expected(t, in[row], k)) <= bound);
        }
        for (int64_t k = touched; k < PITCH; k++)
            assert_true(creal(number_at(t, found, row * PITCH + k)) == SENTINEL);
    }
}

static void run_trial(const struct trial *t)
{
    static double from[2 * ROWS * PITCH], to[2 * ROWS * PITCH], roots[MOST_NUMBERS], factors[4];
    complex double in[ROWS][PITCH];
    const struct codelet_shape shape = {
        .rows = ROWS, .lanes = t->h, .in_row = PITCH, .out_row = PITCH, .fine_row = 2};
    fill(t, in, from);
    fill_roots(t, roots, factors);
    for (int64_t i = 0; i < 2 * ROWS * PITCH; i++)
        put(t, to, i, SENTINEL);
    void *const out = t->in_place ? from : to;
    (t->folds ? t->mirrors->fold : t->mirrors->unfold)(&shape, from, NULL, out, NULL, roots,
                                                       factors);
    compare(t, in, out);
}

static void try_all(const struct cpu_mirrors *mirrors)
{
    const double factors[][2] = {{1, 1}, {0.5, -0.5}};
    for (int i = 0; i < 16; i++) {
        struct trial t = {.precision = i & 1 ? WEFT_F64 : WEFT_F32,
                          .folds = i & 2,
                          .in_place = i & 4};
        t.mirrors = &mirrors[t.precision];
        memcpy(t.factor, factors[i >> 3], sizeof t.factor);
        for (t.h = 1; t.h <= MOST_NUMBERS; t.h++)
            run_trial(&t);
    }
}

/* ---- turned ---- */

/* Two more vectors than any numbers that are listed. */
#define MOST_TURNED (MIRRORS_LIST_BYTES / 16 + 32)
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

static void put_pair(const struct trial *t, void *to, int64_t re, int64_t apart, complex double x)
{
    put(t, to, re, creal(x));
    put(t, to, re + apart, cimag(x));
}

/* A number's turn, and what it is times t_k but for a quarter of a turn. */
static complex double both_turns(const struct trial *t, int64_t k, complex double turn)
{
    return root(k, 2 * t->h) * turn;
}

/* a, b, c b and c a of number k, planes apart. */
static void put_listed(const struct trial *t, const struct turned_line *line, int64_t k,
                       void *roots, int64_t at, int64_t plane)
{
    const complex double turn = line->turn[k], c = line->mirrors;
    const complex double rest = (t->folds ? I : -I) * both_turns(t, k, turn);
    put_pair(t, roots, at, plane, turn + rest);
    put_pair(t, roots, at + 2 * plane, plane, turn - rest);
    put_pair(t, roots, at + 4 * plane, plane, c * (turn - rest));
    put_pair(t, roots, at + 6 * plane, plane, c * (turn + rest));
}

static void fill_listed(const struct trial *t, const struct turned_line *line, void *roots)
{
    const int64_t width = mirrors_listed_width(t->mirrors->lanes, t->h), end = t->h / 2 + 1;
    int64_t at = 0;
    for (int64_t k = 1; k < end; k += width, at += 8 * width) {
        const int64_t first = k + width < end ? k : end - width;
        for (int64_t i = 0; i < width; i++)
            put_listed(t, line, first + i, roots, at + i, width);
    }
}

static void fill_turns(const struct trial *t, const struct turned_line *line, void *roots)
{
    const int most = t->mirrors->lanes;
    const complex double quarter = t->folds ? I : -I;
    int64_t k = 1, at = 4 * most;
    for (int64_t i = 0; i < most; i++) {
        const complex double turn = root(i * line->step, 1000);
        put_pair(t, roots, i, most, turn);
        put_pair(t, roots, i + 2 * most, most, both_turns(t, i, turn));
    }
    for (; k <= t->h / 2; k += most, at += 4) {
        const int64_t first = k + most <= t->h / 2 ? k : t->h / 2 + 1 - most;
        put_pair(t, roots, at, 1, line->turn[first]);
        put_pair(t, roots, at + 2, 1, quarter * both_turns(t, first, line->turn[first]));
    }
}

static struct turned_line random_line(const struct trial *t, void *x)
{
    struct turned_line line = {
        .o = rand() % 2 ? -1 : 0, .up = 0.5, .down = -0.25, .first = 0.5, .last = -0.5};
    for (int64_t i = 0; i < 2 * t->h; i++)
        line.x[i] = random_real();
    for (int64_t i = 0; i < ROWS * TURNED_PITCH; i++) {
        const int64_t real = i % TURNED_PITCH - 1;
        put(t, x, i, real >= 0 && real < 2 * t->h ? line.x[real] : SENTINEL);
    }
    const int64_t turn = rand() % 1000, step = rand() % 1000;
    line.step = step;
    for (int64_t k = 0; k < t->h; k++)
        line.turn[k] = root(turn + k * step, 1000);
    line.ends = root(2 * turn + (t->h - 1) * step, 1000);
    line.mirrors = conj(root(2 * turn + t->h * step, 1000));
    return line;
}

/* X[k] of the line of reals. */
static complex double turned_number(const struct trial *t, const struct turned_line *l, int64_t k)
{
    const int64_t n = 2 * t->h;
    if (k == 0) return l->first * l->x[l->o ? n - 1 : 0];
    if (k == t->h) return l->last * l->x[t->h + l->o];
    return l->turn[k] * complex_of(l->up * l->x[k + l->o], l->down * l->x[n - k + l->o]);
}

static double real_of(const struct trial *t, const void *from, int64_t at)
{
    return t->precision == WEFT_F32 ? (double)((const float *)from)[at]
                                    : ((const double *)from)[at];
}

/* All rows are the same line. */
static void compare_rows(const struct trial *t, const void *found)
{
    for (int64_t row = 1; row < ROWS; row++) {
        for (int64_t i = 0; i < 2 * t->h; i++) {
            assert_true(real_of(t, found, row * TURNED_PITCH + i) == real_of(t, found, i));
        }
    }
}

/* The rows of a line of reals, and what becomes of them. */
struct turned_places {
    void *line, *y, *z, *roots, *factors;
    double bound;
};

/* The pairs from the reals. */
static void try_fold_turned(const struct trial *t, const struct codelet_shape *shape,
                            const struct turned_places *p, const struct turned_line *line)
{
    t->mirrors->fold_turned(shape, p->line, NULL, p->z, NULL, p->roots, p->factors);
    for (int64_t k = 0; k < t->h; k++) {
        const complex double own = turned_number(t, line, k);
        const complex double other = conj(turned_number(t, line, t->h - k));
        const complex double even = own + other, odd = I * root(k, 2 * t->h) * (own - other);
        assert_true(cabs(number_at(t, p->z, k) - even - odd) <= p->bound);
    }
    compare_rows(t, p->z);
}

/* The reals from the pairs, which are x of random_line(). */
static void try_unfold_turned(const struct trial *t, const struct codelet_shape *shape,
                              const struct turned_places *p, const struct turned_line *l)
{
    const double bound = p->bound, *z = l->x;
    const int64_t n = 2 * t->h, width = t->precision == WEFT_F32 ? 4 : 8;
    char *const y = p->y;
    put(t, y, 0, SENTINEL);
    t->mirrors->unfold_turned(shape, p->line, NULL, y + width, NULL, p->roots, p->factors);
    assert_true(real_of(t, y, 0) == SENTINEL);
    assert_true(fabs(real_of(t, y, l->o ? n : 1) - l->first * (z[0] + z[1])) <= bound);
    assert_true(fabs(real_of(t, y, 1 + t->h + l->o) - l->last * (z[0] - z[1])) <= bound);
    for (int64_t k = 1; k < t->h; k++) {
        const complex double own = complex_of(z[2 * k], z[2 * k + 1]);
        const complex double other = complex_of(z[n - 2 * k], -z[n - 2 * k + 1]);
        const complex double odd = -I * root(k, n) * (own - other);
        const complex double turned = l->turn[k] * (own + other + odd);
        const double up = real_of(t, y, 1 + k + l->o), down = real_of(t, y, 1 + n - k + l->o);
        assert_true(fabs(up - l->up * creal(turned)) <= bound);
        assert_true(fabs(down - l->down * cimag(turned)) <= bound);
    }
    compare_rows(t, y + width);
}

static void try_parting(const struct trial *t, const struct codelet_shape *shape,
                        const struct turned_places *p)
{
    const int64_t n = 2 * t->h;
    const void *const x = p->line, *const y = p->y, *const z = p->z;
    t->mirrors->part(shape, x, NULL, p->y, NULL, NULL, p->factors);
    t->mirrors->join(shape, y, NULL, p->z, NULL, NULL, p->factors);
    for (int64_t i = 0; i < t->h; i++) {
        assert_true(real_of(t, y, i) == 0.5 * real_of(t, x, 2 * i));
        assert_true(real_of(t, y, n - 1 - i) == -0.25 * real_of(t, x, 2 * i + 1));
        assert_true(real_of(t, z, 2 * i) == 0.25 * real_of(t, x, 2 * i));
        assert_true(real_of(t, z, 2 * i + 1) == 0.0625 * real_of(t, x, 2 * i + 1));
    }
    compare_rows(t, y);
    compare_rows(t, z);
}

static void fill_ends(const struct trial *t, const struct turned_line *line, void *roots)
{
    const int64_t most = t->mirrors->lanes, last = t->h - most;
    for (int64_t i = 0; i < most; i++)
        put_pair(t, roots, i, most, root(i * line->step, 1000));
    for (int64_t k = 0; k < t->h; k += most)
        put_pair(t, roots, 2 * most + 2 * (k / most), 1, line->turn[k < last ? k : last]);
}

/* Numbers of reals from both ends of the line, and reals of these. */
static void try_ends(const struct trial *t, const struct codelet_shape *shape,
                     const struct turned_places *p, const struct turned_line *l)
{
    const int64_t n = 2 * t->h;
    fill_ends(t, l, p->roots);
    put(t, p->factors, 6, -1);
    t->mirrors->of_ends(shape, p->line, NULL, p->z, NULL, p->roots, p->factors);
    put(t, p->factors, 6, l->up);
    put_pair(t, p->factors, 7, 1, l->down * l->ends);
    t->mirrors->to_ends(shape, p->z, NULL, p->y, NULL, p->roots, p->factors);
    for (int64_t k = 0; k < t->h; k++) {
        const complex double number = l->turn[k] * complex_of(l->x[2 * k], -l->x[n - 1 - 2 * k]);
        const complex double turned = l->turn[k] * number;
        const double end = real_of(t, p->y, n - 1 - 2 * k);
        assert_true(cabs(number_at(t, p->z, k) - number) <= p->bound);
        assert_true(fabs(real_of(t, p->y, 2 * k) - l->up * creal(turned)) <= p->bound);
        assert_true(fabs(end - l->down * cimag(turned)) <= p->bound);
    }
    compare_rows(t, p->z);
    compare_rows(t, p->y);
}

static void run_turned(struct trial *t)
{
    const bool single = t->precision == WEFT_F32;
    static double x[ROWS * TURNED_PITCH], y[ROWS * TURNED_PITCH], z[ROWS * TURNED_PITCH];
    static double roots[4 * MOST_TURNED], factors[12];
    const struct turned_line line = random_line(t, x);
    const struct turned_places p = {
        (char *)x + (single ? 4 : 8), y, z, roots, factors, single ? 2e-6 : 4e-15};
    const struct codelet_shape shape = {.rows = ROWS,
                                        .lanes = t->h,
                                        .in_row = TURNED_PITCH,
                                        .out_row = TURNED_PITCH,
                                        .turn = line.o,
                                        .fine_row = 6};
    const double each[] = {line.up,   line.down,           line.first,
                           line.last, creal(line.mirrors), cimag(line.mirrors)};
    for (int i = 0; i < 12; i++)
        put(t, p.factors, i, i < 6 ? SENTINEL : each[i - 6]);
    if (mirrors_turns_listed(t->h, single ? 4 : 8)) fill_listed(t, &line, p.roots);
    else fill_turns(t, &line, p.roots);
    if (t->folds) try_fold_turned(t, &shape, &p, &line);
    else try_unfold_turned(t, &shape, &p, &line);
    try_parting(t, &shape, &p);
    try_ends(t, &shape, &p, &line);
}

static void turn_all(const struct cpu_mirrors *mirrors)
{
    for (int i = 0; i < 8; i++) {
        struct trial t = {.precision = i & 1 ? WEFT_F64 : WEFT_F32, .folds = i & 2};
        t.mirrors = &mirrors[t.precision];
        const int64_t real = t.precision == WEFT_F32 ? 4 : 8;
        const int64_t listed = MIRRORS_LIST_BYTES / 4 / real;
        for (t.h = t.mirrors->lanes; t.h <= MOST_NUMBERS; t.h++)
            run_turned(&t);
        for (t.h = listed - 1; t.h <= listed + 32; t.h++)
            run_turned(&t);
    }
}

/* ---- lines in two passes ---- */

#define MOST_LANES 40
#define PLACES     (2 * ROWS * MOST_LANES) /* of reals, twice as many as a tile has */

struct split_trial {
    const struct trial *t;
    struct codelet_shape shape;
    void *x, *y, *planes, *lane, *row;
};

static complex double planar_at(const struct trial *t, const void *from, int64_t at, int64_t plane)
{
    return complex_of(real_of(t, from, at), real_of(t, from, at + plane));
}

static void *place_in(const struct trial *t, void *data, int64_t at)
{
    return (char *)data + at * (t->precision == WEFT_F32 ? 4 : 8);
}

/* Reals up and down from the middle of x to planes, and from there to y: times a turn and back. */
static void try_reals(const struct split_trial *s)
{
    const struct trial *t = s->t;
    const int64_t up = PLACES / 2, down = up - 1, lanes = s->shape.lanes, plane = ROWS * lanes;
    const double bound = t->precision == WEFT_F32 ? 2e-6 : 4e-15;
    t->mirrors->of_reals(&s->shape, place_in(t, s->x, up), place_in(t, s->x, down), s->planes,
                         place_in(t, s->planes, plane), s->row, s->lane);
    t->mirrors->to_reals(&s->shape, s->planes, place_in(t, s->planes, plane),
                         place_in(t, s->y, up), place_in(t, s->y, down), s->row, s->lane);
    for (int64_t i = 0; i < plane; i++) {
        const double sign = (double)s->shape.turn;
        const complex double turn = planar_at(t, s->row, i / lanes, ROWS) *
                                    planar_at(t, s->lane, i % lanes, MOST_LANES);
        const complex double x = turn * complex_of(real_of(t, s->x, up + i),
                                                   sign * real_of(t, s->x, down - i));
        const complex double y = turn * x;
        assert_true(cabs(planar_at(t, s->planes, i, plane) - x) <= bound);
        assert_true(fabs(real_of(t, s->y, up + i) - creal(y)) <= bound);
        assert_true(fabs(real_of(t, s->y, down - i) - sign * cimag(y)) <= bound);
    }
    assert_true(real_of(t, s->y, up + plane) == SENTINEL);
    assert_true(real_of(t, s->y, down - plane) == SENTINEL);
}

/* Pairs of x from its beginning, and from its last one back. */
static void try_numbers(struct split_trial *s)
{
    const struct trial *t = s->t;
    const int64_t lanes = s->shape.lanes, plane = ROWS * lanes, last = PLACES / 2 - 1;
    t->mirrors->of_numbers(&s->shape, s->x, NULL, s->planes, place_in(t, s->planes, plane), NULL,
                           s->row);
    for (int64_t i = 0; i < plane; i++)
        assert_true(planar_at(t, s->planes, i, plane) == scaled(t, number_at(t, s->x, i)));
    s->shape.in_row = -lanes;
    t->mirrors->of_mirrored(&s->shape, place_in(t, s->x, 2 * last), NULL, s->planes,
                            place_in(t, s->planes, plane), NULL, s->row);
    for (int64_t i = 0; i < plane; i++) {
        const complex double x = conj(scaled(t, number_at(t, s->x, last - i)));
        assert_true(planar_at(t, s->planes, i, plane) == x);
    }
}

static void run_split(const struct trial *t, int64_t lanes)
{
    static double x[PLACES], y[PLACES], planes[PLACES], lane[2 * MOST_LANES], row[2 * ROWS];
    struct split_trial s = {t, {.rows = ROWS, .lanes = lanes, .in_row = lanes, .out_row = lanes},
                            x, y, planes, lane, row};
    s.shape.turn = rand() % 2 ? 1 : -1;
    s.shape.twiddle_plane = ROWS;
    s.shape.fine_plane = MOST_LANES;
    for (int64_t i = 0; i < PLACES; i++) {
        put(t, s.x, i, random_real());
        put(t, s.y, i, SENTINEL);
    }
    for (int64_t i = 0; i < MOST_LANES; i++)
        put_pair(t, s.lane, i, MOST_LANES, root(rand() % 1000, 1000));
    for (int64_t i = 0; i < ROWS; i++)
        put_pair(t, s.row, i, ROWS, root(rand() % 1000, 1000));
    try_reals(&s);
    put(t, s.row, 0, t->factor[0]);
    put(t, s.row, 1, t->factor[1]);
    try_numbers(&s);
}

static void split_all(const struct cpu_mirrors *mirrors)
{
    for (int i = 0; i < 2; i++) {
        struct trial t = {.precision = i ? WEFT_F64 : WEFT_F32, .factor = {0.5, -0.25}};
        t.mirrors = &mirrors[t.precision];
        for (int64_t lanes = 1; lanes < MOST_LANES; lanes++)
            run_split(&t, lanes);
    }
}

/* ---- tests ---- */

static void on_every_width(void (*all)(const struct cpu_mirrors *))
{
    all(mirrors_basic);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all(mirrors_avx2);
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        all(mirrors_avx512);
#endif
}

static void every_width_of_vectors_mirrors_numbers_as_the_formulas_say(void **state)
{
    (void)state;
    on_every_width(try_all);
}

static void every_width_of_vectors_turns_mirrored_numbers_as_the_formulas_say(void **state)
{
    (void)state;
    on_every_width(turn_all);
}

static void every_width_of_vectors_takes_lines_in_two_passes(void **state)
{
    (void)state;
    on_every_width(split_all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_width_of_vectors_mirrors_numbers_as_the_formulas_say),
        cmocka_unit_test(every_width_of_vectors_turns_mirrored_numbers_as_the_formulas_say),
        cmocka_unit_test(every_width_of_vectors_takes_lines_in_two_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support/interpreter.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/factor.h"
#include "math/window.h"

struct machine {
    const struct program *program;
    weft_direction direction;
    bool reversed; /* the lines of every pass run from the last to the first */
    bool outside;  /* scratch was touched outside its bounds */
    double complex *place[PASS_PLACES];
    int64_t offset[PASS_PLACES];
    double complex *table[PROGRAM_MAX_PASSES];
};

static double complex root(int64_t k, int64_t n)
{
    double angle = -2 * M_PI * (double)(k % n) / (double)n;
    return cos(angle) + I * sin(angle);
}

static double complex chirp(int64_t j, int64_t n)
{
    return root((int64_t)multiply_mod((uint64_t)j, (uint64_t)j, 2 * (uint64_t)n), 2 * n);
}

static double complex swapped(double complex x)
{
    return cimag(x) + I * creal(x);
}

void dft(int64_t n, bool backward, const double complex *in, double complex *out)
{
    double complex *w = malloc((size_t)n * sizeof *w), *sum = malloc((size_t)n * sizeof *sum);
    assert_non_null(w);
    assert_non_null(sum);
    for (int64_t k = 0; k < n; k++)
        w[k] = backward ? conj(root(k, n)) : root(k, n);
    for (int64_t k = 0; k < n; k++) {
        sum[k] = 0;
        for (int64_t j = 0, index = 0; j < n; j++) {
            sum[k] += in[j] * w[index];
            index += k;
            if (index >= n) index -= n;
        }
    }
    memcpy(out, sum, (size_t)n * sizeof *out);
    free(w);
    free(sum);
}

double complex *interpret_table(const struct program_table *table)
{
    double complex *x = calloc((size_t)table->m, sizeof *x);
    assert_non_null(x);
    if (table->kind == TABLE_CHIRP) {
        for (int64_t j = 0; j < table->m; j++)
            x[j] = chirp(j, table->n);
        return x;
    }
    if (table->kind == TABLE_RADER_SPECTRUM) {
        uint64_t g = (uint64_t)primitive_root(table->n);
        for (int64_t q = 0; q < table->m; q++)
            x[q] = root((int64_t)power_mod(g, (uint64_t)q, (uint64_t)table->n), table->n);
    } else {
        for (int64_t j = 0; j < table->n; j++) {
            x[j] = conj(chirp(j, table->n));
            if (j > 0) x[table->m - j] = x[j];
        }
    }
    dft(table->m, false, x, x);
    for (int64_t q = 0; q < table->m; q++)
        x[q] /= (double)table->m;
    return x;
}

static int64_t map_at(const struct pass_map *map, int loops, const int64_t *counter, int64_t line)
{
    int64_t value = map->line * line;
    for (int i = 0; i < loops; i++)
        value += map->loop[i] * counter[i];
    return value;
}

static double complex *element(struct machine *m, enum pass_place place, int64_t index)
{
    static double complex nowhere;
    int64_t at = m->offset[place] + index;
    const bool own = place == PASS_SCRATCH || place == PASS_LAID;
    const int64_t most =
        place == PASS_LAID ? m->program->laid_elements : m->program->scratch_elements;
    if (own && (at < 0 || at >= most)) {
        m->outside = true;
        return &nowhere;
    }
    return m->place[place] + at;
}

static bool chirped_out(const struct pass *pass, bool applies, const int64_t *counter, int64_t e)
{
    return applies && map_at(&pass->chirp_map, pass->loops, counter, e) >= pass->chirp_n;
}

/* Where element e of a line with its folds lies, from its element 0. */
static int64_t place_in_line(const struct pass *pass, bool out, int64_t e)
{
    int64_t rest = e / pass->line.n;
    int64_t place = e % pass->line.n * (out ? pass->line.out_stride : pass->line.in_stride);
    for (int i = 0; i < pass->folds; i++) {
        const struct dim *dim = &pass->fold[i].dim;
        place += rest % dim->n * (out ? dim->out_stride : dim->in_stride);
        rest /= dim->n;
    }
    return place;
}

/* Where the line of these counts begins. */
static int64_t line_begin(const struct pass *pass, bool out, const int64_t *counter)
{
    int64_t begin = pass->offset[out];
    for (int i = 0; i < pass->loops; i++)
        begin += counter[i] * (out ? pass->loop[i].out_stride : pass->loop[i].in_stride);
    return begin;
}

static void gather(struct machine *m, const struct pass *pass, const int64_t *counter,
                   double complex *x)
{
    const int64_t base = line_begin(pass, false, counter);
    for (int64_t e = 0; e < pass_line_elements(pass); e++) {
        x[e] = 0;
        if (chirped_out(pass, pass->chirp_before, counter, e)) continue;
        x[e] = *element(m, pass->from, base + place_in_line(pass, false, e));
        if (m->direction == WEFT_INVERSE) x[e] = swapped(x[e]);
        if (pass->chirp_before) {
            x[e] *= chirp(map_at(&pass->chirp_map, pass->loops, counter, e), pass->chirp_n);
        }
    }
}

static void scatter(struct machine *m, const struct pass *pass, const int64_t *counter,
                    double complex *x)
{
    const int64_t base = line_begin(pass, true, counter);
    for (int64_t e = 0; e < pass_line_elements(pass); e++) {
        if (chirped_out(pass, pass->chirp_after, counter, e)) continue;
        if (pass->chirp_after) {
            x[e] *= chirp(map_at(&pass->chirp_map, pass->loops, counter, e), pass->chirp_n);
        }
        if (pass->twiddle_order > 0) {
            double complex w = root(e * counter[pass->twiddle_loop], pass->twiddle_order);
            x[e] *= pass->twiddle_conjugate ? conj(w) : w;
        }
        if (pass->scaled) x[e] *= m->program->problem.scale[m->direction];
        if (m->direction == WEFT_INVERSE) x[e] = swapped(x[e]);
        *element(m, pass->to, base + place_in_line(pass, true, e)) = x[e];
    }
}

static void run_rader(const struct machine *m, const struct pass *pass, double complex *x)
{
    uint64_t n = (uint64_t)pass->line.n, g = (uint64_t)primitive_root(pass->line.n);
    uint64_t inverse = inverse_mod(g, n);
    double complex *a = malloc((size_t)n * sizeof *a), first = x[0];
    assert_non_null(a);
    for (uint64_t q = 0; q < n - 1; q++)
        a[q] = x[power_mod(inverse, q, n)];
    dft(pass->length, false, a, a);
    x[0] += a[0];
    for (uint64_t q = 0; q < n - 1; q++)
        a[q] = a[q] * m->table[pass->spectrum_table][q] + (q == 0 ? first : 0);
    dft(pass->length, true, a, a);
    for (uint64_t q = 0; q < n - 1; q++)
        x[power_mod(g, q, n)] = a[q];
    free(a);
}

static void run_convolution(const struct machine *m, const struct pass *pass,
                            const int64_t *counter, double complex *x)
{
    for (int64_t e = pass->line.n; e < pass->length; e++)
        x[e] = 0;
    dft(pass->length, false, x, x);
    const double complex *spectrum = m->table[pass->spectrum_table];
    for (int64_t q = 0; q < pass->length; q++) {
        int64_t entry = map_at(&pass->spectrum_map, pass->loops, counter, q);
        assert_true(entry >= 0 && entry < m->program->table[pass->spectrum_table].m);
        x[q] *= spectrum[entry];
    }
    dft(pass->length, true, x, x);
}

/* The axis of a tile whose neighbours are `inner` elements apart. */
static void run_fold(const struct pass *pass, int64_t n, int64_t inner, double complex *x)
{
    double complex *line = malloc((size_t)n * sizeof *line);
    assert_non_null(line);
    for (int64_t first = 0; first < pass->length; first++) {
        if (first / inner % n != 0) continue;
        for (int64_t i = 0; i < n; i++)
            line[i] = x[first + i * inner];
        dft(n, pass->backward, line, line);
        for (int64_t i = 0; i < n; i++)
            x[first + i * inner] = line[i];
    }
    free(line);
}

static void run_transform(const struct pass *pass, double complex *x)
{
    int64_t inner = pass->line.n;
    run_fold(pass, pass->line.n, 1, x);
    for (int i = 0; i < pass->folds; i++) {
        run_fold(pass, pass->fold[i].dim.n, inner, x);
        inner *= pass->fold[i].dim.n;
    }
}

/* From 0 on, of a line of n. */
static int64_t wrapped(int64_t i, int64_t n)
{
    return (i % n + n) % n;
}

static double window_polynomial(const double *fit, double y)
{
    double sum = 0;
    for (int p = WINDOW_DOUBLE_DEGREE; p >= 0; p--)
        sum = sum * y + fit[p];
    return sum;
}

/* Any window is right: that of doubles. */
static void run_spread(struct machine *m, const struct pass *pass, const int64_t *counter,
                       const double complex *x)
{
    const int64_t n = pass->line.n, h = pass->length, base = line_begin(pass, true, counter);
    const struct window window = window_make(n, h, sizeof(double));
    double fit[WINDOW_FIT];
    window_fit_factor(&window, fit);
    for (int64_t i = 0; i < 2 * h; i++)
        *element(m, pass->to, base + (i < h ? i : pass->apart + i - h)) = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t j = 2 * i > n ? i - n : i;
        double complex number =
            x[i] * window_polynomial(fit, (double)(8 * j * j) / (double)(n * n));
        for (int odd = 0; odd < 2; odd++) {
            if (odd) number *= root(wrapped(j, 2 * h), 2 * h);
            *element(m, pass->to, base + odd * pass->apart + wrapped(j, h)) +=
                m->direction == WEFT_INVERSE ? swapped(number) : number;
        }
    }
}

static void run_resample(struct machine *m, const struct pass *pass, const int64_t *counter,
                         double complex *x)
{
    const int64_t base = line_begin(pass, false, counter);
    const struct window window = window_make(pass->line.n, pass->length, sizeof(double));
    double fit[WINDOW_MOST_TAPS][WINDOW_FIT];
    window_fit_taps(&window, fit);
    for (int64_t k = 0; k < pass->line.n; k++) {
        x[k] = 0;
        int64_t tap[2];
        double y[2];
        const struct window_firsts firsts = {{&tap[0], &tap[1]}, {&y[0], &y[1]}};
        window_first_taps(&window, k, 1, &firsts);
        for (int odd = 0; odd < 2; odd++) {
            for (int t = 0; t < window.taps; t++) {
                const int64_t q = wrapped(tap[odd] + t, window.h);
                const double complex number =
                    *element(m, pass->from, base + odd * pass->apart + q);
                x[k] += window_polynomial(fit[t], y[odd]) *
                        (m->direction == WEFT_INVERSE ? swapped(number) : number);
            }
        }
    }
}

/* Row k of an odd line of reals, which is cut to pass->line.n / pass->length of them. */
static double complex *row_of(struct machine *m, const struct pass *pass, const int64_t *counter,
                              int64_t k)
{
    const bool opens = pass->body == PASS_OPEN;
    const int64_t base = line_begin(pass, opens, counter);
    return element(m, opens ? pass->to : pass->from, base + k * pass->apart);
}

static void run_open(struct machine *m, const struct pass *pass, const int64_t *counter,
                     const double complex *x)
{
    const int64_t n = pass->line.n, length = pass->length, r = n / length;
    for (int64_t k = 0; k <= r / 2; k++) {
        double complex *row = row_of(m, pass, counter, k);
        for (int64_t j = 0; j < length; j++) {
            double complex sum = 0;
            for (int64_t i = 0; i < r; i++)
                sum += x[j + length * i] * root((j + length * i) * k % n, n);
            row[j] = pass->lone ? sum : x[r * j + k];
        }
    }
}

static void run_close(struct machine *m, const struct pass *pass, const int64_t *counter,
                      double complex *x)
{
    const int64_t n = pass->line.n, length = pass->length, r = n / length;
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = i % r, j = i / r;
        if (pass->lone) x[i] = row_of(m, pass, counter, 0)[i % length];
        else x[i] = k <= r / 2 ? row_of(m, pass, counter, k)[j]
                               : conj(row_of(m, pass, counter, r - k)[length - 1 - j]);
        for (int64_t row = 1; pass->lone && row <= r / 2; row++) {
            const double complex number = row_of(m, pass, counter, row)[i % length];
            x[i] += 2 * creal(number * root(i * row % n, n));
        }
    }
}

static void run_body(struct machine *m, const struct pass *pass, const int64_t *counter,
                     double complex *x)
{
    if (pass->body == PASS_TRANSFORM) run_transform(pass, x);
    if (pass->body == PASS_CONVOLUTION) run_convolution(m, pass, counter, x);
    if (pass->body == PASS_RADER) run_rader(m, pass, x);
    if (pass->body == PASS_SPREAD) run_spread(m, pass, counter, x);
    if (pass->body == PASS_RESAMPLE) run_resample(m, pass, counter, x);
    if (pass->body == PASS_OPEN) run_open(m, pass, counter, x);
    if (pass->body == PASS_CLOSE) run_close(m, pass, counter, x);
}

static int64_t product_of(int radices, const int *radix)
{
    int64_t product = 1;
    for (int i = 0; i < radices; i++)
        product *= radix[i];
    return product;
}

static void check_pass(const struct pass *pass)
{
    int64_t product = product_of(pass->radices, pass->radix);
    if (pass->body == PASS_CONVOLUTION || pass->body == PASS_RADER)
        assert_int_equal(product, pass->length);
    if (pass->body == PASS_TRANSFORM) {
        assert_int_equal(product, pass->line.n);
        assert_int_equal(pass->length, pass_line_elements(pass));
    }
    for (int i = 0; i < pass->folds; i++) {
        const struct pass_fold *fold = &pass->fold[i];
        assert_int_equal(product_of(fold->radices, fold->radix), fold->dim.n);
    }
    if (pass->body == PASS_CONVOLUTION) assert_true(pass->line.n <= pass->length);
    if (pass->body == PASS_RADER) assert_int_equal(pass->length, pass->line.n - 1);
    if (pass->twiddle_order > 0) assert_in_range(pass->twiddle_loop, 0, pass->loops - 1);
}

static void run_pass(struct machine *m, const struct pass *pass)
{
    check_pass(pass);
    int64_t lines = pass_lines(pass);
    int64_t most = pass->length > pass->line.n ? pass->length : pass->line.n;
    double complex *x = malloc((size_t)most * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < lines; i++) {
        int64_t counter[PASS_MAX_LOOPS], rest = m->reversed ? lines - 1 - i : i;
        for (int l = 0; l < pass->loops; l++) {
            counter[l] = rest % pass->loop[l].n;
            rest /= pass->loop[l].n;
        }
        if (pass->body != PASS_RESAMPLE && pass->body != PASS_CLOSE) gather(m, pass, counter, x);
        run_body(m, pass, counter, x);
        if (pass->body != PASS_SPREAD && pass->body != PASS_OPEN) scatter(m, pass, counter, x);
    }
    free(x);
}

static void run_stage(struct machine *m, const struct program_stage *stage)
{
    int64_t steps = 1;
    for (int i = 0; i < stage->outers; i++)
        steps *= stage->outer[i].n;
    for (int64_t step = 0; step < steps; step++) {
        int64_t rest = step;
        m->offset[PASS_INPUT] = m->offset[PASS_OUTPUT] = 0;
        for (int i = 0; i < stage->outers; i++) {
            m->offset[PASS_INPUT] += rest % stage->outer[i].n * stage->outer[i].in_stride;
            m->offset[PASS_OUTPUT] += rest % stage->outer[i].n * stage->outer[i].out_stride;
            rest /= stage->outer[i].n;
        }
        m->offset[PASS_LAID] = stage->to == PASS_LAID ? m->offset[PASS_OUTPUT] : 0;
        for (int i = stage->first; i < stage->first + stage->passes; i++)
            run_pass(m, &m->program->pass[i]);
    }
}

void interpret_pass(const struct program *program, double complex *table, weft_direction direction,
                    double complex *in, double complex *out)
{
    struct machine m = {.program = program, .direction = direction};
    m.place[PASS_INPUT] = in;
    m.place[PASS_OUTPUT] = out;
    m.table[0] = table;
    run_pass(&m, &program->pass[0]);
}

void interpret_program(const struct program *program, weft_direction direction, bool reversed,
                       double complex *in, double complex *out)
{
    struct machine m = {.program = program, .direction = direction, .reversed = reversed};
    m.place[PASS_INPUT] = in;
    m.place[PASS_OUTPUT] = out;
    m.place[PASS_SCRATCH] = calloc((size_t)program->scratch_elements + 1, sizeof *out);
    m.place[PASS_WORK] = calloc((size_t)program->work_elements + 1, sizeof *out);
    m.place[PASS_LAID] = calloc((size_t)program->laid_elements + 1, sizeof *out);
    assert_non_null(m.place[PASS_SCRATCH]);
    assert_non_null(m.place[PASS_WORK]);
    assert_non_null(m.place[PASS_LAID]);
    for (int i = 0; i < program->tables; i++)
        m.table[i] = interpret_table(&program->table[i]);
    for (int i = 0; i < program->stages; i++)
        run_stage(&m, &program->stage[i]);
    assert_false(m.outside);
    for (int i = 0; i < program->tables; i++)
        free(m.table[i]);
    free(m.place[PASS_SCRATCH]);
    free(m.place[PASS_WORK]);
    free(m.place[PASS_LAID]);
}

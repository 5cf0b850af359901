/* Planning: what programs compute, with no device at all. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "math/factor.h"
#include "math/window.h"
#include "plan/planner.h"

/* ---- the interpreter: spec/pass.h to the letter ---- */

struct machine {
    const struct program *program;
    weft_direction direction;
    bool reversed; /* the lines of every pass run from the last to the first */
    bool outside;  /* scratch was touched outside its bounds */
    double complex *place[PASS_WORK + 1];
    int64_t offset[PASS_WORK + 1];
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

/* out[k] = sum_j in[j] exp(-2 pi i j k / n), + if backward. */
static void dft(int64_t n, bool backward, const double complex *in, double complex *out)
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

static double complex *make_table(const struct program_table *table)
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
    if (place == PASS_SCRATCH && (at < 0 || at >= m->program->scratch_elements)) {
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

static void gather(struct machine *m, const struct pass *pass, const int64_t *counter,
                   double complex *x)
{
    int64_t base = 0;
    for (int i = 0; i < pass->loops; i++)
        base += counter[i] * pass->loop[i].in_stride;
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
    int64_t base = 0;
    for (int i = 0; i < pass->loops; i++)
        base += counter[i] * pass->loop[i].out_stride;
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
static void run_spread(struct machine *m, const struct pass *pass, const double complex *x)
{
    const int64_t n = pass->line.n, h = pass->length;
    const struct window window = window_make(n, h, sizeof(double));
    double fit[WINDOW_FIT];
    window_fit_factor(&window, fit);
    for (int64_t i = 0; i < 2 * h; i++)
        *element(m, pass->to, i < h ? i : pass->apart + i - h) = 0;
    for (int64_t i = 0; i < n; i++) {
        const int64_t j = 2 * i > n ? i - n : i;
        double complex number =
            x[i] * window_polynomial(fit, (double)(8 * j * j) / (double)(n * n));
        for (int odd = 0; odd < 2; odd++) {
            if (odd) number *= root(wrapped(j, 2 * h), 2 * h);
            *element(m, pass->to, odd * pass->apart + wrapped(j, h)) =
                m->direction == WEFT_INVERSE ? swapped(number) : number;
        }
    }
}

static void run_resample(struct machine *m, const struct pass *pass, double complex *x)
{
    const struct window window = window_make(pass->line.n, pass->length, sizeof(double));
    double fit[WINDOW_MOST_TAPS][WINDOW_FIT];
    window_fit_taps(&window, fit);
    for (int64_t k = 0; k < pass->line.n; k++) {
        x[k] = 0;
        const struct window_first first = window_first_taps(&window, k);
        for (int odd = 0; odd < 2; odd++) {
            for (int t = 0; t < window.taps; t++) {
                const int64_t q = wrapped(k + first.tap[odd] + t, window.h);
                const double complex number = *element(m, pass->from, odd * pass->apart + q);
                x[k] += window_polynomial(fit[t], first.y[odd]) *
                        (m->direction == WEFT_INVERSE ? swapped(number) : number);
            }
        }
    }
}

static void run_body(struct machine *m, const struct pass *pass, const int64_t *counter,
                     double complex *x)
{
    if (pass->body == PASS_TRANSFORM) run_transform(pass, x);
    if (pass->body == PASS_CONVOLUTION) run_convolution(m, pass, counter, x);
    if (pass->body == PASS_RADER) run_rader(m, pass, x);
    if (pass->body == PASS_SPREAD) run_spread(m, pass, x);
    if (pass->body == PASS_RESAMPLE) run_resample(m, pass, x);
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
        if (pass->body != PASS_RESAMPLE) gather(m, pass, counter, x);
        run_body(m, pass, counter, x);
        if (pass->body != PASS_SPREAD) scatter(m, pass, counter, x);
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
        for (int i = stage->first; i < stage->first + stage->passes; i++)
            run_pass(m, &m->program->pass[i]);
    }
}

/* in and out point at the elements (0, ..., 0) and may be the same. */
static void run_program(const struct program *program, weft_direction direction, bool reversed,
                        double complex *in, double complex *out)
{
    struct machine m = {.program = program, .direction = direction, .reversed = reversed};
    m.place[PASS_INPUT] = in;
    m.place[PASS_OUTPUT] = out;
    m.place[PASS_SCRATCH] = calloc((size_t)program->scratch_elements + 1, sizeof *out);
    m.place[PASS_WORK] = calloc((size_t)program->work_elements + 1, sizeof *out);
    assert_non_null(m.place[PASS_SCRATCH]);
    assert_non_null(m.place[PASS_WORK]);
    for (int i = 0; i < program->tables; i++)
        m.table[i] = make_table(&program->table[i]);
    for (int i = 0; i < program->stages; i++)
        run_stage(&m, &program->stage[i]);
    assert_false(m.outside);
    for (int i = 0; i < program->tables; i++)
        free(m.table[i]);
    free(m.place[PASS_SCRATCH]);
    free(m.place[PASS_WORK]);
}

/* ---- problems in any layout ---- */

static uint64_t random_state = 1;

static uint64_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return random_state;
}

/* From `least` to `most`. */
static int64_t random_between(int64_t least, int64_t most)
{
    return least + (int64_t)(random_bits() % (uint64_t)(most - least + 1));
}

static double random_real(void)
{
    return (double)(random_bits() >> 11) * 0x1p-52 - 1;
}

/* One side's memory: strides of the dimensions, what they span, and where (0, ..., 0) lies. */
struct layout {
    int64_t stride[PROBLEM_MAX_DIMS];
    int64_t span, origin;
};

/* Packed row-major; or in random order, with gaps and negative strides. */
static struct layout make_layout(int dims, const int64_t *n, bool packed)
{
    struct layout layout = {.span = 1};
    int order[PROBLEM_MAX_DIMS];
    for (int i = 0; i < dims; i++)
        order[i] = dims - 1 - i;
    for (int i = dims - 1; i > 0 && !packed; i--) {
        int j = (int)random_between(0, i), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    for (int i = 0; i < dims; i++) {
        int64_t stride = layout.span + (packed ? 0 : random_between(0, 2));
        bool negative = !packed && random_between(0, 3) == 0;
        layout.span = stride * n[order[i]];
        layout.stride[order[i]] = negative ? -stride : stride;
        if (negative) layout.origin += stride * (n[order[i]] - 1);
    }
    return layout;
}

/* A problem in the making: its dimensions, which of them are axes, and both layouts. */
struct trial {
    int dims;
    int64_t n[PROBLEM_MAX_DIMS];
    uint32_t axes;
    struct layout in, out;
    struct problem problem;
};

static struct trial make_trial(int dims, const int64_t *n, uint32_t axes, bool packed,
                               bool in_place)
{
    struct trial t = {.dims = dims, .axes = axes};
    memcpy(t.n, n, (size_t)dims * sizeof *n);
    t.in = make_layout(dims, n, packed);
    t.out = in_place ? t.in : make_layout(dims, n, packed);
    t.problem.precision = WEFT_F32;
    t.problem.scale[WEFT_FORWARD] = 0.5;
    t.problem.scale[WEFT_INVERSE] = 3;
    t.problem.threads = 1;
    for (int i = 0; i < dims; i++) {
        struct dim dim = {n[i], t.in.stride[i], t.out.stride[i]};
        if (n[i] == 1) continue;
        if (axes >> i & 1)
            t.problem.axis[t.problem.axes++] = dim;
        else
            t.problem.loop[t.problem.loops++] = dim;
    }
    return t;
}

static int64_t trial_elements(const struct trial *t)
{
    int64_t elements = 1;
    for (int i = 0; i < t->dims; i++)
        elements *= t->n[i];
    return elements;
}

/* Where the e-th element in row-major order lies in a layout, from its element (0, ..., 0). */
static int64_t element_place(const struct trial *t, const struct layout *layout, int64_t e)
{
    int64_t place = 0;
    for (int i = t->dims - 1; i >= 0; i--) {
        place += e % t->n[i] * layout->stride[i];
        e /= t->n[i];
    }
    return place;
}

/* Transforms x, packed row-major, along the trial's axes by the definition. */
static void reference(const struct trial *t, weft_direction direction, double complex *x)
{
    int64_t elements = trial_elements(t), stride = elements;
    for (int i = 0; i < t->dims; i++) {
        int64_t n = t->n[i];
        stride /= n;
        if (!(t->axes >> i & 1)) continue;
        double complex *line = malloc((size_t)n * sizeof *line);
        assert_non_null(line);
        for (int64_t first = 0; first < elements; first++) {
            if (first / stride % n != 0) continue;
            for (int64_t j = 0; j < n; j++)
                line[j] = x[first + j * stride];
            dft(n, direction == WEFT_INVERSE, line, line);
            for (int64_t j = 0; j < n; j++)
                x[first + j * stride] = line[j];
        }
        free(line);
    }
    for (int64_t e = 0; e < elements; e++)
        x[e] *= t->problem.scale[direction];
}

static double complex *random_array(int64_t n)
{
    double complex *x = malloc((size_t)n * sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < n; i++)
        x[i] = random_real() + I * random_real();
    return x;
}

static double relative_error(const struct trial *t, const double complex *out,
                             const double complex *expected)
{
    double difference = 0, norm = 0;
    for (int64_t e = 0; e < trial_elements(t); e++) {
        double d = cabs(out[element_place(t, &t->out, e)] - expected[e]);
        difference += d * d;
        norm += creal(expected[e] * conj(expected[e]));
    }
    return norm > 0 ? sqrt(difference / norm) : sqrt(difference);
}

static void fail_with(const struct problem *problem, const struct program *program,
                      const struct limits *limits, double error)
{
    struct text text = TEXT_EMPTY;
    problem_print(&text, problem);
    text_append(&text, "\n");
    program_print(&text, program, limits);
    for (int i = 0; i < program->passes; i++) {
        pass_print(&text, &program->pass[i]);
        text_append(&text, "\n");
    }
    print_error("%s", text_chars(&text));
    text_free(&text);
    fail_msg("relative error %g", error);
}

/* Runs a program on random data and compares with the definition. */
static void check_program(const struct trial *t, const struct program *program,
                          const struct limits *limits, bool in_place)
{
    weft_direction direction = random_between(0, 1) ? WEFT_INVERSE : WEFT_FORWARD;
    int64_t elements = trial_elements(t);
    double complex *expected = random_array(elements), *in = random_array(t->in.span);
    for (int64_t e = 0; e < elements; e++)
        in[t->in.origin + element_place(t, &t->in, e)] = expected[e];
    reference(t, direction, expected);
    double complex *kept = malloc((size_t)t->in.span * sizeof *kept);
    assert_non_null(kept);
    memcpy(kept, in, (size_t)t->in.span * sizeof *kept);
    double complex *out = in_place ? in : random_array(t->out.span);
    run_program(program, direction, random_between(0, 1), in + t->in.origin, out + t->out.origin);
    double error = relative_error(t, out + t->out.origin, expected);
    if (!(error < 1e-11)) fail_with(&t->problem, program, limits, error);
    if (!in_place) {
        assert_memory_equal(kept, in, (size_t)t->in.span * sizeof *kept);
        free(out);
    }
    free(kept);
    free(in);
    free(expected);
}

static void check_trial(const struct trial *t, const struct limits *limits, bool in_place)
{
    arena *a = arena_create();
    assert_non_null(a);
    const struct plan_node *tree;
    const struct program *program;
    if (plan_best(a, &t->problem, limits, &tree)) fail_msg("%s", error_last());
    if (plan_lower(a, &t->problem, limits, tree, &program)) fail_msg("%s", error_last());
    check_program(t, program, limits, in_place);
    arena_destroy(&a);
}

static void check_line(int64_t n, const struct limits *limits)
{
    struct trial t = make_trial(1, &n, 1, true, false);
    check_trial(&t, limits, false);
}

/* A device whose fast memory holds so many single-precision elements, twice on a CPU. */
static struct limits small_cpu(int64_t elements)
{
    struct limits limits;
    limits_default_cpu(&limits);
    limits.shared_bytes = elements * 16;
    return limits;
}

static struct limits small_gpu(int64_t elements)
{
    struct limits limits;
    limits_default_gpu(&limits);
    limits.shared_bytes = elements * 8;
    return limits;
}

/* ---- what programs compute ---- */

static void every_length_to_300_is_transformed(void **state)
{
    (void)state;
    struct limits cpu, gpu;
    limits_default_cpu(&cpu);
    limits_default_gpu(&gpu);
    for (int64_t n = 1; n <= 300; n++) {
        check_line(n, &cpu);
        check_line(n, &gpu);
    }
}

static void larger_lengths_of_every_sort_are_transformed(void **state)
{
    (void)state;
    static const int64_t lengths[] = {509,  1009, 1018, 1024, 1189, 1331,
                                      1517, 2018, 2048, 2187, 2209};
    struct limits cpu;
    limits_default_cpu(&cpu);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        check_line(lengths[i], &cpu);
}

static void little_fast_memory_makes_splits_of_any_depth(void **state)
{
    (void)state;
    static const int64_t room[] = {8, 11, 16, 32, 64};
    for (size_t i = 0; i < sizeof room / sizeof *room; i++) {
        struct limits cpu = small_cpu(room[i]), gpu = small_gpu(room[i]);
        if (i % 2) cpu.cache_bytes[2] = 16 * room[i]; /* convolutions leave them */
        for (int k = 0; k < 30; k++) {
            check_line(random_between(2, 400), &cpu);
            check_line(random_between(2, 400), &gpu);
        }
        check_line(720, &cpu);
        check_line(1024, &cpu);
        check_line(1009, &gpu);
        check_line(1013 * 2, &cpu);
    }
}

static void few_radices_are_enough(void **state)
{
    (void)state;
    struct limits limits = small_cpu(128);
    memset(limits.step, 0, sizeof limits.step);
    memset(limits.whole, 0, sizeof limits.whole);
    memset(limits.last, 0, sizeof limits.last);
    limits.step[2] = limits.last[2] = true;
    for (int64_t n = 2; n <= 130; n++)
        check_line(n, &limits);
}

/* Any rank, axes, strides and batch. */
static struct trial random_trial(bool in_place, int64_t most_elements)
{
    int64_t n[4];
    int dims = (int)random_between(1, 4);
    int64_t elements = 1;
    for (int i = 0; i < dims; i++) {
        int64_t most = most_elements / elements;
        if (most > 90) most = 90;
        n[i] = random_between(1, most < 1 ? 1 : most);
        elements *= n[i];
    }
    return make_trial(dims, n, (uint32_t)random_between(0, (1 << dims) - 1), random_between(0, 1),
                      in_place);
}

static void random_problems_are_transformed_in_and_out_of_place(void **state)
{
    (void)state;
    static const int64_t room[] = {8, 24, 100, 32768};
    for (int k = 0; k < 800; k++) {
        bool in_place = k % 2, cpu = k / 2 % 2;
        struct trial t = random_trial(in_place, 4000);
        int64_t elements = room[k / 4 % 4];
        struct limits limits = cpu ? small_cpu(elements) : small_gpu(elements);
        /* Caches so small that stages have steps. */
        if (cpu && k % 3 == 0) limits.cache_bytes[1] = 16 * random_between(1, 2000);
        if (cpu && k % 3 == 1) limits.cache_bytes[2] = 16 * random_between(1, 2000);
        if (!cpu && k % 3 == 0) limits.memory_bytes = 64 * random_between(100, 2000);
        t.problem.threads = (int)random_between(1, 3);
        limits.cores = 2;
        check_trial(&t, &limits, in_place);
    }
}

static void every_candidate_computes_the_same(void **state)
{
    (void)state;
    static const int64_t lengths[] = {64, 97, 360, 1009, 1024, 1018};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct limits limits = small_cpu(i % 2 ? 2048 : 100);
        struct trial t = make_trial(1, &lengths[i], 1, true, false);
        arena *a = arena_create();
        const struct plan_node *tree[40];
        int count;
        assert_int_equal(plan_candidates(a, &t.problem, &limits, 40, tree, &count), WEFT_OK);
        assert_true(count > 1);
        for (int k = 0; k < count; k++) {
            const struct program *program;
            assert_int_equal(plan_lower(a, &t.problem, &limits, tree[k], &program), WEFT_OK);
            assert_true(k == 0 || tree[k]->seconds >= tree[k - 1]->seconds);
            assert_true(program->seconds == tree[k]->seconds);
            check_program(&t, program, &limits, false);
        }
        arena_destroy(&a);
    }
}

static void an_empty_batch_has_no_passes(void **state)
{
    (void)state;
    struct limits limits;
    limits_default_cpu(&limits);
    struct problem problem = {.axes = 1,
                              .axis = {{100, 1, 1}},
                              .loops = 1,
                              .loop = {{0, 100, 100}},
                              .scale = {1, 1},
                              .threads = 1};
    arena *a = arena_create();
    const struct plan_node *tree;
    const struct program *program;
    assert_int_equal(plan_best(a, &problem, &limits, &tree), WEFT_OK);
    assert_int_equal(plan_lower(a, &problem, &limits, tree, &program), WEFT_OK);
    assert_int_equal(program->passes, 0);
    assert_int_equal(program->scratch_elements, 0);
    arena_destroy(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_length_to_300_is_transformed),
        cmocka_unit_test(larger_lengths_of_every_sort_are_transformed),
        cmocka_unit_test(little_fast_memory_makes_splits_of_any_depth),
        cmocka_unit_test(few_radices_are_enough),
        cmocka_unit_test(random_problems_are_transformed_in_and_out_of_place),
        cmocka_unit_test(every_candidate_computes_the_same),
        cmocka_unit_test(an_empty_batch_has_no_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

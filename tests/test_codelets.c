/* Every compiled codelet of every instruction set this machine has, against the direct sum: rows
 * and lanes with gaps between them, lane counts that overlap, in place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/cpu/codelet.h"
#include "kernel/codelet.h"
#include "kernel/line.h"
#include "math/roots.h"

#define ALIGNMENT 64
#define ROWS      3
#define GAP       2 /* complex elements left free behind a row of lanes */
#define SENTINEL  1234.5

/* One call: its shape, and arrays of both precisions' values as doubles. */
struct trial {
    const struct codelet_set *set;
    bool single;
    enum codelet_kind kind;
    int radix;
    struct codelet_shape shape;
    int64_t count;                      /* reals of each array */
    double *in, *out, *twiddles, *fine; /* re and im of a planar end: the halves of an array */
};

struct real_array {
    void *data;
    int64_t count;
    bool single;
};

static double random_real(void)
{
    return (double)rand() / RAND_MAX - 0.5;
}

static double *filled(int64_t count, bool random)
{
    double *values = malloc((size_t)count * sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < count; i++) {
        values[i] = random ? (double)(float)random_real() : SENTINEL;
    }
    return values;
}

static struct real_array narrowed(const double *values, int64_t count, bool single)
{
    struct real_array array = {NULL, count, single};
    const size_t bytes = (size_t)count * (single ? 4 : 8);
    array.data = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    assert_non_null(array.data);
    for (int64_t i = 0; i < count; i++) {
        if (single) {
            ((float *)array.data)[i] = (float)values[i];
        } else {
            ((double *)array.data)[i] = values[i];
        }
    }
    return array;
}

static double real_at(const struct real_array *array, int64_t i)
{
    return array->single ? (double)((float *)array->data)[i] : ((double *)array->data)[i];
}

static void *half_of(const struct real_array *array)
{
    return (char *)array->data + array->count / 2 * (array->single ? 4 : 8);
}

/* Where re (part 0) or im (part 1) of a leg stands. */
static int64_t place(const struct trial *t, bool input, int64_t row, int64_t lane, int leg,
                     int part)
{
    const struct codelet_shape *s = &t->shape;
    enum codelet_end end = input ? codelet_kinds[t->kind].in : codelet_kinds[t->kind].out;
    int64_t row_stride = input ? s->in_row : s->out_row, plane = part * (t->count / 2);
    int64_t leg_stride = input ? s->in_leg : s->out_leg, turn = 0;
    int swapped = codelet_kinds[t->kind].inverse ? 1 - part : part;
    if (leg > 0 && input == (codelet_kinds[t->kind].in == CODELET_INTERLEAVED)) turn = s->turn;
    switch (end) {
    case CODELET_REFLECTED:
        if (leg >= t->radix / 2) {
            return (1 - part) * (t->count / 2) + s->turn - row * row_stride +
                   (t->radix - 1 - leg) * leg_stride + lane;
        }
        /* fallthrough */
    case CODELET_PLANAR:
        return plane + row * row_stride + leg * leg_stride + lane;
    case CODELET_INTERLEAVED:
        return 2 * (row * row_stride + turn + leg * leg_stride + lane) + swapped;
    case CODELET_TRANSPOSED:
        return plane + row * row_stride + lane * t->radix + leg;
    case CODELET_PARTED:
        if (leg >= t->radix / 2) {
            return t->count / 2 + 4 * (t->radix - 1 - leg) * leg_stride -
                   4 * (row * row_stride + lane) + 3 - 2 * part;
        }
        return 4 * (row * row_stride + leg * leg_stride + lane) + 2 * part;
    case CODELET_PACKED:
        break;
    }
    return 2 * (lane * t->radix + leg) + swapped;
}

static double complex entry(const double *table, int64_t index, int64_t plane)
{
    return table[index] + I * table[index + plane];
}

static double complex twiddle(const struct trial *t, int64_t row, int64_t lane, int leg)
{
    const struct codelet_shape *s = &t->shape;
    int64_t index = 0;
    switch (codelet_kinds[t->kind].twiddle) {
    case CODELET_TWIDDLE_NONE:
        return 1;
    case CODELET_TWIDDLE_ROW:
        index = row * s->twiddle_row + leg - 1;
        break;
    case CODELET_TWIDDLE_LANE:
        index = (leg - 1) * s->twiddle_leg + lane;
        break;
    case CODELET_TWIDDLE_SPLIT:
        index = row * s->twiddle_row + lane;
        return entry(t->twiddles, index, s->twiddle_plane) *
               entry(t->fine, leg * s->fine_leg + lane, s->fine_plane);
    }
    return leg == 0 ? 1 : entry(t->twiddles, index, s->twiddle_plane);
}

static double complex root(int k, int n)
{
    double re, im;
    root_double(k, n, &re, &im);
    return re + I * im;
}

static double complex leg_sum(const struct trial *t, const double complex *x, int k)
{
    double complex sum = 0;
    if (codelet_kinds[t->kind].identity) return x[k];
    for (int j = 0; j < t->radix; j++)
        sum += x[j] * root(j * k, t->radix);
    return sum;
}

/* Writes what the codelet should into t->out. */
static void direct_sum(struct trial *t, int64_t row, int64_t lane)
{
    double complex x[LINE_MAX_LENGTH];
    const enum codelet_end in = codelet_kinds[t->kind].in;
    const bool reflects = in == CODELET_REFLECTED || in == CODELET_PARTED;
    for (int j = 0; j < t->radix; j++) {
        x[j] = t->in[place(t, true, row, lane, j, 0)] + I * t->in[place(t, true, row, lane, j, 1)];
        if (reflects && j >= t->radix / 2) x[j] *= t->fine[0];
    }
    for (int k = 0; k < t->radix; k++) {
        double complex y = twiddle(t, row, lane, k) * leg_sum(t, x, k);
        t->out[place(t, false, row, lane, k, 0)] = creal(y);
        t->out[place(t, false, row, lane, k, 1)] = cimag(y);
    }
}

/* What is asked for changes nothing, wherever it lies: some of it ends right before the plane. */
static const struct codelet_fetch some_fetch = {
    .rows = ROWS, .row = -128, .ahead = 1, .legs = 3, .leg = 512, .run = 65, .next = -4096};

static struct codelet_onward some_onward;

/* A whole vector's lanes are read of planes, and written transposed: of one row. */
static void shape_narrow(struct trial *t, int64_t lanes)
{
    t->shape.absent = codelet_absent(t->set, lanes);
    t->count += 2 * t->set->lanes * t->radix;
    if (codelet_kinds[t->kind].out == CODELET_TRANSPOSED) t->shape.rows = 1;
}

/* Streaming stores want what they write to be aligned: there the gap is lanes wide. */
static void shape_trial(struct trial *t, int64_t lanes)
{
    const struct codelet_shape_of_kind *kind = &codelet_kinds[t->kind];
    int64_t leg = kind->streams ? 2 * lanes : lanes + GAP;
    int64_t rows = kind->in == CODELET_PACKED ? 1 : ROWS, row = t->radix * leg;
    some_onward =
        (struct codelet_onward){.plane = 4096, .lines = 3, .run = 2, .left = 1, .gap = -192};
    t->shape = (struct codelet_shape){.rows = rows,
                                      .lanes = lanes,
                                      .in_row = row,
                                      .in_leg = leg,
                                      .out_row = row,
                                      .out_leg = leg,
                                      .twiddle_row = row,
                                      .twiddle_leg = leg,
                                      .twiddle_plane = ROWS * row,
                                      .fine_leg = leg,
                                      .fine_plane = ROWS * row,
                                      .fetch = kind->fetches ? &some_fetch : NULL,
                                      .onward = kind->onward ? &some_onward : NULL};
    if (kind->in == CODELET_REFLECTED) t->shape.turn = (ROWS - 1) * row + t->radix / 2 * leg;
    t->count = 2 * (ROWS * row + (kind->streams ? leg : GAP));
    if (kind->in == CODELET_PARTED) t->count *= 4;
    if (lanes < t->set->lanes) shape_narrow(t, lanes);
}

/* Legs in the opposite order, as for the inverse transform: leg 0 stays. */
static void turn_legs(struct trial *t)
{
    struct codelet_shape *s = &t->shape;
    int64_t *leg = codelet_kinds[t->kind].in == CODELET_INTERLEAVED ? &s->in_leg : &s->out_leg;
    s->turn = t->radix * *leg;
    *leg = -*leg;
}

/* What lanes that are absent leave behind a transposed row. */
static bool is_spilled(const struct trial *t, int64_t i)
{
    const int64_t at = i % (t->count / 2), radix = t->radix;
    return t->shape.absent && codelet_kinds[t->kind].out == CODELET_TRANSPOSED &&
           at >= t->shape.lanes * radix && at < t->set->lanes * radix;
}

/* The relative error, L2; places that no leg stands at must hold what they held before. */
static double difference(const struct trial *t, const struct real_array *got)
{
    double error = 0, norm = 0;
    for (int64_t i = 0; i < t->count; i++) {
        if (is_spilled(t, i)) continue;
        double distance = real_at(got, i) - t->out[i];
        error += distance * distance;
        norm += t->out[i] == SENTINEL ? 0 : t->out[i] * t->out[i];
    }
    return sqrt(error / norm);
}

static void call(const struct trial *t, const struct real_array *in, struct real_array *out)
{
    struct real_array twiddles = narrowed(t->twiddles, t->count, t->single);
    struct real_array fine = narrowed(t->fine, t->count, t->single);
    struct codelet_shape shape = t->shape;
    if (codelet_kinds[t->kind].in == CODELET_PACKED)
        shape.exchange = t->set->exchange[CODELET_PACK_EXCHANGE][codelet_kinds[t->kind].inverse];
    t->set->function[t->kind][t->radix](&shape, in->data, half_of(in), out->data, half_of(out),
                                        twiddles.data, fine.data);
    free(twiddles.data);
    free(fine.data);
}

static double run(const struct trial *t, bool in_place)
{
    struct real_array in = narrowed(t->in, t->count, t->single);
    struct real_array out = narrowed(in_place ? t->in : t->out, t->count, t->single);
    call(t, in_place ? &out : &in, &out);
    struct trial expected = *t;
    expected.out = malloc((size_t)t->count * sizeof *expected.out);
    assert_non_null(expected.out);
    memcpy(expected.out, in_place ? t->in : t->out, (size_t)t->count * sizeof *expected.out);
    for (int64_t row = 0; row < t->shape.rows; row++) {
        for (int64_t lane = 0; lane < t->shape.lanes; lane++)
            direct_sum(&expected, row, lane);
    }
    double error = difference(&expected, &out);
    free(expected.out);
    free(in.data);
    free(out.data);
    return error;
}

static void check(struct trial *t, int64_t lanes, bool in_place, bool turned)
{
    shape_trial(t, lanes);
    if (turned) turn_legs(t);
    t->in = filled(t->count, true);
    t->out = filled(t->count, false);
    t->twiddles = filled(t->count, true);
    t->fine = filled(t->count, true);
    double error = run(t, in_place);
    if (!(error < (t->single ? 6e-7 : 1e-15))) {
        fail_msg("%s %s radix %d, %lld lanes%s: error %g", t->set->isa, codelet_kinds[t->kind].name,
                 t->radix, (long long)lanes, in_place ? " in place" : "", error);
    }
    free(t->in);
    free(t->out);
    free(t->twiddles);
    free(t->fine);
}

static void check_codelet(struct trial *t)
{
    const struct codelet_shape_of_kind *kind = &codelet_kinds[t->kind];
    int64_t lanes = t->set->lanes;
    const bool turns = kind->in == CODELET_INTERLEAVED || kind->out == CODELET_INTERLEAVED;
    check(t, lanes, false, false);
    check(t, 2 * lanes, false, turns);
    if (!kind->streams) check(t, lanes + 1 + rand() % lanes, false, false);
    if (kind->in == kind->out) check(t, 2 * lanes, true, false);
    if (!codelet_is_narrow(t->set, t->kind, t->radix)) return;
    for (int64_t few = lanes / 2; few < lanes; few++)
        check(t, few, false, few % 2);
}

/* ---- lines ---- */

/* What a line codelet multiplies with; what the padding holds must not matter. */
static double *line_factors(const struct line *line)
{
    const int64_t plane = line_twiddles(line, line->steps - 1);
    double *table = filled(2 * plane, true);
    for (int t = 0; t < line->steps - 1; t++) {
        const int64_t threads = line->n / line->radix[t], s = line->n / line_order(line, t);
        for (int64_t i = 0; i < (line->radix[t] - 1) * threads; i++) {
            const int64_t k = i / threads + 1, thread = i % threads;
            double *at = table + line_twiddles(line, t) + (k - 1) * line_padded(threads) + thread;
            root_double((int64_t)(thread / s * s * k), line->n, &at[0], &at[plane]);
        }
    }
    return table;
}

static void call_line(const struct trial *t, const struct line *line, enum line_kind kind,
                      const struct real_array *in, struct real_array *out)
{
    const int64_t plane = line_twiddles(line, line->steps - 1);
    double *factors = line_factors(line);
    struct real_array twiddles = narrowed(factors, 2 * plane, t->single);
    struct codelet_shape shape = t->shape;
    if (kind == LINE_PARTED) shape.in_row *= 2;
    else shape.exchange = t->set->exchange[line->width][kind];
    t->set->line[line->n][kind](&shape, in->data, NULL, out->data, NULL, twiddles.data, NULL);
    free(twiddles.data);
    free(factors);
}

/* What a line codelet of the kind reads where the numbers are `z`. */
static double *line_input(const struct trial *t, const struct line *line, enum line_kind kind,
                          const double *z)
{
    double *x = filled(t->count, false);
    memcpy(x, z, (size_t)t->count * sizeof *x);
    for (int64_t r = 0; r < t->shape.rows && kind == LINE_PARTED; r++) {
        const int64_t row = 2 * r * t->shape.in_row, reals = 2 * line->n;
        for (int64_t i = 0; i < line->n; i++) {
            x[row + 2 * i] = z[row + i];
            x[row + 2 * i + 1] = z[row + reals - 1 - i];
        }
    }
    return x;
}

/* A line codelet is what CODELET_WHOLE would be of its length, with one lane a row, whose legs go
 * backwards for the inverse transform. */
static void check_line(const struct codelet_set *set, bool single, const struct line *line,
                       enum line_kind kind, bool in_place)
{
    const int64_t row = line->n + GAP;
    struct trial t = {
        .set = set,
        .single = single,
        .radix = line->n,
        .kind = CODELET_WHOLE,
        .shape =
            {.rows = ROWS, .lanes = 1, .in_row = row, .in_leg = 1, .out_row = row, .out_leg = 1},
        .count = 2 * ROWS * row};
    if (kind == LINE_INVERSE) turn_legs(&t);
    t.in = filled(t.count, true);
    t.out = filled(t.count, false);
    double *x = line_input(&t, line, kind, t.in);
    if (in_place) memcpy(t.out, x, (size_t)t.count * sizeof *t.out);
    struct real_array in = narrowed(x, t.count, single);
    struct real_array out = narrowed(t.out, t.count, single);
    call_line(&t, line, kind, in_place ? &out : &in, &out);
    for (int64_t r = 0; r < ROWS; r++)
        direct_sum(&t, r, 0);
    const double error = difference(&t, &out);
    if (!(error < (single ? 6e-7 : 1e-15))) {
        fail_msg("%s %s %d%s: error %g", set->isa, line_name(kind), line->n,
                 in_place ? " in place" : "", error);
    }
    free(x);
    free(t.in);
    free(t.out);
    free(in.data);
    free(out.data);
}

static bool has_lines(const struct codelet_set *set, enum line_kind kind)
{
    if (kind == LINE_PARTED) return strcmp(set->isa, "avx512") == 0;
    return strcmp(set->isa, "sse2") != 0 && strcmp(set->isa, "scalar") != 0;
}

static void check_lines(const struct codelet_set *set, bool single)
{
    for (int n = 0; n <= LINE_MAX_LENGTH; n++) {
        const struct line *line = line_find(set->lanes, single ? WEFT_F32 : WEFT_F64, n);
        for (int kind = 0; kind < LINE_KINDS; kind++) {
            const bool exists = set->line[n][kind] != NULL;
            if (exists || has_lines(set, kind))
                assert_int_equal(exists, line && line_exists(line, kind));
            for (int in_place = 0; in_place < 2 && exists; in_place++)
                check_line(set, single, line, kind, in_place);
        }
    }
}

/* Sets of which others do what they do not. */
static bool has_few(const struct codelet_set *set, enum codelet_kind kind)
{
    return codelet_is_optional(kind) || strcmp(set->isa, "fma") == 0 ||
           strcmp(set->isa, "sse2") == 0;
}

static void check_set(const struct codelet_set *set, bool single)
{
    check_lines(set, single);
    for (int kind = 0; kind < CODELET_KIND_COUNT; kind++) {
        for (int radix = 0; radix <= CODELET_MAX_RADIX; radix++) {
            struct trial t = {.set = set, .single = single, .kind = kind, .radix = radix};
            const bool exists = set->function[kind][radix] != NULL;
            if (exists || !has_few(set, kind)) {
                assert_int_equal(exists, radix > 0 && codelet_exists(kind, radix));
            }
            if (exists) check_codelet(&t);
        }
    }
}

/* The kernel itself, which the compiled ones come from: a whole block by the evaluator. */
static void evaluate_line(const struct line *line)
{
    arena *a = arena_create();
    const struct ir *kernel = line_build(a, line, false, WEFT_F64);
    assert_non_null(kernel);
    const int64_t n = line->n, plane = line_twiddles(line, line->steps - 1);
    double *in = filled(2 * n, true), *out = filled(2 * n, false), *factors = line_factors(line);
    const int64_t params[CODELET_PARAM_COUNT] = {0};
    struct ir_launch launch = {.blocks = 1,
                               .threads = kernel->threads,
                               .coalescing_bytes = 64,
                               .simd_width = 32,
                               .banks = 32,
                               .params = params};
    launch.buffer[CODELET_IN_RE] = in;
    launch.buffer[CODELET_OUT_RE] = out;
    launch.buffer[CODELET_TWIDDLES] = factors;
    launch.buffer_count[CODELET_IN_RE] = launch.buffer_count[CODELET_OUT_RE] = 2 * n;
    launch.buffer_count[CODELET_TWIDDLES] = 2 * plane;
    struct ir_report report;
    assert_int_equal(ir_evaluate(kernel, &launch, &report), WEFT_OK);
    assert_string_equal(report.first, "");
    struct trial t = {.kind = CODELET_WHOLE,
                      .radix = line->n,
                      .shape = {.in_leg = 1, .out_leg = 1},
                      .count = 2 * n,
                      .in = in,
                      .out = filled(2 * n, false)};
    direct_sum(&t, 0, 0);
    const struct real_array got = {out, 2 * n, false};
    assert_true(difference(&t, &got) < 1e-15);
    free(t.out);
    free(in);
    free(out);
    free(factors);
    arena_destroy(&a);
}

static void line_kernels_have_no_races(void **state)
{
    (void)state;
    for (int lanes = 1; lanes <= 16; lanes *= 2) {
        for (int n = 0; n <= LINE_MAX_LENGTH; n++) {
            const struct line *line = line_find(lanes, WEFT_F64, n);
            if (line) evaluate_line(line);
        }
    }
}

static void scalar_codelets_compute_what_their_kind_says(void **state)
{
    (void)state;
    check_set(&codelets_scalar_f32, true);
    check_set(&codelets_scalar_f64, false);
}

#if defined(__x86_64__)

static void sse2_codelets_compute_what_their_kind_says(void **state)
{
    (void)state;
    check_set(&codelets_sse2_f32, true);
    check_set(&codelets_sse2_f64, false);
}

static void avx2_codelets_compute_what_their_kind_says(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) skip();
    check_set(&codelets_avx2_f32, true);
    check_set(&codelets_avx2_f64, false);
}

static void fma_codelets_compute_what_their_kind_says(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) skip();
    check_set(&codelets_fma_f32, true);
    check_set(&codelets_fma_f64, false);
}

static void avx512_codelets_compute_what_their_kind_says(void **state)
{
    (void)state;
    if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") ||
        !__builtin_cpu_supports("avx512vl") || !__builtin_cpu_supports("avx512bw")) {
        skip();
    }
    check_set(&codelets_avx512_f32, true);
    check_set(&codelets_avx512_f64, false);
}

#elif defined(__aarch64__)

static void neon_codelets_compute_what_their_kind_says(void **state)
{
    (void)state;
    check_set(&codelets_neon_f32, true);
    check_set(&codelets_neon_f64, false);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_kernels_have_no_races),
        cmocka_unit_test(scalar_codelets_compute_what_their_kind_says),
#if defined(__x86_64__)
        cmocka_unit_test(sse2_codelets_compute_what_their_kind_says),
        cmocka_unit_test(avx2_codelets_compute_what_their_kind_says),
        cmocka_unit_test(fma_codelets_compute_what_their_kind_says),
        cmocka_unit_test(avx512_codelets_compute_what_their_kind_says),
#elif defined(__aarch64__)
        cmocka_unit_test(neon_codelets_compute_what_their_kind_says),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every compiled codelet of whole lines, of every instruction set this machine has, and the kernels
 * that they come from, against the direct sum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/line.h"
#include "math/roots.h"
#include "support/codelet_trial.h"

/* Of one that is two steps between pairs: signs, then by vectors of the first step's results and
 * legs. */
static double *pairs_factors(const struct line *line, int64_t *count)
{
    const int64_t pairs = line->width / 2, lanes = line->radix[0], legs = line->radix[1] - 1;
    const int64_t vectors = (lanes + pairs - 1) / pairs, plane = (2 + vectors * legs * 4) * pairs;
    double *table = codelet_reals(*count = 2 * plane, true);
    for (int64_t i = 0; i < 4 * pairs; i++)
        table[i / 2 / pairs * plane + i % (2 * pairs)] = (i + i / 2 / pairs) % 2 ? -1 : 1;
    for (int64_t i = 0; i < vectors * legs * pairs; i++) {
        const int64_t vector = i / pairs / legs, leg = i / pairs % legs + 1, last = lanes - pairs;
        const int64_t start = vector * pairs < last ? vector * pairs : last;
        double *at = table + 2 * pairs + 4 * pairs * (i / pairs) + 2 * (i % pairs), re, im;
        for (int inverse = 0; inverse < 2; inverse++, at += plane) {
            const int64_t k = leg * (start + i % pairs);
            root_double(inverse ? -k : k, line->n, &re, &im);
            at[0] = at[1] = re;
            at[2 * pairs] = -im;
            at[2 * pairs + 1] = im;
        }
    }
    return table;
}

/* What a line codelet multiplies with; what the padding holds must not matter. */
static double *line_factors(const struct line *line)
{
    const int64_t plane = line_twiddles(line, line->steps - 1);
    double *table = codelet_reals(2 * plane, true);
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

static void call_line(const struct codelet_trial *t, const struct line *line, enum line_kind kind,
                      const struct codelet_array *in, struct codelet_array *out)
{
    int64_t count = 2 * line_twiddles(line, line->steps - 1);
    double *factors = line->form == LINE_PAIRS ? pairs_factors(line, &count) : line_factors(line);
    struct codelet_array twiddles = codelet_array(factors, count, t->single);
    struct codelet_shape shape = t->shape;
    if (line->form == LINE_PAIRS)
        shape.twiddle_plane = kind == LINE_INVERSE ? count / 2 : 0;
    else
        shape.exchange = t->set->exchange[line->width][kind];
    codelet_line(t->set, line->n)[kind](&shape, in->data, NULL, out->data, NULL, twiddles.data,
                                        NULL);
    free(twiddles.data);
    free(factors);
}

/* A line codelet is what CODELET_WHOLE would be of its length, with one lane a row, whose legs go
 * backwards for the inverse transform. */
static void check_line(const struct codelet_set *set, bool single, const struct line *line,
                       enum line_kind kind, bool in_place)
{
    const int64_t row = line->n + CODELET_GAP;
    struct codelet_trial t = {.set = set,
                              .single = single,
                              .radix = line->n,
                              .kind = CODELET_WHOLE,
                              .shape = {.rows = CODELET_ROWS,
                                        .lanes = 1,
                                        .in_row = row,
                                        .in_leg = 1,
                                        .out_row = row,
                                        .out_leg = 1},
                              .count = 2 * CODELET_ROWS * row};
    if (kind == LINE_INVERSE) codelet_turn_legs(&t);
    t.in = codelet_reals(t.count, true);
    t.out = codelet_reals(t.count, false);
    if (in_place) memcpy(t.out, t.in, (size_t)t.count * sizeof *t.out);
    struct codelet_array in = codelet_array(t.in, t.count, single);
    struct codelet_array out = codelet_array(t.out, t.count, single);
    call_line(&t, line, kind, in_place ? &out : &in, &out);
    for (int64_t r = 0; r < CODELET_ROWS; r++)
        codelet_direct_sum(&t, r, 0);
    const double error = codelet_difference(&t, &out);
    if (!(error < (single ? 6e-7 : 1e-15))) {
        fail_msg("%s %s %d%s: error %g", set->isa, line_name(kind), line->n,
                 in_place ? " in place" : "", error);
    }
    free(t.in);
    free(t.out);
    free(in.data);
    free(out.data);
}

static bool has_lines(const struct codelet_set *set)
{
    return strcmp(set->isa, "sse2") != 0 && strcmp(set->isa, "scalar") != 0 &&
           strcmp(set->isa, "avx512vl") != 0;
}

static void check_lines(const struct codelet_set *set, bool single)
{
    for (int n = 0; n <= LINE_MAX_LENGTH; n++) {
        const struct line *line = line_find(set->lanes, single ? WEFT_F32 : WEFT_F64, n);
        const bool exists = codelet_line(set, n) != NULL;
        if (exists || has_lines(set))
            assert_int_equal(exists, line != NULL);
        for (int kind = 0; kind < LINE_KINDS; kind++) {
            for (int in_place = 0; in_place < 2 && exists; in_place++)
                check_line(set, single, line, kind, in_place);
        }
    }
}

/* The kernel itself, which the compiled ones come from: a whole block by the evaluator. */
static void evaluate_line(const struct line *line)
{
    arena *a = arena_create();
    const struct ir *kernel = line_build(a, line, LINE_FORWARD, WEFT_F64);
    assert_non_null(kernel);
    const int64_t n = line->n, plane = line_twiddles(line, line->steps - 1);
    double *in = codelet_reals(2 * n, true), *out = codelet_reals(2 * n, false),
           *factors = line_factors(line);
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
    struct codelet_trial t = {.kind = CODELET_WHOLE,
                              .radix = line->n,
                              .shape = {.in_leg = 1, .out_leg = 1},
                              .count = 2 * n,
                              .in = in,
                              .out = codelet_reals(2 * n, false)};
    codelet_direct_sum(&t, 0, 0);
    const struct codelet_array got = {out, 2 * n, false};
    assert_true(codelet_difference(&t, &got) < 1e-15);
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
            if (line && line->form != LINE_PAIRS) evaluate_line(line);
        }
    }
}

static void line_codelets_compute_what_their_kind_says(void **state)
{
    (void)state;
    codelet_each_set(check_lines);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(line_kernels_have_no_races),
        cmocka_unit_test(line_codelets_compute_what_their_kind_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every compiled codelet of every instruction set this machine has, against the direct sum: rows
 * and lanes with gaps between them, lane counts that overlap, in place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "support/codelet_trial.h"

/* What is asked for changes nothing, wherever it lies: some of it ends right before the plane. */
static const struct codelet_fetch some_fetch = {
    .rows = CODELET_ROWS, .row = -128, .ahead = 1, .legs = 3, .leg = 512, .run = 65, .next = -4096};

static struct codelet_onward some_onward;

/* A whole vector's lanes are read of planes, and written transposed: of one row. */
static void shape_narrow(struct codelet_trial *t, int64_t lanes)
{
    if (!codelet_goes_in_turn(t, lanes)) t->shape.absent = codelet_absent(t->set, lanes);
    t->count += 2 * t->set->lanes * t->radix;
    if (codelet_kinds[t->kind].out == CODELET_TRANSPOSED) t->shape.rows = 1;
}

/* Rows for lanes, an odd number of lines and an even number of columns. */
static void shape_pairs(struct codelet_trial *t, int64_t rows)
{
    struct codelet_shape *s = &t->shape;
    s->rows = rows;
    s->lanes = 1;
    s->in_row = s->out_row = rows % 2 ? t->radix + CODELET_GAP : 1;
    s->in_leg = s->out_leg = rows % 2 ? 1 : rows + CODELET_GAP;
}

/* Streaming stores want what they write to be aligned: there the gap is lanes wide. */
static void shape_trial(struct codelet_trial *t, int64_t lanes)
{
    const struct codelet_shape_of_kind *kind = &codelet_kinds[t->kind];
    const int64_t gap = codelet_goes_in_turn(t, lanes) ? 0 : CODELET_GAP;
    int64_t leg = kind->streams ? 2 * lanes : lanes + gap;
    int64_t rows = kind->in == CODELET_PACKED ? 1 : CODELET_ROWS, row = t->radix * leg;
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
                                      .twiddle_plane = CODELET_ROWS * row,
                                      .fine_leg = leg,
                                      .fine_plane = CODELET_ROWS * row,
                                      .fetch = kind->fetches ? &some_fetch : NULL,
                                      .onward = kind->onward ? &some_onward : NULL};
    if (kind->twiddle == CODELET_TWIDDLE_PAIR) t->shape.twiddle_plane = 0;
    if (kind->in == CODELET_REFLECTED)
        t->shape.turn = (CODELET_ROWS - 1) * row + t->radix / 2 * leg;
    t->count = 2 * (CODELET_ROWS * row + (kind->streams ? leg : CODELET_GAP));
    if (kind->in == CODELET_PARTED) t->count *= 4;
    if (t->kind == CODELET_PAIRS_PARTED) {
        t->shape.rows = 1;
        t->shape.turn = lanes % 3;
    }
    if (t->kind == CODELET_PAIRS)
        shape_pairs(t, lanes);
    else if (lanes < t->set->lanes && !codelet_takes_pairs(t->kind))
        shape_narrow(t, lanes);
}

static void call(const struct codelet_trial *t, const struct codelet_array *in,
                 struct codelet_array *out)
{
    struct codelet_array twiddles = codelet_array(t->twiddles, t->count, t->single);
    struct codelet_array fine = codelet_array(t->fine, t->count, t->single);
    struct codelet_shape shape = t->shape;
    shape.set = t->set;
    shape.kind = t->kind;
    shape.radix = t->radix;
    if (codelet_kinds[t->kind].in == CODELET_PACKED)
        shape.exchange = t->set->exchange[CODELET_PACK_EXCHANGE][codelet_kinds[t->kind].inverse];
    t->set->function[t->kind][t->radix](&shape, in->data, codelet_half(in), out->data,
                                        codelet_half(out), twiddles.data, fine.data);
    free(twiddles.data);
    free(fine.data);
}

static double run(const struct codelet_trial *t, bool in_place)
{
    struct codelet_array in = codelet_array(t->in, t->count, t->single);
    struct codelet_array out = codelet_array(in_place ? t->in : t->out, t->count, t->single);
    call(t, in_place ? &out : &in, &out);
    struct codelet_trial expected = *t;
    expected.out = malloc((size_t)t->count * sizeof *expected.out);
    assert_non_null(expected.out);
    memcpy(expected.out, in_place ? t->in : t->out, (size_t)t->count * sizeof *expected.out);
    for (int64_t row = 0; row < t->shape.rows; row++) {
        for (int64_t lane = 0; lane < t->shape.lanes; lane++)
            codelet_direct_sum(&expected, row, lane);
    }
    double error = codelet_difference(&expected, &out);
    free(expected.out);
    free(in.data);
    free(out.data);
    return error;
}

static void check(struct codelet_trial *t, int64_t lanes, bool in_place, bool turned)
{
    shape_trial(t, lanes);
    if (turned) codelet_turn_legs(t);
    t->in = codelet_reals(t->count, true);
    t->out = codelet_reals(t->count, false);
    t->twiddles = codelet_reals(t->count, true);
    t->fine = codelet_reals(t->count, true);
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

static void check_pairs(struct codelet_trial *t)
{
    for (int64_t rows = 1; rows < 10; rows++) {
        check(t, rows, false, false);
        check(t, rows, false, true);
        check(t, rows, true, false);
    }
}

/* The fewest lanes are a vector's. Where vectors do not overlap, numbers may stay in place. */
static void check_lanes(struct codelet_trial *t)
{
    const int64_t pairs = t->set->lanes / 2;
    for (int64_t lanes = pairs; lanes < 3 * pairs; lanes++) {
        check(t, lanes, false, false);
        if (t->kind != CODELET_PAIRS_PARTED) check(t, lanes, false, true);
        if (t->kind == CODELET_PAIRS_LEAVE && lanes % pairs == 0) check(t, lanes, true, false);
    }
}

static void check_codelet(struct codelet_trial *t)
{
    if (t->kind != CODELET_PAIRS && codelet_takes_pairs(t->kind)) {
        check_lanes(t);
        return;
    }
    if (t->kind == CODELET_PAIRS) {
        check_pairs(t);
        return;
    }
    const struct codelet_shape_of_kind *kind = &codelet_kinds[t->kind];
    int64_t lanes = t->set->lanes;
    const bool turns = kind->in == CODELET_INTERLEAVED || kind->out == CODELET_INTERLEAVED;
    check(t, lanes, false, false);
    check(t, 2 * lanes, false, turns);
    if (!kind->streams) check(t, lanes + 1 + rand() % lanes, false, false);
    if (kind->in == kind->out) check(t, 2 * lanes, true, false);
    const bool in_turn = codelet_in_turn(t->set, t->kind);
    const bool by_core = codelet_is_by_core(t->set, t->kind, t->radix);
    const int64_t half = codelet_least_of_core(t->set, t->single ? 4 : 8);
    for (int64_t some = half; by_core && some < 2 * lanes; some++) {
        check(t, some, false, turns && some % 2);
        if (kind->in == kind->out) check(t, some, true, false);
    }
    if (!in_turn && (by_core || !codelet_is_narrow(t->set, t->kind, t->radix))) return;
    for (int64_t few = in_turn ? 1 : lanes / 2; few < lanes; few++)
        check(t, few, false, turns && few % 2);
}

/* Sets of which others do what they do not; where there are pairs, packs are few. */
static bool has_few(const struct codelet_set *set, enum codelet_kind kind)
{
    const bool packs = codelet_kinds[kind].in == CODELET_PACKED;
    return codelet_is_optional(kind) || packs || strcmp(set->isa, "fma") == 0 ||
           strcmp(set->isa, "sse2") == 0 || strcmp(set->isa, "avx512vl") == 0;
}

static void check_set(const struct codelet_set *set, bool single)
{
    for (int kind = 0; kind < CODELET_KIND_COUNT; kind++) {
        for (int radix = 0; radix <= CODELET_MAX_RADIX; radix++) {
            struct codelet_trial t = {.set = set, .single = single, .kind = kind, .radix = radix};
            const bool exists = set->function[kind][radix] != NULL;
            if (exists || !has_few(set, kind)) {
                assert_int_equal(exists, radix > 0 && codelet_exists(kind, radix));
            }
            if (exists) check_codelet(&t);
        }
    }
}

static void codelets_compute_what_their_kind_says(void **state)
{
    (void)state;
    codelet_each_set(check_set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codelets_compute_what_their_kind_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

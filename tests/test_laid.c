/* Lines wherever they lie, beside each other, apart, backwards or in the same place, of pairs or of
 * planes, by every instruction set: each is what it is by itself, and what lies between them stays.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "support/devices.h"
#include "support/numbers.h"

enum { MOST = 140, MOST_LINES = 20, MOST_GROUPS = 3, MOST_GAP = 3, ROUNDS = 400, RANK = 3 };
enum { ROOM = 2 * 2 * (MOST + MOST_GAP) * (MOST_LINES + MOST_GAP) * (MOST_GROUPS + MOST_GAP) };

static struct random numbers;

/* Groups of lines of n, where one end has them: strides of groups, lines and elements. */
struct side {
    int64_t count[RANK], stride[RANK], offset;
    int unit; /* reals of an element, */
    int part; /* ... from one to the next; 1 or, of planes, that far */
};

struct trial {
    weft_kind kind;
    weft_precision precision;
    weft_direction direction;
    weft_format format;
    int64_t size[RANK];
    struct side side[2];
    char in[ROOM * sizeof(double)], out[ROOM * sizeof(double)];
};

static bool chance(double probability)
{
    return random_chance(&numbers, probability);
}

static int64_t up_to(int64_t most)
{
    return random_between(&numbers, 1, most);
}

/* Elements follow one another, or lines do. */
static void place_side(struct side *side, bool in)
{
    const bool lines = chance(0.7);
    const int order[RANK] = {lines ? 1 : 2, lines ? 2 : 1, 0};
    int64_t step = chance(0.2) ? up_to(MOST_GAP) : 1, lowest = 0;
    for (int i = 0; i < RANK; i++) {
        const int d = order[i];
        side->stride[d] = chance(0.1) ? -step : step;
        if (in && chance(0.03)) side->stride[d] = 0;
        if (side->stride[d] < 0) lowest += side->stride[d] * (side->count[d] - 1);
        step *= side->count[d];
        if (chance(0.2)) step += up_to(MOST_GAP);
        if (step > ROOM / 8) step = side->count[order[0]] * side->count[order[1]] + MOST_GAP;
    }
    side->offset = -lowest + up_to(MOST_GAP) - 1;
}

static weft_kind some_kind(void)
{
    static const weft_kind complex[] = {WEFT_C2C, WEFT_R2C, WEFT_C2R};
    static const weft_kind reals[] = {WEFT_DCT1, WEFT_DCT2, WEFT_DCT3, WEFT_DCT4, WEFT_DST1,
                                      WEFT_DST2, WEFT_DST3, WEFT_DST4, WEFT_DHT};
    return chance(0.6) ? complex[random_between(&numbers, 0, 2)]
                       : reals[random_between(&numbers, 0, 8)];
}

static int unit_of(weft_kind kind, bool out)
{
    const bool complex = kind == WEFT_C2C || kind == (out ? WEFT_R2C : WEFT_C2R);
    return complex ? 2 : 1;
}

static void make_trial(struct trial *t)
{
    t->kind = some_kind();
    t->precision = chance(0.5) ? WEFT_F64 : WEFT_F32;
    t->direction = chance(0.5) ? WEFT_INVERSE : WEFT_FORWARD;
    t->format = chance(0.3) ? WEFT_PLANAR : WEFT_INTERLEAVED;
    t->size[0] = chance(0.3) ? up_to(MOST_GROUPS) : 1;
    t->size[1] = up_to(MOST_LINES);
    t->size[2] = t->kind == WEFT_DCT1 ? 1 + up_to(MOST - 1) : up_to(MOST);
    for (int out = 0; out < 2; out++) {
        struct side *side = &t->side[out];
        const bool half = t->kind == (out ? WEFT_R2C : WEFT_C2R);
        memcpy(side->count, t->size, sizeof side->count);
        if (half) side->count[2] = t->size[2] / 2 + 1;
        side->unit = unit_of(t->kind, out);
        side->part = t->format == WEFT_PLANAR ? ROOM / 2 : 1;
        place_side(side, !out);
    }
    for (int64_t i = 0; i < ROOM; i++) {
        number_put(t->precision, t->in, i, random_number(&numbers));
        number_put(t->precision, t->out, i, (double)i);
    }
}

static void wrap(weft_device *device, const struct trial *t, int end, void *data,
                 weft_buffer **buffer)
{
    const size_t bytes = ROOM * number_bytes(t->precision);
    char *const im = (char *)data + bytes / 2;
    if (t->format == WEFT_PLANAR && t->side[end].unit == 2)
        assert_done(weft_buffer_wrap_planar(device, data, im, bytes / 2, buffer));
    else
        assert_done(weft_buffer_wrap(device, data, bytes, buffer));
}

static void run(weft_device *device, const struct trial *t, weft_params *params, void *in,
                void *out)
{
    weft_buffer *from = NULL, *to = NULL;
    weft_plan *plan = NULL;
    params->kind = t->kind;
    params->precision = t->precision;
    params->format = t->format;
    assert_done(weft_plan_create(device, params, &plan));
    wrap(device, t, 0, in, &from);
    wrap(device, t, 1, out, &to);
    assert_done(weft_execute(plan, t->direction, from, to));
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_plan_destroy(&plan);
}

static void transform(weft_device *device, struct trial *t)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.rank = RANK;
    params.axes = 1 << (RANK - 1);
    memcpy(params.size, t->size, sizeof t->size);
    params.in_stride = t->side[0].stride;
    params.out_stride = t->side[1].stride;
    params.in_offset = t->side[0].offset;
    params.out_offset = t->side[1].offset;
    run(device, t, &params, t->in, t->out);
}

/* Of a real of an element, counted through them. */
static int64_t place_in_line(const struct side *side, int64_t i)
{
    return (side->part > 1 ? 1 : side->unit) * (i / side->unit) + side->part * (i % side->unit);
}

static int64_t place(const struct side *side, int64_t group, int64_t line, int64_t i)
{
    const int64_t first = side->offset + group * side->stride[0] + line * side->stride[1];
    const int64_t element = first + i / side->unit * side->stride[2];
    return place_in_line(side, side->unit * element + i % side->unit);
}

/* Compares one, and takes it out of the output. */
static void check_line(weft_device *device, struct trial *t, int64_t group, int64_t line)
{
    static char in[ROOM * sizeof(double)], out[ROOM * sizeof(double)];
    const struct side *from = &t->side[0], *to = &t->side[1];
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = t->size[2];
    for (int64_t i = 0; i < from->unit * from->count[2]; i++) {
        const int64_t at = place(from, group, line, i);
        number_put(t->precision, in, place_in_line(from, i), number_at(t->precision, t->in, at));
    }
    run(device, t, &params, in, out);
    /* Two lines of reals that are one of pairs are off by as much as the larger one. */
    double off = 0, norm = (double)t->size[2];
    for (int64_t i = 0; i < to->unit * to->count[2]; i++) {
        const int64_t at = place(to, group, line, i);
        const double x = number_at(t->precision, out, place_in_line(to, i));
        const double y = number_at(t->precision, t->out, at);
        off += (x - y) * (x - y);
        norm += x * x;
        number_put(t->precision, t->out, at, (double)at);
    }
    if (!(sqrt(off / norm) <= (t->precision == WEFT_F64 ? 4e-15 : 2e-6)))
        fail_msg("kind %d, precision %d, direction %d, format %d, %lld lines of %lld: off by %g",
                 (int)t->kind, (int)t->precision, (int)t->direction, (int)t->format,
                 (long long)t->size[1], (long long)t->size[2], sqrt(off / norm));
}

static void check(weft_device *device, struct trial *t)
{
    make_trial(t);
    transform(device, t);
    for (int64_t group = 0; group < t->size[0]; group++)
        for (int64_t line = 0; line < t->size[1]; line++) check_line(device, t, group, line);
    for (int64_t i = 0; i < ROOM; i++)
        assert_true(number_at(t->precision, t->out, i) == (double)i);
}

static void lines_are_as_each_by_itself_wherever_they_lie(void **state)
{
    static struct trial trial;
    static const char *const isas[] = {"avx512", "avx2", "sse2", "scalar", NULL};
    (void)state;
    for (int i = 0; isas[i]; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int round = 0; device && round < ROUNDS; round++) check(device, &trial);
        weft_device_close(&device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_as_each_by_itself_wherever_they_lie),
    };
    numbers.state = random_seed();
    return cmocka_run_group_tests_name("laid", tests, NULL, NULL);
}

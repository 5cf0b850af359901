/* Lines of real kinds beside each other, which vectors take a lane each: they are what the same
 * lines with gaps between them are, whose reals are found one by one, by every instruction set. */
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

static struct random numbers;

enum { MOST_LINES = 70, LONGEST = 130, MOST_THREADS = 4, ROOM = 7, GAP = 2, TRIALS = 10 };

struct lines {
    weft_params params;
    weft_direction direction;
    int64_t pitch[2]; /* from one element to the next, side by side and with gaps */
    bool in_place, broadcast; /* one element of a line is read as all of it */
};

static int64_t reals_of(const struct lines *l, bool gaps)
{
    return l->pitch[gaps] * l->params.size[0];
}

static int64_t place(const struct lines *l, int64_t e, int64_t line, bool gaps)
{
    return e * l->pitch[gaps] + line * (gaps ? GAP : 1);
}

static int64_t in_pitch(const struct lines *l, bool gaps)
{
    return l->broadcast ? 0 : l->pitch[gaps];
}

static void transform(weft_device *device, const struct lines *l, bool gaps, void *in, void *out)
{
    const size_t bytes = (size_t)reals_of(l, gaps) * number_bytes(l->params.precision);
    weft_params params = l->params;
    const int64_t stride = in_pitch(l, gaps);
    params.in_stride = &stride;
    params.out_stride = &l->pitch[gaps];
    params.in_distance = params.out_distance = gaps ? GAP : 1;
    weft_plan *plan = NULL;
    weft_buffer *from = NULL, *to = NULL;
    assert_done(weft_plan_create(device, &params, &plan));
    assert_done(weft_buffer_wrap(device, in, bytes, &from));
    assert_done(weft_buffer_wrap(device, out, bytes, &to));
    assert_done(weft_execute(plan, l->direction, from, l->in_place ? from : to));
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_plan_destroy(&plan);
}

static void compare(const struct lines *l, const void *beside, const void *apart)
{
    double off = 0, norm = 0;
    for (int64_t i = 0; i < l->params.size[0] * l->params.batch; i++) {
        const int64_t e = i / l->params.batch, line = i % l->params.batch;
        const double x = number_at(l->params.precision, beside, place(l, e, line, false));
        const double y = number_at(l->params.precision, apart, place(l, e, line, true));
        off += (x - y) * (x - y);
        norm += y * y;
    }
    /* Sums of one number over and over round the same way throughout. */
    const double limit = (l->params.precision == WEFT_F64 ? 2e-15 : 1e-6) * (l->broadcast ? 3 : 1);
    if (!(sqrt(off / norm) <= limit))
        fail_msg("%lld lines of %lld, kind %d, precision %d, direction %d: off by %g",
                 (long long)l->params.batch, (long long)l->params.size[0], (int)l->params.kind,
                 (int)l->params.precision, (int)l->direction, sqrt(off / norm));
}

/* Whether what is between the lines is what it was. */
static bool keeps_the_rest(const struct lines *l, const void *out)
{
    for (int64_t e = 0; e < l->params.size[0]; e++)
        for (int64_t c = l->params.batch; c < l->pitch[0]; c++)
            if (number_at(l->params.precision, out, e * l->pitch[0] + c) != 7) return false;
    return true;
}

static void check(weft_device *device, const struct lines *l)
{
    void *in[2], *out[2];
    for (int gaps = 0; gaps < 2; gaps++) {
        in[gaps] = malloc((size_t)reals_of(l, gaps) * number_bytes(l->params.precision));
        out[gaps] = malloc((size_t)reals_of(l, gaps) * number_bytes(l->params.precision));
        assert_true(in[gaps] && out[gaps]);
        for (int64_t i = 0; i < reals_of(l, gaps); i++) {
            number_put(l->params.precision, in[gaps], i, 7);
            number_put(l->params.precision, out[gaps], i, 7);
        }
    }
    for (int64_t i = 0; i < l->params.size[0] * l->params.batch; i++) {
        const int64_t e = i / l->params.batch, line = i % l->params.batch;
        const double x = random_number(&numbers);
        for (int gaps = 0; gaps < 2; gaps++)
            number_put(l->params.precision, in[gaps], place(l, e, line, gaps), x);
    }
    for (int gaps = 0; gaps < 2; gaps++)
        transform(device, l, gaps, in[gaps], out[gaps]);
    compare(l, l->in_place ? in[0] : out[0], l->in_place ? in[1] : out[1]);
    assert_true(keeps_the_rest(l, l->in_place ? in[0] : out[0]));
    for (int gaps = 0; gaps < 2; gaps++) {
        free(in[gaps]);
        free(out[gaps]);
    }
}

static struct lines random_lines(weft_kind kind)
{
    struct lines l = {.params = WEFT_PARAMS_DEFAULT};
    l.params.kind = kind;
    l.params.precision = random_chance(&numbers, 0.5) ? WEFT_F64 : WEFT_F32;
    l.params.size[0] = random_between(&numbers, 2, LONGEST);
    if (random_chance(&numbers, 0.1)) l.params.size[0] *= 16;
    l.params.batch = random_between(&numbers, 1, MOST_LINES);
    if (random_chance(&numbers, 0.2)) l.params.batch *= 16;
    l.params.threads = (int)random_between(&numbers, 1, MOST_THREADS);
    l.params.orthonormal = kind != WEFT_DHT && random_chance(&numbers, 0.3);
    if (!l.params.orthonormal) l.params.forward_scale = random_chance(&numbers, 0.3) ? 0.25 : 0;
    l.direction = random_chance(&numbers, 0.5) ? WEFT_INVERSE : WEFT_FORWARD;
    l.pitch[0] = l.params.batch + random_between(&numbers, 0, ROOM);
    l.pitch[1] = GAP * l.params.batch;
    l.in_place = random_chance(&numbers, 0.3);
    l.broadcast = !l.in_place && random_chance(&numbers, 0.2);
    return l;
}

static void lines_of_reals_beside_each_other_are_as_with_gaps(void **state)
{
    static const char *const isas[] = {"avx512", "avx2", "sse2", "scalar"};
    (void)state;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int trial = 0; device && trial < TRIALS; trial++) {
            for (weft_kind kind = WEFT_DCT1; kind <= WEFT_DHT; kind++) {
                const struct lines lines = random_lines(kind);
                check(device, &lines);
            }
        }
        weft_device_close(&device);
    }
}

/* The smallest scale that there is: where half of it is taken, nothing is left. */
static void lines_that_a_scale_leaves_nothing_of_are_written(void **state)
{
    enum { LENGTH = 16, LINES = 24 };
    weft_device *device = devices_open_cpu(NULL);
    (void)state;
    for (int i = 0; i <= 2 * (WEFT_DHT - WEFT_DCT1) + 1; i++) {
        struct lines l = {.params = WEFT_PARAMS_DEFAULT, .pitch = {LINES}};
        float in[LENGTH * LINES], out[LENGTH * LINES];
        l.params.kind = (weft_kind)(WEFT_DCT1 + i / 2);
        l.params.size[0] = LENGTH - i % 2;
        l.params.batch = LINES;
        l.params.forward_scale = 0x1p-149;
        for (int64_t j = 0; j < LENGTH * LINES; j++)
            in[j] = out[j] = 7;
        transform(device, &l, false, in, out);
        for (int64_t j = 0; j < reals_of(&l, false); j++)
            assert_true(fabsf(out[j]) < 1);
    }
    weft_device_close(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_reals_beside_each_other_are_as_with_gaps),
        cmocka_unit_test(lines_that_a_scale_leaves_nothing_of_are_written),
    };
    numbers.state = random_seed();
    return cmocka_run_group_tests_name("beside", tests, NULL, NULL);
}

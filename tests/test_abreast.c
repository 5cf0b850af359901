/* Contiguous lines taken abreast, by every instruction set: each is what it is by itself. */
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

/* What codelets hold and what they do not, what no tile of the first level holds, and a prime. */
static const int64_t lengths[] = {13, 14, 15, 16, 21,  25,  28,  45,
                                  50, 53, 60, 84, 125, 144, 186, 250};

enum { MOST_LINES = 70, TRIALS = 120 };

struct batch {
    weft_kind kind;
    weft_precision precision;
    weft_direction direction;
    int64_t n, lines, gap[2]; /* elements between lines, in and out */
    int threads;
    bool in_place;
};

/* Elements of a line at an end: reals where those of its kind are. */
static int64_t length_of(const struct batch *b, bool out)
{
    const bool half = b->kind != WEFT_C2C && out == (b->kind == WEFT_R2C);
    return half ? b->n / 2 + 1 : b->n;
}

static bool has_reals(const struct batch *b, bool out)
{
    return b->kind != WEFT_C2C && out == (b->kind == WEFT_C2R);
}

/* From one line to the next at an end, in numbers. */
static int64_t apart(const struct batch *b, bool out)
{
    return (length_of(b, out) + b->gap[out]) * (has_reals(b, out) ? 1 : 2);
}

static size_t bytes_of(const struct batch *b, bool out)
{
    return (size_t)(apart(b, out) * b->lines) * number_bytes(b->precision);
}

static weft_plan *plan_of(weft_device *device, const struct batch *b, int64_t lines)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    weft_plan *plan = NULL;
    params.kind = b->kind;
    params.size[0] = b->n;
    params.batch = lines;
    params.precision = b->precision;
    params.threads = b->threads;
    params.in_distance = length_of(b, false) + b->gap[false];
    params.out_distance = length_of(b, true) + b->gap[true];
    assert_done(weft_plan_create(device, &params, &plan));
    return plan;
}

static void run(weft_device *device, weft_plan *plan, const struct batch *b, char *in,
                size_t in_bytes, char *out, size_t out_bytes)
{
    weft_buffer *from = NULL, *to = NULL;
    assert_done(weft_buffer_wrap(device, in, in_bytes, &from));
    assert_done(weft_buffer_wrap(device, out, out_bytes, &to));
    assert_done(weft_execute(plan, b->direction, from, to));
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
}

static void one_by_one(weft_device *device, const struct batch *b, char *in, char *out)
{
    weft_plan *plan = plan_of(device, b, 1);
    const size_t from = (size_t)apart(b, false) * number_bytes(b->precision);
    const size_t to = (size_t)apart(b, true) * number_bytes(b->precision);
    for (int64_t line = 0; line < b->lines; line++)
        run(device, plan, b, in + (size_t)line * from, from, out + (size_t)line * to, to);
    weft_plan_destroy(&plan);
}

static void abreast(weft_device *device, const struct batch *b, char *in, char *out)
{
    weft_plan *plan = plan_of(device, b, b->lines);
    run(device, plan, b, in, bytes_of(b, false), out, bytes_of(b, true));
    weft_plan_destroy(&plan);
}

/* What lies between the lines stays as it was. */
static void compare(const struct batch *b, const char *abreast, const char *single)
{
    double off = 0, norm = 0;
    const int64_t line = apart(b, true), used = length_of(b, true) * (has_reals(b, true) ? 1 : 2);
    for (int64_t i = 0; i < line * b->lines; i++) {
        const double x = number_at(b->precision, abreast, i),
                     y = number_at(b->precision, single, i);
        if (i % line >= used && x != y) fail_msg("number %lld of a gap", (long long)i);
        off += (x - y) * (x - y);
        norm += y * y;
    }
    if (!(sqrt(off / norm) <= (b->precision == WEFT_F64 ? 2e-15 : 1e-6)))
        fail_msg("%lld lines of %lld, kind %d, precision %d, direction %d, %d threads: off by %g",
                 (long long)b->lines, (long long)b->n, (int)b->kind, (int)b->precision,
                 (int)b->direction, b->threads, sqrt(off / norm));
}

static void check(weft_device *device, const struct batch *b)
{
    const size_t in_bytes = bytes_of(b, false), out_bytes = bytes_of(b, true);
    char *in = malloc(in_bytes), *out[2] = {calloc(1, out_bytes), calloc(1, out_bytes)};
    assert_true(in && out[0] && out[1]);
    numbers_fill(b->precision, in, (int64_t)(in_bytes / number_bytes(b->precision)), &numbers);
    if (b->in_place) {
        memcpy(out[0], in, in_bytes);
        memcpy(out[1], in, in_bytes);
    }
    one_by_one(device, b, b->in_place ? out[0] : in, out[0]);
    abreast(device, b, b->in_place ? out[1] : in, out[1]);
    compare(b, out[1], out[0]);
    free(in);
    free(out[0]);
    free(out[1]);
}

static struct batch random_batch(void)
{
    const int64_t length = (int64_t)(sizeof lengths / sizeof *lengths);
    struct batch b = {.kind = (weft_kind)random_between(&numbers, WEFT_C2C, WEFT_C2R),
                      .precision = random_chance(&numbers, 0.5) ? WEFT_F64 : WEFT_F32,
                      .direction = random_chance(&numbers, 0.5) ? WEFT_INVERSE : WEFT_FORWARD,
                      .n = lengths[random_between(&numbers, 0, length - 1)],
                      .lines = random_between(&numbers, 1, MOST_LINES),
                      .threads = (int)random_between(&numbers, 1, 3)};
    if (b.kind != WEFT_C2C && random_chance(&numbers, 0.8)) b.n *= 2;
    if (random_chance(&numbers, 0.4))
        for (int out = 0; out < 2; out++)
            b.gap[out] = random_between(&numbers, 0, 9);
    b.in_place = b.kind == WEFT_C2C && b.gap[0] == b.gap[1] && random_chance(&numbers, 0.5);
    return b;
}

static void lines_abreast_are_as_each_by_itself(void **state)
{
    static const char *const isas[] = {"avx512", "avx2", "sse2", "neon", "scalar"};
    (void)state;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int trial = 0; device && trial < TRIALS; trial++) {
            const struct batch batch = random_batch();
            check(device, &batch);
        }
        weft_device_close(&device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_abreast_are_as_each_by_itself),
    };
    numbers.state = random_seed();
    return cmocka_run_group_tests_name("abreast", tests, NULL, NULL);
}

/* Transforms with scales, of whatever steps: as those without, multiplied afterwards, but for
 * rounding; each direction by its own. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/factor.h"
#include "support/devices.h"
#include "support/numbers.h"
#include "support/random.h"
#include "weft/weft.h"

enum { TRIALS = 300, LARGE_TRIALS = 12, MOST_POINTS = 150000 };
enum { MOST_REALS = 2 * MOST_POINTS + 64 };

static struct random numbers;
static double from[MOST_REALS], plain[MOST_REALS], scaled[MOST_REALS];

/* The first ones more often. */
enum { COMMON = 3 };
static const weft_kind kinds[] = {WEFT_C2C,  WEFT_R2C,  WEFT_C2R,  WEFT_DCT1, WEFT_DCT2, WEFT_DCT3,
                                  WEFT_DCT4, WEFT_DST1, WEFT_DST2, WEFT_DST3, WEFT_DST4, WEFT_DHT};

struct trial {
    weft_params params;
    weft_direction direction;
    bool in_place;
};

static int64_t random_length(int64_t most)
{
    int64_t n = random_between(&numbers, 2, most);
    const bool any = random_chance(&numbers, 0.2);
    while (!any && !is_smooth(n, 13))
        n = random_between(&numbers, 2, most);
    return n;
}

/* Powers of two and other ones, near the limits of what factors bear, and beyond. */
static double random_scale(weft_precision precision)
{
    static const double scale[] = {1,         0.25,      -3,        1.0 / 3,  1e-5,
                                   0x1.8p+63, 0x1.8p+65, 0x1.8p-66, 0x1.8p-63};
    static const double far[] = {1e-30, 1e200, 1e-200};
    if (precision == WEFT_F64 && random_chance(&numbers, 0.2))
        return far[random_between(&numbers, 0, 2)];
    return scale[random_between(&numbers, 0, sizeof scale / sizeof *scale - 1)];
}

static void set_size(weft_params *p, bool large)
{
    if (large) {
        p->size[0] = random_length(MOST_POINTS - 2);
    } else if (random_chance(&numbers, 0.3)) {
        p->rank = 2;
        p->size[0] = random_length(120);
        p->size[1] = random_length(120);
    } else {
        p->size[0] = random_length(random_chance(&numbers, 0.5) ? 300 : 6000);
        p->batch = random_chance(&numbers, 0.4) ? random_between(&numbers, 2, 20) : 1;
    }
}

static struct trial random_trial(bool large)
{
    const int64_t kind = random_between(&numbers, 0, (int64_t)(sizeof kinds / sizeof *kinds) - 1);
    struct trial t = {.params = WEFT_PARAMS_DEFAULT};
    weft_params *p = &t.params;
    set_size(p, large);
    p->kind = large || random_chance(&numbers, 0.7) ? kinds[kind % COMMON] : kinds[kind];
    if (p->kind == WEFT_C2R || p->kind == WEFT_R2C) p->batch = p->batch > 10 ? 10 : p->batch;
    p->precision = random_chance(&numbers, 0.5) ? WEFT_F64 : WEFT_F32;
    p->threads = random_chance(&numbers, 0.2) ? 2 : 1;
    const bool half = p->kind == WEFT_R2C || p->kind == WEFT_C2R;
    const bool back = p->kind == WEFT_C2R || (!half && random_chance(&numbers, 0.5));
    t.direction = back ? WEFT_INVERSE : WEFT_FORWARD;
    t.in_place = !half && random_chance(&numbers, 0.3);
    return t;
}

static void run(weft_device *device, const struct trial *t, double *out)
{
    if (t->in_place)
        memcpy(out, from, sizeof from);
    else
        memset(out, 0, sizeof from);
    numbers_transform(device, &t->params, t->direction, t->in_place ? out : from, sizeof from, out,
                      sizeof from);
}

/* In place there is more than the results, which were never scaled. */
static int64_t count_reals(const struct trial *t)
{
    const weft_params *p = &t->params;
    const int64_t points = p->size[0] * (p->rank > 1 ? p->size[1] : 1) * p->batch;
    if (!t->in_place) return (int64_t)(sizeof from / number_bytes(p->precision));
    return p->kind == WEFT_C2C ? 2 * points : points;
}

static double error_of(const struct trial *t, double scale)
{
    const weft_precision precision = t->params.precision;
    const int64_t count = count_reals(t);
    double error = 0, all = 0;
    for (int64_t i = 0; i < count; i++) {
        const double want = number_at(precision, plain, i), got = number_at(precision, scaled, i);
        error += (got / scale - want) * (got / scale - want);
        all += want * want;
    }
    return all > 0 ? sqrt(error / all) : sqrt(error);
}

static void check(weft_device *device, struct trial t)
{
    const double forward = random_scale(t.params.precision);
    const double inverse = random_scale(t.params.precision);
    const double limit = t.params.precision == WEFT_F64 ? 1e-14 : 5e-6;
    numbers_fill(t.params.precision, from,
                 (int64_t)(sizeof from / number_bytes(t.params.precision)), &numbers);
    run(device, &t, plain);
    t.params.forward_scale = forward;
    t.params.inverse_scale = inverse;
    run(device, &t, scaled);
    const double scale = t.direction == WEFT_FORWARD ? forward : inverse;
    const double error = error_of(&t, scale);
    if (!(error < limit))
        fail_msg("%lld lines of %lld x %lld, kind %d, precision %d, direction %d%s, scales %g and "
                 "%g: error %g",
                 (long long)t.params.batch, (long long)t.params.size[0],
                 (long long)t.params.size[1], (int)t.params.kind, (int)t.params.precision,
                 (int)t.direction, t.in_place ? ", in place" : "", forward, inverse, error);
}

static void scaled_results_are_the_others_times_the_scale(void **state)
{
    static const char *const isas[] = {"avx512", "avx2", "sse2", "neon", "scalar"};
    (void)state;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int trial = 0; device && trial < TRIALS; trial++)
            check(device, random_trial(false));
        for (int trial = 0; device && trial < LARGE_TRIALS; trial++)
            check(device, random_trial(true));
        weft_device_close(&device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scaled_results_are_the_others_times_the_scale),
    };
    numbers.state = random_seed();
    return cmocka_run_group_tests_name("scales", tests, NULL, NULL);
}

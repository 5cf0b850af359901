/* Batches of small images, and small volumes, whose passes repeat codelets without tiles between:
 * each image is what it is by itself, and a volume what its planes are, then its columns. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "support/devices.h"
#include "support/random.h"

enum { MOST = 13, MOST_PLANES = 9, ROOM = 2 * MOST_PLANES * MOST * (MOST + 2), ROUNDS = 300 };

/* Bits of axes. */
enum { ALL = 0, FARTHEST = 1, PLANES = 6 };

static struct random numbers;

struct volume {
    weft_kind kind;
    weft_precision precision;
    weft_direction direction;
    int64_t planes, rows, columns;
};

static size_t real_bytes(const struct volume *v)
{
    return v->precision == WEFT_F64 ? sizeof(double) : sizeof(float);
}

/* Elements of a plane on a side. */
static int64_t plane_of(const struct volume *v, bool spectrum)
{
    const bool half = spectrum && v->kind != WEFT_C2C;
    return v->rows * (half ? v->columns / 2 + 1 : v->columns);
}

static weft_params params_of(const struct volume *v)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.rank = 3;
    params.kind = v->kind;
    params.precision = v->precision;
    params.size[0] = v->planes;
    params.size[1] = v->rows;
    params.size[2] = v->columns;
    return params;
}

static void run(weft_device *device, const struct volume *v, const weft_params *params, void *in,
                void *out)
{
    weft_buffer *from = NULL, *to = NULL;
    weft_plan *plan = NULL;
    const size_t bytes = ROOM * real_bytes(v);
    assert_done(weft_plan_create(device, params, &plan));
    assert_done(weft_buffer_wrap(device, in, bytes, &from));
    assert_done(weft_buffer_wrap(device, out, bytes, &to));
    assert_done(weft_execute(plan, v->direction, from, to));
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_plan_destroy(&plan);
}

/* Image by image. */
static void by_planes(weft_device *device, const struct volume *v, void *in, void *out)
{
    weft_params params = params_of(v);
    params.rank = 2;
    params.size[0] = v->rows;
    params.size[1] = v->columns;
    for (int64_t p = 0; p < v->planes; p++) {
        params.in_offset = p * plane_of(v, v->kind == WEFT_C2R);
        params.out_offset = p * plane_of(v, v->kind == WEFT_R2C);
        run(device, v, &params, in, out);
    }
}

static void by_columns(weft_device *device, const struct volume *v, void *in, void *out)
{
    struct volume complex = *v;
    complex.kind = WEFT_C2C;
    complex.columns = plane_of(v, true) / v->rows;
    weft_params params = params_of(&complex);
    params.axes = FARTHEST;
    run(device, &complex, &params, in, out);
}

static double real_at(const struct volume *v, const void *data, int64_t i)
{
    return v->precision == WEFT_F64 ? ((const double *)data)[i] : (double)((const float *)data)[i];
}

static void compare(const struct volume *v, const double *out, const double *expected,
                    const char *what)
{
    const bool reals = v->kind == WEFT_C2R;
    const int64_t count = (reals ? 1 : 2) * v->planes * plane_of(v, v->kind == WEFT_R2C);
    double off = 0, norm = 0;
    for (int64_t i = 0; i < count; i++) {
        const double y = real_at(v, expected, i), x = real_at(v, out, i) - y;
        off += x * x;
        norm += y * y;
    }
    if (!(sqrt(off / norm) <= (v->precision == WEFT_F64 ? 2e-15 : 1e-6)))
        fail_msg("%s of %lld x %lld x %lld, kind %d, precision %d, direction %d: off by %g", what,
                 (long long)v->planes, (long long)v->rows, (long long)v->columns, (int)v->kind,
                 (int)v->precision, (int)v->direction, sqrt(off / norm));
}

static void check(weft_device *device, const struct volume *v)
{
    static double in[ROOM], out[ROOM], expected[ROOM], between[ROOM];
    for (int64_t i = 0; i < ROOM; i++) {
        const double x = random_number(&numbers);
        if (v->precision == WEFT_F64) in[i] = x;
        else ((float *)in)[i] = (float)x;
    }
    weft_params params = params_of(v);
    params.axes = PLANES;
    by_planes(device, v, in, expected);
    run(device, v, &params, in, out);
    compare(v, out, expected, "planes");
    params.axes = ALL;
    if (v->kind == WEFT_C2R) {
        by_columns(device, v, in, between);
        by_planes(device, v, between, expected);
    } else {
        by_planes(device, v, in, between);
        by_columns(device, v, between, expected);
    }
    run(device, v, &params, in, out);
    compare(v, out, expected, "a volume");
}

static struct volume random_volume(void)
{
    static const weft_kind kinds[] = {WEFT_C2C, WEFT_R2C, WEFT_C2R};
    const weft_kind kind = kinds[random_between(&numbers, 0, 2)];
    const bool back = kind == WEFT_C2R || (kind == WEFT_C2C && random_chance(&numbers, 0.5));
    return (struct volume){.kind = kind,
                           .precision = random_chance(&numbers, 0.5) ? WEFT_F64 : WEFT_F32,
                           .direction = back ? WEFT_INVERSE : WEFT_FORWARD,
                           .planes = random_between(&numbers, 2, MOST_PLANES),
                           .rows = random_between(&numbers, 2, MOST),
                           .columns = random_between(&numbers, 2, MOST)};
}

static void planes_and_volumes_are_what_their_parts_are(void **state)
{
    static const char *const isas[] = {"avx512", "avx2", "sse2", "scalar"};
    (void)state;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int round = 0; device && round < ROUNDS; round++) {
            const struct volume volume = random_volume();
            check(device, &volume);
        }
        weft_device_close(&device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_and_volumes_are_what_their_parts_are),
    };
    numbers.state = random_seed();
    return cmocka_run_group_tests_name("planes", tests, NULL, NULL);
}

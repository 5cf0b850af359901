/* Images whose passes are one call: each is what its axes are one after the other, by every
 * instruction set. */
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

enum { MOST = 24, ROOM = 2 * MOST * (MOST + 2), ROWS_ALONE = 2, COLUMNS_ALONE = 1 };

static struct random numbers;

struct image {
    weft_kind kind;
    weft_precision precision;
    weft_direction direction;
    int64_t rows, columns;
    bool in_place;
};

static int64_t reals_of(const struct image *image, bool spectrum)
{
    const bool half = image->kind != WEFT_C2C;
    const int64_t row = !half ? 2 * image->columns : spectrum ? image->columns / 2 * 2 + 2
                                                               : image->columns;
    return image->rows * row;
}

static size_t real_bytes(const struct image *image)
{
    return image->precision == WEFT_F64 ? sizeof(double) : sizeof(float);
}

/* A transform along some axes of what is there; in: NULL for in place. */
static void transform(weft_device *device, const struct image *image, weft_kind kind,
                      uint32_t axes, void *in, void *out)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    weft_buffer *from = NULL, *to = NULL;
    weft_plan *plan = NULL;
    const bool half = image->kind != WEFT_C2C;
    params.rank = 2;
    params.size[0] = image->rows;
    params.size[1] = kind == WEFT_C2C && half ? image->columns / 2 + 1 : image->columns;
    params.kind = kind;
    params.precision = image->precision;
    params.axes = axes;
    assert_done(weft_plan_create(device, &params, &plan));
    const size_t bytes = ROOM * real_bytes(image);
    assert_done(weft_buffer_wrap(device, in, bytes, &from));
    assert_done(weft_buffer_wrap(device, out, bytes, &to));
    assert_done(weft_execute(plan, image->direction, from, to));
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_plan_destroy(&plan);
}

static void by_axes(weft_device *device, const struct image *image, void *in, void *out)
{
    static double between[ROOM];
    if (image->kind == WEFT_C2R) {
        transform(device, image, WEFT_C2C, COLUMNS_ALONE, in, between);
        transform(device, image, WEFT_C2R, ROWS_ALONE, between, out);
    } else {
        transform(device, image, image->kind, ROWS_ALONE, in, between);
        transform(device, image, WEFT_C2C, COLUMNS_ALONE, between, out);
    }
}

static double real_at(const struct image *image, const void *data, int64_t i)
{
    return image->precision == WEFT_F64 ? ((const double *)data)[i]
                                        : (double)((const float *)data)[i];
}

static void check(weft_device *device, const struct image *image)
{
    static double in[ROOM], out[ROOM], expected[ROOM];
    double off = 0, norm = 0;
    for (int64_t i = 0; i < ROOM; i++) {
        const double x = random_number(&numbers);
        if (image->precision == WEFT_F64) in[i] = x;
        else ((float *)in)[i] = (float)x;
    }
    by_axes(device, image, in, expected);
    if (image->in_place) memcpy(out, in, sizeof in);
    transform(device, image, image->kind, 0, image->in_place ? out : in, out);
    for (int64_t i = 0; i < reals_of(image, image->kind == WEFT_R2C); i++) {
        const double y = real_at(image, expected, i), x = real_at(image, out, i) - y;
        off += x * x;
        norm += y * y;
    }
    if (!(sqrt(off / norm) <= (image->precision == WEFT_F64 ? 2e-15 : 1e-6)))
        fail_msg("%lld x %lld, kind %d, precision %d, direction %d, in place %d: off by %g",
                 (long long)image->rows, (long long)image->columns, (int)image->kind,
                 (int)image->precision, (int)image->direction, image->in_place,
                 sqrt(off / norm));
}

static struct image random_image(int64_t rows, int64_t columns)
{
    static const weft_kind kinds[] = {WEFT_C2C, WEFT_R2C, WEFT_C2R};
    const weft_kind kind = kinds[random_between(&numbers, 0, 2)];
    const bool whole = kind == WEFT_C2C;
    const bool back = kind == WEFT_C2R || (whole && random_chance(&numbers, 0.5));
    return (struct image){.kind = kind,
                          .precision = random_chance(&numbers, 0.5) ? WEFT_F64 : WEFT_F32,
                          .direction = back ? WEFT_INVERSE : WEFT_FORWARD,
                          .rows = rows,
                          .columns = columns,
                          .in_place = whole && random_chance(&numbers, 0.5)};
}

static void small_images_are_what_their_axes_are(void **state)
{
    static const char *const isas[] = {"avx512", "avx2", "sse2", "scalar"};
    (void)state;
    for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
        weft_device *device = devices_open_cpu(isas[i]);
        for (int64_t rows = 2; device && rows <= MOST; rows++) {
            for (int64_t columns = 2; columns <= MOST; columns++) {
                const struct image image = random_image(rows, columns);
                check(device, &image);
            }
        }
        weft_device_close(&device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_images_are_what_their_axes_are),
    };
    numbers.state = random_seed();
    return cmocka_run_group_tests_name("small_images", tests, NULL, NULL);
}

/* Numbers whose type in memory is not that of the arithmetic. */
#include <math.h>
#include <stdbool.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/storage.h"
#include "support/conversions.h"
#include "support/devices.h"

enum { MOST_DEVICES = 16 };

/* ---- one number ---- */

static uint16_t written(weft_storage storage, double value)
{
    uint16_t bits = 0;
    storage_write(storage, &bits, 0, value);
    return bits;
}

static void halves_come_back_as_they_were(void **state)
{
    (void)state;
    for (weft_storage s = WEFT_STORED_F16; s <= WEFT_STORED_BF16; s++) {
        for (uint32_t bits = 0; bits < 65536; bits++) {
            const uint16_t half = (uint16_t)bits;
            const double value = storage_read(s, &half, 0);
            if (isnan(value))
                assert_true(isnan(storage_read(s, &(uint16_t){written(s, value)}, 0)));
            else
                assert_int_equal(written(s, value), half);
        }
    }
}

/* Of a bfloat16 the value is known by its bits. */
static void bfloat16_is_the_upper_half_of_a_single(void **state)
{
    (void)state;
    for (uint32_t bits = 0; bits < 65536; bits++) {
        const uint16_t half = (uint16_t)bits;
        const uint32_t word = bits << 16;
        float single;
        memcpy(&single, &word, sizeof single);
        if (!isnan(single)) assert_true(storage_read(WEFT_STORED_BF16, &half, 0) == (double)single);
    }
}

static void halves_are_rounded_to_the_nearest_and_to_even(void **state)
{
    (void)state;
    for (weft_storage s = WEFT_STORED_F16; s <= WEFT_STORED_BF16; s++) {
        const uint16_t infinity = written(s, INFINITY);
        for (uint16_t bits = 0; bits + 1 < infinity; bits++) {
            const uint16_t next = (uint16_t)(bits + 1);
            const double low = storage_read(s, &bits, 0), high = storage_read(s, &next, 0);
            const double middle = (low + high) / 2;
            assert_int_equal(written(s, middle), bits & 1 ? next : bits);
            assert_int_equal(written(s, nextafter(middle, 0)), bits);
            assert_int_equal(written(s, nextafter(middle, INFINITY)), next);
            assert_int_equal(written(s, -nextafter(middle, INFINITY)), next | 0x8000);
        }
    }
    assert_int_equal(written(WEFT_STORED_F16, 65519.99), 0x7bff);
    assert_int_equal(written(WEFT_STORED_F16, 65520), 0x7c00);
    assert_int_equal(written(WEFT_STORED_F16, -1e300), 0xfc00);
    assert_int_equal(written(WEFT_STORED_BF16, 1e39), 0x7f80);
}

static void integers_are_rounded_to_even_and_saturated(void **state)
{
    (void)state;
    const struct {
        weft_storage storage;
        double value, kept;
    } cases[] = {
        {WEFT_STORED_U8, 2.5, 2},          {WEFT_STORED_U8, 3.5, 4},
        {WEFT_STORED_U8, -0.6, 0},         {WEFT_STORED_U8, 255.4, 255},
        {WEFT_STORED_U8, INFINITY, 255},   {WEFT_STORED_U8, NAN, 0},
        {WEFT_STORED_I8, -128.5, -128},    {WEFT_STORED_I8, -2.5, -2},
        {WEFT_STORED_I8, 1e9, 127},        {WEFT_STORED_U16, 65534.5, 65534},
        {WEFT_STORED_U16, -INFINITY, 0},   {WEFT_STORED_U16, 1e300, 65535},
        {WEFT_STORED_I16, -32769, -32768}, {WEFT_STORED_I16, 32766.5, 32766},
        {WEFT_STORED_I16, NAN, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint16_t bits = 0x5555;
        storage_write(cases[i].storage, &bits, 0, cases[i].value);
        assert_true(storage_read(cases[i].storage, &bits, 0) == cases[i].kept);
        if (storage_bytes(cases[i].storage) == 1) assert_int_equal(bits >> 8, 0x55);
    }
}

/* ---- devices ---- */

static void devices_convert_every_number_as_it_should_be(void **state)
{
    (void)state;
    struct test_device devices[MOST_DEVICES];
    const int count = devices_open(MOST_DEVICES, devices);
    bool evaluated = false;
    for (int d = 0; d < count; d++) {
        if (devices[d].evaluated && evaluated) continue; /* they differ in other things */
        evaluated |= devices[d].evaluated;
        for (weft_precision p = WEFT_F32; p <= WEFT_F64; p++) {
            for (weft_storage s = WEFT_STORED_F16; s <= WEFT_STORED_I16; s++) {
                const char *wrong = conversions_check(devices[d].device, p, s, false);
                if (wrong) fail_msg("%s: %s", devices[d].name, wrong);
            }
        }
    }
    devices_close(count, devices);
}

/* Lengths that one butterfly does from pairs to pairs, but not to and from what lies between axes
 * where the output keeps too little. */
static void every_short_length_can_be_planned_on_the_way_to_bytes(void **state)
{
    (void)state;
    weft_device *device;
    assert_int_equal(weft_device_open("cpu", &device), WEFT_OK);
    for (int64_t n = 1; n <= 130; n++) {
        weft_params params = WEFT_PARAMS_DEFAULT;
        weft_plan *plan = NULL;
        params.rank = 2;
        params.size[0] = 2;
        params.size[1] = n;
        params.out_storage = WEFT_STORED_U8;
        if (weft_plan_create(device, &params, &plan)) fail_msg("%s", weft_last_error());
        weft_plan_destroy(&plan);
    }
    weft_device_close(&device);
}

/* Copied one by one they are lines, which are folded and scaled at once. */
static void spectra_that_interlock_are_scaled_once(void **state)
{
    (void)state;
    enum { SIZE = 138, BATCH = 2 };
    const int64_t stride = BATCH;
    uint8_t in[2 * BATCH * (SIZE / 2 + 1)] = {[0] = 100, [2] = 60};
    float out[BATCH * SIZE];
    weft_params params = WEFT_PARAMS_DEFAULT;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_buffer *from = NULL, *to = NULL;
    params.kind = WEFT_C2R;
    params.size[0] = SIZE;
    params.batch = BATCH;
    params.in_stride = &stride;
    params.in_distance = 1;
    params.in_storage = WEFT_STORED_U8;
    params.forward_scale = 0.5;
    assert_int_equal(weft_device_open("cpu", &device), WEFT_OK);
    assert_int_equal(weft_plan_create(device, &params, &plan), WEFT_OK);
    assert_int_equal(weft_buffer_wrap(device, in, sizeof in, &from), WEFT_OK);
    assert_int_equal(weft_buffer_wrap(device, out, sizeof out, &to), WEFT_OK);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, from, to), WEFT_OK);
    for (int i = 0; i < BATCH * SIZE; i++) assert_true(out[i] == (i < SIZE ? 50 : 30));
    weft_buffer_destroy(&to);
    weft_buffer_destroy(&from);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spectra_that_interlock_are_scaled_once),
        cmocka_unit_test(halves_come_back_as_they_were),
        cmocka_unit_test(bfloat16_is_the_upper_half_of_a_single),
        cmocka_unit_test(halves_are_rounded_to_the_nearest_and_to_even),
        cmocka_unit_test(integers_are_rounded_to_even_and_saturated),
        cmocka_unit_test(devices_convert_every_number_as_it_should_be),
        cmocka_unit_test(every_short_length_can_be_planned_on_the_way_to_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

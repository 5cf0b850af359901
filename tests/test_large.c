/* Arrays of more than 2^31 elements on the CPU: places that need 64 bits, and as many lines. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_NORESERVE */
#endif
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "weft/weft.h"

/* Elements from one part of an array to the next, of which all but the parts is never touched. */
#define FAR ((INT64_C(1) << 31) + 5)

enum { PARTS = 3, LENGTH = 64 };

static weft_device *device;

static void *reserve(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void execute(const weft_params *params, void *data, size_t bytes)
{
    weft_plan *plan = NULL;
    weft_buffer *buffer = NULL;
    assert_done(weft_plan_create(device, params, &plan));
    assert_done(weft_buffer_wrap(device, data, bytes, &buffer));
    assert_done(weft_execute(plan, WEFT_FORWARD, buffer, buffer));
    weft_buffer_destroy(&buffer);
    weft_plan_destroy(&plan);
}

/* Rows, of which each is an impulse of another height, or columns across them. */
static void try_far_parts(uint32_t axes)
{
    const int64_t stride[] = {FAR, 1};
    const size_t bytes = (size_t)((PARTS - 1) * FAR + LENGTH) * 2 * sizeof(float);
    float *data = reserve(bytes);
    if (!data) skip();
    for (int part = 0; part < PARTS; part++) data[2 * part * FAR] = (float)(part + 1);
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.rank = 2;
    params.size[0] = PARTS;
    params.size[1] = LENGTH;
    params.axes = axes;
    params.in_stride = params.out_stride = stride;
    execute(&params, data, bytes);
    for (int part = 0; part < PARTS; part++) {
        const float *row = data + 2 * part * FAR;
        const double across = part ? -1.5 : 6; /* of 1 2 3 */
        for (int i = 0; i < LENGTH && axes == 2; i++)
            assert_true(fabs(row[2 * i] - (part + 1)) < 1e-5);
        if (axes == 1) assert_true(fabs(row[0] - across) < 1e-5);
    }
    munmap(data, bytes);
}

static void places_beyond_2_to_31_elements_are_reached(void **state)
{
    (void)state;
    try_far_parts(2);
    try_far_parts(1);
}

/* Bytes in place, so that memory holds as many: the first and the last line are not zeros. */
static void more_than_2_to_31_elements_are_transformed(void **state)
{
    (void)state;
    if (!getenv("WEFT_TEST_LONG")) skip();
    const int64_t lines = (INT64_C(1) << 31) / LENGTH + 3;
    const size_t bytes = (size_t)lines * LENGTH;
    signed char *data = reserve(bytes), *last = data + bytes - LENGTH;
    if (!data) skip();
    data[0] = 7;
    last[0] = 100;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kind = WEFT_DHT;
    params.size[0] = LENGTH;
    params.batch = lines;
    params.in_storage = params.out_storage = WEFT_STORED_I8;
    params.threads = 0;
    execute(&params, data, bytes);
    for (int i = 0; i < LENGTH; i++) {
        assert_int_equal(data[i], 7);
        assert_int_equal(data[LENGTH + i], 0);
        assert_int_equal(last[i - LENGTH], 0);
        assert_int_equal(last[i], 100);
    }
    munmap(data, bytes);
}

static int open_device(void **state)
{
    (void)state;
    return weft_device_open("cpu", &device);
}

static int close_device(void **state)
{
    (void)state;
    weft_device_close(&device);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_beyond_2_to_31_elements_are_reached),
        cmocka_unit_test(more_than_2_to_31_elements_are_transformed),
    };
    return cmocka_run_group_tests_name("large arrays", tests, open_device, close_device);
}

/* Arrays of more than 2^31 elements: places that need 64 bits, and as many lines. On the CPU, or on
 * the device that WEFT_TEST_DEVICE names, whose memory holds 60 GB then. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_NORESERVE */
#endif
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
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
static bool on_host;

/* Zeros but for what is written, of which the system gives no page before it is touched. */
struct array {
    weft_buffer *buffer;
    void *memory; /* NULL: the device's */
    size_t bytes;
};

static bool make(size_t bytes, struct array *array)
{
    *array = (struct array){.bytes = bytes};
    if (!on_host) return weft_buffer_create(device, bytes, &array->buffer) == WEFT_OK;
    array->memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (array->memory == MAP_FAILED) return false;
    assert_done(weft_buffer_wrap(device, array->memory, bytes, &array->buffer));
    return true;
}

static void destroy(struct array *array)
{
    weft_buffer_destroy(&array->buffer);
    if (array->memory) munmap(array->memory, array->bytes);
}

static void put(const struct array *array, size_t offset, const void *data, size_t bytes)
{
    assert_done(weft_buffer_write(array->buffer, offset, data, bytes));
}

static void get(const struct array *array, size_t offset, void *data, size_t bytes)
{
    assert_done(weft_buffer_read(array->buffer, offset, data, bytes));
}

static void execute(const weft_params *params, const struct array *array)
{
    weft_plan *plan = NULL;
    assert_done(weft_plan_create(device, params, &plan));
    assert_done(weft_execute(plan, WEFT_FORWARD, array->buffer, array->buffer));
    weft_plan_destroy(&plan);
}

/* Rows, of which each is an impulse of another height, or columns across them. */
static void try_far_parts(uint32_t axes)
{
    const int64_t stride[] = {FAR, 1};
    struct array array;
    if (!make((size_t)((PARTS - 1) * FAR + LENGTH) * 2 * sizeof(float), &array)) skip();
    for (int part = 0; part < PARTS; part++) {
        const float height = (float)(part + 1);
        put(&array, (size_t)(part * FAR) * 2 * sizeof height, &height, sizeof height);
    }
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.rank = 2;
    params.size[0] = PARTS;
    params.size[1] = LENGTH;
    params.axes = axes;
    params.in_stride = params.out_stride = stride;
    execute(&params, &array);
    for (int part = 0; part < PARTS; part++) {
        float row[2 * LENGTH];
        const double across = part ? -1.5 : 6; /* of 1 2 3 */
        get(&array, (size_t)(part * FAR) * 2 * sizeof *row, row, sizeof row);
        for (int i = 0; i < LENGTH && axes == 2; i++)
            assert_true(fabs(row[2 * i] - (part + 1)) < 1e-5);
        if (axes == 1) assert_true(fabs(row[0] - across) < 1e-5);
    }
    destroy(&array);
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
    const signed char first = 7, last = 100;
    struct array array;
    if (!make(bytes, &array)) skip();
    put(&array, 0, &first, 1);
    put(&array, bytes - LENGTH, &last, 1);
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kind = WEFT_DHT;
    params.size[0] = LENGTH;
    params.batch = lines;
    params.in_storage = params.out_storage = WEFT_STORED_I8;
    params.threads = 0;
    execute(&params, &array);
    signed char begin[2 * LENGTH], end[2 * LENGTH];
    get(&array, 0, begin, sizeof begin);
    get(&array, bytes - sizeof end, end, sizeof end);
    for (int i = 0; i < LENGTH; i++) {
        assert_int_equal(begin[i], first);
        assert_int_equal(begin[LENGTH + i], 0);
        assert_int_equal(end[i], 0);
        assert_int_equal(end[LENGTH + i], last);
    }
    destroy(&array);
}

/* The spectrum of an impulse turns by as much from number to number. */
static void check_turns(const struct array *array, int64_t n, int64_t impulse, int64_t first)
{
    enum { SOME = 1000 };
    float some[2 * SOME];
    const double turn = -2 * acos(-1) / (double)n;
    get(array, (size_t)first * 2 * sizeof *some, some, sizeof some);
    for (int64_t k = first; k < first + SOME; k++) {
        const double angle = turn * (double)(k * impulse % n);
        const float *x = some + 2 * (k - first);
        assert_true(fabs(x[0] - cos(angle)) < 1e-5 && fabs(x[1] - sin(angle)) < 1e-5);
    }
}

/* 17 GB in place: a device of no less memory has them, and the plan's scratch. */
static void one_line_has_2_to_31_elements(void **state)
{
    (void)state;
    if (on_host || !getenv("WEFT_TEST_LONG")) skip();
    const int64_t n = INT64_C(1) << 31, impulse = 2000000011;
    const float one = 1;
    struct array array;
    if (!make((size_t)n * 2 * sizeof one, &array)) skip();
    put(&array, (size_t)impulse * 2 * sizeof one, &one, sizeof one);
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = n;
    execute(&params, &array);
    for (int part = 0; part < 7; part++)
        check_turns(&array, n, impulse, n / 7 * part);
    check_turns(&array, n, impulse, n - 1000);
    destroy(&array);
}

static int open_device(void **state)
{
    (void)state;
    const char *name = getenv("WEFT_TEST_DEVICE");
    on_host = !name;
    return weft_device_open(name ? name : "cpu", &device);
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
        cmocka_unit_test(one_line_has_2_to_31_elements),
    };
    return cmocka_run_group_tests_name("large arrays", tests, open_device, close_device);
}

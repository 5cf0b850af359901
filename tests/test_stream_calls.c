/* Arrays that plans with a memory_limit reach by the caller's calls, and each allocation
 * that may fail. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "support/failing.h"
#include "support/random.h"
#include "support/streamed.h"
#include "weft/weft.h"

static uint64_t seed;

/* An array that only calls reach. */
struct store {
    char *data;
    size_t bytes;
    int64_t calls_left; /* that succeed; negative: all */
};

static weft_status use(struct store *store)
{
    if (store->calls_left == 0) return WEFT_ERROR_DEVICE;
    if (store->calls_left > 0) store->calls_left--;
    return WEFT_OK;
}

static weft_status read_store(void *context, uint64_t offset, void *data, size_t bytes)
{
    struct store *store = context;
    assert_true(offset <= store->bytes && bytes <= store->bytes - offset);
    if (use(store)) return WEFT_ERROR_DEVICE;
    memcpy(data, store->data + offset, bytes);
    return WEFT_OK;
}

static weft_status write_store(void *context, uint64_t offset, const void *data, size_t bytes)
{
    struct store *store = context;
    assert_true(offset <= store->bytes && bytes <= store->bytes - offset);
    if (use(store)) return WEFT_ERROR_DEVICE;
    memcpy(store->data + offset, data, bytes);
    return WEFT_OK;
}

static weft_buffer *wrap_store(weft_device *device, struct store *store)
{
    weft_buffer *buffer = NULL;
    const weft_calls calls = {read_store, write_store, store};
    assert_done(weft_buffer_wrap_calls(device, &calls, store->bytes, &buffer));
    return buffer;
}

enum { STORED = 4096, STORED_BYTES = STORED * 16 };

/* A line of complex doubles through stores, as many calls of each as are left to it. */
static weft_status run_stores(const char *name, double *x, double *y, int64_t in_calls,
                              int64_t out_calls, int64_t scratch_calls)
{
    weft_device *device = NULL;
    static char between[STORED_BYTES];
    assert_done(weft_device_open(name, &device));
    weft_plan *plan = streamed_line(device, STORED, STORED_BYTES / 4);
    struct store in = {(char *)x, STORED_BYTES, in_calls};
    struct store out = {(char *)y, STORED_BYTES, out_calls};
    struct store scratch = {between, STORED_BYTES, scratch_calls};
    weft_buffer *from = wrap_store(device, &in), *to = wrap_store(device, &out);
    weft_buffer *through = wrap_store(device, &scratch);
    const weft_execution execution = {.scratch = through};
    const weft_status status = weft_execute_with(plan, WEFT_FORWARD, from, to, &execution);
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_buffer_destroy(&through);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    return status;
}

static void arrays_may_be_reached_by_calls(void **state)
{
    (void)state;
    static const char *const names[] = {"cpu", "null"};
    struct random random = {seed};
    double *x = streamed_numbers(&random, STORED), *y = streamed_numbers(&random, STORED);
    double *z = streamed_numbers(&random, STORED);
    weft_device *cpu = NULL;
    assert_done(weft_device_open("cpu", &cpu));
    weft_plan *plan = streamed_line(cpu, STORED, 0);
    streamed_forward(cpu, plan, x, z, STORED_BYTES);
    for (int i = 0; i < 2; i++) {
        assert_done(run_stores(names[i], x, y, -1, -1, -1));
        for (int j = 0; j < 2 * STORED; j++)
            assert_true(fabs(y[j] - z[j]) < 1e-10);
    }
    weft_plan_destroy(&plan);
    weft_device_close(&cpu);
    free(x);
    free(y);
    free(z);
}

static void a_call_that_fails_ends_the_execute_with_its_status(void **state)
{
    (void)state;
    static double x[2 * STORED], y[2 * STORED];
    assert_refused(run_stores("cpu", x, y, 0, -1, -1), WEFT_ERROR_DEVICE, "could not read");
    assert_refused(run_stores("cpu", x, y, 70, -1, -1), WEFT_ERROR_DEVICE, "could not read");
    assert_refused(run_stores("cpu", x, y, -1, 9, -1), WEFT_ERROR_DEVICE, "could not write");
    assert_refused(run_stores("null", x, y, -1, -1, 100), WEFT_ERROR_DEVICE, "could not");
}

static void buffers_by_calls_are_for_plans_that_stream(void **state)
{
    (void)state;
    static char memory[64];
    weft_device *device = NULL;
    struct store store = {memory, sizeof memory, -1};
    assert_done(weft_device_open("cpu", &device));
    weft_plan *plan = streamed_line(device, 4, 0);
    weft_buffer *buffer = wrap_store(device, &store);
    char bytes[8] = "written";
    assert_refused(weft_execute(plan, WEFT_FORWARD, buffer, buffer), WEFT_ERROR_LAYOUT, "calls");
    assert_done(weft_buffer_write(buffer, 8, "written", 8));
    assert_done(weft_buffer_read(buffer, 8, bytes, 8));
    assert_string_equal(memory + 8, "written");
    assert_string_equal(bytes, "written");
    weft_plan_destroy(&plan);
    weft_buffer_destroy(&buffer);
    const weft_calls none = {NULL, write_store, &store};
    assert_refused(weft_buffer_wrap_calls(device, &none, 64, &buffer), WEFT_ERROR_ARGUMENT, "NULL");
    weft_device_close(&device);
}

static weft_status make_and_run(void *device)
{
    static double x[2 * STORED], y[2 * STORED];
    weft_params params = WEFT_PARAMS_DEFAULT;
    weft_plan *plan = NULL;
    weft_buffer *in = NULL, *out = NULL;
    params.precision = WEFT_F64;
    params.size[0] = STORED;
    params.memory_limit = STORED_BYTES / 4;
    weft_status status = weft_plan_create(device, &params, &plan);
    if (!status) status = weft_buffer_wrap(device, x, STORED_BYTES, &in);
    if (!status) status = weft_buffer_wrap(device, y, STORED_BYTES, &out);
    if (!status) status = weft_execute(plan, WEFT_FORWARD, in, out);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    static const char *const names[] = {"cpu", "null"};
    for (int i = 0; i < 2; i++) {
        weft_device *device = NULL;
        assert_done(weft_device_open(names[i], &device));
        fail_each_allocation(make_and_run, device);
        weft_device_close(&device);
    }
}

int main(void)
{
    seed = random_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_may_be_reached_by_calls),
        cmocka_unit_test(a_call_that_fails_ends_the_execute_with_its_status),
        cmocka_unit_test(buffers_by_calls_are_for_plans_that_stream),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

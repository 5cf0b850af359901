/* The caller's own OpenCL: contexts, buffers and parts of them, queues and events; and what comes
 * of handles that are wrong, of drivers that fail and of machines without OpenCL. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv */
#endif
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support/assert_status.h"
#include "support/opencl.h"

#define N        60
#define BYTES    (N * 2 * sizeof(float))
#define PART     4096  /* a multiple of every device's alignment of sub-buffers */
#define SPLIT    65536 /* too long for one pass: needs scratch */
#define TOLERANT 1e-4f

static struct test_opencl opencl;
static bool there;

/* ---- helpers ---- */

static weft_plan *plan_of(int64_t n)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = n;
    weft_plan *plan = NULL;
    if (weft_plan_create(opencl.device, &params, &plan)) fail_msg("%s", weft_last_error());
    return plan;
}

static weft_buffer *wrap(cl_mem memory, size_t bytes)
{
    weft_buffer *buffer = NULL;
    if (weft_opencl_buffer_wrap(opencl.device, memory, NULL, bytes, &buffer))
        fail_msg("%s", weft_last_error());
    return buffer;
}

/* An impulse of this height at element 0: its transform is that height everywhere. */
static cl_mem impulse(int64_t n, float height)
{
    const size_t bytes = (size_t)n * 2 * sizeof(float);
    float *data = calloc(1, bytes);
    assert_non_null(data);
    data[0] = height;
    cl_mem memory = test_opencl_memory(&opencl, bytes, data);
    free(data);
    return memory;
}

static bool is_flat(cl_mem memory, size_t first, int64_t n, float height)
{
    const size_t bytes = (first + (size_t)n) * 2 * sizeof(float);
    float *all = malloc(bytes);
    assert_non_null(all);
    test_opencl_read(&opencl, memory, bytes, all);
    const float *data = all + 2 * first;
    bool flat = true;
    for (int64_t i = 0; i < n; i++) {
        const float re = data[2 * i] - height, im = data[2 * i + 1];
        flat = flat && re < TOLERANT && re > -TOLERANT && im < TOLERANT && im > -TOLERANT;
    }
    free(all);
    return flat;
}

static cl_command_queue queue_with(cl_command_queue_properties properties)
{
    cl_int result = 0;
    cl_command_queue queue =
        opencl.cl->CreateCommandQueue(opencl.context, opencl.id, properties, &result);
    if (result) fail_msg("no queue: %s", opencl_error_name(result));
    return queue;
}

/* ---- handles ---- */

static void parts_of_a_buffer_can_be_wrapped(void **state)
{
    (void)state;
    if (!there) skip();
    cl_int result = 0;
    weft_plan *plan = plan_of(N);
    cl_mem whole = impulse(3 * PART, 1);
    const cl_buffer_region region[2] = {{0, PART}, {2 * PART, PART}};
    cl_mem part[2];
    for (int i = 0; i < 2; i++) {
        part[i] =
            opencl.cl->CreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region[i], &result);
        assert_int_equal(result, CL_SUCCESS);
    }
    weft_buffer *in = wrap(part[0], BYTES), *out = wrap(part[1], BYTES), *all = wrap(whole, BYTES);
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, in, out), WEFT_OK);
    assert_true(is_flat(whole, 2 * PART / (2 * sizeof(float)), N, 1));
    /* the same place by another handle is not in place */
    assert_refused(weft_execute(plan, WEFT_FORWARD, in, all), WEFT_ERROR_LAYOUT, "overlap");
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_buffer_destroy(&all);
    for (int i = 0; i < 2; i++)
        opencl.cl->ReleaseMemObject(part[i]);
    opencl.cl->ReleaseMemObject(whole);
    weft_plan_destroy(&plan);
}

static void executes_wait_for_events_and_give_one(void **state)
{
    (void)state;
    if (!there) skip();
    weft_plan *plan = plan_of(N);
    cl_command_queue other = queue_with(0);
    cl_mem from = impulse(N, 0), to = impulse(N, 0);
    weft_buffer *in = wrap(from, BYTES), *out = wrap(to, BYTES);
    float data[2 * N] = {3};
    cl_event written = NULL, done = NULL;
    opencl.cl->EnqueueWriteBuffer(opencl.queue, from, CL_FALSE, 0, BYTES, data, 0, NULL, &written);
    opencl.cl->Flush(opencl.queue);
    assert_int_equal(
        weft_opencl_execute(plan, WEFT_FORWARD, in, out, NULL, other, 1, &written, &done), WEFT_OK);
    assert_non_null(done);
    float result[2 * N];
    opencl.cl->EnqueueReadBuffer(opencl.queue, to, CL_TRUE, 0, BYTES, result, 1, &done, NULL);
    for (int i = 0; i < N; i++)
        assert_float_equal(result[2 * i], 3, TOLERANT);
    opencl.cl->ReleaseEvent(written);
    opencl.cl->ReleaseEvent(done);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    opencl.cl->ReleaseMemObject(from);
    opencl.cl->ReleaseMemObject(to);
    opencl.cl->ReleaseCommandQueue(other);
    weft_plan_destroy(&plan);
}

/* Runs that need scratch, alternately on two queues that nobody waits for. */
static void queues_do_not_share_scratch(void **state)
{
    enum { RUNS = 6 };
    (void)state;
    if (!there) skip();
    const size_t bytes = SPLIT * 2 * sizeof(float);
    weft_plan *plan = plan_of(SPLIT);
    assert_true(weft_plan_scratch_bytes(plan) > 0);
    cl_command_queue queue[2] = {queue_with(0), queue_with(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)};
    cl_mem from[RUNS], to[RUNS];
    for (int i = 0; i < RUNS; i++) {
        from[i] = impulse(SPLIT, (float)(i + 1));
        to[i] = impulse(SPLIT, 0);
    }
    for (int i = 0; i < RUNS; i++) {
        weft_buffer *in = wrap(from[i], bytes), *out = wrap(to[i], bytes);
        assert_int_equal(
            weft_opencl_execute(plan, WEFT_FORWARD, in, out, NULL, queue[i % 2], 0, NULL, NULL),
            WEFT_OK);
        weft_buffer_destroy(&in);
        weft_buffer_destroy(&out);
    }
    for (int i = 0; i < 2; i++)
        assert_int_equal(opencl.cl->Finish(queue[i]), CL_SUCCESS);
    for (int i = 0; i < RUNS; i++) {
        assert_true(is_flat(to[i], 0, SPLIT, (float)(i + 1)));
        opencl.cl->ReleaseMemObject(from[i]);
        opencl.cl->ReleaseMemObject(to[i]);
    }
    weft_plan_destroy(&plan);
    for (int i = 0; i < 2; i++)
        opencl.cl->ReleaseCommandQueue(queue[i]);
}

static void scratch_can_be_given(void **state)
{
    (void)state;
    if (!there) skip();
    weft_plan *plan = plan_of(SPLIT);
    cl_mem from = impulse(SPLIT, 2), to = impulse(SPLIT, 0);
    weft_buffer *in = wrap(from, SPLIT * 8), *out = wrap(to, SPLIT * 8), *own = NULL;
    weft_execution execution = {0};
    assert_int_equal(
        weft_buffer_create(opencl.device, weft_plan_scratch_bytes(plan), &execution.scratch),
        WEFT_OK);
    assert_int_equal(weft_execute_with(plan, WEFT_FORWARD, in, out, &execution), WEFT_OK);
    assert_true(is_flat(to, 0, SPLIT, 2));
    weft_buffer_destroy(&execution.scratch);
    static float host[SPLIT * 2];
    assert_int_equal(weft_buffer_wrap(opencl.device, host, sizeof host, &own), WEFT_OK);
    execution.scratch = own;
    assert_refused(weft_execute_with(plan, WEFT_FORWARD, in, out, &execution), WEFT_ERROR_LAYOUT,
                   "scratch");
    execution.scratch = in;
    assert_refused(weft_execute_with(plan, WEFT_FORWARD, in, out, &execution), WEFT_ERROR_LAYOUT,
                   "scratch overlaps");
    weft_buffer_destroy(&own);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    opencl.cl->ReleaseMemObject(from);
    opencl.cl->ReleaseMemObject(to);
    weft_plan_destroy(&plan);
}

static void buffers_can_be_written_and_read(void **state)
{
    (void)state;
    if (!there) skip();
    weft_buffer *buffer = NULL;
    float data[4] = {1, 2, 3, 4}, back[4] = {0};
    assert_int_equal(weft_buffer_create(opencl.device, sizeof data, &buffer), WEFT_OK);
    assert_int_equal(weft_buffer_read(buffer, 0, back, sizeof back), WEFT_OK);
    for (int i = 0; i < 4; i++)
        assert_true(back[i] == 0);
    assert_int_equal(weft_buffer_write(buffer, 4, data, 12), WEFT_OK);
    assert_int_equal(weft_buffer_read(buffer, 8, back, 8), WEFT_OK);
    assert_true(back[0] == 2 && back[1] == 3);
    weft_buffer_destroy(&buffer);
    assert_int_equal(weft_buffer_wrap(opencl.device, data, sizeof data, &buffer), WEFT_OK);
    assert_int_equal(weft_buffer_read(buffer, 12, back, 4), WEFT_OK);
    assert_int_equal(weft_buffer_write(buffer, 0, back, 4), WEFT_OK);
    assert_true(data[0] == 4);
    weft_buffer_destroy(&buffer);
}

/* ---- what is refused ---- */

static void wrong_memory_is_refused(void **state)
{
    (void)state;
    if (!there) skip();
    cl_int result = 0;
    weft_buffer *buffer = NULL;
    cl_mem memory = impulse(N, 1);
    assert_refused(weft_opencl_buffer_wrap(NULL, memory, NULL, BYTES, &buffer), WEFT_ERROR_ARGUMENT,
                   "device is NULL");
    assert_refused(weft_opencl_buffer_wrap(opencl.device, NULL, NULL, BYTES, &buffer),
                   WEFT_ERROR_ARGUMENT, "re is NULL");
    assert_refused(weft_opencl_buffer_wrap(opencl.device, memory, NULL, BYTES + 1, &buffer),
                   WEFT_ERROR_LAYOUT, "480 bytes, 481");
    cl_context other = opencl.cl->CreateContext(NULL, 1, &opencl.id, NULL, NULL, &result);
    cl_mem foreign = opencl.cl->CreateBuffer(other, CL_MEM_READ_WRITE, BYTES, NULL, &result);
    assert_refused(weft_opencl_buffer_wrap(opencl.device, foreign, NULL, BYTES, &buffer),
                   WEFT_ERROR_ARGUMENT, "another context");
    weft_device *cpu = NULL;
    assert_int_equal(weft_device_open("cpu", &cpu), WEFT_OK);
    assert_refused(weft_opencl_buffer_wrap(cpu, memory, NULL, BYTES, &buffer), WEFT_ERROR_ARGUMENT,
                   "accepted are OpenCL devices");
    assert_null(buffer);
    weft_device_close(&cpu);
    opencl.cl->ReleaseMemObject(foreign);
    opencl.cl->ReleaseMemObject(memory);
    opencl.cl->ReleaseContext(other);
}

static void wrong_executes_are_refused(void **state)
{
    (void)state;
    if (!there) skip();
    cl_int result = 0;
    weft_plan *plan = plan_of(N);
    cl_mem memory = impulse(N, 1);
    float data[2 * N] = {0};
    weft_buffer *good = wrap(memory, BYTES), *small = wrap(memory, BYTES - 8), *host = NULL;
    assert_int_equal(weft_buffer_wrap(opencl.device, data, sizeof data, &host), WEFT_OK);
    cl_context other = opencl.cl->CreateContext(NULL, 1, &opencl.id, NULL, NULL, &result);
    cl_command_queue foreign = opencl.cl->CreateCommandQueue(other, opencl.id, 0, &result);
    const struct {
        const weft_plan *plan;
        weft_buffer *in;
        cl_command_queue queue;
        cl_uint events;
        weft_status status;
        const char *words;
    } cases[] = {
        {NULL, good, opencl.queue, 0, WEFT_ERROR_ARGUMENT, "plan is NULL"},
        {plan, good, NULL, 0, WEFT_ERROR_ARGUMENT, "queue is NULL"},
        {plan, NULL, opencl.queue, 0, WEFT_ERROR_ARGUMENT, "in is NULL"},
        {plan, good, opencl.queue, 1, WEFT_ERROR_ARGUMENT, "wait is NULL"},
        {plan, good, foreign, 0, WEFT_ERROR_ARGUMENT, "another context"},
        {plan, small, opencl.queue, 0, WEFT_ERROR_LAYOUT, "472 bytes, the plan needs 480"},
        {plan, host, opencl.queue, 0, WEFT_ERROR_ARGUMENT, "host memory"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_refused(weft_opencl_execute(cases[i].plan, WEFT_FORWARD, cases[i].in, good, NULL,
                                           cases[i].queue, cases[i].events, NULL, NULL),
                       cases[i].status, cases[i].words);
    }
    weft_buffer_destroy(&good);
    weft_buffer_destroy(&small);
    weft_buffer_destroy(&host);
    weft_plan_destroy(&plan);
    opencl.cl->ReleaseCommandQueue(foreign);
    opencl.cl->ReleaseContext(other);
    opencl.cl->ReleaseMemObject(memory);
}

static void wrong_devices_are_refused(void **state)
{
    (void)state;
    if (!there) skip();
    weft_device *device = NULL;
    assert_refused(weft_device_open("opencl:99", &device), WEFT_ERROR_DEVICE, "no device 99");
    assert_refused(weft_device_open("opencl:x", &device), WEFT_ERROR_ARGUMENT, "no number");
    assert_refused(weft_device_open("opencl:-1", &device), WEFT_ERROR_DEVICE, "no device -1");
    assert_refused(weft_opencl_device_open(NULL, opencl.id, &device), WEFT_ERROR_ARGUMENT,
                   "context is NULL");
    assert_refused(weft_opencl_device_open(opencl.context, NULL, &device), WEFT_ERROR_ARGUMENT,
                   "id is NULL");
    assert_null(device);
}

/* ---- drivers that fail ---- */

/* The library's table is shared by all: what is put into it is what weft calls. */
static struct opencl_library *table(void)
{
    return (struct opencl_library *)(uintptr_t)opencl.cl;
}

static struct opencl_library true_table;

static cl_program CL_API_CALL create_nonsense(cl_context context, cl_uint count,
                                              const char **sources, const size_t *lengths,
                                              cl_int *result)
{
    const char *source = "__kernel void weft_block() { nonsense }";
    (void)sources;
    (void)lengths;
    return true_table.CreateProgramWithSource(context, count, &source, NULL, result);
}

static cl_mem CL_API_CALL create_nothing(cl_context context, cl_mem_flags flags, size_t bytes,
                                         void *data, cl_int *result)
{
    (void)context;
    (void)flags;
    (void)bytes;
    (void)data;
    *result = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return NULL;
}

static cl_int CL_API_CALL launch_nothing(cl_command_queue queue, cl_kernel kernel, cl_uint rank,
                                         const size_t *offset, const size_t *all,
                                         const size_t *group, cl_uint events, const cl_event *wait,
                                         cl_event *event)
{
    (void)queue;
    (void)kernel;
    (void)rank;
    (void)offset;
    (void)all;
    (void)group;
    (void)events;
    (void)wait;
    (void)event;
    return CL_DEVICE_NOT_AVAILABLE;
}

static void failures_of_the_driver_are_told(void **state)
{
    (void)state;
    if (!there) skip();
    true_table = *opencl.cl;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = N;
    weft_plan *plan = NULL;
    weft_buffer *buffer = NULL;
    const int64_t before = memory_live_blocks();
    setenv("WEFT_CACHE_DIR", "", 1);
    weft_device *device = NULL;
    assert_int_equal(weft_opencl_device_open(opencl.context, opencl.id, &device), WEFT_OK);
    table()->CreateProgramWithSource = create_nonsense;
    assert_refused(weft_plan_create(device, &params, &plan), WEFT_ERROR_DEVICE,
                   "OpenCL: clBuildProgram of kernel weft_");
    *table() = true_table;
    table()->CreateBuffer = create_nothing;
    assert_refused(weft_plan_create(device, &params, &plan), WEFT_ERROR_MEMORY, "clCreateBuffer");
    assert_refused(weft_buffer_create(device, 64, &buffer), WEFT_ERROR_MEMORY,
                   "CL_MEM_OBJECT_ALLOCATION_FAILURE");
    *table() = true_table;
    assert_null(plan);
    assert_null(buffer);
    weft_device_close(&device);
    test_opencl_prepare(WEFT_BINARY_DIR);
    assert_int_equal(memory_live_blocks(), before);
}

static void a_lost_device_is_told(void **state)
{
    (void)state;
    if (!there) skip();
    true_table = *opencl.cl;
    weft_plan *plan = plan_of(N);
    cl_mem memory = impulse(N, 1);
    weft_buffer *buffer = wrap(memory, BYTES);
    table()->EnqueueNDRangeKernel = launch_nothing;
    assert_refused(weft_execute(plan, WEFT_FORWARD, buffer, buffer), WEFT_ERROR_DEVICE,
                   "clEnqueueNDRangeKernel of kernel weft_");
    *table() = true_table;
    assert_int_equal(weft_execute(plan, WEFT_FORWARD, buffer, buffer), WEFT_OK);
    assert_true(is_flat(memory, 0, N, 1));
    weft_buffer_destroy(&buffer);
    weft_plan_destroy(&plan);
    opencl.cl->ReleaseMemObject(memory);
}

static void too_much_memory_is_refused(void **state)
{
    (void)state;
    if (!there) skip();
    weft_buffer *buffer = NULL;
    assert_refused(weft_buffer_create(opencl.device, SIZE_MAX / 2, &buffer), WEFT_ERROR_MEMORY,
                   "at most");
}

/* ---- no OpenCL ---- */

/* What the process that was started with a library that is not there finds. */
static int without_opencl(void)
{
    weft_device *device = NULL;
    if (weft_device_open("opencl:0", &device) != WEFT_ERROR_DEVICE) return 1;
    if (strcmp(weft_last_error(), "OpenCL: no library here (/nowhere/libOpenCL.so)")) return 2;
    for (int i = 0; i < weft_device_count(); i++) {
        weft_device_info info;
        if (weft_device_describe(i, &info) || strstr(info.name, "opencl")) return 3;
    }
    if (weft_device_open(NULL, &device)) return 4;
    weft_device_close(&device);
    return 0;
}

static void a_machine_without_opencl_is_told(void **state)
{
    (void)state;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        setenv("WEFT_OPENCL", "/nowhere/libOpenCL.so", 1);
        execl("/proc/self/exe", "test_opencl_handles", "without", (char *)NULL);
        _exit(127);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_of_a_buffer_can_be_wrapped),
        cmocka_unit_test(executes_wait_for_events_and_give_one),
        cmocka_unit_test(queues_do_not_share_scratch),
        cmocka_unit_test(scratch_can_be_given),
        cmocka_unit_test(buffers_can_be_written_and_read),
        cmocka_unit_test(wrong_memory_is_refused),
        cmocka_unit_test(wrong_executes_are_refused),
        cmocka_unit_test(wrong_devices_are_refused),
        cmocka_unit_test(failures_of_the_driver_are_told),
        cmocka_unit_test(a_lost_device_is_told),
        cmocka_unit_test(too_much_memory_is_refused),
        cmocka_unit_test(a_machine_without_opencl_is_told),
    };
    if (argc > 1 && strcmp(argv[1], "without") == 0) return without_opencl();
    test_opencl_prepare(WEFT_BINARY_DIR);
    there = test_opencl_open(&opencl);
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    if (there) test_opencl_close(&opencl);
    return failures;
}

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv */
#endif
#include "support/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/guarded.h"

/* Drivers and their compilers keep what they made until the process ends, which the sanitizer of
 * addresses takes for leaks; and LLVM gives threads a signal stack, which it takes for its own. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:use_sigaltstack=0";
}

static void keep_in(const char *variable, const char *build_folder, const char *name)
{
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/%s", build_folder, name);
    mkdir(folder, 0777);
    setenv(variable, folder, 1);
}

void test_opencl_prepare(const char *build_folder)
{
    unsetenv("WEFT_OPENCL");
    keep_in("WEFT_CACHE_DIR", build_folder, "kernels");
    keep_in("POCL_CACHE_DIR", build_folder, "kernels_pocl");
    setenv("POCL_WORK_GROUP_METHOD", "workitemloops", 1); /* without vectors, to compile sooner */
}

bool test_opencl_open(struct test_opencl *t)
{
    const char *why;
    const struct opencl_listed *listed;
    cl_int result = 0;
    *t = (struct test_opencl){.cl = opencl_library_get(&why)};
    if (!t->cl || opencl_library_devices(&listed) == 0) return false;
    t->id = listed[0].id;
    t->context = t->cl->CreateContext(NULL, 1, &t->id, NULL, NULL, &result);
    if (result) abort();
    t->queue = t->cl->CreateCommandQueue(t->context, t->id, 0, &result);
    if (result || weft_opencl_device_open(t->context, t->id, &t->device)) abort();
    return true;
}

void test_opencl_close(struct test_opencl *t)
{
    weft_device_close(&t->device);
    t->cl->ReleaseCommandQueue(t->queue);
    t->cl->ReleaseContext(t->context);
}

cl_mem test_opencl_memory(const struct test_opencl *t, size_t bytes, const void *data)
{
    cl_int result = 0;
    void *zeros = data ? NULL : calloc(1, bytes);
    cl_mem memory = t->cl->CreateBuffer(t->context, CL_MEM_READ_WRITE, bytes, NULL, &result);
    if (result || t->cl->EnqueueWriteBuffer(t->queue, memory, CL_TRUE, 0, bytes,
                                            data ? data : zeros, 0, NULL, NULL))
        abort();
    free(zeros);
    return memory;
}

void test_opencl_read(const struct test_opencl *t, cl_mem memory, size_t bytes, void *data)
{
    if (t->cl->EnqueueReadBuffer(t->queue, memory, CL_TRUE, 0, bytes, data, 0, NULL, NULL)) abort();
}

/* ---- trials ---- */

/* One side in host memory, guards and all, and its image in device memory. */
struct side {
    struct guarded guarded;
    int64_t *place;
    cl_mem memory[2];
    weft_buffer *buffer;
};

static void open_side(const struct trial *trial, const struct trial_side *layout, struct side *side)
{
    const weft_params *p = &trial->params;
    const int64_t elements = trial_elements(trial);
    guarded_create(&side->guarded, p->format, p->precision, layout->elements, 0);
    side->place = malloc((size_t)elements * sizeof *side->place);
    if (!side->place) abort();
    for (int64_t i = 0; i < elements; i++)
        side->place[i] = trial_place(trial, layout, i);
}

static void send_side(const struct test_opencl *t, struct side *side)
{
    struct guarded *g = &side->guarded;
    guarded_remember(g);
    for (int p = 0; p < g->planes; p++)
        side->memory[p] = test_opencl_memory(t, g->bytes, g->data[p]);
    if (weft_opencl_buffer_wrap(t->device, side->memory[0], side->memory[1], g->bytes,
                                &side->buffer))
        abort();
}

static void fetch_side(const struct test_opencl *t, struct side *side)
{
    for (int p = 0; p < side->guarded.planes; p++)
        test_opencl_read(t, side->memory[p], side->guarded.bytes, side->guarded.data[p]);
}

static void close_side(const struct test_opencl *t, struct side *side)
{
    weft_buffer_destroy(&side->buffer);
    for (int p = 0; p < side->guarded.planes; p++)
        if (side->memory[p]) t->cl->ReleaseMemObject(side->memory[p]);
    guarded_destroy(&side->guarded);
    free(side->place);
}

static const char *judge(const struct trial *trial, const struct side *in, const struct side *out,
                         weft_status status)
{
    if (status) return weft_last_error();
    if (!guarded_is_unchanged_beside(&out->guarded, trial_elements(trial), out->place))
        return "device memory beside the output's elements was written to";
    if (in != out && !guarded_is_unchanged(&in->guarded)) return "the input was written to";
    return NULL;
}

const char *test_opencl_run(const struct test_opencl *t, const struct trial *trial,
                            const weft_plan *plan, weft_direction direction, double *in,
                            double *out)
{
    struct side from = {0}, to = {0}, *result = trial->in_place ? &from : &to;
    const int64_t elements = trial_elements(trial);
    open_side(trial, &trial->in, &from);
    open_side(trial, &trial->out, &to);
    for (int64_t i = 0; i < elements; i++)
        guarded_put(&from.guarded, from.place[i], in[2 * i], in[2 * i + 1]);
    for (int64_t i = 0; i < elements; i++)
        guarded_get(&from.guarded, from.place[i], &in[2 * i], &in[2 * i + 1]);
    send_side(t, &from);
    send_side(t, &to);
    weft_status status = weft_opencl_execute(plan, direction, from.buffer, result->buffer, NULL,
                                             t->queue, 0, NULL, NULL);
    fetch_side(t, &from);
    fetch_side(t, &to);
    const char *wrong = judge(trial, &from, result, status);
    for (int64_t i = 0; i < elements; i++)
        guarded_get(&result->guarded, result->place[i], &out[2 * i], &out[2 * i + 1]);
    close_side(t, &from);
    close_side(t, &to);
    return wrong;
}

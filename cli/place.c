#include "place.h"

#include <stdlib.h>
#include <string.h>

#include "samples.h"

static bool is_backend(const char *name, const char *backend)
{
    size_t length = strlen(backend);
    return strncmp(name, backend, length) == 0 && (name[length] == 0 || name[length] == ':');
}

const struct place *place_find(const char *device_name)
{
    weft_device_info info;
    const char *name = device_name;
    if (!name) name = weft_device_describe(0, &info) == WEFT_OK ? info.name : "cpu";
    if (is_backend(name, "cuda")) return &place_cuda;
    /* With limits of another chip it is a device of the library's own. */
    if (is_backend(name, "vulkan") && !strchr(name, ',')) return &place_vulkan;
    return is_backend(name, "cpu") || is_backend(name, "null") ? &place_host : &place_buffers;
}

/* ---- what host memory and buffers have in common ---- */

static const char *verdict(weft_status status)
{
    return status == WEFT_OK ? NULL : weft_last_error();
}

static const char *open_device(const char *name, weft_device **device)
{
    return verdict(weft_device_open(name, device));
}

static const char *execute(const weft_plan *plan, weft_direction direction, const weft_buffer *in,
                           weft_buffer *out, int64_t repeats)
{
    weft_status status = WEFT_OK;
    for (int64_t i = 0; i < repeats && !status; i++)
        status = weft_execute(plan, direction, in, out);
    return verdict(status);
}

static const char *time_by_clock(place_work *work, const void *context, int64_t repeats,
                                 double *seconds)
{
    const double start = seconds_now();
    const char *problem = work(context, repeats);
    *seconds = seconds_now() - start;
    return problem;
}

static const char *write_array(struct place_array *array, size_t offset, const void *data,
                               size_t bytes)
{
    return verdict(weft_buffer_write(array->buffer, offset, data, bytes));
}

static const char *read_array(const struct place_array *array, size_t offset, void *data,
                              size_t bytes)
{
    return verdict(weft_buffer_read(array->buffer, offset, data, bytes));
}

/* ---- host memory ---- */

static const char *create_on_host(weft_device *device, size_t bytes, struct place_array *array)
{
    array->bytes = bytes;
    array->memory = samples_create(bytes);
    if (!array->memory) return "no memory for the arrays";
    return verdict(weft_buffer_wrap(device, array->memory, bytes, &array->buffer));
}

static void destroy_on_host(struct place_array *array)
{
    weft_buffer_destroy(&array->buffer);
    free(array->memory);
    array->memory = NULL;
}

static const char *copy_on_host(const struct place_array *to, const struct place_array *from)
{
    memcpy(to->memory, from->memory, from->bytes);
    return NULL;
}

const struct place place_host = {
    .open = open_device,
    .create = create_on_host,
    .destroy = destroy_on_host,
    .write = write_array,
    .read = read_array,
    .execute = execute,
    .time = time_by_clock,
    .copy = copy_on_host,
    .host = true,
};

/* ---- buffers of the device's own ---- */

static const char *create_buffer(weft_device *device, size_t bytes, struct place_array *array)
{
    array->bytes = bytes;
    return verdict(weft_buffer_create(device, bytes, &array->buffer));
}

static void destroy_buffer(struct place_array *array)
{
    weft_buffer_destroy(&array->buffer);
}

const struct place place_buffers = {
    .open = open_device,
    .create = create_buffer,
    .destroy = destroy_buffer,
    .write = write_array,
    .read = read_array,
    .execute = execute,
    .time = time_by_clock,
};

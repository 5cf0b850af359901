/* Devices and buffers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "base/error.h"
#include "base/memory.h"

/* ---- devices ---- */

int weft_device_count(void)
{
    return device_table_count;
}

static const struct device_ops *find_ops(const char *name, size_t length)
{
    for (int i = 0; i < device_table_count; i++) {
        const char *known = device_table[i]->name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) return device_table[i];
    }
    return NULL;
}

static weft_status refuse_name(const char *name)
{
    char known[128] = "";
    for (int i = 0; i < device_table_count; i++) {
        const size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s", i ? ", " : "",
                 device_table[i]->name);
    }
    return error_set(WEFT_ERROR_DEVICE, "no device is named \"%s\"; there are: %s", name, known);
}

weft_status weft_device_open(const char *name, weft_device **device)
{
    if (!device) return error_set(WEFT_ERROR_ARGUMENT, "weft_device_open: device is NULL");
    const char *wanted = name ? name : device_table[0]->name;
    const char *colon = strchr(wanted, ':');
    const struct device_ops *ops =
        find_ops(wanted, colon ? (size_t)(colon - wanted) : strlen(wanted));
    if (!ops) return refuse_name(wanted);
    weft_device *opened = memory_alloc_zeroed(sizeof *opened);
    if (!opened) return error_memory("a device");
    opened->device.ops = ops;
    weft_status status = ops->open(colon ? colon + 1 : NULL, &opened->device);
    if (status) {
        memory_free(opened);
        return status;
    }
    *device = opened;
    return WEFT_OK;
}

void weft_device_close(weft_device **device)
{
    if (!device || !*device) return;
    (*device)->device.ops->close(&(*device)->device);
    memory_free(*device);
    *device = NULL;
}

weft_status weft_device_describe(int index, weft_device_info *info)
{
    if (!info) return error_set(WEFT_ERROR_ARGUMENT, "weft_device_describe: info is NULL");
    if (index < 0 || index >= device_table_count) {
        return error_set(WEFT_ERROR_ARGUMENT, "device index is %d: accepted are 0 to %d", index,
                         device_table_count - 1);
    }
    weft_device *device;
    weft_status status = weft_device_open(device_table[index]->name, &device);
    if (status) return status;
    memset(info, 0, sizeof *info);
    snprintf(info->name, sizeof info->name, "%s", device_table[index]->name);
    snprintf(info->description, sizeof info->description, "%s", device->device.description);
    info->precisions = device->device.limits.precisions;
    info->memory_bytes = (uint64_t)device->device.limits.memory_bytes;
    weft_device_close(&device);
    return WEFT_OK;
}

/* ---- buffers ---- */

static weft_status make_buffer(weft_device *device, struct device_memory memory, size_t bytes,
                               void *owned, weft_buffer **buffer)
{
    weft_buffer *made = memory_alloc(sizeof *made);
    if (!made) return error_memory("a buffer");
    *made = (weft_buffer){device, memory, bytes, owned};
    *buffer = made;
    return WEFT_OK;
}

static weft_status check_wrap(const weft_device *device, bool data,
                              const weft_buffer *const *buffer)
{
    if (!device) return error_set(WEFT_ERROR_ARGUMENT, "weft_buffer: device is NULL");
    if (!data) return error_set(WEFT_ERROR_ARGUMENT, "weft_buffer: the memory is NULL");
    if (!buffer) return error_set(WEFT_ERROR_ARGUMENT, "weft_buffer: buffer is NULL");
    return WEFT_OK;
}

weft_status weft_buffer_wrap(weft_device *device, void *data, size_t bytes, weft_buffer **buffer)
{
    weft_status status = check_wrap(device, data, (const weft_buffer *const *)buffer);
    if (status) return status;
    return make_buffer(device, (struct device_memory){.re = data}, bytes, NULL, buffer);
}

weft_status weft_buffer_wrap_planar(weft_device *device, void *re, void *im, size_t bytes,
                                    weft_buffer **buffer)
{
    weft_status status = check_wrap(device, re && im, (const weft_buffer *const *)buffer);
    if (status) return status;
    return make_buffer(device, (struct device_memory){.re = re, .im = im}, bytes, NULL, buffer);
}

weft_status weft_buffer_create(weft_device *device, size_t bytes, weft_buffer **buffer)
{
    weft_status status = check_wrap(device, true, (const weft_buffer *const *)buffer);
    if (status) return status;
    void *memory;
    status = device->device.ops->alloc(&device->device, bytes ? bytes : 1, &memory);
    if (status) return status;
    status = make_buffer(device, (struct device_memory){.re = memory}, bytes, memory, buffer);
    if (status) device->device.ops->free(&device->device, memory);
    return status;
}

static weft_status check_range(const weft_buffer *buffer, size_t offset, const void *data,
                               size_t bytes)
{
    if (!buffer || !data) {
        return error_set(WEFT_ERROR_ARGUMENT, "weft_buffer: buffer or data is NULL");
    }
    if (buffer->memory.im) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "weft_buffer: a planar buffer has no one order of bytes to copy; use the "
                         "planes that it wraps");
    }
    if (offset > buffer->bytes || bytes > buffer->bytes - offset) {
        return error_set(WEFT_ERROR_LAYOUT,
                         "weft_buffer: %zu bytes from byte %zu on were asked for, the buffer has "
                         "%zu",
                         bytes, offset, buffer->bytes);
    }
    return WEFT_OK;
}

weft_status weft_buffer_write(weft_buffer *buffer, size_t offset, const void *data, size_t bytes)
{
    weft_status status = check_range(buffer, offset, data, bytes);
    if (status) return status;
    struct device *device = &buffer->device->device;
    return device->ops->upload(device, buffer->memory.re, offset, data, bytes);
}

weft_status weft_buffer_read(const weft_buffer *buffer, size_t offset, void *data, size_t bytes)
{
    weft_status status = check_range(buffer, offset, data, bytes);
    if (status) return status;
    struct device *device = &buffer->device->device;
    return device->ops->download(device, buffer->memory.re, offset, data, bytes);
}

void weft_buffer_destroy(weft_buffer **buffer)
{
    if (!buffer || !*buffer) return;
    struct device *device = &(*buffer)->device->device;
    if ((*buffer)->owned) device->ops->free(device, (*buffer)->owned);
    memory_free(*buffer);
    *buffer = NULL;
}

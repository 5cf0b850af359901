#include "api/buffer.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* ---- making ---- */

weft_status buffer_make(const weft_buffer *contents, weft_buffer **buffer)
{
    weft_buffer *made = memory_alloc(sizeof *made);
    if (!made) return error_memory("a buffer");
    *made = *contents;
    const bool plain = !made->memory.im && !made->image &&
                       ((uintptr_t)made->memory.re & BUFFER_PLAIN_BITS) == 0;
    made->plain = plain ? (const void *)made->device : made;
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

static weft_status wrap(weft_device *device, void *re, void *im, size_t bytes, weft_buffer **buffer)
{
    const weft_buffer contents = {.device = device,
                                  .memory = {.re = re, .im = im},
                                  .plane = {{.start = (uintptr_t)re}, {.start = (uintptr_t)im}},
                                  .bytes = bytes,
                                  .host = !device->device.host_memory};
    return buffer_make(&contents, buffer);
}

weft_status weft_buffer_wrap(weft_device *device, void *data, size_t bytes, weft_buffer **buffer)
{
    weft_status status = check_wrap(device, data, (const weft_buffer *const *)buffer);
    return status ? status : wrap(device, data, NULL, bytes, buffer);
}

weft_status weft_buffer_wrap_planar(weft_device *device, void *re, void *im, size_t bytes,
                                    weft_buffer **buffer)
{
    weft_status status = check_wrap(device, re && im, (const weft_buffer *const *)buffer);
    return status ? status : wrap(device, re, im, bytes, buffer);
}

weft_status weft_buffer_wrap_calls(weft_device *device, const weft_calls *calls, size_t bytes,
                                   weft_buffer **buffer)
{
    const bool complete = calls && calls->read && calls->write;
    weft_status status = check_wrap(device, complete, (const weft_buffer *const *)buffer);
    if (status) return status;
    const weft_buffer contents = {.device = device,
                                  .plane = {{.object = calls->context}},
                                  .bytes = bytes,
                                  .image = BUFFER_BY_CALLS,
                                  .calls = *calls,
                                  .host = true};
    return buffer_make(&contents, buffer);
}

weft_status weft_buffer_create(weft_device *device, size_t bytes, weft_buffer **buffer)
{
    weft_status status = check_wrap(device, true, (const weft_buffer *const *)buffer);
    if (status) return status;
    void *memory;
    status = device->device.ops->alloc(&device->device, bytes ? bytes : 1, &memory);
    if (status) return status;
    const weft_buffer contents = {.device = device,
                                  .memory = {.re = memory},
                                  .plane = {{.object = memory}},
                                  .bytes = bytes,
                                  .owned = memory};
    status = buffer_make(&contents, buffer);
    if (status) device->device.ops->free(&device->device, memory);
    return status;
}

/* ---- copying ---- */

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
    if (buffer->image && buffer->image != BUFFER_BY_CALLS) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "weft_buffer: an image has no order of bytes to copy");
    }
    if (offset > buffer->bytes || bytes > buffer->bytes - offset) {
        return error_set(WEFT_ERROR_LAYOUT,
                         "weft_buffer: %zu bytes from byte %zu on were asked for, the buffer has "
                         "%zu",
                         bytes, offset, buffer->bytes);
    }
    return WEFT_OK;
}

static weft_status called(weft_status status)
{
    return status ? error_set(status, "weft_buffer: the caller's function failed") : WEFT_OK;
}

weft_status weft_buffer_write(weft_buffer *buffer, size_t offset, const void *data, size_t bytes)
{
    weft_status status = check_range(buffer, offset, data, bytes);
    if (status) return status;
    struct device *device = &buffer->device->device;
    if (buffer->image)
        return called(buffer->calls.write(buffer->calls.context, offset, data, bytes));
    if (!buffer->host) return device->ops->upload(device, buffer->memory.re, offset, data, bytes);
    memcpy((char *)buffer->memory.re + offset, data, bytes);
    return WEFT_OK;
}

weft_status weft_buffer_read(const weft_buffer *buffer, size_t offset, void *data, size_t bytes)
{
    weft_status status = check_range(buffer, offset, data, bytes);
    if (status) return status;
    struct device *device = &buffer->device->device;
    if (buffer->image)
        return called(buffer->calls.read(buffer->calls.context, offset, data, bytes));
    if (!buffer->host) return device->ops->download(device, buffer->memory.re, offset, data, bytes);
    memcpy(data, (const char *)buffer->memory.re + offset, bytes);
    return WEFT_OK;
}

void weft_buffer_destroy(weft_buffer **buffer)
{
    if (!buffer || !*buffer) return;
    struct device *device = &(*buffer)->device->device;
    stream_unpin(device, (*buffer)->memory.re, (enum device_pin)atomic_load(&(*buffer)->pin));
    if ((*buffer)->owned) device->ops->free(device, (*buffer)->owned);
    memory_free(*buffer);
    *buffer = NULL;
}

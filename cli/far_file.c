#include "far_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "crop.h"

enum { ELEMENTS_A_TIME = 4096, LARGEST_ELEMENT = 32 };

static void count(far_traffic *traffic, size_t bytes)
{
    traffic->done += (double)bytes;
    if (traffic->expected > 0)
        progress_reach(traffic->progress, traffic->done / traffic->expected);
}

static weft_status failed(far_traffic *traffic, const char *what, const char *reason)
{
    failure_set(&traffic->why, "a file could not be %s: %s", what, reason);
    return WEFT_ERROR_DEVICE;
}

/* What is read or written at once is one run in the file, too. */
static int64_t place_of(const far_file *f, uint64_t offset)
{
    if (!f->crop) return (int64_t)offset;
    return crop_place(f->crop, (int64_t)(offset / f->element)) * (int64_t)f->element;
}

static weft_status read_bytes(const far_file *f, int64_t offset, void *data, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        const ssize_t got = pread(fileno(f->file), (char *)data + done, bytes - done,
                                  (off_t)(f->start + offset + (int64_t)done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return failed(f->traffic, "read", strerror(errno));
        if (got == 0) return failed(f->traffic, "read", "it ends before its data do");
        done += (size_t)got;
    }
    return WEFT_OK;
}

static weft_status convert(const far_file *f, int64_t first, size_t elements, void *data)
{
    unsigned char bytes[ELEMENTS_A_TIME * LARGEST_ELEMENT];
    const size_t width = (size_t)f->header->type->bytes, element = npy_target_bytes(&f->target);
    for (size_t done = 0; done < elements;) {
        const size_t left = elements - done;
        const size_t some = left < ELEMENTS_A_TIME ? left : ELEMENTS_A_TIME;
        weft_status status =
            read_bytes(f, (first + (int64_t)done) * (int64_t)width, bytes, some * width);
        if (status) return status;
        for (size_t i = 0; i < some; i++, done++)
            npy_element_convert(f->header, bytes + i * width, &f->target,
                                (char *)data + done * element);
    }
    return WEFT_OK;
}

weft_status far_file_read(void *context, uint64_t offset, void *data, size_t bytes)
{
    const far_file *f = context;
    count(f->traffic, bytes);
    if (!f->header) return read_bytes(f, place_of(f, offset), data, bytes);
    const size_t element = npy_target_bytes(&f->target);
    return convert(f, (int64_t)(offset / element), bytes / element, data);
}

weft_status far_file_write(void *context, uint64_t offset, const void *data, size_t bytes)
{
    const far_file *f = context;
    const int64_t start = f->start + place_of(f, offset);
    count(f->traffic, bytes);
    for (size_t done = 0; done < bytes;) {
        const ssize_t put_down = pwrite(fileno(f->file), (const char *)data + done, bytes - done,
                                        (off_t)(start + (int64_t)done));
        if (put_down < 0 && errno == EINTR) continue;
        if (put_down < 0) return failed(f->traffic, "written", strerror(errno));
        done += (size_t)put_down;
    }
    return WEFT_OK;
}

#include "stream/far.h"

#include <string.h>

#include "base/error.h"

struct copying {
    const struct far *far;
    char *base; /* of the plane */
    char *near;
    bool gathers;
};

/* ---- memory ---- */

/* Elements by themselves are what planes and strides leave: their sizes are known to compilers. */
static void copy_rows(char *to, int64_t to_step, const char *from, int64_t from_step, size_t bytes,
                      int64_t count)
{
    if (bytes == 4) {
        for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, 4);
    } else if (bytes == 8) {
        for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, 8);
    } else if (bytes == 16) {
        for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, 16);
    } else {
        for (int64_t i = 0; i < count; i++) memcpy(to + i * to_step, from + i * from_step, bytes);
    }
}

static weft_status copy_memory(void *context, const struct box_rows *rows)
{
    const struct copying *c = context;
    char *far = c->base + rows->far, *near = c->near + rows->near;
    if (c->gathers)
        copy_rows(near, rows->near_step, far, rows->far_step, rows->bytes, rows->count);
    else
        copy_rows(far, rows->far_step, near, rows->near_step, rows->bytes, rows->count);
    return WEFT_OK;
}

/* ---- calls ---- */

static weft_status call(const struct copying *c, uint64_t offset, char *near, size_t bytes)
{
    const weft_calls *calls = c->far->calls;
    const weft_status status = c->gathers ? calls->read(calls->context, offset, near, bytes)
                                          : calls->write(calls->context, offset, near, bytes);
    if (!status) return WEFT_OK;
    return error_set(status, "weft_execute: the caller's function could not %s %zu bytes at %llu",
                     c->gathers ? "read" : "write", bytes, (unsigned long long)offset);
}

static weft_status copy_by_calls(void *context, const struct box_rows *rows)
{
    const struct copying *c = context;
    weft_status status = WEFT_OK;
    for (int64_t i = 0; i < rows->count && !status; i++) {
        status = call(c, (uint64_t)(rows->far + i * rows->far_step),
                      c->near + rows->near + i * rows->near_step, rows->bytes);
    }
    return status;
}

static weft_status copy(const struct far *far, int plane, const struct box *box, void *near,
                        bool gathers)
{
    struct copying copying = {far, plane ? far->im : far->re, near, gathers};
    return box_walk(box, far->calls ? copy_by_calls : copy_memory, &copying);
}

weft_status far_gather(const struct far *far, int plane, const struct box *box, void *near)
{
    return copy(far, plane, box, near, true);
}

weft_status far_scatter(const struct far *far, int plane, const struct box *box, const void *near)
{
    return copy(far, plane, box, (void *)(uintptr_t)near, false);
}

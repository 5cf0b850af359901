#include "support/guarded.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/storage.h"

/* A multiple of the cache line; wider than any vector, so that no overrun jumps it. */
enum { GUARD = 256, LINE = 64 };

static size_t real_bytes(const struct guarded *guarded)
{
    if (!guarded->storage) return sizeof(struct reference_extended);
    return (size_t)storage_bytes(guarded->storage);
}

static size_t element_bytes(const struct guarded *guarded)
{
    return real_bytes(guarded) * (guarded->planes == 1 && !guarded->real ? 2 : 1);
}

static size_t block_bytes(const struct guarded *guarded)
{
    return (guarded->bytes + 2 * GUARD + 2 * LINE) / LINE * LINE;
}

static void create(struct guarded *guarded, int64_t elements, int shift)
{
    guarded->bytes = ((size_t)elements * element_bytes(guarded) + 3) / 4 * 4; /* whole words */
    for (int p = 0; p < guarded->planes; p++) {
        guarded->block[p] = aligned_alloc(LINE, block_bytes(guarded));
        guarded->before[p] = malloc(block_bytes(guarded));
        if (!guarded->block[p] || !guarded->before[p]) abort();
        memset(guarded->block[p], 0xff, block_bytes(guarded));
        guarded->data[p] = guarded->block[p] + GUARD + (size_t)shift * real_bytes(guarded) % LINE;
    }
    guarded_remember(guarded);
}

void guarded_create(struct guarded *guarded, weft_format format, weft_storage storage,
                    int64_t elements, int shift)
{
    *guarded = (struct guarded){.format = format, .storage = storage};
    guarded->planes = format == WEFT_INTERLEAVED ? 1 : 2;
    create(guarded, elements, shift);
}

void guarded_create_real(struct guarded *guarded, weft_storage storage, int64_t elements, int shift)
{
    *guarded = (struct guarded){.storage = storage, .planes = 1, .real = true};
    create(guarded, elements, shift);
}

void guarded_share(struct guarded *guarded, const struct guarded *other)
{
    guarded_destroy(guarded);
    guarded->bytes = other->bytes;
    guarded->shared = true;
    for (int p = 0; p < other->planes; p++) {
        guarded->block[p] = other->block[p];
        guarded->before[p] = other->before[p];
        guarded->data[p] = other->data[p];
    }
}

void guarded_destroy(struct guarded *guarded)
{
    if (guarded->shared) return;
    for (int p = 0; p < guarded->planes; p++) {
        free(guarded->block[p]);
        free(guarded->before[p]);
    }
}

weft_buffer *guarded_wrap(const struct guarded *guarded, weft_device *device)
{
    weft_buffer *buffer = NULL;
    weft_status status = guarded->planes == 1
                             ? weft_buffer_wrap(device, guarded->data[0], guarded->bytes, &buffer)
                             : weft_buffer_wrap_planar(device, guarded->data[0], guarded->data[1],
                                                       guarded->bytes, &buffer);
    if (status) abort();
    return buffer;
}

/* The real (part 0) or imaginary (part 1) part of an element. */
static unsigned char *at(const struct guarded *guarded, int64_t place, int part)
{
    const int plane = guarded->planes == 1 ? 0 : part;
    const bool pairs = guarded->planes == 1 && !guarded->real;
    const int64_t index = pairs ? 2 * place + part : place;
    return (unsigned char *)guarded->data[plane] + (size_t)index * real_bytes(guarded);
}

void guarded_put_extended(struct guarded *guarded, int64_t place,
                          const struct reference_extended value[2])
{
    for (int part = 0; part < (guarded->real ? 1 : 2); part++) {
        if (guarded->storage)
            storage_write(guarded->storage, at(guarded, place, part), 0, value[part].hi);
        else memcpy(at(guarded, place, part), &value[part], sizeof value[part]);
    }
}

void guarded_get_extended(const struct guarded *guarded, int64_t place,
                          struct reference_extended value[2])
{
    value[0] = value[1] = (struct reference_extended){0, 0};
    for (int part = 0; part < (guarded->real ? 1 : 2); part++) {
        if (guarded->storage)
            value[part].hi = storage_read(guarded->storage, at(guarded, place, part), 0);
        else memcpy(&value[part], at(guarded, place, part), sizeof value[part]);
    }
}

void guarded_put(struct guarded *guarded, int64_t place, double re, double im)
{
    guarded_put_extended(guarded, place, (struct reference_extended[2]){{re, 0}, {im, 0}});
}

void guarded_get(const struct guarded *guarded, int64_t place, double *re, double *im)
{
    *re = storage_read(guarded->storage, at(guarded, place, 0), 0);
    *im = guarded->real ? 0 : storage_read(guarded->storage, at(guarded, place, 1), 0);
}

void guarded_remember(struct guarded *guarded)
{
    for (int p = 0; p < guarded->planes; p++)
        memcpy(guarded->before[p], guarded->block[p], block_bytes(guarded));
}

bool guarded_is_unchanged(const struct guarded *guarded)
{
    for (int p = 0; p < guarded->planes; p++)
        if (memcmp(guarded->before[p], guarded->block[p], block_bytes(guarded))) return false;
    return true;
}

bool guarded_is_unchanged_beside(const struct guarded *guarded, int64_t places,
                                 const int64_t *place)
{
    const size_t bytes = block_bytes(guarded), element = element_bytes(guarded);
    bool same = true;
    for (int p = 0; p < guarded->planes && same; p++) {
        unsigned char *now = malloc(bytes);
        if (!now) abort();
        memcpy(now, guarded->block[p], bytes);
        const size_t start = (size_t)((unsigned char *)guarded->data[p] - guarded->block[p]);
        for (int64_t i = 0; i < places; i++) {
            const size_t here = start + (size_t)place[i] * element;
            memcpy(now + here, guarded->before[p] + here, element);
        }
        same = memcmp(now, guarded->before[p], bytes) == 0;
        free(now);
    }
    return same;
}

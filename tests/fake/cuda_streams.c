/* Streams of the fake driver and copies: work is done at once but in streams that wait for
 * others. */
#include <stdlib.h>
#include <string.h>

#include "fake/cuda.h"

/* One end of a copy of rows. */
struct copied_end {
    size_t x_bytes, y;
    unsigned type; /* 1: the host's, 2: the device's */
    char *host;
    uint64_t device;
    void *array;
    size_t pitch;
};

struct CUDA_MEMCPY2D_st {
    struct copied_end from, to;
    size_t bytes, rows;
};

EXPORTED int cuStreamCreate(struct CUstream_st **stream, unsigned flags);
EXPORTED int cuStreamDestroy_v2(struct CUstream_st *stream);
EXPORTED int cuStreamSynchronize(struct CUstream_st *stream);
EXPORTED int cuMemsetD8Async(uint64_t memory, unsigned char value, size_t bytes,
                             struct CUstream_st *stream);
EXPORTED int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes,
                                  struct CUstream_st *stream);
EXPORTED int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes,
                                  struct CUstream_st *stream);
EXPORTED int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes,
                                  struct CUstream_st *stream);
EXPORTED int cuMemcpy2DAsync_v2(const struct CUDA_MEMCPY2D_st *copied, struct CUstream_st *stream);

static struct CUstream_st *putting_off; /* and what they have to do: */
static struct moment *moments;
static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER;

/* The default streams are numbers, not addresses. */
bool is_default(const struct CUstream_st *stream)
{
    return (uintptr_t)stream <= 2;
}

bool is_captured(const struct CUstream_st *stream)
{
    return !is_default(stream) && stream->graph;
}

bool puts_off(const struct CUstream_st *stream)
{
    return !is_default(stream) && !stream->graph && stream->puts_off;
}

void begin_to_put_off(struct CUstream_st *stream)
{
    pthread_mutex_lock(&work_lock);
    if (!stream->puts_off) {
        stream->puts_off = true;
        stream->last = &stream->first;
        stream->next = putting_off;
        putting_off = stream;
    }
    pthread_mutex_unlock(&work_lock);
}

int put_off(struct CUstream_st *stream, const struct work *work)
{
    struct work *kept = malloc(sizeof *kept);
    if (!kept) return OUT_OF_MEMORY;
    *kept = *work;
    pthread_mutex_lock(&work_lock);
    *stream->last = kept;
    stream->last = &kept->next;
    pthread_mutex_unlock(&work_lock);
    return OK;
}

/* False: its turn has not come. */
static bool do_work(struct CUstream_st *stream)
{
    struct work *work = stream->first;
    if (!work || (work->awaited && !work->awaited->passed)) return false;
    if (work->launch) run_launch(work->launch);
    if (work->bytes) memcpy(work->to, work->from, work->bytes);
    if (work->reached) work->reached->passed = true;
    stream->first = work->next;
    if (!stream->first) stream->last = &stream->first;
    free(work->launch);
    free(work);
    return true;
}

void do_all(const struct CUstream_st *until)
{
    static uint32_t chance = 1;
    pthread_mutex_lock(&work_lock);
    for (bool left = true; left;) {
        left = false;
        for (struct CUstream_st *stream = putting_off; stream; stream = stream->next) {
            chance = chance * 1664525u + 1013904223u;
            int things = 1 << (chance >> 28);
            while (things > 1 && do_work(stream))
                things--;
            left = left || (stream->first && (!until || stream == until));
        }
    }
    pthread_mutex_unlock(&work_lock);
}

struct moment *moment_to_come(void)
{
    struct moment *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    pthread_mutex_lock(&work_lock);
    made->next = moments;
    moments = made;
    pthread_mutex_unlock(&work_lock);
    return made;
}

int cuStreamCreate(struct CUstream_st **stream, unsigned flags)
{
    (void)flags;
    if (!current_context()) return INVALID_CONTEXT;
    *stream = calloc(1, sizeof **stream);
    if (!*stream) return OUT_OF_MEMORY;
    (*stream)->context = current_context();
    return OK;
}

int cuStreamDestroy_v2(struct CUstream_st *stream)
{
    do_all(NULL);
    pthread_mutex_lock(&work_lock);
    struct CUstream_st **link = &putting_off;
    while (*link && *link != stream)
        link = &(*link)->next;
    if (*link) *link = stream->next;
    pthread_mutex_unlock(&work_lock);
    free(stream);
    return OK;
}

int cuStreamSynchronize(struct CUstream_st *stream)
{
    if (is_captured(stream)) return CAPTURE_UNSUPPORTED;
    if (puts_off(stream)) do_all(stream);
    return OK;
}

static int copy(void *to, const void *from, size_t bytes, struct CUstream_st *stream)
{
    if (!current_context()) return INVALID_CONTEXT;
    if (is_captured(stream)) return CAPTURE_UNSUPPORTED;
    if (puts_off(stream))
        return put_off(stream, &(struct work){.to = to, .from = from, .bytes = bytes});
    memcpy(to, from, bytes);
    return OK;
}

int cuMemsetD8Async(uint64_t memory, unsigned char value, size_t bytes, struct CUstream_st *stream)
{
    if (is_captured(stream)) return CAPTURE_UNSUPPORTED;
    memset((void *)(uintptr_t)memory, value, bytes);
    return OK;
}

int cuMemcpyHtoDAsync_v2(uint64_t to, const void *from, size_t bytes, struct CUstream_st *stream)
{
    return copy((void *)(uintptr_t)to, from, bytes, stream);
}

int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, struct CUstream_st *stream)
{
    return copy(to, (void *)(uintptr_t)from, bytes, stream);
}

int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, struct CUstream_st *stream)
{
    return copy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes, stream);
}

static char *row_of(const struct copied_end *end, size_t row)
{
    char *start = end->type == 1 ? end->host : (char *)(uintptr_t)end->device;
    return start + (end->y + row) * end->pitch + end->x_bytes;
}

int cuMemcpy2DAsync_v2(const struct CUDA_MEMCPY2D_st *copied, struct CUstream_st *stream)
{
    int result = OK;
    const bool fit = copied->bytes <= copied->from.pitch && copied->bytes <= copied->to.pitch;
    if (!fit || copied->from.type == copied->to.type) return INVALID_VALUE;
    for (size_t row = 0; row < copied->rows && result == OK; row++)
        result = copy(row_of(&copied->to, row), row_of(&copied->from, row), copied->bytes, stream);
    return result;
}

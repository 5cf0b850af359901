/* Events of the fake driver. */
#include <stdlib.h>
#include <time.h>

#include "fake/cuda.h"

struct CUevent_st {
    double seconds;
    struct moment *moment; /* NULL: it was reached as it was recorded */
};

EXPORTED int cuEventCreate(struct CUevent_st **event, unsigned flags);
EXPORTED int cuEventDestroy_v2(struct CUevent_st *event);
EXPORTED int cuEventRecord(struct CUevent_st *event, struct CUstream_st *stream);
EXPORTED int cuStreamWaitEvent(struct CUstream_st *stream, struct CUevent_st *event,
                               unsigned flags);
EXPORTED int cuEventSynchronize(struct CUevent_st *event);
EXPORTED int cuEventElapsedTime(float *milliseconds, const struct CUevent_st *start,
                                const struct CUevent_st *end);

int cuEventCreate(struct CUevent_st **event, unsigned flags)
{
    (void)flags;
    *event = calloc(1, sizeof **event);
    return *event ? OK : OUT_OF_MEMORY;
}

int cuEventDestroy_v2(struct CUevent_st *event)
{
    free(event);
    return OK;
}

int cuEventRecord(struct CUevent_st *event, struct CUstream_st *stream)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    event->seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    event->moment = NULL;
    if (!puts_off(stream)) return OK;
    event->moment = moment_to_come();
    if (!event->moment) return OUT_OF_MEMORY;
    return put_off(stream, &(struct work){.reached = event->moment});
}

int cuStreamWaitEvent(struct CUstream_st *stream, struct CUevent_st *event, unsigned flags)
{
    if (flags || is_default(stream)) return INVALID_VALUE;
    begin_to_put_off(stream);
    return event->moment ? put_off(stream, &(struct work){.awaited = event->moment}) : OK;
}

int cuEventSynchronize(struct CUevent_st *event)
{
    if (event->moment) do_all(NULL);
    return OK;
}

int cuEventElapsedTime(float *milliseconds, const struct CUevent_st *start,
                       const struct CUevent_st *end)
{
    *milliseconds = (float)(1e3 * (end->seconds - start->seconds));
    return OK;
}

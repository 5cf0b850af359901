#include "engine.h"

#include <time.h>

bool engine_failure(const char *what, failure *why)
{
    return failure_set(why, "%s: %s", what, weft_last_error());
}

double engine_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool engine_create(engine *e, weft_device *device, const weft_params *params, failure *why)
{
    *e = (engine){.device = device};
    if (weft_plan_create(device, params, &e->plan) == WEFT_OK) return true;
    return engine_failure("no plan could be made", why);
}

void engine_destroy(engine *e)
{
    weft_plan_destroy(&e->plan);
    *e = (engine){0};
}

static bool execute(const engine *e, weft_direction direction, weft_buffer *from, weft_buffer *to,
                    double *seconds, failure *why)
{
    double start = engine_clock();
    if (weft_execute(e->plan, direction, from, to) != WEFT_OK) {
        return engine_failure("the transform failed", why);
    }
    *seconds = engine_clock() - start;
    return true;
}

bool engine_run(const engine *e, weft_direction direction, const array *in, const array *out,
                double *seconds, failure *why)
{
    weft_buffer *from = NULL, *to = NULL;
    bool good = weft_buffer_wrap(e->device, in->data, array_bytes(in), &from) == WEFT_OK &&
                weft_buffer_wrap(e->device, out->data, array_bytes(out), &to) == WEFT_OK;
    good = good ? execute(e, direction, from, to, seconds, why)
                : engine_failure("no buffer could be made", why);
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    return good;
}

#include "support/memory_trial.h"

#include <stdlib.h>

#include "support/guarded.h"

/* One side in host memory, guards and all, and its image in device memory. */
struct side {
    struct guarded guarded;
    int64_t *place, elements;
    void *memory[2];
    weft_buffer *buffer;
};

static void open_side(const struct trial *trial, const struct trial_side *layout, struct side *side)
{
    trial_create_memory(trial, layout, 0, &side->guarded);
    side->place = trial_places(trial, layout);
    side->elements = trial_had_elements(trial, layout);
}

static void send_side(const struct memory_trial *m, struct side *side)
{
    struct guarded *g = &side->guarded;
    guarded_remember(g);
    for (int p = 0; p < g->planes; p++)
        side->memory[p] = m->send(m->context, g->bytes, g->data[p]);
    side->buffer = m->wrap(m->context, side->memory[0], side->memory[1], g->bytes);
}

static void fetch_side(const struct memory_trial *m, struct side *side)
{
    for (int p = 0; p < side->guarded.planes; p++)
        m->fetch(m->context, side->memory[p], side->guarded.bytes, side->guarded.data[p]);
}

static void close_side(const struct memory_trial *m, struct side *side)
{
    weft_buffer_destroy(&side->buffer);
    for (int p = 0; p < side->guarded.planes; p++)
        if (side->memory[p]) m->release(m->context, side->memory[p]);
    guarded_destroy(&side->guarded);
    free(side->place);
}

/* result: the memory that the output is in, which may be the input's. */
static const char *judge(const struct side *in, const struct side *out, const struct side *result,
                         weft_status status)
{
    if (status) return weft_last_error();
    if (!guarded_is_unchanged_beside(&result->guarded, out->elements, out->place))
        return "device memory beside the output's elements was written to";
    if (in != result && !guarded_is_unchanged(&in->guarded)) return "the input was written to";
    return NULL;
}

const char *memory_trial_run(const struct memory_trial *memory, const struct trial *trial,
                             const weft_plan *plan, weft_direction direction, double *in,
                             double *out)
{
    struct side from = {0}, to = {0}, *result = trial->in_place ? &from : &to;
    open_side(trial, &trial->in, &from);
    open_side(trial, &trial->out, &to);
    trial_put(trial, in, &from.guarded);
    send_side(memory, &from);
    send_side(memory, &to);
    weft_status status =
        memory->execute(memory->context, plan, direction, from.buffer, result->buffer);
    fetch_side(memory, &from);
    fetch_side(memory, &to);
    const char *wrong = judge(&from, &to, result, status);
    result->guarded.storage = to.guarded.storage;
    trial_get(trial, &result->guarded, out);
    close_side(memory, &from);
    close_side(memory, &to);
    return wrong;
}

/* Random problems in guarded memory, executed. */
#include <math.h>
#include <stdlib.h>

#include "support/trial.h"

struct run {
    const struct trial *trial;
    int64_t *out_place; /* of every element, */
    int64_t wanted;     /* of which the first are wanted */
    struct guarded in, out;        /* out: unused if the trial is in place */
    struct guarded *result;
};

int64_t *trial_places(const struct trial *trial, const struct trial_side *side)
{
    const int64_t elements = trial_side_elements(trial, side);
    int64_t *place = malloc((size_t)elements * sizeof *place);
    if (!place) abort();
    int64_t had = 0, others = elements;
    for (int64_t i = 0; i < elements; i++)
        place[trial_has(trial, side, i) ? had++ : --others] = trial_place(trial, side, i);
    return place;
}

void trial_put(const struct trial *trial, double *in, struct guarded *memory)
{
    const double unit = trial_unit(trial, &trial->in);
    const int64_t elements = trial_side_elements(trial, &trial->in);
    for (int pass = 0; pass < 2; pass++) { /* a layout may have both in one place */
        for (int64_t i = 0; i < elements; i++) {
            if (trial_has(trial, &trial->in, i) != (pass == 1)) continue;
            const double re = pass ? unit * in[2 * i] : NAN, im = pass ? unit * in[2 * i + 1] : NAN;
            guarded_put(memory, trial_place(trial, &trial->in, i), re, im);
        }
    }
    for (int64_t i = 0; i < elements; i++) {
        in[2 * i] = in[2 * i + 1] = 0;
        if (trial_has(trial, &trial->in, i))
            guarded_get(memory, trial_place(trial, &trial->in, i), &in[2 * i], &in[2 * i + 1]);
    }
}

void trial_get(const struct trial *trial, const struct guarded *memory, double *out)
{
    for (int64_t i = 0; i < trial_side_elements(trial, &trial->out); i++) {
        out[2 * i] = out[2 * i + 1] = 0;
        if (trial_has(trial, &trial->out, i))
            guarded_get(memory, trial_place(trial, &trial->out, i), &out[2 * i], &out[2 * i + 1]);
    }
}

void trial_create_memory(const struct trial *trial, const struct trial_side *side, int shift,
                         struct guarded *guarded)
{
    const weft_storage storage = trial_storage(trial, side);
    if (side->real)
        guarded_create_real(guarded, storage, side->elements, shift);
    else
        guarded_create(guarded, trial->params.format, storage, side->elements, shift);
}

static void open_run(struct run *run, const struct trial *trial, double *in)
{
    *run = (struct run){.trial = trial,
                        .out_place = trial_places(trial, &trial->out),
                        .wanted = trial_had_elements(trial, &trial->out)};
    trial_create_memory(trial, &trial->in, trial->in_shift, &run->in);
    trial_create_memory(trial, &trial->out, trial->out_shift, &run->out);
    trial_put(trial, in, &run->in);
    guarded_remember(&run->in);
    run->result = &run->out;
    if (!trial->in_place) return;
    guarded_share(&run->out, &run->in);
}

static void close_run(struct run *run)
{
    guarded_destroy(&run->out);
    guarded_destroy(&run->in);
    free(run->out_place);
}

/* In place is one buffer, whatever it is taken for. */
static weft_status execute(struct run *run, const weft_plan *plan, weft_device *device,
                           weft_direction direction)
{
    weft_buffer *in = guarded_wrap(&run->in, device), *out = guarded_wrap(run->result, device);
    const weft_status status = weft_execute(plan, direction, in, out);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    return status;
}

static const char *judge(const struct run *run, weft_status status)
{
    const bool padded = run->trial->in_place && trial_is_half(run->trial);
    if (status) return weft_last_error();
    if (!padded && !guarded_is_unchanged_beside(run->result, run->wanted, run->out_place))
        return "memory beside the output's elements was written to";
    if (!run->trial->in_place && !guarded_is_unchanged(&run->in)) return "the input was written to";
    return NULL;
}

const char *trial_run(const struct trial *trial, const weft_plan *plan, weft_device *device,
                      weft_direction direction, double *in, double *out)
{
    struct run run;
    open_run(&run, trial, in);
    const char *wrong = judge(&run, execute(&run, plan, device, direction));
    trial_get(trial, run.result, out);
    close_run(&run);
    return wrong;
}

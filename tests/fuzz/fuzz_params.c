/* Any parameters: a plan or a status with a message; and a plan for little data is executed both
 * ways on guarded memory. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/trial.h"
#include "target.h"
#include "weft/weft.h"

/* Between these many elements a plan is neither small nor refused for want of memory, only slow. */
static const int64_t small = 1 << 12, huge = INT64_C(1) << 44;

/* Most elements that are executed, on the CPU and where kernels are evaluated. */
enum { MOST_EXECUTED = 4096, MOST_EVALUATED = 128 };

struct input {
    const uint8_t *data;
    size_t size;
};

/* The input is endless: zeros follow. */
static int next(struct input *input)
{
    if (!input->size) return 0;
    input->size--;
    return *input->data++;
}

/* Mostly a small number, sometimes one that overflows what it meets. */
static int64_t next_number(struct input *input, int most)
{
    static const int64_t hostile[] = {INT64_MAX,
                                      INT64_MIN,
                                      INT64_MIN + 1,
                                      INT64_C(1) << 62,
                                      -(INT64_C(1) << 62),
                                      INT64_C(1) << 58,
                                      (INT64_C(1) << 50) - 27,
                                      -1,
                                      0};
    const int first = next(input);
    if (first == 255) return hostile[(size_t)next(input) % (sizeof hostile / sizeof *hostile)];
    return first % most;
}

static int64_t wrapping_sum(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

static void read_strides(struct input *input, struct trial *trial, struct trial_side *side)
{
    int64_t stride = 1;
    for (int i = trial->dims - 1; i >= 0; i--) {
        side->stride[i] = stride;
        if (side->n[i] > 0 && side->n[i] <= small && stride < huge) stride *= side->n[i];
    }
    side->offset = next_number(input, 4);
    side->packed = next(input) % 2 == 0;
    if (side->packed) return;
    for (int i = 0; i < trial->dims; i++) {
        const int how = next(input);
        if (how % 4 == 1) side->stride[i] = -side->stride[i];
        if (how % 4 == 2) side->stride[i] = wrapping_sum(side->stride[i], next_number(input, 8));
        if (how % 4 == 3) side->stride[i] = next_number(input, 64);
    }
    if (side->stride[0] == 0) side->stride[0] = 1; /* 0 would stand for packed */
    side->offset = wrapping_sum(side->offset, next_number(input, 128));
}

static void read_ranges(struct input *input, const struct trial *trial, struct trial_side *side)
{
    if (next(input) % 4 != 3) return;
    trial_range_whole(trial, side);
    for (int i = 1; i < trial->dims; i++) {
        const int how = next(input);
        if (how % 4 > 1) side->first[i] = next_number(input, 9);
        if (how % 2) side->count[i] = next_number(input, 9);
    }
}

static void read_trial(struct input *input, struct trial *trial)
{
    weft_params *p = &trial->params;
    *trial = (struct trial){.params = WEFT_PARAMS_DEFAULT};
    p->rank = (int)next_number(input, 5);
    p->precision = (weft_precision)(next(input) % 7 == 6 ? 99 : next(input) % 2);
    p->format = (weft_format)(next(input) % 7 == 6 ? -1 : next(input) % 2);
    p->threads = (int)next_number(input, 4);
    p->effort = next(input) % 32 == 31 ? WEFT_MEASURE : WEFT_ESTIMATE;
    p->forward_scale = next(input) % 8 - 2;
    p->inverse_scale = 1.0 / (next(input) % 8 + (next(input) % 16 ? 1 : 0));
    p->batch = next_number(input, 6);
    const int rank = p->rank < 0 ? 0 : p->rank > WEFT_MAX_RANK ? WEFT_MAX_RANK : p->rank;
    p->axes = (uint32_t)next(input) % (1u << rank);
    trial->dims = rank + 1;
    trial->n[0] = p->batch;
    for (int i = 0; i < rank; i++) {
        trial->n[i + 1] = p->size[i] = next_number(input, rank > 2 ? 9 : 150);
        trial->transformed[i + 1] = p->axes == 0 || (p->axes >> i & 1);
    }
    p->kind = (weft_kind)(p->threads % 2 ? next(input) % 13 : 0);
    p->orthonormal = next(input) % 16 == 15 ? 2 : next(input) % 2;
    p->out_order = (weft_order)(p->orthonormal ? 0 : next(input) % 3);
    trial_set_sides(trial);
    read_strides(input, trial, &trial->in);
    trial->in_place = !trial_is_half(trial) && next(input) % 4 == 3;
    if (trial->in_place)
        trial->out = trial->in;
    else
        read_strides(input, trial, &trial->out);
    read_ranges(input, trial, &trial->in);
    read_ranges(input, trial, &trial->out);
}

/* Whether planning takes a moment: few elements, or far too many. */
static bool is_quick(const struct trial *trial)
{
    double elements = 1;
    for (int i = 0; i < trial->dims; i++)
        elements *= trial->n[i] > 0 ? (double)trial->n[i] : 1;
    return elements <= (double)small || elements >= (double)huge;
}

static int64_t last_place(const struct trial *trial, const struct trial_side *side)
{
    int64_t last = side->offset;
    for (int i = 0; i < trial->dims; i++)
        if (side->stride[i] > 0) last += (side->n[i] - 1) * side->stride[i];
    return last;
}

static void execute(struct trial *trial, const weft_plan *plan, weft_device *device)
{
    const int64_t elements = trial_elements(trial);
    double *in = malloc((size_t)elements * 2 * sizeof *in);
    double *out = malloc((size_t)elements * 2 * sizeof *out);
    if (!in || !out) abort();
    for (int64_t i = 0; i < 2 * elements; i++)
        in[i] = (double)(i % 11) - 5;
    for (int d = 0; d < 2; d++) {
        const weft_direction direction = d ? WEFT_INVERSE : WEFT_FORWARD;
        const char *wrong = trial_run(trial, plan, device, direction, in, out);
        if (!wrong) continue;
        fprintf(stderr, "%s: %s\n", trial_text(trial), wrong);
        abort();
    }
    free(in);
    free(out);
}

/* The plan was made, so the layout holds no surprise. */
static void use_plan(struct trial *trial, const weft_plan *plan, weft_device *device, int64_t most)
{
    weft_plan_info info;
    char text[300];
    if (weft_plan_describe(plan, &info)) abort();
    weft_plan_text(plan, text, sizeof text);
    if (trial->n[0] == 0 || trial_elements(trial) > most) return;
    trial->in.elements = last_place(trial, &trial->in) + 1;
    trial->out.elements = last_place(trial, &trial->out) + 1;
    if (trial->in.elements > 64 * small || trial->out.elements > 64 * small) return;
    execute(trial, plan, device);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"cpu", "cpu", "cpu", "null:shared=4096,threads=64"};
    struct input input = {data, size};
    const int which = next(&input) % 4;
    struct trial trial;
    read_trial(&input, &trial);
    if (!is_quick(&trial)) return 0;
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    if (weft_device_open(names[which], &device)) abort();
    const weft_params params = trial_params(&trial);
    if (weft_plan_create(device, &params, &plan) == WEFT_OK)
        use_plan(&trial, plan, device, which < 3 ? MOST_EXECUTED : MOST_EVALUATED);
    else if (plan || !*weft_last_error())
        abort();
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    return 0;
}

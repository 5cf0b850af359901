#include "support/extended_trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/extended.h"
#include "support/exact.h"

/* ---- numbers ---- */

/* Packed pairs, both parts of which are random, and the first and the second parts apart. */
struct numbers {
    int64_t elements;
    struct reference_extended *value;
    double *hi, *lo;
};

static struct numbers numbers_create(struct random *random, int64_t elements)
{
    const size_t count = 2 * (size_t)elements;
    struct numbers n = {elements, malloc(count * sizeof *n.value), malloc(count * sizeof *n.hi),
                        malloc(count * sizeof *n.lo)};
    assert_true(n.value && n.hi && n.lo);
    for (size_t i = 0; i < count; i++) {
        const double hi = random_number(random), lo = hi * 0x1p-54 * random_number(random);
        const struct extended sum = extended_ordered_sum(hi, lo);
        n.value[i] = (struct reference_extended){sum.hi, sum.lo};
    }
    return n;
}

static void numbers_split(const struct numbers *n)
{
    for (int64_t i = 0; i < 2 * n->elements; i++) {
        n->hi[i] = n->value[i].hi;
        n->lo[i] = n->value[i].lo;
    }
}

static void numbers_destroy(struct numbers *n)
{
    free(n->value);
    free(n->hi);
    free(n->lo);
}

static struct extended extended_of(struct reference_extended x)
{
    return (struct extended){x.hi, x.lo};
}

/* The exact result for what the packed input stands for: transforms are linear. */
static struct reference_extended *exact_result(const struct trial *trial, weft_direction direction,
                                               const struct numbers *in)
{
    const size_t count = 2 * (size_t)trial_elements(trial);
    struct reference_extended *sum = malloc(count * sizeof *sum);
    struct reference_extended *rest = malloc(count * sizeof *rest);
    double *hi = exact_whole(trial, in->hi), *lo = exact_whole(trial, in->lo);
    if (!sum || !rest || !exact_transform(trial, direction, hi, sum) ||
        !exact_transform(trial, direction, lo, rest)) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        const struct extended both = extended_add(extended_of(sum[i]), extended_of(rest[i]));
        sum[i] = (struct reference_extended){both.hi, both.lo};
    }
    exact_part(trial, direction, sum);
    free(rest);
    free(hi);
    free(lo);
    return sum;
}

double extended_trial_error(int64_t elements, const struct reference_extended *is,
                            const struct reference_extended *exact)
{
    double difference = 0, norm = 0;
    for (int64_t i = 0; i < 2 * elements; i++) {
        const struct extended off =
            extended_add(extended_of(is[i]), extended_negate(extended_of(exact[i])));
        difference += off.hi * off.hi;
        norm += exact[i].hi * exact[i].hi;
    }
    return difference == 0 ? 0 : sqrt(difference / norm);
}

/* ---- trials ---- */

/* Of doubles that are the exact results rounded to nearest. */
static const double rounded_error = 0x1p-53;

/* A side in guarded memory. */
struct side {
    const struct trial_side *layout;
    struct guarded memory;
    int64_t elements, *place;
};

static struct side side_create(const struct trial *trial, const struct trial_side *layout,
                               int shift)
{
    struct side side = {.layout = layout,
                        .elements = trial_side_elements(trial, layout),
                        .place = trial_places(trial, layout)};
    trial_create_memory(trial, layout, shift, &side.memory);
    return side;
}

static void side_destroy(struct side *side)
{
    guarded_destroy(&side->memory);
    free(side->place);
}

static void put(const struct trial *trial, struct side *side, struct numbers *numbers)
{
    const struct reference_extended zero = {0, 0};
    for (int i = 0; i < 2 * side->elements; i++) {
        const int64_t place = trial_place(trial, side->layout, i % side->elements);
        struct reference_extended *value = &numbers->value[2 * (i % side->elements)];
        if (!trial_has(trial, side->layout, i % side->elements)) value[0] = value[1] = zero;
        else if (i < side->elements) guarded_put_extended(&side->memory, place, value);
        else guarded_get_extended(&side->memory, place, value); /* of several, the last */
    }
}

/* What is out of range is taken to be right. */
static void get(const struct trial *trial, const struct side *side,
                const struct reference_extended *exact, struct numbers *numbers)
{
    for (int64_t i = 0; i < side->elements; i++) {
        struct reference_extended *value = &numbers->value[2 * i];
        const int64_t place = trial_place(trial, side->layout, i);
        if (trial_has(trial, side->layout, i)) guarded_get_extended(&side->memory, place, value);
        else memcpy(value, &exact[2 * i], 2 * sizeof *value);
    }
}

static weft_status execute(weft_device *device, const weft_plan *plan, weft_direction direction,
                           struct side *in, struct side *out)
{
    weft_buffer *from = guarded_wrap(&in->memory, device), *to = guarded_wrap(&out->memory, device);
    const weft_status status = weft_execute(plan, direction, from, to);
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    return status;
}

static void check_direction(const struct trial *trial, weft_device *device, const weft_plan *plan,
                            weft_direction direction, struct random *random)
{
    struct side in = side_create(trial, &trial->in, trial->in_shift);
    struct side out = side_create(trial, &trial->out, trial->out_shift);
    struct numbers given = numbers_create(random, in.elements);
    struct numbers made = numbers_create(random, out.elements);
    put(trial, &in, &given);
    numbers_split(&given);
    guarded_remember(&in.memory);
    if (trial->in_place) guarded_share(&out.memory, &in.memory);
    if (execute(device, plan, direction, &in, &out))
        fail_msg("%s: %s", trial_text(trial), weft_last_error());
    const bool views = trial->in_place && trial_is_half(trial);
    assert_true(views || guarded_is_unchanged_beside(
                             &out.memory, trial_had_elements(trial, &trial->out), out.place));
    assert_true(trial->in_place || guarded_is_unchanged(&in.memory));
    struct reference_extended *exact = exact_result(trial, direction, &given);
    get(trial, &out, exact, &made);
    const double error = extended_trial_error(out.elements, made.value, exact);
    const double most = trial->params.out_storage ? rounded_error : EXTENDED_TRIAL_MOST_ERROR;
    if (!(error <= most)) fail_msg("%s: error %g", trial_text(trial), error);
    free(exact);
    numbers_destroy(&given);
    numbers_destroy(&made);
    side_destroy(&out);
    side_destroy(&in);
}

void extended_trial_check(const struct trial *trial, weft_device *device, struct random *random)
{
    const weft_params params = trial_params(trial);
    weft_plan *plan = NULL;
    if (weft_plan_create(device, &params, &plan))
        fail_msg("%s: %s", trial_text(trial), weft_last_error());
    check_direction(trial, device, plan, WEFT_FORWARD, random);
    check_direction(trial, device, plan, WEFT_INVERSE, random);
    weft_plan_destroy(&plan);
}

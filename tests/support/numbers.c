#include "support/numbers.h"

#include "support/assert_status.h"

size_t number_bytes(weft_precision precision)
{
    return precision == WEFT_F32 ? sizeof(float) : sizeof(double);
}

double number_at(weft_precision precision, const void *data, int64_t i)
{
    if (precision == WEFT_F32) return (double)((const float *)data)[i];
    return ((const double *)data)[i];
}

void number_put(weft_precision precision, void *data, int64_t i, double x)
{
    if (precision == WEFT_F32)
        ((float *)data)[i] = (float)x;
    else
        ((double *)data)[i] = x;
}

void numbers_fill(weft_precision precision, void *data, int64_t count, struct random *random)
{
    for (int64_t i = 0; i < count; i++)
        number_put(precision, data, i, random_number(random));
}

void numbers_transform(weft_device *device, const weft_params *params, weft_direction direction,
                       void *in, size_t in_bytes, void *out, size_t out_bytes)
{
    weft_plan *plan = NULL;
    weft_buffer *from = NULL, *to = NULL;
    assert_done(weft_plan_create(device, params, &plan));
    assert_done(weft_buffer_wrap(device, in, in_bytes, &from));
    assert_done(weft_buffer_wrap(device, out, out_bytes, &to));
    assert_done(weft_execute(plan, direction, from, to));
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    weft_plan_destroy(&plan);
}

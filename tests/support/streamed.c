#include "support/streamed.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/assert_status.h"

double *streamed_numbers(struct random *random, int64_t elements)
{
    double *data = malloc((size_t)elements * 2 * sizeof *data);
    if (!data) abort();
    for (int64_t i = 0; i < 2 * elements; i++)
        data[i] = random_number(random);
    return data;
}

weft_plan *streamed_lines(weft_device *device, int64_t n, int64_t lines, int64_t limit)
{
    weft_plan *plan = NULL;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.precision = WEFT_F64;
    params.size[0] = n;
    params.batch = lines;
    params.memory_limit = limit;
    assert_done(weft_plan_create(device, &params, &plan));
    return plan;
}

weft_plan *streamed_line(weft_device *device, int64_t n, int64_t limit)
{
    return streamed_lines(device, n, 1, limit);
}

void streamed_forward(weft_device *device, const weft_plan *plan, double *x, double *y,
                      size_t bytes)
{
    weft_buffer *in = NULL, *out = NULL;
    assert_done(weft_buffer_wrap(device, x, bytes, &in));
    assert_done(weft_buffer_wrap(device, y, bytes, &out));
    assert_done(weft_execute(plan, WEFT_FORWARD, in, out));
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
}

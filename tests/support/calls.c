#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv */
#endif
#include "support/calls.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/assert_status.h"

weft_device *device;

weft_params line_of(int64_t n)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = n;
    return params;
}

weft_plan *plan_for(const weft_params *params)
{
    weft_plan *plan = NULL;
    const weft_status status = weft_plan_create(device, params, &plan);
    if (status) fail_msg("no plan: %s", weft_last_error());
    assert_non_null(plan);
    return plan;
}

void assert_no_plan(const weft_params *params, weft_status expected, const char *words)
{
    weft_plan *const before = (weft_plan *)(uintptr_t)8;
    weft_plan *plan = before;
    assert_refused(weft_plan_create(device, params, &plan), expected, words);
    assert_ptr_equal(plan, before);
}

weft_buffer *wrap(void *data, size_t bytes)
{
    weft_buffer *buffer = NULL;
    assert_int_equal(weft_buffer_wrap(device, data, bytes, &buffer), WEFT_OK);
    return buffer;
}

int open_device(void **state)
{
    (void)state;
    setenv("WEFT_CACHE_DIR", "", 1); /* what is measured is nobody's wisdom */
    unsetenv("WEFT_ISA");
    return weft_device_open("cpu", &device) ? -1 : 0;
}

int close_device(void **state)
{
    (void)state;
    weft_device_close(&device);
    return 0;
}

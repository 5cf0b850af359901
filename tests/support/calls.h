/* What tests of the public calls share: a device, plans and buffers that are sure to be had. */
#ifndef WEFT_TESTS_CALLS_H
#define WEFT_TESTS_CALLS_H

#include <stddef.h>
#include <stdint.h>

#include "weft/weft.h"

/* The device "cpu" between open_device and close_device, which set up and tear down a group. */
extern weft_device *device;

int open_device(void **state);
int close_device(void **state);

/* Default parameters for one line of n points. */
weft_params line_of(int64_t n);
/* The plan of parameters that are accepted; the caller destroys it. */
weft_plan *plan_for(const weft_params *params);
/* No plan comes of these parameters, for this reason in words that contain `words`, and a handle
 * keeps its value. */
void assert_no_plan(const weft_params *params, weft_status expected, const char *words);
/* A buffer around the caller's memory; the caller destroys it. */
weft_buffer *wrap(void *data, size_t bytes);

#endif

/* Executing on host memory where the device works in memory of its own: the input is copied there,
 * the output back. */
#ifndef WEFT_API_STAGE_H
#define WEFT_API_STAGE_H

#include "api/handles.h"

/* As weft_execute(), of buffers that were checked, at least one of which wraps host memory. The
 * device's memory is allocated for this call alone: as much as each such side spans. aids: as
 * runner_run() takes them, without a queue. */
weft_status stage_execute(const weft_plan *plan, weft_direction direction, const weft_buffer *in,
                          weft_buffer *out, const struct runner_aids *aids);

#endif

/* Executing plans that stream: buffers are memory of the host, or what calls reach. */
#ifndef WEFT_API_STREAMED_H
#define WEFT_API_STREAMED_H

#include "api/handles.h"

/* As weft_execute_with(), of a plan with a stream; the direction and the spectrum were checked.
 * scratch: NULL, or a buffer of the same sorts; spectrum: NULL of transforms. */
weft_status streamed_execute(const weft_plan *plan, weft_direction direction,
                             const weft_buffer *in, weft_buffer *out, const weft_buffer *scratch,
                             const weft_buffer *spectrum);

/* Whether a plan with a stream reaches the buffer, which is memory of the host or calls. */
bool streamed_reaches(const weft_plan *plan, const weft_buffer *buffer,
                      const struct side_layout *side);

/* Bytes of the device's memory that a plan for the parameters streams through: the limit that they
 * have, or most of what there is where that is too little; 0: it does not stream. */
int64_t streamed_limit(const weft_device *device, const weft_params *params,
                       const struct layout *layout);

#endif

/* Executing on a queue of the caller's, for the functions that take a backend's own handles. */
#ifndef WEFT_API_EXECUTE_H
#define WEFT_API_EXECUTE_H

#include "api/handles.h"

/* Whether a buffer is as the plan's side wants it, and the reason why not. */
bool execute_fits(const weft_plan *plan, const weft_buffer *buffer,
                  const struct side_layout *side);
weft_status execute_refuse_buffer(const weft_plan *plan, const weft_buffer *buffer,
                                  const char *name, const struct side_layout *side);

/* As weft_execute_with(), but only starts the transform, in the queue's order, and returns. queue:
 * one that the plan's device knows, not NULL. Errors: as there; ARGUMENT for buffers that wrap host
 * memory, which cannot be copied without waiting. */
weft_status execute_on_queue(const weft_plan *plan, weft_direction direction, const weft_buffer *in,
                             weft_buffer *out, const weft_execution *execution, void *queue);

#endif

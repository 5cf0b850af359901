/* Buffers: how they are made, for the functions that wrap a backend's own handles. */
#ifndef WEFT_API_BUFFER_H
#define WEFT_API_BUFFER_H

#include "api/handles.h"

/* A buffer with these contents: one plane, the second's handle being NULL, or two. */
weft_status buffer_make(const weft_buffer *contents, weft_buffer **buffer);

#endif

/* Buffers: how they are made, for the functions that wrap a backend's own handles. */
#ifndef WEFT_API_BUFFER_H
#define WEFT_API_BUFFER_H

#include "api/handles.h"

/* A buffer over one plane (the second's handle being NULL) or two. *buffer is written on success. */
weft_status buffer_make(const weft_buffer *contents, weft_buffer **buffer);

#endif

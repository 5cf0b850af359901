/* Which memory an execute may be given at once. */
#ifndef WEFT_API_OVERLAP_H
#define WEFT_API_OVERLAP_H

#include "api/handles.h"

/* OK if input and output are the same memory laid out alike, or if no element of the one shares a
 * byte with one of the other, though they may interlock: channels of one array, halves of one
 * picture. The planes of the output must not meet either. LAYOUT otherwise. The buffers are large
 * enough for the plan. */
weft_status overlap_check(const weft_plan *plan, const weft_buffer *in, const weft_buffer *out);

/* OK if the first `bytes` bytes of scratch are apart from the elements of both. */
weft_status overlap_check_scratch(const weft_plan *plan, const weft_buffer *in,
                                  const weft_buffer *out, const weft_buffer *scratch, size_t bytes);

/* OK if a convolution's spectrum is apart from the output's elements, and from `bytes` bytes of
 * scratch (NULL: there is none). */
weft_status overlap_check_spectrum(const weft_plan *plan, const weft_buffer *spectrum,
                                   const weft_buffer *out, const weft_buffer *scratch,
                                   size_t bytes);

#endif

/* Numbers that are stored otherwise than computed with, in the C of GPUs: buffers of them are
 * arrays of what has their bits, and functions convert. */
#ifndef WEFT_PRINT_C_STORAGE_H
#define WEFT_PRINT_C_STORAGE_H

#include "print/c_like_value.h"

/* The type of a buffer's elements, where it has a storage. */
const char *c_storage_type(const struct ir_buffer *buffer);

/* Appends the functions that the kernel's buffers need. */
void c_storage_print_functions(const struct c_like_printer *p);

/* Appends what stands before an element that is loaded, or before the real, or both, that are
 * stored: the name of a function and "(". */
void c_storage_print_load(const struct c_like_printer *p, const struct ir_buffer *buffer);
void c_storage_print_store(const struct c_like_printer *p, const struct ir_buffer *buffer);

#endif

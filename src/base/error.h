/* What the last failure of this thread was, in words. */
#ifndef WEFT_BASE_ERROR_H
#define WEFT_BASE_ERROR_H

#include "weft/weft.h"

/* Keeps the message for weft_last_error() and returns `status`, so that a failure is one line:
 *     return error_set(WEFT_ERROR_SIZE, "size[%d] is 0: sizes start at 1", axis); */
weft_status error_set(weft_status status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Keeps "out of memory: <what>" and returns WEFT_ERROR_MEMORY. */
weft_status error_memory(const char *what);

/* This thread's last message; never NULL. */
const char *error_last(void);

#endif

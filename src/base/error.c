#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

#define MESSAGE_BYTES 512

/* One a thread, so that a message is never another thread's. Longer ones are cut. */
static _Thread_local char message[MESSAGE_BYTES];

weft_status error_set(weft_status status, const char *format, ...)
{
    char words[MESSAGE_BYTES]; /* an argument may point into the old message */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    snprintf(message, sizeof message, "%s", words);
    return status;
}

weft_status error_memory(const char *what)
{
    return error_set(WEFT_ERROR_MEMORY, "out of memory: %s", what);
}

const char *error_last(void)
{
    return message;
}

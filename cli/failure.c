#include "failure.h"

#include <stdarg.h>
#include <stdio.h>

bool failure_set(failure *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why->text, sizeof why->text, format, arguments);
    va_end(arguments);
    return false;
}

bool failure_memory(failure *why, unsigned long long bytes)
{
    return failure_set(why, "no memory for %llu bytes", bytes);
}

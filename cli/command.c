#include "command.h"

#include <stdarg.h>
#include <stdio.h>

enum { MESSAGE_CAPACITY = 1024 };

static void print_line(const char *called_as, const char *format, va_list arguments)
{
    char message[MESSAGE_CAPACITY];
    vsnprintf(message, sizeof message, format, arguments);
    for (char *c = message; *c; c++) {
        if ((unsigned char)*c < ' ' || *c == 127) *c = '?';
    }
    fprintf(stderr, "%s: %s\n", called_as, message);
}

int command_fail(const char *called_as, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(called_as, format, arguments);
    va_end(arguments);
    return COMMAND_FAILED;
}

int command_misuse(const char *called_as, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(called_as, format, arguments);
    va_end(arguments);
    return COMMAND_MISUSED;
}

void command_note(const char *called_as, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_line(called_as, format, arguments);
    va_end(arguments);
}

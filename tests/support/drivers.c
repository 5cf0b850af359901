#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* setenv */
#endif
#include "support/drivers.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

/* Drivers and their compilers keep what they made until the process ends, which the sanitizer of
 * addresses takes for leaks; and LLVM gives threads a signal stack, which it takes for its own. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0:use_sigaltstack=0";
}

void drivers_keep_in(const char *variable, const char *build_folder, const char *name)
{
    char folder[1024];
    snprintf(folder, sizeof folder, "%s/%s", build_folder, name);
    mkdir(folder, 0777);
    setenv(variable, folder, 1);
}

#include "support/assert_status.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

void assert_refused(weft_status status, weft_status expected, const char *words)
{
    if (status == expected && strstr(weft_last_error(), words)) return;
    fail_msg("status %d, message \"%s\"; expected %d and the words \"%s\"", (int)status,
             weft_last_error(), (int)expected, words);
}

void assert_done(weft_status status)
{
    if (status) fail_msg("%s", weft_last_error());
}

/* What calls of the library return, held to what they should. */
#ifndef WEFT_TESTS_ASSERT_STATUS_H
#define WEFT_TESTS_ASSERT_STATUS_H

#include "weft/weft.h"

/* Fails the test, with the library's message, unless the call was refused so, in these words. */
void assert_refused(weft_status status, weft_status expected, const char *words);
/* ... unless it succeeded. */
void assert_done(weft_status status);

#endif

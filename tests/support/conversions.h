/* What a device makes of numbers that are stored otherwise than computed with, number by number. */
#ifndef TESTS_SUPPORT_CONVERSIONS_H
#define TESTS_SUPPORT_CONVERSIONS_H

#include <stdbool.h>

#include "weft/weft.h"

/* Has the device copy arrays from and to the storage: every number that it has, read; and written,
 * each of them, what lies between it and the next, and what is beyond the last. precision: WEFT_F32
 * or WEFT_F64, what is computed with. flushes: the device may take subnormal singles for 0. Returns
 * NULL, or what was wrong, in words. */
const char *conversions_check(weft_device *device, weft_precision precision, weft_storage storage,
                              bool flushes);

#endif

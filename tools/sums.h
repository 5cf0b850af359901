/* Butterflies of large primes as what they are by definition, sums of products: the tables that
 * src/device/cpu/core.h does them by. */
#ifndef WEFT_TOOLS_SUMS_H
#define WEFT_TOOLS_SUMS_H

#include <stdbool.h>

#include "base/text.h"

/* Whether butterflies of that radix are done so. */
bool sums_suit(int radix);

/* Prints the struct codelet_core of a prime; single: of floats. */
void sums_print(struct text *t, bool single, int radix);

#endif

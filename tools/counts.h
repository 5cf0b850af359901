/* What the codelet generator counts: a line each of operations, loads and stores. */
#ifndef WEFT_TOOLS_COUNTS_H
#define WEFT_TOOLS_COUNTS_H

#include <stdbool.h>

#include "ir/ir.h"

void counts_print(const char *name, const struct ir *kernel);
/* False: no memory. */
bool counts_print_butterfly(int radix);

#endif

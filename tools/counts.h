/* What the codelet generator counts: a line each of operations, loads and stores. */
#ifndef WEFT_TOOLS_COUNTS_H
#define WEFT_TOOLS_COUNTS_H

#include <stdbool.h>

#include "ir/ir.h"

/* The longest butterfly that is counted. */
#define COUNTS_MOST 64

void counts_print(const char *name, const struct ir *kernel);
/* False: no memory. */
bool counts_print_butterfly(int radix);

#endif

/* The lanes of what codelets shuffle by direction, as a table of a set. */
#ifndef WEFT_TOOLS_EXCHANGE_H
#define WEFT_TOOLS_EXCHANGE_H

#include "kernel/line.h"
#include "print/c_vector.h"

/* Appends `exchange` of struct codelet_set, of all[CODELET_EXCHANGES]. */
void exchange_print(struct text *t, const struct c_vector_target *target,
                    const struct c_exchange *all);

#endif

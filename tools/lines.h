/* Files of line codelets (src/kernel/line.h), which the generator prints. */
#ifndef WEFT_TOOLS_LINES_H
#define WEFT_TOOLS_LINES_H

#include "base/text.h"
#include "options.h"

/* The kind of the line codelet that does what one of this kind does. */
int lines_own_kind(const struct options *o, const struct line *line, int kind);
/* Appends the set's line codelets of o->lines lanes; those that are two steps between vectors of
 * pairs are in files of their own. False if it failed. */
bool lines_print(struct text *t, struct options *o);
bool lines_print_pairs(struct text *t, struct options *o);

#endif

/* How passes are put together: what those over whole axes and those of split axes share. */
#ifndef WEFT_STREAM_MAKE_H
#define WEFT_STREAM_MAKE_H

#include "stream/layout.h"

struct stream_pass *stream_start_pass(struct stream *s, enum stream_place from,
                                      enum stream_place to);
void stream_add_dim(struct stream_pass *pass, struct stream_dim dim);
/* A dimension that the pass transforms, with its ranges. */
void stream_add_line(const struct problem *p, struct stream_pass *pass, int d,
                     const struct layout *from, const struct layout *to);
/* One that it does not, as far as its range goes. */
void stream_add_other(const struct problem *p, struct stream_pass *pass, int d,
                      const struct layout *from, const struct layout *to);
/* Says what is in a band of at most so many elements. */
void stream_finish_pass(struct stream_pass *pass, int64_t elements);

/* Two passes for an axis that a band does not hold: columns and rows (split.c). UNSUPPORTED,
 * MEMORY. */
weft_status stream_add_split(struct stream *s, int axis, const struct layout *from,
                             const struct layout *to, int64_t elements);

#endif

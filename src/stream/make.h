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
/* Those but the axis. */
void stream_add_others(const struct problem *p, struct stream_pass *pass, int axis,
                       const struct layout *from, const struct layout *to);
/* Strides of those around `packed` numbers of the split axis. Returns how many elements it has. */
int64_t stream_place_lines(const struct problem *p, int axis, const struct layout *from,
                           int64_t packed, struct layout *lines);
/* Says what is in a band of at most so many elements. */
void stream_finish_pass(struct stream_pass *pass, int64_t elements);

/* Whether such passes can be, as columns and rows. */
bool stream_splits(const struct stream *s, int axis, int64_t elements);

/* Two passes for an axis that a band does not hold: columns and rows (split.c). UNSUPPORTED,
 * MEMORY. */
weft_status stream_add_split(struct stream *s, int axis, const struct layout *from,
                             const struct layout *to, int64_t elements);
/* Six for each direction, of one that is no product of such: a convolution (chirped.c). */
weft_status stream_add_chirped(struct stream *s, int axis, const struct layout *from,
                               const struct layout *to, int64_t elements);

#endif

/* Short lines several of which are taken at once in vectors of pairs (CODELET_PAIRS), wherever they
 * lie: nothing is parted or transposed, and a number is loaded by itself. */
#ifndef WEFT_DEVICE_CPU_PAIRS_H
#define WEFT_DEVICE_CPU_PAIRS_H

#include "device/cpu/pipeline.h"

/* Whether there are codelets of lines of n. */
bool pairs_exist(const struct kernel *kernel, int64_t n);

/* Whether it is a transform of lines of pairs to such, wherever these lie. */
bool pairs_are_at_both_ends(const struct kernel *kernel);

/* Whether nothing else is as fast for all the lines of a pass. */
bool pairs_suit(const struct kernel *kernel);

/* Adds the transform of the tile's lines. */
void pairs_build(struct pipeline_builder *b);

/* Likewise of the columns of a shape, its lanes, that are left over when so many are done, and no
 * sooner done by vectors of the set; otherwise false. */
bool pairs_finish(struct pipeline_builder *b, const struct codelet_set *set,
                  const struct codelet_shape *shape, int64_t done);

/* Whether one line is taken in two steps of pairs. */
bool pairs_take_line(const struct kernel *kernel);
/* ... wherever its numbers lie. */
bool pairs_take_apart(const struct kernel *kernel);

/* Adds the transform of one line in two steps, if that is what its length suits; otherwise false.
 */
bool pairs_build_line(struct pipeline_builder *b);

#endif

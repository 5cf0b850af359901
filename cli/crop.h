/* The part of an array that ranges have. */
#ifndef WEFT_CLI_CROP_H
#define WEFT_CLI_CROP_H

#include "array.h"
#include "ranges.h"

/* Makes *part of the elements that the ranges of the output have of `whole`, in their order: the
 * first of an axis's range is its element 0. */
bool crop_create(array *part, const array *whole, const struct ranges *ranges, failure *why);

#endif

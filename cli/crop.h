/* The part of an array that ranges have. */
#ifndef WEFT_CLI_CROP_H
#define WEFT_CLI_CROP_H

#include "array.h"
#include "ranges.h"

/* Where in the part an element is that it has, both counted row by row. What follows one another in
 * the whole, and is in the part, does so there. */
int64_t crop_place(const struct ranges *ranges, int64_t element);

/* The part's shape, without memory. */
bool crop_describe(array *part, const array *whole, const struct ranges *ranges, failure *why);

/* Makes *part of the elements that the ranges of the output have of `whole`, in their order: the
 * first of an axis's range is its element 0. */
bool crop_create(array *part, const array *whole, const struct ranges *ranges, failure *why);

#endif

/* What the kinds of pictures share. */
#ifndef WEFT_CLI_PICTURE_PARTS_H
#define WEFT_CLI_PICTURE_PARTS_H

#include "picture.h"

enum { PICTURE_TEXT = 240 };

/* The two kinds of spectrum; `size` holds the axes longer than 1, one or two. */
bool picture_of_line(frame *f, const spectrum *s, int64_t size, const char *title, failure *why);
bool picture_of_plane(frame *f, const spectrum *s, const int64_t *size, bool is_image,
                      const char *title, failure *why);

/* 10 log10(power / reference); very low where there is no power. */
double picture_decibels(double power, double reference);

/* A range of decibels that shows all but the given shares of the values at the low and at the high
 * end, widened to tens and to at least 20 dB. Sorts the values. */
frame_axis picture_decibel_range(double *values, size_t count, double low_share, double high_share);

/* The strongest power; left out: element 0, unless it is all there is. */
double picture_reference(const spectrum *s);

#endif

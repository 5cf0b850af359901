/* Ranges of the parameters: which elements of an axis there are. */
#ifndef WEFT_API_RANGES_H
#define WEFT_API_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/range.h"
#include "weft/weft.h"

/* An axis of `length` elements on a side. */
struct ranges_axis {
    int number; /* of the parameters' */
    int64_t length;
    bool transformed;
};

/* What the parameters say of an axis on that side. ARGUMENT, with a message. */
weft_status ranges_read(const weft_params *params, bool out, const struct ranges_axis *axis,
                        struct range *range);

#endif

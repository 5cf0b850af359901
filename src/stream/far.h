/* Memory of a large array: the host's, or what is reached by calls, as a file is. */
#ifndef WEFT_STREAM_FAR_H
#define WEFT_STREAM_FAR_H

#include <stdbool.h>

#include "stream/box.h"
#include "weft/weft.h"

struct far {
    void *re, *im;          /* im == NULL: one array */
    const weft_calls *calls; /* not NULL: those that reach it, instead of addresses */
    int64_t first;          /* elements from the beginning to element (0, ..., 0) */
    bool pinned;            /* the device's queues may copy it */
};

/* Copies the box from or to near memory, which the host reaches. plane: 0, or 1 for `im`. */
weft_status far_gather(const struct far *far, int plane, const struct box *box, void *near);
weft_status far_scatter(const struct far *far, int plane, const struct box *box, const void *near);

#endif

#include "stream/box.h"

/* How many dimensions, from the first on, are one run of memory on both sides, and its length. */
static int merge(const struct box *box, size_t *bytes)
{
    int merged = 0;
    *bytes = box->element;
    while (merged < box->dims) {
        const struct box_dim *dim = &box->dim[merged];
        const int64_t run = (int64_t)*bytes;
        if (dim->n > 1 && (dim->far != run || dim->near != run)) break;
        *bytes *= (size_t)dim->n;
        merged++;
    }
    return merged;
}

size_t box_run(const struct box *box)
{
    size_t bytes;
    merge(box, &bytes);
    return bytes;
}

/* The next place of all dimensions from `first` on. False: that was the last. */
static bool step(const struct box *box, int first, int64_t *counter, struct box_rows *rows)
{
    for (int d = first; d < box->dims; d++) {
        const struct box_dim *dim = &box->dim[d];
        rows->far += dim->far;
        rows->near += dim->near;
        if (++counter[d] < dim->n) return true;
        rows->far -= dim->n * dim->far;
        rows->near -= dim->n * dim->near;
        counter[d] = 0;
    }
    return false;
}

weft_status box_walk(const struct box *box, box_visitor *visit, void *context)
{
    int64_t counter[BOX_MAX_DIMS] = {0};
    struct box_rows rows = {.far = box->far, .near = box->near, .count = 1};
    int first = merge(box, &rows.bytes);
    if (first < box->dims) {
        rows.count = box->dim[first].n;
        rows.far_step = box->dim[first].far;
        rows.near_step = box->dim[first].near;
        first++;
    }
    weft_status status;
    do status = visit(context, &rows);
    while (!status && step(box, first, counter, &rows));
    return status;
}

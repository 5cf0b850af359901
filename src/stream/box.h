/* A box of a large array, and where its elements lie packed: what is copied between far and near
 * memory. */
#ifndef WEFT_STREAM_BOX_H
#define WEFT_STREAM_BOX_H

#include <stddef.h>
#include <stdint.h>

#include "spec/problem.h"

/* Dimensions of a problem, one of them cut in two. */
#define BOX_MAX_DIMS (PROBLEM_MAX_DIMS + 1)

/* n elements, so many bytes apart. */
struct box_dim {
    int64_t n, far, near;
};

struct box {
    int dims;
    struct box_dim dim[BOX_MAX_DIMS]; /* the nearest together in near memory first */
    int64_t far, near;                /* bytes from the arrays' beginnings to the first element */
    size_t element;                   /* bytes */
};

/* Runs of equal length at equal distances. */
struct box_rows {
    int64_t far, near; /* bytes to the first, */
    size_t bytes;      /* of each, */
    int64_t count;
    int64_t far_step, near_step; /* and from one to the next */
};

typedef weft_status box_visitor(void *context, const struct box_rows *rows);

/* Bytes that lie together on both sides. */
size_t box_run(const struct box *box);

/* Shows the visitor all of the box, in runs as long as can be, and stops at an error. */
weft_status box_walk(const struct box *box, box_visitor *visit, void *context);

#endif

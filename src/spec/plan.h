/* The plan tree: how a problem is cut. Pure data, a pure function of problem, limits and wisdom. */
#ifndef WEFT_SPEC_PLAN_H
#define WEFT_SPEC_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "weft/weft.h"

#define PLAN_MAX_RADICES  24
#define PLAN_MAX_CHILDREN 8
#define PLAN_MOST_COLUMNS 256
#define PLAN_MOST_CLUSTER 16
#define PLAN_MOST_CORNERED 3 /* a thread takes 2^axes numbers together (kernel/block_corners.h) */

enum plan_kind {
    PLAN_COPY,  /* nothing to transform: input to output, scaled */
    PLAN_BLOCK, /* fits one block: Stockham steps by `radix`, in their order */
    PLAN_SPLIT, /* n = child[0].n * child[1].n: columns (a leaf), twiddle, then rows (any node) */
    PLAN_TRANSPOSED, /* n = child[0].n * child[1].n: columns and rows, one pass each, without the
                      * transpose: element k of what a split would leave is at
                      * k % child[0].n * child[1].n + k / child[0].n */
    PLAN_AXES,  /* one child an axis, or an image for several, as the problem has them: taken last
                 * to first, but in `order` */
    PLAN_IMAGE, /* some axes in one block: one child an axis, slowest first, all of them blocks */
    PLAN_REAL,  /* n reals and half their spectrum; child[0]: a complex transform, of n / 2 elements
                 * for even n, or a split of n; otherwise of n, or of n / r, r / 2 + 1 of the r
                 * lines that n reals are cut to; or an image of n / 2, of whose last axis there
                 * are twice as many reals; child[1], of odd n: that of the last one of an odd
                 * number of lines, which others are taken two by two */
    PLAN_TRIGONOMETRIC, /* n reals to as many; child[0]: a complex transform of n / 2, n, n - 1
                         * or n + 1 elements, or of n / r as above, or an image as of PLAN_REAL, of
                         * PLAN_MOST_CORNERED axes at most; child[1]: that of the other direction,
                         * if the two have different ones */
    PLAN_RADER, /* n prime; child[0]: the convolution's transform, a block of length n - 1 */
    PLAN_BLUESTEIN, /* child[0]: the convolution's transform, of smooth length m >= 2n - 1: a block,
                     * or a split, which makes columns forward, rows convolved, columns back */
    PLAN_RESAMPLED, /* child[0]: a transform of length h, n <= h <= n + n / 16, of each parity of
                     * the numbers among which those of the line are interpolated
                     * (math/window.h) */
    PLAN_CONVOLUTION /* an axis of a problem that convolves, there and back with the product in
                      * between; child[0]: its transform, likewise a block or a split */
};

struct plan_node {
    enum plan_kind kind;
    int64_t n;
    int radices;
    int radix[PLAN_MAX_RADICES];
    int columns; /* of PLAN_BLOCK, on a GPU: lines that a block of threads takes up, if it holds so
                  * many; 0: as many as the kernel finds right */
    int cluster; /* of PLAN_BLOCK, on a GPU: blocks of threads that share a line; 0: none do */
    int children;
    const struct plan_node *child[PLAN_MAX_CHILDREN];
    bool ordered; /* of PLAN_AXES without images: the axes are taken as if they stood in */
    int order[PLAN_MAX_CHILDREN]; /* ... this order */
    double seconds, back_seconds; /* expected; of whole trees, of the other direction too */
};

/* Whether it is several axes of reals in one block. */
bool plan_is_image_of_reals(const struct plan_node *node);

/* Axes of the problem that a child of PLAN_AXES, or a whole tree, transforms. */
int plan_axes(const struct plan_node *node);

/* The part of a tree that transforms an axis of the problem. */
const struct plan_node *plan_of_axis(const struct plan_node *tree, int axis);

/* The tree, all of it in the arena. NULL: no memory. */
const struct plan_node *plan_copy(arena *a, const struct plan_node *tree);

/* Whether any axis is left in another order than the natural one. */
bool plan_transposes(const struct plan_node *tree);

/* Whether PLAN_RESAMPLED may be of n elements with a child of h: long enough that no number is
 * interpolated among itself. */
bool plan_resamples(int64_t n, int64_t h);

/* Of a cluster's line, what is to be beside its mirrors in a block: columns for what folds a line,
 * rows for what unfolds it. */
enum plan_mirrors { PLAN_NO_MIRRORS, PLAN_COLUMN_MIRRORS, PLAN_ROW_MIRRORS };

/* How many of the steps a cluster does before its blocks exchange what they have: all before are
 * columns of a split, all after its rows, and each block has equally many of both; each result of
 * the last step before goes to one and the same block, whichever thread has it. The cut that leaves
 * the longest runs of columns, which are read and sent, and of rows, which are written. 0: no cut
 * deals them out evenly. */
int plan_cluster_cut(int radices, const int *radix, int cluster, enum plan_mirrors mirrors);

/* How long the shorter ones of those runs are, as that counts; 0: there is no such cut. */
int64_t plan_cluster_run(int radices, const int *radix, int cluster, enum plan_mirrors mirrors);

/* "split(1048576: block(1024: 16.8.8), block(1024: 16.8.8 by 4))", 4 being the columns;
 * "block(65536: 16.16.16.16 over 8)", 8 blocks being a cluster; "axes(64: block(8: 8), block(8: 8)
 * as 1.0)", the first axis being taken first. */
void plan_print(struct text *t, const struct plan_node *node);

/* Reads what plan_print() writes, puts the tree into the arena and moves *text behind it. In what
 * is accepted the numbers agree: radices multiply up to their length, parts to their whole, a
 * convolution is long enough. Whether a device can do it is for plan_check() (plan/planner.h).
 * ARGUMENT, with what is wrong; MEMORY. (plan_parse.c) */
weft_status plan_parse(arena *a, const char **text, const struct plan_node **tree);

/* Reads the name of a kind; false: there is none. */
bool plan_scan_kind(const char **text, enum plan_kind *kind);

#endif

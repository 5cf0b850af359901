/* A line that the blocks of a cluster share: which columns of its split, and then which rows, each
 * of them has, and how it comes from the one to the other.
 *
 * Row k of C, which has elements k + C i of the line, is result j of the sending step's butterfly
 * k mod p, p being C over the step's radix r. The j-th results of all butterflies go to one block
 * (plan_cluster_cut()), which has rows that follow one another.
 *
 * What unfolds a line takes results k and h - k, so that a block has rows k and C - k then, the
 * latter ones, mirrors, behind all the former. Rows 0 and C / 2, which are their own mirrors, go
 * together. The mirrors of results j of butterfly i are results r - 1 - j of butterfly p - i; but
 * of butterfly 0, its own results r - j: so each of its upper results is sent as the one before it,
 * and the lowest of them as the last one. What folds a line has columns likewise. */
#ifndef WEFT_KERNEL_BLOCK_CLUSTER_H
#define WEFT_KERNEL_BLOCK_CLUSTER_H

#include "kernel/block_state.h"

/* ---- columns and rows ---- */

/* Which of all columns, or rows, the i-th of the rank-th block is. */
static inline int64_t block_dealt(const struct block_shape *shape, bool rows, int rank, int64_t i)
{
    const int64_t all = shape->cluster * shape->run[rows];
    const int64_t run = shape->mirrors[rows] ? shape->run[rows] / 2 : shape->run[rows];
    const int64_t own = rank * run + i % run;
    return i < run ? own : own > 0 ? all - own : all / 2;
}

/* The same as code; and which element of the line, as it is read or written, is at a place of the
 * block's columns, or rows. */
ir_value block_dealt_number(struct block *k, bool rows, ir_value i);
ir_value block_dealt_place(struct block *k, bool rows, ir_value place);

/* ---- what is sent ---- */

/* Whether the j-th results make rows that are mirrors. */
static inline bool block_sends_mirror(const struct block_shape *shape, int j)
{
    return shape->mirrors[1] && j >= shape->step[shape->sending].radix / 2;
}

/* Which of the blocks they go to; */
static inline int block_peer(const struct block_shape *shape, int j)
{
    const int radix = shape->step[shape->sending].radix, each = radix / shape->cluster;
    if (!shape->mirrors[1]) return j / each;
    return (block_sends_mirror(shape, j) ? radix - 1 - j : j) / (each / 2);
}

/* ... which row there is butterfly 0's, and how many rows further on the i-th one's is; */
static inline int64_t block_sent_row(const struct block_shape *shape, int j)
{
    const struct block_step *step = &shape->step[shape->sending];
    const int64_t rows = shape->run[1];
    if (!shape->mirrors[1]) return j * step->before % rows;
    if (!block_sends_mirror(shape, j)) return j * step->before % (rows / 2);
    return rows / 2 + (step->radix - 1 - j) * step->before % (rows / 2);
}
static inline int64_t block_sent_further(const struct block_shape *shape, int64_t i, int j)
{
    const int64_t before = shape->step[shape->sending].before;
    return block_sends_mirror(shape, j) && i > 0 ? before - i : i;
}

/* ... and which element there the result at `place` of the columns is. Rows lie one after the
 * other, so that neighbouring threads, which have neighbouring columns, send to one run. */
static inline int64_t block_sent_place(const struct block_shape *shape, int rank, int64_t place)
{
    const int64_t before = shape->step[shape->sending].before, k = place / shape->run[0];
    const int j = (int)(k / before);
    const int64_t row = block_sent_row(shape, j) + block_sent_further(shape, k % before, j);
    return row * (shape->length / shape->run[1]) +
           block_dealt(shape, false, rank, place % shape->run[0]);
}
static inline int64_t block_received_place(const struct block_shape *shape, int64_t place)
{
    return place % shape->run[1] * (shape->length / shape->run[1]) + place / shape->run[1];
}

/* The same as code, `place` being that of the j-th result's butterfly's first one. */
ir_value block_sent_element(struct block *k, ir_value place, int j);
ir_value block_received_element(struct block *k, ir_value place);

/* What a butterfly sends as its j-th result. */
struct ir_complex block_sent_result(struct block *k, ir_value butterfly, int j,
                                    const struct ir_complex *x);

/* ---- mirrors ---- */

/* Butterflies, or elements, of a column, or row. */
static inline int64_t block_mirrors_length(const struct block_step *s)
{
    return s->mirrored ? s->n / (2 * s->mirrors) : s->n / s->radix;
}

/* Which of the step's butterflies, or elements, are the first and the other one of a pair. Column
 * or row 0, which is the first block's first, and the middle one, which is where its mirror would
 * be, are paired by themselves: half of the pairs that begin there are of the middle one. */
static inline int64_t block_first_of_pair(const struct block_step *s, int rank, int64_t pair)
{
    const int64_t line = pair % s->mirrors, i = pair / s->mirrors;
    const bool middle = rank == 0 && line == 0 && i >= block_mirrors_length(s) / 2;
    return i * 2 * s->mirrors + (middle ? s->mirrors : line);
}
static inline int64_t block_other_of_pair(const struct block_step *s, int rank, int64_t first)
{
    const int64_t all = 2 * s->mirrors, line = first % all, i = first / all;
    const int64_t length = block_mirrors_length(s);
    if (rank == 0 && line == 0) return (i > 0 ? length - i : length / 2) * all;
    const bool middle = rank == 0 && line == s->mirrors;
    return (length - 1 - i) * all + (middle ? line : (line + s->mirrors) % all);
}

/* The same as code. */
ir_value block_of_pair(struct block *k, const struct block_step *s, ir_value pair, bool other);

#endif

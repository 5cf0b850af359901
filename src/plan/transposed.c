/* n = n1 * n2 without the transpose: result k1 + n1 k2 stays where the rows leave it, at
 * k1 n2 + k2, and the inverse direction takes it from there.
 *
 * Forward that is columns j1 -> k1, twiddle by j2 k1, rows j2 -> k2, with j = j1 n2 + j2. The
 * inverse direction undoes it in the opposite order: rows k2 -> j2, the same twiddle, columns
 * k1 -> j1. (Bailey 1990; Frigo and Johnson 2005, 3.2.1.) */
#include "plan/algorithm.h"

/* One of the two: its length, and how far apart its elements are in the line as it lies. */
struct factor {
    const struct plan_node *node;
    int64_t n, stride;
};

/* The lines along one factor, over which the other one counts. */
static struct lines factor_lines(struct lowering *l, const struct lines *lines,
                                 const struct factor *along, const struct factor *over)
{
    struct lines made = *lines;
    const struct dim *line = &lines->line;
    made.line = (struct dim){along->n, along->stride * line->in_stride,
                             along->stride * line->out_stride};
    lines_prepend(l, &made, (struct dim){over->n, over->stride * line->in_stride,
                                         over->stride * line->out_stride});
    for (int out = 0; out < 2; out++) {
        made.position[out].line = along->stride * lines->position[out].line;
        made.position[out].loop[0] = over->stride * lines->position[out].line;
    }
    return made;
}

/* The second pass works where the first one wrote. */
static void lower_in_place(struct lowering *l, const struct lines *lines,
                           const struct factor *first, const struct factor *second)
{
    struct lines begin = factor_lines(l, lines, first, second);
    struct lines end = factor_lines(l, lines, second, first);
    lines_twiddle(&begin, first->n * second->n, false);
    lines_work_in_place(&end);
    algorithm_lower(l, first->node, &begin);
    algorithm_lower(l, second->node, &end);
}

/* A CPU's steps multiply columns by their twiddles as they write planes, which scratch is, and lie
 * there in blocks (device/cpu/blocks.h). */
static void lower_through_scratch(struct lowering *l, const struct lines *lines,
                                  const struct factor *columns, const struct factor *rows)
{
    const struct lowering_cut cut = lowering_cut(l, lines, columns->n, rows->n);
    struct lines end = cut.rest;
    const int64_t stride = lines->line.out_stride;
    end.line = (struct dim){rows->n, cut.unit, stride};
    lines_prepend(l, &end, (struct dim){columns->n, cut.pitch, columns->stride * stride});
    end.position[1].loop[0] = columns->stride * lines->position[1].line;
    algorithm_lower(l, columns->node, &cut.columns);
    algorithm_lower(l, rows->node, &end);
}

void transposed_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines)
{
    const struct factor columns = {node->child[0], node->child[0]->n, node->child[1]->n};
    const struct factor rows = {node->child[1], node->child[1]->n, 1};
    if (l->inverse) lower_in_place(l, lines, &rows, &columns);
    else if (l->limits->vector_bytes == 0) lower_in_place(l, lines, &columns, &rows);
    else lower_through_scratch(l, lines, &columns, &rows);
}

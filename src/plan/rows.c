/* Lines that are convolved. With n = n1 * n2, j = j1 * n2 + j2 and k = k1 + n1 * k2 the columns
 * j1 -> k1 go forward and are twiddled, each row k1 is convolved by itself with its part of the
 * spectrum and twiddled back, and the columns go backward: the inverse transform undoes the split
 * in the opposite order, so nothing is transposed. A row too long for a block is again columns,
 * rows and columns. */
#include "plan/rows.h"

#include <string.h>

static void prepend(struct lowering *l, struct rows *rows, struct dim loop, int64_t weight)
{
    memmove(rows->spectrum.loop + 1, rows->spectrum.loop,
            (PASS_MAX_LOOPS - 1) * sizeof *rows->spectrum.loop);
    rows->spectrum.loop[0] = weight;
    lines_prepend(l, &rows->lines, loop);
}

void rows_prepend_placed(struct lowering *l, struct rows *rows, const struct placed_dim *loop,
                         int64_t weight)
{
    prepend(l, rows, loop->dim, weight);
    for (int out = 0; out < 2; out++) rows->lines.position[out].loop[0] = loop->position[out];
}

void rows_lower_block(struct lowering *l, const struct plan_node *block, const struct rows *rows)
{
    struct pass *pass = lowering_pass(l, &rows->lines);
    pass->body = PASS_CONVOLUTION;
    pass->length = block->n;
    pass_set_radices(pass, block);
    pass->spectrum_table = rows->table;
    pass->spectrum_given = rows->table == PASS_NO_TABLE;
    pass->spectrum_conjugate = rows->conjugate;
    pass->spectrum_half_n = rows->half_n;
    pass->spectrum_map = rows->spectrum;
    lowering_finish(l, pass);
}

void rows_lower_columns(struct lowering *l, const struct plan_node *block,
                        const struct lines *columns, bool backward)
{
    struct pass *pass = lowering_pass(l, columns);
    pass->body = PASS_TRANSFORM;
    pass->backward = backward;
    pass->length = block->n;
    pass_set_radices(pass, block);
    lowering_finish(l, pass);
}

/* The twiddle that a row owes to the columns around it. The inner columns cannot apply it, since it
 * depends on two of their counters, so it takes a sweep of its own. */
static void lower_owed_twiddle(struct lowering *l, const struct lines *lines)
{
    struct pass *pass = lowering_pass(l, lines);
    pass->body = PASS_COPY;
    pass->length = pass->line.n;
    lowering_finish(l, pass);
}

/* Rows in scratch, in place. */
static void lower_rows(struct lowering *l, const struct plan_node *node, const struct rows *rows)
{
    if (node->kind == PLAN_BLOCK) {
        rows_lower_block(l, node, rows);
        return;
    }
    int64_t n1 = node->child[0]->n, n2 = node->child[1]->n;
    int64_t stride = rows->lines.line.in_stride;
    struct lines columns = rows->lines;
    columns.line = (struct dim){n1, n2 * stride, n2 * stride};
    lines_prepend(l, &columns, (struct dim){n2, stride, stride});
    lines_twiddle(&columns, node->n, false);
    rows_lower_columns(l, node->child[0], &columns, false);

    struct rows inner = *rows;
    inner.lines.line = (struct dim){n2, stride, stride};
    prepend(l, &inner, (struct dim){n1, n2 * stride, n2 * stride}, rows->spectrum.line);
    inner.spectrum.line = rows->spectrum.line * n1;
    lines_twiddle(&inner.lines, node->n, true);
    lower_rows(l, node->child[1], &inner);

    columns.twiddle_order = 0;
    rows_lower_columns(l, node->child[0], &columns, true);
    if (rows->lines.twiddle_order > 0) lower_owed_twiddle(l, &rows->lines);
}

void rows_lower_cut(struct lowering *l, const struct plan_node *split, const struct rows *rows,
                    const struct lowering_cut *cut)
{
    const int64_t n1 = split->child[0]->n, n2 = split->child[1]->n;
    struct rows inner = *rows;
    inner.lines = cut->rest;
    inner.lines.to = PASS_SCRATCH;
    inner.lines.line = (struct dim){n2, cut->unit, cut->unit};
    for (int i = 0; i < inner.lines.loops; i++)
        inner.lines.loop[i].out_stride = inner.lines.loop[i].in_stride;
    prepend(l, &inner, (struct dim){n1, cut->pitch, cut->pitch}, rows->spectrum.line);
    inner.spectrum.line = rows->spectrum.line * n1;
    lines_twiddle(&inner.lines, n1 * n2, true);
    lower_rows(l, split->child[1], &inner);
}

#include "plan/algorithm.h"

const struct algorithm algorithm_table[] = {
    {PLAN_BLOCK, LINE_WHOLE | LINE_COLUMNS | LINE_ROWS | LINE_BLOCK | LINE_CHAIN | LINE_LAST,
     block_propose, block_lower},
    {PLAN_RADER, LINE_WHOLE | LINE_COLUMNS | LINE_ROWS | LINE_LAST, rader_propose, rader_lower},
    {PLAN_BLUESTEIN, LINE_WHOLE | LINE_ROWS, bluestein_propose, bluestein_lower},
    {PLAN_RESAMPLED, LINE_WHOLE, resampled_propose, resampled_lower},
    {PLAN_TRANSPOSED, LINE_WHOLE, transposed_propose, transposed_lower},
    {PLAN_SPLIT, LINE_WHOLE | LINE_ROWS | LINE_CHAIN, split_propose, split_lower},
};
const int algorithm_count = sizeof algorithm_table / sizeof *algorithm_table;

void algorithm_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines)
{
    if (node->kind == PLAN_IMAGE) image_lower(l, node, lines);
    if (node->kind == PLAN_REAL) real_lower(l, node, lines);
    if (node->kind == PLAN_TRIGONOMETRIC) trigonometric_lower(l, node, lines);
    for (int i = 0; i < algorithm_count; i++) {
        if (algorithm_table[i].kind == node->kind) algorithm_table[i].lower(l, node, lines);
    }
}

void algorithm_lower_inner(struct lowering *l, const struct plan_node *node,
                           const struct lines *lines)
{
    if (node->kind == PLAN_COPY) lowering_copy(l, lines);
    else algorithm_lower(l, node, lines);
}

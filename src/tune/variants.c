#include "tune/variants.h"

#include <stddef.h>

/* A kernel for several axes takes its columns from the last one's block. */
static int first_child(const struct plan_node *node)
{
    return node->kind == PLAN_IMAGE ? node->children - 1 : 0;
}

int variants_blocks(const struct plan_node *tree)
{
    int blocks = tree->kind == PLAN_BLOCK;
    for (int i = first_child(tree); i < tree->children; i++)
        blocks += variants_blocks(tree->child[i]);
    return blocks;
}

const struct plan_node *variants_with_columns(arena *a, const struct plan_node *tree, int block,
                                              int columns)
{
    struct plan_node *copy = arena_alloc(a, sizeof *copy);
    if (!copy) return NULL;
    *copy = *tree;
    if (tree->kind == PLAN_BLOCK) copy->columns = columns;
    for (int i = first_child(tree); i < tree->children; i++) {
        const int inside = variants_blocks(tree->child[i]);
        if (block >= 0 && block < inside) {
            copy->child[i] = variants_with_columns(a, tree->child[i], block, columns);
            if (!copy->child[i]) return NULL;
        }
        block -= inside;
    }
    return copy;
}

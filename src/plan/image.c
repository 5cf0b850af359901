/* A small image or volume, all of it in one block: Stockham steps along each axis in turn, with the
 * exchanges between them doing what transposes would. */
#include <string.h>

#include "base/checked.h"
#include "plan/algorithm.h"

/* Elements of the axes; 0: a block cannot hold so many. */
static int64_t image_elements(const struct search *s, int first, int last)
{
    int64_t elements = 1;
    for (int i = first; i <= last; i++) {
        if (!checked_multiply(elements, s->problem->axis[i].n, &elements)) return 0;
    }
    return search_fits_block(s, elements) ? elements : 0;
}

struct plan_node *image_node(struct search *s, int first, int last)
{
    int64_t elements = image_elements(s, first, last);
    if (elements == 0) return NULL;
    struct plan_node *node = search_node(s, PLAN_IMAGE, elements);
    if (!node) return NULL;
    for (int i = first; i <= last; i++) {
        int64_t n = s->problem->axis[i].n;
        struct task task = {.n = n, .columns = elements / n, .role = LINE_BLOCK};
        if (!search_smooth(s, n)) return NULL;
        const struct plan_node *block = search_best(s, task);
        if (!block) return NULL;
        node->child[node->children++] = block;
    }
    return node;
}

void image_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines)
{
    struct pass *pass = lowering_pass(l, lines);
    int last = node->children - 1;
    pass->body = PASS_TRANSFORM;
    pass_set_radices(pass, node->child[last]);
    pass->folds = lines->folds;
    for (int i = 0; i < lines->folds; i++) {
        const struct plan_node *block = node->child[last - 1 - i];
        struct pass_fold *fold = &pass->fold[i];
        fold->dim = lines->fold[i];
        fold->radices = block->radices;
        memcpy(fold->radix, block->radix, sizeof fold->radix);
    }
    pass->length = pass_line_elements(pass);
    lowering_finish(l, pass);
}

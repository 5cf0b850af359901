/* A small image or volume, all of it in one block: Stockham steps along each axis in turn, with the
 * exchanges between them doing what transposes would. */
#include <string.h>

#include "base/checked.h"
#include "plan/algorithm.h"
#include "spec/kind.h"

/* An image's axes, the last of them with two reals a number, or none. */
struct axes {
    int first, last;
    bool reals;
};

/* Complex numbers of an axis. 0: its reals are odd. */
static int64_t image_length(const struct search *s, const struct axes *axes, int axis)
{
    const int64_t n = s->problem->axis[axis].n;
    if (!axes->reals || axis < axes->last) return n;
    return n % 2 ? 0 : n / 2;
}

/* Elements of the axes; 0: a block cannot hold so many. */
static int64_t image_elements(const struct search *s, const struct axes *axes)
{
    int64_t elements = 1;
    for (int i = axes->first; i <= axes->last; i++) {
        if (!checked_multiply(elements, image_length(s, axes, i), &elements)) return 0;
    }
    return search_fits_block(s, elements) ? elements : 0;
}

/* Of complex numbers. */
static struct plan_node *complex_image(struct search *s, const struct axes *axes)
{
    int64_t elements = image_elements(s, axes);
    if (elements == 0) return NULL;
    struct plan_node *node = search_node(s, PLAN_IMAGE, elements);
    if (!node) return NULL;
    for (int i = axes->first; i <= axes->last; i++) {
        int64_t n = image_length(s, axes, i);
        struct task task = {.n = n, .columns = elements / n, .role = LINE_BLOCK};
        if (!search_smooth(s, n)) return NULL;
        const struct plan_node *block = search_best(s, task);
        if (!block) return NULL;
        node->child[node->children++] = block;
    }
    return node;
}

struct plan_node *image_node(struct search *s, int first, int last)
{
    const weft_kind kind = s->problem->kind;
    const bool cornered = kind_is_trigonometric(kind);
    const bool half = kind_is_half(kind) && last == s->problem->axes - 1;
    const struct axes axes = {first, last, half || cornered};
    if (cornered && last - first >= PLAN_MOST_CORNERED) return NULL;
    struct plan_node *image = complex_image(s, &axes);
    if (!image || !axes.reals) return image;
    struct plan_node *node = search_node(s, half ? PLAN_REAL : PLAN_TRIGONOMETRIC, 2 * image->n);
    if (!node) return NULL;
    node->child[node->children++] = image;
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

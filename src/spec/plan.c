#include "spec/plan.h"

#include <inttypes.h>

#include "base/scan.h"

static const char *const kind_names[] = {
    [PLAN_COPY] = "copy", [PLAN_BLOCK] = "block", [PLAN_SPLIT] = "split",
    [PLAN_TRANSPOSED] = "transposed",
    [PLAN_AXES] = "axes", [PLAN_IMAGE] = "image", [PLAN_RADER] = "rader",
    [PLAN_BLUESTEIN] = "bluestein", [PLAN_RESAMPLED] = "resampled", [PLAN_REAL] = "real",
    [PLAN_TRIGONOMETRIC] = "trigonometric", [PLAN_CONVOLUTION] = "convolution",
};

bool plan_is_image_of_reals(const struct plan_node *node)
{
    const bool reals = node->kind == PLAN_REAL || node->kind == PLAN_TRIGONOMETRIC;
    return reals && node->child[0]->kind == PLAN_IMAGE;
}

int plan_axes(const struct plan_node *node)
{
    if (plan_is_image_of_reals(node)) node = node->child[0];
    if (node->kind == PLAN_IMAGE) return node->children;
    int axes = node->kind == PLAN_AXES || node->kind == PLAN_COPY ? 0 : 1;
    for (int i = 0; node->kind == PLAN_AXES && i < node->children; i++)
        axes += plan_axes(node->child[i]);
    return axes;
}

const struct plan_node *plan_of_axis(const struct plan_node *tree, int axis)
{
    if (tree->kind != PLAN_AXES) return tree;
    int child = 0;
    for (int after = plan_axes(tree->child[0]); after <= axis;)
        after += plan_axes(tree->child[++child]);
    return tree->child[child];
}

const struct plan_node *plan_copy(arena *a, const struct plan_node *tree)
{
    struct plan_node *copy = arena_alloc_raw(a, sizeof *copy);
    if (!copy) return NULL;
    *copy = *tree;
    for (int i = 0; i < tree->children; i++)
        copy->child[i] = plan_copy(a, tree->child[i]);
    return copy;
}

bool plan_transposes(const struct plan_node *tree)
{
    for (int i = 0; tree->kind == PLAN_AXES && i < tree->children; i++) {
        if (plan_transposes(tree->child[i])) return true;
    }
    return tree->kind == PLAN_TRANSPOSED;
}

/* Its numbers stay apart, and its lanes near each other. */
#define LEAST_RESAMPLED 64

bool plan_resamples(int64_t n, int64_t h)
{
    return n >= LEAST_RESAMPLED && h - n <= n / 16 && n - h <= n / 43;
}

/* A run that is sent should be four times as long as one that is written: other blocks of the
 * cluster write what lies beside it at the same time, and it goes to memory with theirs. */
#define SENT_OVER_WRITTEN 4

int plan_cluster_cut(int radices, const int *radix, int cluster)
{
    int64_t n = 1, before = 1, longest = 0;
    int cut = 0;
    for (int i = 0; i < radices; i++)
        n *= radix[i];
    for (int i = 0; i + 1 < radices; i++) {
        before *= radix[i];
        const int64_t after = n / before, written = SENT_OVER_WRITTEN * before;
        const int64_t run = after < written ? after : written;
        if (radix[i] % cluster != 0 || after % cluster != 0 || run <= longest) continue;
        longest = run;
        cut = i + 1;
    }
    return cut;
}

void plan_print(struct text *t, const struct plan_node *node)
{
    text_append(t, "%s(%" PRId64, kind_names[node->kind], node->n);
    for (int i = 0; i < node->radices; i++)
        text_append(t, "%s%d", i ? "." : ": ", node->radix[i]);
    if (node->columns > 0) text_append(t, " by %d", node->columns);
    if (node->cluster > 0) text_append(t, " over %d", node->cluster);
    for (int i = 0; i < node->children; i++) {
        text_append(t, i ? ", " : ": ");
        plan_print(t, node->child[i]);
    }
    for (int i = 0; node->ordered && i < node->children; i++)
        text_append(t, "%s%d", i ? "." : " as ", node->order[i]);
    text_append(t, ")");
}

bool plan_scan_kind(const char **text, enum plan_kind *kind)
{
    const int found = scan_choice(text, kind_names, sizeof kind_names / sizeof *kind_names);
    if (found >= 0) *kind = (enum plan_kind)found;
    return found >= 0;
}

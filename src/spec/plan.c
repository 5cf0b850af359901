#include "spec/plan.h"

#include <inttypes.h>

#include "base/scan.h"

static const char *const kind_names[] = {
    [PLAN_COPY] = "copy", [PLAN_BLOCK] = "block", [PLAN_SPLIT] = "split",
    [PLAN_AXES] = "axes", [PLAN_IMAGE] = "image", [PLAN_RADER] = "rader",
    [PLAN_BLUESTEIN] = "bluestein", [PLAN_REAL] = "real",
    [PLAN_TRIGONOMETRIC] = "trigonometric",
};

int plan_axes(const struct plan_node *node)
{
    if (node->kind == PLAN_IMAGE) return node->children;
    int axes = node->kind == PLAN_AXES || node->kind == PLAN_COPY ? 0 : 1;
    for (int i = 0; node->kind == PLAN_AXES && i < node->children; i++)
        axes += plan_axes(node->child[i]);
    return axes;
}

void plan_print(struct text *t, const struct plan_node *node)
{
    text_append(t, "%s(%" PRId64, kind_names[node->kind], node->n);
    for (int i = 0; i < node->radices; i++)
        text_append(t, "%s%d", i ? "." : ": ", node->radix[i]);
    if (node->columns > 0) text_append(t, " by %d", node->columns);
    for (int i = 0; i < node->children; i++) {
        text_append(t, i ? ", " : ": ");
        plan_print(t, node->child[i]);
    }
    text_append(t, ")");
}

bool plan_scan_kind(const char **text, enum plan_kind *kind)
{
    const int found = scan_choice(text, kind_names, sizeof kind_names / sizeof *kind_names);
    if (found >= 0) *kind = (enum plan_kind)found;
    return found >= 0;
}

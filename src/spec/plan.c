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
 * cluster write what lies beside it at the same time, and it goes to memory with theirs. Either
 * half of rows with their mirrors begins anywhere in a sector, and should be as long as what is
 * sent. (Experiments "clusters" and "mirrors in clusters" in docs/experiments.) */
#define SENT_OVER_WRITTEN 4

/* A cut, and what it is worth. */
struct cut {
    int steps;
    int64_t run;
};

static int64_t shorter_run(int64_t columns, int64_t rows, enum plan_mirrors mirrors)
{
    const int64_t sent = mirrors == PLAN_COLUMN_MIRRORS ? columns / 2 : columns;
    const int64_t written = mirrors == PLAN_ROW_MIRRORS ? rows / 2 : SENT_OVER_WRITTEN * rows;
    return sent < written ? sent : written;
}

/* Of so many columns and rows, these being results of a step of that radix. */
static bool deals_out(int64_t columns, int64_t rows, int radix, int cluster,
                      enum plan_mirrors mirrors)
{
    if (mirrors == PLAN_ROW_MIRRORS && (radix % (2 * cluster) != 0 || columns % 2 != 0))
        return false;
    if (mirrors == PLAN_COLUMN_MIRRORS && (columns % (2 * cluster) != 0 || rows % 2 != 0))
        return false;
    return radix % cluster == 0 && columns % cluster == 0;
}

static struct cut best_cut(int radices, const int *radix, int cluster, enum plan_mirrors mirrors)
{
    int64_t n = 1, rows = 1;
    struct cut best = {0, 0};
    for (int i = 0; i < radices; i++)
        n *= radix[i];
    for (int i = 0; i + 1 < radices; i++) {
        rows *= radix[i];
        const int64_t columns = n / rows, run = shorter_run(columns, rows, mirrors);
        if (deals_out(columns, rows, radix[i], cluster, mirrors) && run > best.run)
            best = (struct cut){i + 1, run};
    }
    return best;
}

int plan_cluster_cut(int radices, const int *radix, int cluster, enum plan_mirrors mirrors)
{
    return best_cut(radices, radix, cluster, mirrors).steps;
}

int64_t plan_cluster_run(int radices, const int *radix, int cluster, enum plan_mirrors mirrors)
{
    return best_cut(radices, radix, cluster, mirrors).run;
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

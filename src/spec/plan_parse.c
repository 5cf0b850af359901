#include <string.h>

#include "base/checked.h"
#include "base/error.h"
#include "base/scan.h"
#include "spec/plan.h"

/* Deeper trees than any planner makes. */
#define MOST_DEPTH 32
/* Characters of the text that a message repeats. */
#define MOST_QUOTED 20

static weft_status parse_node(arena *a, const char **text, int depth,
                              const struct plan_node **tree);

/* ---- whether the numbers agree ---- */

static bool radices_agree(const struct plan_node *node)
{
    int64_t product = 1;
    for (int i = 0; i < node->radices; i++) {
        if (node->radix[i] < 2 || !checked_multiply(product, node->radix[i], &product))
            return false;
    }
    return product == node->n;
}

static bool children_multiply_up(const struct plan_node *node)
{
    int64_t product = 1;
    for (int i = 0; i < node->children; i++) {
        if (!checked_multiply(product, node->child[i]->n, &product)) return false;
    }
    return product == node->n;
}

static bool copy_agrees(const struct plan_node *node)
{
    return node->n == 1 && node->children == 0;
}

static bool block_agrees(const struct plan_node *node)
{
    if (node->n < 2 || node->children > 0 || !radices_agree(node)) return false;
    return node->cluster == 0 ||
           plan_cluster_cut(node->radices, node->radix, node->cluster, PLAN_NO_MIRRORS) > 0;
}

static bool split_agrees(const struct plan_node *node)
{
    return node->children == 2 && children_multiply_up(node);
}

/* Each child once. */
static bool order_agrees(const struct plan_node *node)
{
    unsigned taken = 0;
    if (!node->ordered) return true;
    for (int i = 0; i < node->children; i++) {
        if (node->order[i] >= node->children || plan_axes(node->child[i]) != 1) return false;
        taken |= 1u << node->order[i];
    }
    return taken == (1u << node->children) - 1;
}

/* Several axes, whether an image has some of them or all. */
static bool axes_agree(const struct plan_node *node)
{
    if (!order_agrees(node)) return false;
    for (int i = 0; i < node->children; i++) {
        if (node->child[i]->kind == PLAN_AXES || node->child[i]->kind == PLAN_COPY) return false;
    }
    return plan_axes(node) >= 2 && children_multiply_up(node);
}

static bool image_agrees(const struct plan_node *node)
{
    for (int i = 0; i < node->children; i++) {
        if (node->child[i]->kind != PLAN_BLOCK) return false;
    }
    return node->children >= 2 && children_multiply_up(node);
}

/* Whether a line of reals is split as such. */
static bool splits_reals(int64_t n, const struct plan_node *child)
{
    return child->kind == PLAN_SPLIT && child->n == n;
}

static bool real_agrees(const struct plan_node *node)
{
    const bool pairs = node->n % 2 == 0;
    if (node->children != 1 && (pairs || node->children != 2)) return false;
    const struct plan_node *child = node->child[0], *last = node->child[node->children - 1];
    if (child->kind == PLAN_IMAGE && !pairs) return false;
    if (pairs) return splits_reals(node->n, child) || child->n == node->n / 2;
    return node->n % child->n == 0 && node->n % last->n == 0; /* cut, or as it is */
}

/* Which of them it is depends on the kind: plan_check() knows. */
static bool trigonometric_child_agrees(int64_t n, const struct plan_node *child)
{
    const int64_t inner = child->n;
    if (child->kind == PLAN_IMAGE) return n % 2 == 0 && inner == n / 2;
    if (n % 2 != 0 && n % inner == 0) return true; /* cut, or as it is */
    return splits_reals(n, child) || inner == n / 2 || inner == n - 1 || inner - 1 == n;
}

static bool trigonometric_agrees(const struct plan_node *node)
{
    if (node->children != 1 && node->children != 2) return false;
    return trigonometric_child_agrees(node->n, node->child[0]) &&
           trigonometric_child_agrees(node->n, node->child[node->children - 1]);
}

static bool rader_agrees(const struct plan_node *node)
{
    return node->children == 1 && node->child[0]->n == node->n - 1;
}

static bool bluestein_agrees(const struct plan_node *node)
{
    int64_t twice;
    return node->children == 1 && checked_multiply(node->n, 2, &twice) &&
           node->child[0]->n >= twice - 1;
}

static bool resampled_agrees(const struct plan_node *node)
{
    if (node->children != 1) return false;
    const struct plan_node *child = node->child[0];
    return (child->kind == PLAN_BLOCK || child->kind == PLAN_SPLIT) &&
           plan_resamples(node->n, child->n);
}

static bool convolution_agrees(const struct plan_node *node)
{
    return node->children == 1 && node->child[0]->n == node->n;
}

static bool numbers_agree(const struct plan_node *node)
{
    static bool (*const agree[])(const struct plan_node *) = {
        [PLAN_COPY] = copy_agrees, [PLAN_BLOCK] = block_agrees,
        [PLAN_SPLIT] = split_agrees,
        [PLAN_TRANSPOSED] = split_agrees, [PLAN_AXES] = axes_agree,
        [PLAN_IMAGE] = image_agrees, [PLAN_RADER] = rader_agrees,
        [PLAN_BLUESTEIN] = bluestein_agrees, [PLAN_RESAMPLED] = resampled_agrees,
        [PLAN_REAL] = real_agrees,
        [PLAN_TRIGONOMETRIC] = trigonometric_agrees, [PLAN_CONVOLUTION] = convolution_agrees,
    };
    if (node->n < 1 || (node->kind != PLAN_BLOCK && node->radices > 0)) return false;
    return agree[node->kind] && agree[node->kind](node);
}

/* ---- reading ---- */

static weft_status refuse(const char *text, const char *expected)
{
    const size_t line = strcspn(text, "\n");
    return error_set(WEFT_ERROR_ARGUMENT, "a plan's \"%.*s\" is not %s",
                     (int)(line < MOST_QUOTED ? line : MOST_QUOTED), text, expected);
}

static bool scan_radices(const char **text, struct plan_node *node)
{
    do {
        int64_t radix;
        if (node->radices == PLAN_MAX_RADICES || !scan_number(text, &radix)) return false;
        if (radix < 2 || radix > INT32_MAX) return false;
        node->radix[node->radices++] = (int)radix;
    } while (scan_word(text, "."));
    return true;
}

/* If they are told. */
static bool scan_columns(const char **text, struct plan_node *node)
{
    int64_t columns;
    if (!scan_word(text, " by ")) return true;
    if (!scan_number(text, &columns) || columns < 1 || columns > PLAN_MOST_COLUMNS) return false;
    node->columns = (int)columns;
    return true;
}

/* If they are told. */
static bool scan_cluster(const char **text, struct plan_node *node)
{
    int64_t blocks;
    if (!scan_word(text, " over ")) return true;
    if (!scan_number(text, &blocks) || blocks < 2 || blocks > PLAN_MOST_CLUSTER) return false;
    node->cluster = (int)blocks;
    return true;
}

static weft_status parse_children(arena *a, const char **text, int depth, struct plan_node *node)
{
    do {
        if (node->children == PLAN_MAX_CHILDREN) return refuse(*text, "the end of the parts");
        weft_status status = parse_node(a, text, depth + 1, &node->child[node->children]);
        if (status) return status;
        node->children++;
    } while (scan_word(text, ", "));
    return WEFT_OK;
}

/* If it is told: as many numbers as there are children. */
static bool scan_order(const char **text, struct plan_node *node)
{
    if (node->kind != PLAN_AXES || !scan_word(text, " as ")) return true;
    node->ordered = true;
    for (int i = 0; i < node->children; i++) {
        int64_t axis;
        if (i > 0 && !scan_word(text, ".")) return false;
        if (!scan_number(text, &axis) || axis < 0 || axis >= PLAN_MAX_CHILDREN) return false;
        node->order[i] = (int)axis;
    }
    return true;
}

static weft_status parse_parts(arena *a, const char **text, int depth, struct plan_node *node)
{
    if (!scan_word(text, ": ")) return WEFT_OK;
    if (node->kind != PLAN_BLOCK) {
        weft_status status = parse_children(a, text, depth, node);
        if (status) return status;
        return scan_order(text, node) ? WEFT_OK : refuse(*text, "an order of the parts");
    }
    if (!scan_radices(text, node)) return refuse(*text, "a radix");
    if (!scan_columns(text, node)) return refuse(*text, "a number of columns");
    return scan_cluster(text, node) ? WEFT_OK : refuse(*text, "a number of blocks");
}

static weft_status parse_node(arena *a, const char **text, int depth, const struct plan_node **tree)
{
    const char *start = *text;
    if (depth > MOST_DEPTH) return refuse(start, "so deep a tree");
    struct plan_node *node = arena_alloc(a, sizeof *node);
    if (!node) return error_memory("a plan");
    if (!plan_scan_kind(text, &node->kind)) return refuse(start, "an algorithm");
    if (!scan_word(text, "(") || !scan_number(text, &node->n))
        return refuse(*text, "a length in parentheses");
    weft_status status = parse_parts(a, text, depth, node);
    if (status) return status;
    if (!scan_word(text, ")")) return refuse(*text, "a closing parenthesis");
    if (!numbers_agree(node)) return refuse(start, "made of numbers that agree");
    *tree = node;
    return WEFT_OK;
}

weft_status plan_parse(arena *a, const char **text, const struct plan_node **tree)
{
    const char *rest = *text;
    weft_status status = parse_node(a, &rest, 0, tree);
    if (!status) *text = rest;
    return status;
}

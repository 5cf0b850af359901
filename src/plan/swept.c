#include "plan/swept.h"

#include "plan/algorithm.h"
#include "plan/two_lines.h"

struct lines swept_to_work(struct lowering *l, const struct plan_node *tree,
                           const struct lines *lines, int64_t numbers)
{
    const bool contiguous = tree->kind == PLAN_RESAMPLED;
    struct lines to = lowering_place_work(l, lines, numbers, contiguous);
    to.to = lowering_work(l);
    lines_place_whole(&to, true);
    return to;
}

/* Forgets what an end is made of. */
static void make_plain(struct lines *lines, bool out)
{
    *(out ? &lines->real_out : &lines->real_in) = false;
    *(out ? &lines->half_out : &lines->half_in) = PASS_NO_HALF;
    lines->reals[out] = (struct reals){.parts = 0};
}

struct lines swept_gather(struct lowering *l, const struct plan_node *tree,
                          const struct lines *lines)
{
    const bool there = lines->to == lowering_work(l);
    struct lines gather = there ? *lines : swept_to_work(l, tree, lines, lines->line.n);
    make_plain(&gather, true);
    lowering_copy(l, &gather);
    struct lines numbers = gather;
    make_plain(&numbers, false);
    lines_work_in_place(&numbers);
    lines_place_whole(&numbers, false);
    numbers.lone = false;
    return numbers;
}

struct lines swept_from_work(const struct lines *numbers, const struct lines *lines, int64_t n)
{
    struct lines from = *lines;
    make_plain(&from, false);
    from.from = numbers->to;
    lines_place_whole(&from, false);
    from.line = (struct dim){n, numbers->line.out_stride, lines->line.out_stride};
    for (int i = 0; i < lines->loops; i++)
        from.loop[i].in_stride = numbers->loop[i].out_stride;
    return from;
}

void swept_lower(struct lowering *l, const struct plan_node *tree, const struct lines *lines,
                 int64_t pair_out)
{
    const struct lines numbers = swept_gather(l, tree, lines);
    algorithm_lower(l, tree, &numbers);
    struct lines scatter = swept_from_work(&numbers, lines, lines->line.n);
    scatter.pair = pair_out;
    lowering_copy(l, &scatter);
}

static bool convolves(const struct plan_node *tree)
{
    return tree->kind == PLAN_RADER || tree->kind == PLAN_BLUESTEIN;
}

bool swept_serves(const struct lowering *l, const struct plan_node *tree, const struct lines *lines)
{
    const enum pass_place work = lowering_work(l);
    const bool between = lines->from == work || lines->to == work;
    const bool whole = lines->range[0].count == 0 && lines->range[1].count == 0;
    if (l->limits->vector_bytes == 0 || between || !whole) return false;
    return tree->kind == PLAN_RESAMPLED || tree->kind == PLAN_SPLIT || convolves(tree);
}

bool swept_suits(const struct lowering *l, const struct plan_node *tree, const struct lines *lines)
{
    if (!swept_serves(l, tree, lines)) return false;
    return !convolves(tree) || !two_lines_are_products(l, lines->line.n);
}

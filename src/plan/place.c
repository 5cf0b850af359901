/* Where the numbers between two passes lie. */
#include "plan/place.h"

#include "base/checked.h"
#include "plan/stride.h"
#include "spec/lone_lines.h"

bool place_faster(const struct dim *a, const struct dim *b)
{
    const int64_t x = magnitude(a->out_stride), y = magnitude(b->out_stride);
    if (x != y) return x < y;
    return magnitude(a->in_stride) < magnitude(b->in_stride);
}

bool place_is_few(const struct lowering *l, int64_t lines)
{
    return few_lines(l->limits, l->program->problem.precision, lines);
}

/* Whether lines are read one behind the other. */
static bool reads_lines(const struct lines *lines)
{
    for (int i = 0; i < lines->loops; i++) {
        if (magnitude(lines->loop[i].in_stride) <= magnitude(lines->line.in_stride)) return false;
    }
    return true;
}

/* A line's own length says nothing. */
static bool are_few(const struct lowering *l, const struct lines *lines, const struct dim *loop)
{
    return loop != &lines->line && place_is_few(l, loop->n);
}

/* The order of loops in scratch: that of what is written in the end. But lines that are read one
 * behind the other are one behind the other there, for a tile of their columns has no others; and
 * so are few lines. */
static bool nearer(const struct lowering *l, const struct lines *lines, const struct dim *a,
                   const struct dim *b)
{
    const bool few = are_few(l, lines, a);
    if (few != are_few(l, lines, b)) return !few;
    if (!reads_lines(lines)) return place_faster(a, b);
    return magnitude(a->in_stride) < magnitude(b->in_stride);
}

/* Gives the loops that are nearer than the line, or those that are farther, their places. */
static void place_loops(struct lowering *l, const struct lines *lines, bool near,
                        struct lines *placed, int64_t *size)
{
    bool done[PASS_MAX_LOOPS] = {false};
    for (;;) {
        int next = -1;
        for (int i = 0; i < lines->loops; i++) {
            if (done[i] || nearer(l, lines, &lines->loop[i], &lines->line) != near) continue;
            if (next < 0 || nearer(l, lines, &lines->loop[i], &lines->loop[next])) next = i;
        }
        if (next < 0) return;
        done[next] = true;
        placed->loop[next].out_stride = *size;
        if (!checked_multiply(*size, lines->loop[next].n, size)) l->failed = true;
    }
}

static struct lines place(struct lowering *l, const struct lines *lines, int64_t elements,
                          bool contiguous, int64_t *most)
{
    struct lines placed = *lines, order = *lines;
    int64_t size = 1;
    if (contiguous) order.line.in_stride = order.line.out_stride = 0;
    place_loops(l, &order, true, &placed, &size);
    placed.line.out_stride = size;
    if (!checked_multiply(size, elements, &size)) l->failed = true;
    place_loops(l, &order, false, &placed, &size);
    int64_t bytes = 2 * precision_bytes(l->program->problem.precision);
    if (size > l->limits->largest_buffer / bytes) l->failed = true;
    if (size > *most) *most = size;
    return placed;
}

struct lines lowering_place(struct lowering *l, const struct lines *lines, int64_t elements)
{
    if (lines->from != PASS_SCRATCH)
        return place(l, lines, elements, false, &l->program->scratch_elements);
    struct lines placed = *lines;
    placed.line.out_stride = lines->line.in_stride;
    for (int i = 0; i < lines->loops; i++)
        placed.loop[i].out_stride = lines->loop[i].in_stride;
    return placed;
}

enum pass_place lowering_work(const struct lowering *l)
{
    const struct problem *p = &l->program->problem;
    const bool between = p->kind == WEFT_C2R && p->axes > 1 && p->operation == WEFT_TRANSFORM;
    return between ? PASS_MIDDLE : PASS_WORK;
}

int64_t *lowering_work_elements(const struct lowering *l)
{
    struct program *program = l->program;
    return lowering_work(l) == PASS_WORK ? &program->work_elements : &program->middle_elements;
}

struct lines lowering_place_work(struct lowering *l, const struct lines *lines, int64_t elements,
                                 bool contiguous)
{
    return place(l, lines, elements, contiguous, lowering_work_elements(l));
}

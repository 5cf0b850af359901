/* Of an odd line of n = r m reals the first step, of butterflies of r reals, leaves r lines of m
 * numbers, of which all but the first are conjugates of one another two by two: r / 2 + 1 of them
 * are transformed, and their results are half of the spectrum, or its mirrors. */
#include "plan/odd.h"

#include <math.h>

#include "base/checked.h"
#include "plan/algorithm.h"
#include "plan/swept.h"
#include "spec/kind.h"

/* The largest butterfly: its products are r / 2 squared. */
#define MOST_RADIX  31
#define USUAL_RADIX 9

bool odd_is_cut(const struct plan_node *node)
{
    const bool reals = node->kind == PLAN_REAL || node->kind == PLAN_TRIGONOMETRIC;
    return reals && node->n % 2 != 0 && node->child[0]->n < node->n &&
           node->n % node->child[0]->n == 0;
}

/* A CPU's vectors are full. */
static bool has_vectors(const struct problem *p, const struct limits *limits, int64_t m)
{
    const int bytes = limits->vector_bytes < 16 ? 16 : limits->vector_bytes;
    return m >= bytes / precision_bytes(p->precision);
}

/* Reals to as many: a single line, of numbers as many. */
static bool suits_kind(const struct problem *p)
{
    if (kind_is_half(p->kind)) return true;
    const int64_t n = p->axis[0].n;
    return kind_is_trigonometric(p->kind) && p->loops == 0 &&
           trigonometric_length(p->kind, n) == n;
}

static bool suits(const struct problem *p, const struct limits *limits)
{
    if (limits->vector_bytes == 0 || p->precision == WEFT_DD || p->axes != 1) return false;
    if (!suits_kind(p) || p->operation != WEFT_TRANSFORM) return false;
    if (!problem_is_plain(p) || problem_has_ranges(p)) return false;
    return p->axis[0].in_stride == 1 && p->axis[0].out_stride == 1;
}

bool odd_suits(const struct problem *problem, const struct limits *limits,
               const struct plan_node *node)
{
    const int64_t m = node->child[0]->n;
    return suits(problem, limits) && has_vectors(problem, limits, m) && node->n % m == 0 &&
           node->n / m <= MOST_RADIX;
}

/* ---- cost ---- */

/* (Experiment "odd rows" in docs/experiments.) */
#define VECTOR_SECONDS  5e-9    /* of each vector of 64 bytes of a row, */
#define ROW_SECONDS     2.5e-9  /* ... and of the rows that are turned of each, */
#define PRODUCT_SECONDS 0.75e-9 /* ... and of their butterfly's products */
#define NARROW          0.25    /* the share of it that shorter vectors take, too */
#define MOVE_SECONDS    0.6e-9  /* of a number of half a spectrum, */
#define PAIRS_SECONDS   0.23e-9 /* ... of singles, from four rows on */
#define BESIDE          0.05    /* the share of the shorter one of computing and moving */

static double vectors_seconds(const struct cost_machine *machine, int64_t m, double rows)
{
    const double real_bytes = machine->element_bytes / 2.0;
    const double bytes = fmax(machine->limits->vector_bytes, 16);
    const double whole = VECTOR_SECONDS + rows * (ROW_SECONDS + rows * PRODUCT_SECONDS);
    return ceil((double)m * real_bytes / bytes) * whole * (NARROW + (1 - NARROW) * bytes / 64);
}

static double half_seconds(const struct cost_machine *machine, int64_t n, double rows)
{
    const bool fours = rows >= 3 && machine->element_bytes == 8 &&
                       machine->limits->vector_bytes > 16;
    return (double)n / 2 * (fours ? PAIRS_SECONDS : MOVE_SECONDS);
}

double cost_opening(const struct cost_machine *machine, const struct pass *pass, int from_level,
                    int to_level)
{
    const int64_t n = pass->line.n, m = pass->length;
    const bool pairs = pass->from == PASS_WORK && pass->to == PASS_WORK; /* for reals, too */
    const double rows = (double)(n / m / 2);
    const double bytes = (pairs ? 1.5 : 1) * (double)n * machine->element_bytes;
    const int level = from_level > to_level ? from_level : to_level;
    const double computing =
        (pass->lone ? vectors_seconds(machine, m, rows) : half_seconds(machine, n, rows)) /
        machine->threads;
    const double moving = level > 0 ? bytes / cost_bandwidth(machine, level) : 0;
    return (double)pass_lines(pass) * (fmax(moving, computing) + BESIDE * fmin(moving, computing));
}

/* A pass that makes numbers of such lines, or such lines of numbers, itself: of elements of 8
 * bytes. */
#define LONE_SECONDS      0.25e-9
#define LONE_ENDS_SECONDS 110e-9

double cost_lone(const struct cost_machine *machine, const struct pass *pass)
{
    const bool half = pass->half == PASS_HALF_CUT || pass->half == PASS_HALF_EXTEND;
    if (machine->limits->vector_bytes == 0 || pass->body != PASS_TRANSFORM) return 0;
    if (!pass->lone || !half || pass_reflects(pass)) return 0;
    const double each = LONE_SECONDS * machine->element_bytes / 8;
    return LONE_ENDS_SECONDS + each * (double)pass->line.n;
}

/* ---- choosing ---- */

/* The best of those that are one pass, or of the others; NULL: there is none. */
static const struct plan_node *best_row(const struct candidates *rows, bool block)
{
    const struct plan_node *best = NULL;
    for (int i = 0; i < rows->count; i++) {
        if ((rows->node[i]->kind == PLAN_BLOCK) != block) continue;
        if (!best || rows->node[i]->seconds < best->seconds) best = rows->node[i];
    }
    return best;
}

static void propose_radix(struct search *s, enum plan_kind kind, const struct task *task, int64_t r,
                          struct candidates *list)
{
    const struct task row = {.n = task->n / r, .columns = 1, .role = LINE_WHOLE};
    struct candidates rows = {.count = 0};
    search_propose(s, &row, &rows);
    for (int block = 0; block < 2; block++) {
        const struct plan_node *child = best_row(&rows, block);
        struct plan_node *node = child ? search_node(s, kind, task->n) : NULL;
        if (!node) continue;
        node->children = 1;
        node->child[0] = child;
        node->seconds = (double)(r / 2 + 1) * child->seconds;
        search_add(list, node);
    }
}

/* Those that are the best ones where there are any of them. (Experiment "odd rows".) */
static bool is_usual(int64_t r)
{
    return (r >= 5 && r <= 15) || r == 25;
}

/* Whether a tile has the line, which needs no sweeps then. */
static bool has_block(const struct candidates *list)
{
    for (int i = 0; i < list->count; i++)
        if (list->node[i]->child[0]->kind == PLAN_BLOCK) return true;
    return false;
}

void odd_propose(struct search *s, enum plan_kind kind, const struct task *task,
                 struct candidates *list)
{
    const int others = list->count;
    if (task->n % 2 == 0 || s->both_ways || !suits(s->problem, s->limits)) return;
    if (kind == PLAN_TRIGONOMETRIC && has_block(list)) return;
    for (int usual = 1; usual >= 0 && list->count == others; usual--) {
        for (int64_t r = MOST_RADIX; r >= 3; r -= 2) {
            if (task->n % r != 0 || is_usual(r) != usual) continue;
            if (has_vectors(s->problem, s->limits, task->n / r))
                propose_radix(s, kind, task, r, list);
        }
    }
}

/* Whether there is a last one, where lines are taken two by two. */
static bool has_last(const struct problem *p)
{
    int64_t lines = 1;
    for (int i = 0; i < p->loops; i++)
        lines = lines % 2 ? p->loop[i].n : lines;
    return lines % 2 != 0 && problem_elements(p) > p->axis[0].n;
}

/* How far it is from the radices that are the best ones mostly. (Experiment "odd rows".) */
static double strangeness(const struct plan_node *node)
{
    return fabs(log((double)node->n / (double)node->child[0]->n / USUAL_RADIX));
}

void odd_propose_last(struct search *s, struct candidates *list)
{
    const struct plan_node *best = NULL;
    const int count = list->count;
    for (int i = 0; i < count; i++) {
        const struct plan_node *node = list->node[i];
        if (odd_is_cut(node) && (!best || strangeness(node) < strangeness(best))) best = node;
    }
    for (int i = 0; best && has_last(s->problem) && i < count; i++) {
        const struct plan_node *pairs = list->node[i];
        struct plan_node *node = odd_is_cut(pairs) ? NULL : search_node(s, PLAN_REAL, pairs->n);
        if (!node) continue;
        *node = *pairs;
        node->child[1] = best->child[0];
        node->children = 2;
        search_add(list, node);
    }
}

/* ---- lowering ---- */

/* An end of the lines in PASS_WORK, `first` numbers on there, each of which is so many numbers. */
static void place_end(struct lines *lines, bool out, int64_t first, int64_t line)
{
    int64_t stride = line;
    *(out ? &lines->to : &lines->from) = PASS_WORK;
    *(out ? &lines->real_out : &lines->real_in) = false;
    *(out ? &lines->half_out : &lines->half_in) = PASS_NO_HALF;
    lines_place_whole(lines, out);
    lines->first.offset[out] = first;
    for (int i = 0; i < lines->loops; i++) {
        *(out ? &lines->loop[i].out_stride : &lines->loop[i].in_stride) = stride;
        stride *= lines->loop[i].n;
    }
}

/* Of PASS_WORK, behind `first` numbers there. */
static void take_room(struct lowering *l, const struct lines *lines, int64_t first, int64_t line)
{
    int64_t all = line;
    for (int i = 0; i < lines->loops; i++) {
        if (!checked_multiply(all, lines->loop[i].n, &all)) l->failed = true;
    }
    const int64_t bytes = 2 * precision_bytes(l->program->problem.precision);
    if (all > l->limits->largest_buffer / bytes - first) l->failed = true;
    else if (first + all > l->program->work_elements) l->program->work_elements = first + all;
}

/* From one end of the lines, which has reals or a spectrum, to the other, which has the other, by
 * rows in PASS_WORK behind `first` numbers. */
static void lower_rows(struct lowering *l, const struct plan_node *node, const struct lines *lines,
                       int64_t first, bool forward)
{
    const int64_t m = node->child[0]->n, rows = node->n / m / 2 + 1;
    const int64_t apart = lowering_pitch(l, m), line = rows * apart;
    struct lines open = *lines, inner = *lines, close = *lines;
    take_room(l, lines, first, line);
    if (l->failed) return;
    place_end(&open, true, first, line);
    open.lone = forward;
    lowering_sweep(l, &open, PASS_OPEN, m, apart);
    place_end(&inner, false, first, line);
    place_end(&inner, true, first, line);
    inner.lone = false;
    inner.line = (struct dim){m, 1, 1};
    lines_prepend(l, &inner, (struct dim){rows, apart, apart});
    algorithm_lower(l, node->child[0], &inner);
    place_end(&close, false, first, line);
    close.lone = !forward;
    lowering_sweep(l, &close, PASS_CLOSE, m, apart);
}

void odd_lower(struct lowering *l, const struct plan_node *node, const struct lines *lines)
{
    lower_rows(l, node, lines, 0, lines->real_in);
}

void odd_lower_reflected(struct lowering *l, const struct plan_node *node,
                         const struct lines *lines)
{
    const struct lines numbers = swept_gather(l, node->child[0], lines);
    lower_rows(l, node, &numbers, lowering_pitch(l, node->n), !reals_turn(&lines->reals[0]));
    const struct lines scatter = swept_from_work(&numbers, lines, lines->line.n);
    lowering_copy(l, &scatter);
}

#include "plan/columns.h"

#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "plan/algorithm.h"
#include "plan/cost.h"
#include "plan/lower.h"
#include "plan/search.h"

/* Lengths tried before giving up: the likeliest first, so nearly always one. */
#define MOST_TRIED 24

/* A slice of the columns as a problem by itself, without its twiddles. */
static struct problem slice_problem(const struct problem *whole, const struct columns *columns)
{
    const int64_t width = columns->width;
    struct problem slice = {.kind = columns->real ? WEFT_R2C : WEFT_C2C,
                            .precision = whole->precision,
                            .format = WEFT_INTERLEAVED,
                            .axes = 1,
                            .axis = {{columns->n1, width, width}},
                            .loops = 1,
                            .loop = {{width, 1, 1}},
                            .scale = {1, 1},
                            .threads = whole->threads,
                            .side = {{.storage = columns->in_storage}}};
    if (columns->hooks) slice.hooks = *columns->hooks;
    return slice;
}

static struct search start_search(arena *a, const struct problem *problem,
                                  const struct limits *limits)
{
    return (struct search){.arena = a,
                           .problem = problem,
                           .limits = limits,
                           .machine = cost_machine(limits, problem)};
}

static const struct plan_node *best_columns(struct search *s, int64_t n1, int64_t n2)
{
    const int64_t columns = cost_columns(&s->machine, n1, n2);
    return search_best(s, (struct task){.n = n1, .columns = columns, .role = LINE_COLUMNS});
}

/* Takes the divisor nearest to that length out of the list; 0: none is left. */
static int64_t take_nearest(int64_t *divisor, int *count, double length)
{
    int best = -1;
    for (int i = 0; i < *count; i++) {
        const double distance = fabs(log((double)divisor[i] / length));
        if (best < 0 || distance < fabs(log((double)divisor[best] / length))) best = i;
    }
    if (best < 0) return 0;
    const int64_t taken = divisor[best];
    divisor[best] = divisor[--*count];
    return taken;
}

weft_status columns_choose(arena *a, const struct problem *problem, const struct limits *limits,
                           int64_t n, const struct columns_wish *wish, int64_t *n1)
{
    const int64_t longest = wish->longest;
    const double ideal = sqrt((double)n) / wish->shorter;
    const struct columns whole = {.n1 = n, .n2 = 1, .width = 1};
    const struct problem slice = slice_problem(problem, &whole);
    struct search s = start_search(a, &slice, limits);
    int count = 0;
    const int64_t most = limits->shared_bytes < n / 2 ? limits->shared_bytes : n / 2;
    int64_t *divisor = search_divisors(&s, n, most < longest ? most : longest, &count);
    if (!divisor) return error_memory("a plan");
    for (int i = 0; i < MOST_TRIED; i++) {
        const int64_t length = take_nearest(divisor, &count, ideal);
        if (length == 0) break;
        if (length == 1 || n / length > longest) continue;
        if (!best_columns(&s, length, n / length)) continue;
        *n1 = length;
        return WEFT_OK;
    }
    if (arena_failed(a)) return error_memory("a plan");
    return error_set(WEFT_ERROR_UNSUPPORTED,
                     "length %" PRId64 " cannot be streamed: it is no product of columns that one "
                     "pass takes and of rows of at most %" PRId64 ", which fit the memory",
                     n, longest);
}

/* The slices' loop stands behind the columns' while loops are sorted. */
static void lower(struct lowering *l, const struct plan_node *node, const struct columns *columns)
{
    const int64_t width = columns->width, slices = (columns->n2 + width - 1) / width;
    const int64_t slice = columns->n1 * width;
    struct lines lines = {.from = PASS_INPUT,
                          .to = PASS_OUTPUT,
                          .line = {columns->n1, width, width},
                          .loops = 2,
                          .loop = {{width, 1, 1}, {slices, slice, slice}}};
    const int64_t position = columns->position;
    lines.position[0] = (struct pass_map){columns->n2 * position, {position, width * position}};
    lines.in_map = (struct pass_map){columns->n2, {1, width}};
    lines.out_map = (struct pass_map){.line = 1};
    lines.range[0] = columns->range;
    lines.range_n[0] = columns->n1 * columns->n2;
    if (columns->real) {
        lines.one_way = lines.real_in = lines.lone = true;
        lines.half_out = PASS_HALF_CUT;
        lines.half_n = columns->n1;
    }
    lines_twiddle(&lines, columns->n1 * columns->n2, false);
    algorithm_lower(l, node, &lines);
}

static void lower_slice(struct program *made, const struct problem *slice,
                        const struct limits *limits, const struct plan_node *node,
                        const struct columns *columns)
{
    made->problem = *slice;
    made->tree = node;
    struct lowering l = {.limits = limits, .program = made, .problem = &made->problem,
                         .from = PASS_INPUT, .to = PASS_OUTPUT};
    lower(&l, node, columns);
    made->stage[0] = (struct program_stage){.passes = made->passes, .from = PASS_INPUT,
                                            .to = PASS_OUTPUT, .runs = {true, true}};
    made->stages = 1;
    struct pass *pass = &made->pass[0];
    pass->loop[1].in_stride = pass->loop[1].out_stride = 0;
    pass->slice_columns = columns->width;
    cost_program(made, limits);
}

weft_status columns_lower(arena *a, const struct problem *problem, const struct limits *limits,
                          const struct columns *columns, const struct program **program)
{
    const struct problem slice = slice_problem(problem, columns);
    struct search s = start_search(a, &slice, limits);
    const struct plan_node *node = best_columns(&s, columns->n1, columns->n2);
    struct program_room *room = node ? memory_alloc_zeroed(sizeof *room) : NULL;
    if (!room) return error_memory("a plan");
    lower_slice(program_of_room(room), &slice, limits, node, columns);
    *program = program_fitted(a, &room->program);
    memory_free(room);
    return *program ? WEFT_OK : error_memory("a plan");
}

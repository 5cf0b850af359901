#include "plan/order.h"

#include <math.h>

#include "plan/draft.h"
#include "plan/stride.h"
#include "spec/kind.h"

/* How much longer columns take that are written in pieces of lines of the cache. (Experiment
 * "packed drafts" in docs/experiments.) */
#define SHORT_RUNS 2
/* ... and to fetch what is filled of each row in place, and not of columns, from a cache. */
#define FILLED_ROWS 2
/* A line's arithmetic, as copies of it from and to a tile. (Experiment "drafts of the input".) */
#define LINE_SWEEPS 3

int order_free_axes(const struct problem *p)
{
    if (problem_convolves(p)) return 0;
    return kind_is_half(p->kind) ? p->axes - 1 : p->axes;
}

void order_apply(struct problem *p, struct plan_node *tree)
{
    if (!tree->ordered) return;
    const struct problem problem = *p;
    const struct plan_node natural = *tree;
    tree->ordered = false;
    for (int i = 0; i < problem.axes; i++) {
        const int from = natural.order[i];
        tree->child[i] = natural.child[from];
        p->axis[i] = problem.axis[from];
        p->axis_kind[i] = problem_axis_kind(&problem, from);
        for (int out = 0; out < 2; out++) {
            p->range[out][i] = problem.range[out][from];
            p->hooks.axis[out][i] = problem.hooks.axis[out][from];
        }
    }
}

bool order_serves(const struct problem *p, const struct plan_node *tree)
{
    if (!tree->ordered) return true;
    for (int i = order_free_axes(p); i < p->axes; i++) {
        if (tree->order[i] != i) return false;
    }
    struct problem arranged = *p;
    struct plan_node in_turn = *tree;
    order_apply(&arranged, &in_turn);
    return problem_output_cuts(p) || !problem_output_cuts(&arranged);
}

/* As much for a line wherever it lies. */
static double computing_seconds(const struct cost_machine *machine, const struct pass *pass)
{
    const bool twice = pass_convolves(pass);
    const int64_t numbers = pass->body == PASS_RADER ? pass->line.n : pass->length;
    const double line = LINE_SWEEPS * (twice ? 2 : 1) * cost_carrying(machine, numbers);
    return (double)pass_lines(pass) * line / machine->threads;
}

/* Whether the next pass finds little of what is written, however small that is. */
static bool evicts_itself(const struct cost_machine *machine, const struct pass *pass)
{
    return pass->line.n > 1 && shares_cache_sets(pass->line.out_stride * machine->element_bytes);
}

/* Whether the pass takes columns from place to place. */
static bool moves_columns(const struct pass *pass)
{
    return pass->from != pass->to && pass->line.in_stride != 1 && pass->line.out_stride != 1;
}

/* Whether what it writes begins with lines of the cache, and so can go past the caches. */
static bool writes_lines(const struct cost_machine *machine, const struct pass *pass)
{
    const double line = machine->limits->coalescing_bytes;
    return fmod((double)pass->line.out_stride * machine->element_bytes, line) == 0;
}

/* Lines that are fetched to be overwritten. */
static double fetched_bytes(const struct cost_machine *machine, const struct pass *pass,
                            const struct order_traffic *traffic)
{
    const double read = pass->from == pass->to ? traffic->read : 0;
    const bool copied = pass->from != pass->to && pass->range[1].range.count > 0;
    const bool past =
        traffic->past && (copied || (moves_columns(pass) && writes_lines(machine, pass)));
    if (!traffic->far || past || pass->to == PASS_WORK || traffic->written <= read) return 0;
    const bool fills_rows = read > 0 && pass->line.in_stride == 1 && !traffic->past;
    return (traffic->written - read) * (fills_rows ? FILLED_ROWS : 1);
}

double order_step_elements(const struct cost_machine *machine, const struct program *program,
                           const struct program_stage *stage, double repeats)
{
    const struct pass *first = &program->pass[stage->first];
    const bool own =
        program->draft_half || draft_takes_ranges(machine->limits, &program->problem);
    if (first->to != PASS_WORK || !own)
        return 2 * (double)problem_elements(&program->problem) / repeats;
    const int64_t kept = first->range[1].range.count;
    return (double)pass_lines(first) * (double)(kept > 0 ? kept : first->line.n);
}

double order_pass_seconds(const struct cost_machine *machine, const struct pass *pass,
                          const struct order_traffic *traffic)
{
    double bytes = fetched_bytes(machine, pass, traffic);
    if (traffic->reads_far) bytes += traffic->read;
    const bool evicts = traffic->far && evicts_itself(machine, pass);
    if (traffic->writes_far || evicts) bytes += traffic->written;
    if (moves_columns(pass) && !writes_lines(machine, pass)) bytes *= SHORT_RUNS;
    return computing_seconds(machine, pass) + bytes / cost_bandwidth(machine, LIMITS_CACHES);
}

void order_exchange(struct plan_node *tree, int i, int j)
{
    for (int k = 0; !tree->ordered && k < tree->children; k++) tree->order[k] = k;
    const int kept = tree->order[i];
    tree->ordered = true;
    tree->order[i] = tree->order[j];
    tree->order[j] = kept;
}

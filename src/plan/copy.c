/* Copies: problems without axes, and the sweeps of hooks at ends where no pass has each element in
 * its own place. */
#include "plan/lower.h"

static struct range copied_range(const struct problem *p, bool out, int i)
{
    return i < p->axes ? p->range[out][i] : p->repeated[i - p->axes];
}

static struct placed_dim copied_dim(const struct problem *p, int i)
{
    return i < p->axes ? placed_axis(p, i) : placed_loop(p, i - p->axes);
}

static void lower_run(struct lowering *l, const struct problem *p, struct lines lines, bool out,
                      int run)
{
    struct program_stage *stage = lowering_stage(l, lines.from, lines.to);
    stage->goes_on = run > 0;
    for (int i = 0; i < p->axes + p->loops; i++) {
        const struct placed_dim whole = copied_dim(p, i);
        const struct range range = range_run(copied_range(p, out, i), whole.dim.n, &run);
        const struct placed_dim dim = placed_run(whole, range, &lines.first);
        lines_prepend_placed(l, &lines, &dim);
    }
    lowering_copy(l, &lines);
    stage->passes = 1;
}

void copy_stages_lower(struct lowering *l, const struct problem *p, enum pass_place from,
                       enum pass_place to, bool out)
{
    const bool real = problem_is_real(p, true);
    const struct lines lines = {.from = from, .to = to, .line = {1, 1, 1}, .one_way = real,
                                .real_in = real, .real_out = real, .lone = real};
    struct range run[2];
    int runs = 1;
    for (int i = 0; i < p->axes + p->loops; i++)
        runs *= range_runs(copied_range(p, out, i), copied_dim(p, i).dim.n, run);
    for (int i = 0; i < runs; i++) lower_run(l, p, lines, out, i);
}

/* Copies: problems without axes, and the sweeps of hooks at ends where no pass has each element in
 * its own place. */
#include <string.h>

#include "plan/lower.h"

/* The fastest loop becomes the line. */
static void shift_map(struct pass_map *map, int loops)
{
    map->line = map->loop[0];
    memmove(map->loop, map->loop + 1, (size_t)loops * sizeof *map->loop);
    map->loop[loops] = 0;
}

static void take_line(struct pass *pass)
{
    if (pass->loops == 0) return;
    pass->line = pass->loop[0];
    pass->loops--;
    memmove(pass->loop, pass->loop + 1, (size_t)pass->loops * sizeof *pass->loop);
    for (int out = 0; out < 2; out++) shift_map(&pass->position[out], pass->loops);
}

void copy_stage_lower(struct lowering *l, const struct problem *p, enum pass_place from,
                      enum pass_place to)
{
    const bool real = problem_is_real(p, true);
    struct lines lines = {.from = from, .to = to, .line = {1, 1, 1}, .one_way = real,
                          .real_in = real, .real_out = real, .lone = real};
    for (int i = 0; i < p->axes + p->loops; i++) {
        const struct placed_dim dim =
            i < p->axes ? placed_axis(p, i) : placed_loop(p, i - p->axes);
        lines_prepend_placed(l, &lines, &dim);
    }
    struct program_stage *stage = lowering_stage(l, from, to);
    struct pass *pass = lowering_pass(l, &lines);
    pass->body = PASS_COPY;
    lowering_finish(pass);
    take_line(pass);
    pass->length = pass->line.n;
    stage->passes = 1;
}

#include "plan/single.h"

#include "plan/stride.h"
#include "plan/two_lines.h"
#include "spec/abreast.h"
#include "spec/kind.h"

bool single_is_real(const struct problem *problem, int axis)
{
    return kind_is_half(problem->kind) && axis == problem->axes - 1;
}

/* Lines of the nearest loop as a CPU transforms them: odd ones of reals two by two along it, or
 * along another loop (plan/two_lines.h). */
static int64_t lines_of_pairs(const struct search *s, const struct problem *single,
                              const struct dim *nearest)
{
    const bool two = s->limits->vector_bytes > 0 && kind_is_half(single->kind);
    if (!two || single->axis[0].n % 2 == 0) return nearest->n;
    const int best = two_lines_best(single->loop, single->loops);
    const bool here = nearest == &single->loop[best < 0 ? 0 : best] ||
                      two_lines_fill(s->limits, single->precision, nearest->n);
    return here ? nearest->n / 2 : nearest->n;
}

/* Lines that lie beside each other, or are taken so; 1: nothing is beside the line. */
static int64_t columns_beside(const struct search *s, const struct problem *single)
{
    const struct dim *line = &single->axis[0], *nearest = NULL;
    if (magnitude(line->in_stride) == 1 && magnitude(line->out_stride) == 1)
        return lines_abreast_in(s->limits, single);
    for (int i = 0; i < single->loops; i++) {
        const struct dim *loop = &single->loop[i];
        bool nearer = !nearest || magnitude(loop->out_stride) < magnitude(nearest->out_stride);
        if (nearer) nearest = loop;
    }
    return nearest ? lines_of_pairs(s, single, nearest) : 1;
}

/* As passes of such lines are priced (plan/cost_pass.c). */
static bool keeps_results(const struct problem *single, int64_t columns)
{
    if (single->kind == WEFT_C2C) return single->format == WEFT_PLANAR;
    return single->axis[0].n % 2 != 0 || (columns > 1 && single->kind != WEFT_C2R);
}

struct task single_task(const struct search *s, const struct problem *single)
{
    const int64_t n = single->axis[0].n, beside = columns_beside(s, single);
    const int64_t columns = cost_columns(&s->machine, n, beside);
    const bool numbers = columns > 1 && single->kind == WEFT_C2C; /* of the last step as it is */
    return (struct task){.n = n, .columns = columns,
                         .role = LINE_WHOLE,
                         .written = numbers ? magnitude(single->axis[0].out_stride) : 0,
                         .kept = keeps_results(single, columns),
                         .apart = beside > 1};
}

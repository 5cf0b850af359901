#include "spec/reals.h"

#include <inttypes.h>
#include <math.h>

#include "math/roots.h"

/* A coordinate between the mirrors, and how the line goes on from there. */
struct reflected {
    int64_t coordinate;
    int direction; /* -1: numbers that count up come closer to 0 */
    int sign;
};

static int64_t coordinate_of(const struct reals *reals, int p, int64_t k)
{
    int64_t at = reals->part[p].at + reals->part[p].step * k;
    if (p == 0 && reals->eighths) at += reals->mirror / 2 * (reals->eighths * (k & 7) & 7);
    return at;
}

static struct reflected reflect(const struct reals *reals, int64_t at)
{
    const int64_t mirror = reals->mirror, period = 4 * mirror;
    struct reflected place = {at, 1, 1};
    if (at < 0 || at >= period) place.coordinate = (at % period + period) % period;
    if (place.coordinate >= 2 * mirror) {
        place.coordinate -= 2 * mirror;
        place.sign = reals->left * reals->right;
    }
    if (place.coordinate > mirror) {
        place.coordinate = 2 * mirror - place.coordinate;
        place.direction = -1;
        place.sign *= reals->right;
    }
    return place;
}

static bool is_on_mirror(const struct reals *reals, int64_t real)
{
    const int64_t coordinate = 2 * real + reals->first;
    return coordinate == 0 || coordinate == reals->mirror;
}

/* Numbers from one at `real` to the last one before the reals end. */
static int64_t run_length(const struct reals *reals, int64_t real, int64_t step)
{
    const int64_t last = step > 0 ? reals->n - 1 : 0, left = last - real;
    const int64_t count = (step == 1 || step == -1 ? step * left : left / step) + 1;
    const bool ends_on_mirror =
        reals->on_mirror != 1 && count > 1 && is_on_mirror(reals, real + (count - 1) * step);
    return ends_on_mirror ? count - 1 : count;
}

struct reals_run reals_run_at(const struct reals *reals, int p, int64_t k, int64_t by)
{
    const struct reflected place = reflect(reals, coordinate_of(reals, p, k));
    const int64_t from_first = place.coordinate - reals->first;
    if (from_first < 0 || from_first >= 2 * reals->n) return (struct reals_run){.count = 1};
    struct reals_run run = {.real = from_first / 2, .count = 1, .weight = place.sign};
    const bool heavier = reals->on_mirror != 1 && is_on_mirror(reals, run.real);
    if (heavier) run.weight *= reals->on_mirror;
    if (p == 0 && reals->eighths && by % 8 != 0) return run;
    run.step = reals->part[p].step * by / 2 * place.direction;
    if (run.step == 0) run.count = INT64_MAX;
    else if (!heavier) run.count = run_length(reals, run.real, run.step);
    return run;
}

bool reals_are_line(const struct reals *reals)
{
    return reals->parts == 1 && reals->first == 0 && reals->part[0].at == 0 &&
           reals->part[0].step == 2 && reals->numbers == reals->n && !reals_turn(reals) &&
           !reals->eighths && reals->on_mirror == 1;
}

bool reals_turn(const struct reals *reals)
{
    return reals->turn != 0 || reals->turn_step != 0 || reals->factor != 1;
}

struct extended reals_extended_factor(double factor)
{
    const double square = exp2(round(log2(factor * factor)));
    const struct extended root = extended_square_root(square);
    return root.hi == factor ? root : (struct extended){factor, 0};
}

struct extended_root reals_extended_turn(const struct reals *reals)
{
    const struct extended factor = reals_extended_factor(reals->factor);
    const struct extended_root root = root_extended(reals->turn, reals->order);
    return (struct extended_root){extended_multiply(factor, root.re),
                                  extended_multiply(factor, root.im)};
}

void reals_constant_turn(const struct reals *reals, double *re, double *im)
{
    const struct extended_root turn = reals_extended_turn(reals);
    *re = turn.re.hi;
    *im = turn.im.hi;
}

void reals_print(struct text *t, const struct reals *reals)
{
    text_append(t, " %d of %" PRId64 " by %" PRId64 " for %" PRId64 ", mirrors", reals->parts,
                reals->n, reals->stride, reals->numbers);
    text_append(t, " %" PRId64 "%c %" PRId64 "%c", reals->first, reals->left < 0 ? '-' : '+',
                reals->mirror, reals->right < 0 ? '-' : '+');
    for (int p = 0; p < reals->parts; p++)
        text_append(t, " %" PRId64 "+%" PRId64, reals->part[p].at,
                    reals->part[p].step);
    if (reals->eighths) text_append(t, " eighths %d", reals->eighths);
    if (reals->parts == 2 && reals->im_sign < 0) text_append(t, " conjugate");
    if (reals_turn(reals)) {
        text_append(t, " turn ");
        text_real(t, reals->factor);
        text_append(t, " %" PRId64 "+%" PRId64 " of %" PRId64, reals->turn, reals->turn_step,
                    reals->order);
    }
    if (reals->on_mirror == 1) return;
    text_append(t, " on mirrors ");
    text_real(t, reals->on_mirror);
}

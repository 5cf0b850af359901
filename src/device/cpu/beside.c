#include "device/cpu/beside.h"

#include "device/cpu/mirror.h"
#include "device/cpu/tiles.h"

static int64_t fewer(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* What is missing is read, times 0, and is of the same lines. */
static void stand_in(struct beside_reals *part)
{
    for (int p = 0; p < 2; p++) {
        if (part[p].weight != 0) continue;
        part[p] = part[!p];
        part[p].weight = 0;
    }
}

/* The parts and turns of number k and of those that follow it, `by` apart, as far as they go on so:
 * at most `*count` of them. */
static struct beside_numbers numbers_at(const struct beside_end *end, int64_t k, int64_t by,
                                        int64_t *count)
{
    const int64_t bytes = end->real_bytes;
    struct beside_numbers n = {.turn_step = by * end->turn_step, .second = end->second};
    for (int p = 0; p < end->reals->parts; p++) {
        const struct reals_run run = reals_run_at(end->reals, p, k, by);
        const int sign = p == 1 ? end->reals->im_sign : 1; /* where they are gathered 1, too */
        n.part[p] = (struct beside_reals){end->line + run.real * end->stride * bytes,
                                          run.step * end->stride, sign * end->factor * run.weight};
        *count = fewer(*count, run.count);
    }
    if (end->second && end->reals->parts == 1) {
        n.part[1] = n.part[0];
        n.part[1].first = (char *)n.part[0].first + end->second * bytes;
    }
    stand_in(n.part);
    if (!end->turn) return n;
    n.turn_re = end->turn + k * end->turn_step * bytes;
    n.turn_im = end->turn + (k * end->turn_step + end->turn_plane) * bytes;
    return n;
}

static void place_in_tile(const struct beside_end *end, struct beside_numbers *n, int64_t k,
                          int64_t by)
{
    n->re = end->re + k * end->step * end->real_bytes;
    n->im = end->im + k * end->step * end->real_bytes;
    n->step = by * end->step;
}

/* Numbers from k up to `last`, and those from `number` down, the first of which is `other` of the
 * tile. Number 0 is by itself. */
static struct beside_rows rows_at(const struct beside_end *end, int64_t k, int64_t last,
                                  int64_t number, int64_t other)
{
    struct beside_rows rows = {.rows = k == 0 ? 1 : last + 1 - k, .lanes = end->lanes};
    rows.own = numbers_at(end, k, 1, &rows.rows);
    rows.other = numbers_at(end, number, -1, &rows.rows);
    place_in_tile(end, &rows.own, k, 1);
    place_in_tile(end, &rows.other, other, -1);
    return rows;
}

/* From both ends, since lines that go there and back have neighbours there. */
void beside_carry(const struct beside_end *end, int64_t numbers, beside_function *function)
{
    const int64_t last = numbers - 1;
    for (int64_t k = 0; 2 * k <= last;) {
        const struct beside_rows rows = rows_at(end, k, last / 2, last - k, last - k);
        function(&rows);
        k += rows.rows;
    }
}

void beside_mirror(const struct beside_end *end, int64_t h, const char *root, int64_t root_plane,
                   beside_function *function)
{
    for (int64_t k = 0; 2 * k <= h;) {
        struct beside_rows rows = rows_at(end, k, h / 2, h - k, k == 0 ? 0 : h - k);
        rows.root_re = root + k * end->real_bytes;
        rows.root_im = root + (k + root_plane) * end->real_bytes;
        function(&rows);
        k += rows.rows;
    }
}

void beside_part(const struct beside_end *end, int64_t n, beside_function *function)
{
    for (int64_t k = 0; 2 * k <= n;) {
        const int64_t other = k == 0 ? 0 : n - k;
        const struct beside_rows rows = rows_at(end, k, n / 2, other, other);
        function(&rows);
        k += rows.rows;
    }
}

int64_t beside_joined(int64_t columns)
{
    return (columns + 1) / 2;
}

static bool counts_numbers(const struct pass *pass)
{
    for (int l = 0; l < pass->loops; l++) {
        if (pass->half_map.loop[l] != 0) return false;
    }
    return pass->half_map.line == 1;
}

bool beside_joins(const struct kernel *kernel, int64_t columns)
{
    const struct pass *pass = kernel->pass;
    const struct reals *in = &pass->reals[0], *out = &pass->reals[1];
    const struct shape_of_pass shape = tiles_shape(pass);
    if (!in->parts || pass->body != PASS_TRANSFORM || pass->radices == 0) return false;
    if (pass->half != PASS_NO_HALF || pass->twiddle_order || !counts_numbers(pass)) return false;
    if (pass->hook[0] || pass->hook[1] || !shape.column_in || !shape.column_out) return false;
    if (beside_joined(columns) < kernel->sets->mirrors[kernel->precision].lanes) return false;
    const bool reals_in = in->parts == 1 && !reals_turn(in);
    const bool reals_out = out->parts == 1 && !reals_turn(out);
    return out->parts == 1 && (reals_in || (reals_out && in->parts == 2));
}

#include "device/cpu/beside.h"

#include "device/cpu/ahead.h"
#include "device/cpu/mirror.h"
#include "device/cpu/pipeline.h"
#include "device/cpu/tiles.h"

/* ---- where numbers and their reals are ---- */

/* An end of a tile. Planes and strides in reals. */
struct beside_end {
    int real_bytes;
    const struct reals *reals;
    int64_t lanes;
    int64_t step;     /* from a number of the tile to the next */
    const char *turn; /* as in struct cpu_operation */
    int64_t turn_plane;
    int64_t second; /* struct beside_numbers; 0: each line is one */
};

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
    const int64_t bytes = end->real_bytes, turn_step = end->reals->turn_step != 0;
    const int64_t stride = end->reals->stride;
    struct beside_numbers n = {.turn_step = by * turn_step, .second = end->second};
    for (int p = 0; p < end->reals->parts; p++) {
        const struct reals_run run = reals_run_at(end->reals, p, k, by);
        const int sign = p == 1 ? end->reals->im_sign : 1; /* where they are gathered 1, too */
        n.part[p] =
            (struct beside_reals){run.real * stride * bytes, run.step * stride, sign * run.weight};
        *count = fewer(*count, run.count);
    }
    if (end->second && end->reals->parts == 1) {
        n.part[1] = n.part[0];
        n.part[1].first += end->second * bytes;
    }
    stand_in(n.part);
    if (!end->turn) return n;
    n.turn_re = end->turn + k * turn_step * bytes;
    n.turn_im = end->turn + (k * turn_step + end->turn_plane) * bytes;
    return n;
}

/* Numbers from k up to `last`, and those from `number` down, the first of which is `other` of the
 * tile. Number 0 is by itself. */
static struct beside_rows rows_at(const struct beside_end *end, int64_t k, int64_t last,
                                  int64_t number, int64_t other)
{
    const int64_t row = end->step * end->real_bytes;
    struct beside_rows rows = {.rows = k == 0 ? 1 : last + 1 - k, .lanes = end->lanes};
    rows.own = numbers_at(end, k, 1, &rows.rows);
    rows.other = numbers_at(end, number, -1, &rows.rows);
    rows.own.at = k * row;
    rows.own.step = end->step;
    rows.other.at = other * row;
    rows.other.step = -end->step;
    return rows;
}

/* ---- all of them ---- */

/* How an operation takes numbers. */
enum beside_order {
    /* Each as it is: from both ends, since lines that go there and back have neighbours there. */
    BESIDE_CARRIED,
    /* Numbers 0 to h, of which, two by two, the tile's h numbers are made, or which these make. */
    BESIDE_MIRRORED,
    /* Numbers k and n - k of two lines at once, which the tile's numbers k and n - k are. */
    BESIDE_PARTED
};

/* Those from k on, of h numbers. */
static struct beside_rows rows_of(const struct cpu_operation *op, const struct beside_end *end,
                                  enum beside_order order, int64_t h, int64_t k)
{
    if (order == BESIDE_CARRIED) return rows_at(end, k, (h - 1) / 2, h - 1 - k, h - 1 - k);
    const int64_t other = k == 0 ? 0 : h - k;
    if (order == BESIDE_PARTED) return rows_at(end, k, h / 2, other, other);
    struct beside_rows rows = rows_at(end, k, h / 2, h - k, other);
    rows.root_re = op->half_table + k * end->real_bytes;
    rows.root_im = op->half_table + (k + op->half_plane) * end->real_bytes;
    return rows;
}

static struct beside_end end_of(const struct kernel *kernel, const struct cpu_operation *op,
                                bool out)
{
    const int64_t lanes = op->joined ? beside_joined(op->columns) : op->columns;
    return (struct beside_end){.real_bytes = kernel->real_bytes,
                               .reals = &kernel->pass->reals[out],
                               .lanes = lanes,
                               .second = op->columns - lanes,
                               .step = lanes,
                               .turn = op->turn_table[out],
                               .turn_plane = op->turn_plane[out]};
}

/* What numbers k and h - k, for all k, take. NULL rows: only how many they are. */
static int64_t list_rows(const struct cpu_operation *op, const struct beside_end *end,
                         enum beside_order order, struct beside_rows *rows)
{
    const int64_t h = op->elements, last = order == BESIDE_CARRIED ? (h - 1) / 2 : h / 2;
    int64_t count = 0;
    for (int64_t k = 0; k <= last; count++) {
        const struct beside_rows some = rows_of(op, end, order, h, k);
        if (rows) rows[count] = some;
        k += some.rows;
    }
    return count;
}

/* ---- operations ---- */

/* Whether element e of every column is number e. */
static bool counts_numbers(const struct pass *pass)
{
    for (int l = 0; l < pass->loops; l++) {
        if (pass->half_map.loop[l] != 0) return false;
    }
    return pass->half_map.line == 1;
}

bool beside_suits(const struct kernel *kernel, const struct cpu_operation *op, bool out)
{
    const struct pass *pass = kernel->pass;
    const struct shape_of_pass shape = tiles_shape(pass);
    if (!pass->reals[out].parts || !pass_reflects_one(pass) || pass->hook[out]) return false;
    if (op->table || op->permutation) return false;
    if (pass->half && pass->half != PASS_HALF_FOLD && pass->half != PASS_HALF_SPREAD) return false;
    if (!(out ? shape.column_out : shape.column_in) || !counts_numbers(pass)) return false;
    return pass->length == pass->line.n && op->columns * kernel->real_bytes >= BESIDE_BYTES;
}

static enum beside_order gather_order(const struct pass *pass)
{
    return pass->half == PASS_HALF_FOLD ? BESIDE_MIRRORED : BESIDE_CARRIED;
}

static beside_function *gather_function(const struct kernel *kernel, const struct cpu_operation *op)
{
    const struct cpu_mirrors *mirrors = mirrors_of(kernel);
    const struct pass *pass = kernel->pass;
    if (pass->half == PASS_HALF_FOLD) return mirrors->fold_beside;
    return op->joined && pass->reals[0].parts == 2 ? mirrors->join_beside : mirrors->gather_beside;
}

static enum beside_order scatter_order(const struct pass *pass, const struct cpu_operation *op)
{
    if (pass_half_mirrors(pass)) return BESIDE_MIRRORED;
    return op->joined && pass->reals[0].parts == 1 ? BESIDE_PARTED : BESIDE_CARRIED;
}

static beside_function *scatter_function(const struct kernel *kernel, enum beside_order order)
{
    const struct cpu_mirrors *mirrors = mirrors_of(kernel);
    if (order == BESIDE_MIRRORED) return mirrors->unfold_beside;
    return order == BESIDE_PARTED ? mirrors->part_beside : mirrors->scatter_beside;
}

bool beside_use(const struct kernel *kernel, struct cpu_operation *op, bool out)
{
    const struct pass *pass = kernel->pass;
    const enum beside_order order = out ? scatter_order(pass, op) : gather_order(pass);
    const struct beside_end end = end_of(kernel, op, out);
    const int64_t count = list_rows(op, &end, order, NULL);
    struct beside_list *list = arena_alloc(kernel->arena, sizeof *list);
    struct beside_rows *rows = arena_alloc(kernel->arena, (size_t)count * sizeof *rows);
    if (!list || !rows) return false;
    list_rows(op, &end, order, rows);
    *list =
        (struct beside_list){out ? scatter_function(kernel, order) : gather_function(kernel, op),
                             count, rows, order == BESIDE_CARRIED ? 1 : 0.5};
    op->beside = list;
    op->run = out ? beside_scatter : beside_gather;
    return true;
}

static void run_list(const struct beside_list *list, const struct beside_place *place)
{
    for (int64_t i = 0; i < list->count; i++)
        list->function(&list->rows[i], place);
}

void beside_gather(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct beside_place place = {tile->re[op->from], tile->re[op->to], tile->im[op->to], 1};
    run_list(op->beside, &place);
}

/* Of numbers that are mirrored or parted comes twice what is to be. */
void beside_scatter(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const double factor = op->beside->factor * tile->kernel->scale[tile->direction];
    const struct beside_place place = {tile->re[op->to], tile->re[op->from], tile->im[op->from],
                                       factor};
    run_list(op->beside, &place);
}

/* Whether there is a codelet for the second half. */
static bool can_reflect(const struct kernel *kernel, int64_t columns)
{
    const struct codelet_set *widest = kernel->sets->set[kernel->precision][0];
    return columns >= widest->lanes && widest->function[CODELET_REFLECT][kernel->pass->radix[0]];
}

/* The second half of numbers that go there and back as the first one does. */
static bool find_mirrored(const struct reals *in, const struct reals_run run[2],
                          struct beside_legs *legs)
{
    const int64_t half = in->numbers / 2;
    const struct reals_run back[2] = {reals_run_at(in, 0, in->numbers - 1, -1),
                                      reals_run_at(in, 1, in->numbers - 1, -1)};
    for (int p = 0; p < 2; p++) {
        if (fewer(run[p].count, back[p].count) < half || back[p].step != run[p].step) return false;
    }
    legs->mirrored = true;
    legs->last = (back[0].real - run[1].real) * in->stride;
    legs->sign = back[0].weight;
    return in->numbers % 2 == 0 && back[0].weight == back[1].weight &&
           back[0].real - back[1].real == run[1].real - run[0].real;
}

bool beside_has_legs(const struct kernel *kernel, int64_t columns, struct beside_legs *legs)
{
    const struct pass *pass = kernel->pass;
    const struct reals *in = &pass->reals[0];
    const struct cpu_operation op = {.columns = columns};
    if (in->parts != 2 || reals_turn(in) || pass->radices == 0 || pass->backward) return false;
    if (pass->half == PASS_HALF_FOLD || in->numbers != pass->length) return false;
    if (!beside_suits(kernel, &op, false)) return false;
    const struct reals_run run[2] = {reals_run_at(in, 0, 0, 1), reals_run_at(in, 1, 0, 1)};
    if (run[0].weight != 1 || run[1].weight != 1 || run[0].step != run[1].step) return false;
    *legs = (struct beside_legs){.first = run[0].real * in->stride,
                                 .number = run[0].step * in->stride,
                                 .part = (run[1].real - run[0].real) * in->stride};
    const bool straight = fewer(run[0].count, run[1].count) >= in->numbers;
    return straight || (can_reflect(kernel, columns) && find_mirrored(in, run, legs));
}

/* ---- rows further on ---- */

/* Lines of the cache that are asked for before they are read, and how far apart rows of one meet in
 * few sets of the second level. (Experiment "cosines ahead".) */
#define LINES_AHEAD 128
#define MEETING_ROW 512

/* Where the reals of a row's legs lie there and, behind that, back; and those of both parts. */
static void ask_for_row(const struct cpu_operation *op, const char *first, const char *last,
                        int64_t row)
{
    const struct codelet_fetch *there = op->shape[0].fetch, *back = &there[1];
    codelet_fetch(there, row, first, first + op->part_bytes);
    codelet_fetch(back, row, last, last + op->part_bytes);
}

/* Codelets of reals do not ask, or there would be one more of each: they take a row at a time. */
static void run_rows(const struct cpu_operation *op, const struct cpu_tile *tile)
{
    const struct codelet_shape *shape = &op->shape[0];
    const int64_t bytes = tile->kernel->real_bytes;
    const char *first = tile->re[op->from] + op->from_bytes, *last = first + shape->turn * bytes;
    struct cpu_operation row = *op;
    row.shape[0].rows = row.shape[1].rows = 1;
    for (int64_t i = 0; i < shape->rows; i++) {
        ask_for_row(op, first, last, i);
        pipeline_run_codelet(&row, tile);
        row.from_bytes += shape->in_row * bytes;
        row.to_bytes += shape->out_row * bytes;
        row.twiddles += shape->twiddle_row * bytes;
        for (int d = 0; d < 2; d++)
            row.shape[d].turn -= 2 * shape->in_row;
    }
}

/* Narrow rows in few sets of the second level, which just hold a tile's: what is asked for drives
 * them out. */
static bool fill_sets(const struct kernel *kernel, const struct codelet_fetch *fetch)
{
    const struct reals *reals = &kernel->pass->reals[0];
    const int64_t apart = reals->stride * kernel->real_bytes, power = apart & -apart;
    const bool held = reals->n * power < kernel->device->limits.cache_bytes[1];
    return held && power >= MEETING_ROW && fetch->run <= CODELET_LINE_BYTES;
}

/* Whether rows come from beyond the third level, in whole lines. */
static bool has_far_rows(const struct kernel *kernel, const struct codelet_fetch *fetch)
{
    if (kernel->staged[CPU_FROM].storage || fetch->rows < 2) return false;
    if (kernel->pass->reals[0].stride * kernel->real_bytes % CODELET_LINE_BYTES != 0) return false;
    return ahead_leaves_share(kernel, AHEAD_AXIS_SHARE) && !fill_sets(kernel, fetch);
}

/* Has the operation ask for what it will read there and back. False: no memory. */
static bool ask_ahead(const struct kernel *kernel, struct cpu_operation *op)
{
    const struct codelet_shape *shape = &op->shape[0];
    const int64_t bytes = kernel->real_bytes, legs = kernel->pass->radix[0] / 2;
    struct codelet_fetch fetch = {.rows = shape->rows,
                                  .row = shape->in_row * bytes,
                                  .legs = legs,
                                  .leg = shape->in_leg * bytes,
                                  .run = shape->lanes * bytes,
                                  .next = kernel->tile_step[CPU_FROM] * bytes};
    if (!has_far_rows(kernel, &fetch)) return true;
    const int64_t lines = 4 * legs * ((fetch.run + CODELET_LINE_BYTES - 1) / CODELET_LINE_BYTES);
    fetch.ahead = (LINES_AHEAD + lines - 1) / lines;
    struct codelet_fetch *both = arena_alloc(kernel->arena, 2 * sizeof *both);
    if (!both) return false;
    both[0] = both[1] = fetch;
    both[1].row = -fetch.row;
    op->shape[0].fetch = both;
    op->run = run_rows;
    return true;
}

/* ---- first steps ---- */

bool beside_use_legs(const struct kernel *kernel, struct cpu_operation *op,
                     const struct beside_legs *legs)
{
    op->from_bytes = legs->first * kernel->real_bytes;
    op->parts = true;
    op->part_bytes = legs->part * kernel->real_bytes;
    if (!legs->mirrored) return true;
    void *sign = arena_alloc(kernel->arena, sizeof(double));
    if (!sign) return false;
    if (kernel->real_bytes == sizeof(float)) *(float *)sign = (float)legs->sign;
    else *(double *)sign = legs->sign;
    op->fine = sign;
    op->shape[0].turn = legs->last + (op->shape[0].rows - 1) * legs->number;
    return ask_ahead(kernel, op);
}

int64_t beside_joined(int64_t columns)
{
    return (columns + 1) / 2;
}

bool beside_joins(const struct kernel *kernel, int64_t columns)
{
    const struct pass *pass = kernel->pass;
    const struct reals *in = &pass->reals[0], *out = &pass->reals[1];
    const struct shape_of_pass shape = tiles_shape(pass);
    if (!in->parts || pass->body != PASS_TRANSFORM || pass->radices == 0) return false;
    if (pass->half != PASS_NO_HALF || pass->twiddle_order || !counts_numbers(pass)) return false;
    if (pass->hook[0] || pass->hook[1] || !shape.column_in || !shape.column_out) return false;
    if (beside_joined(columns) < mirrors_of(kernel)->lanes) return false;
    const bool reals_in = in->parts == 1 && !reals_turn(in);
    const bool reals_out = out->parts == 1 && !reals_turn(out);
    return out->parts == 1 && (reals_in || (reals_out && in->parts == 2));
}

#include "plan/lower.h"

#include <string.h>

#include "base/checked.h"
#include "plan/draft.h"
#include "plan/odd.h"
#include "plan/place.h"
#include "plan/stride.h"
#include "spec/far_columns.h"

/* What lies in scratch is complex and whole. */
static void set_real(struct pass *pass, const struct lines *lines)
{
    const bool begins = lines->from != PASS_SCRATCH, ends = lines->to != PASS_SCRATCH;
    pass->one_way = lines->one_way;
    pass->goes_on = lines->goes_on;
    pass->real_in = begins && lines->real_in;
    pass->real_out = ends && lines->real_out;
    if (begins) pass->reals[0] = lines->reals[0];
    if (ends) pass->reals[1] = lines->reals[1];
    pass->lone = lines->lone;
    pass->pair = lines->pair;
    pass->half_n = lines->half_n;
    pass->half_stride = lines->half_stride;
    pass->half_pair = lines->half_pair;
    pass->half_rows = lines->half_rows;
    if (begins) pass->offset[0] = lines->first.offset[0];
    if (ends) pass->offset[1] = lines->first.offset[1];
    if (lines->half_in && (begins || lines->half_in == PASS_HALF_JOIN)) {
        pass->half = lines->half_in;
        pass->half_map = lines->in_map;
    }
    if (lines->half_out && (ends || lines->half_out == PASS_HALF_PART)) {
        pass->half = lines->half_out;
        pass->half_map = lines->out_map;
    }
    /* Two halves are of whole lines, and so are reals at both ends. */
    if (pass_reflects(pass)) pass->half_map = pass->reals[1].parts ? lines->out_map : lines->in_map;
}

/* What is read or written once, and nothing but the elements that are there. */
static bool end_is_plain(const struct pass *pass, bool out)
{
    const bool whole = out || pass->half == PASS_NO_HALF || pass_scatters_half(pass);
    return whole && pass->reals[out].parts == 0;
}

/* A load hook belongs to whatever reads the input. */
static void set_positions(const struct lowering *l, struct pass *pass, const struct lines *lines)
{
    if (l->program->problem.hooks.dims == 0) return;
    for (int out = 0; out < 2; out++) {
        if (out ? pass->to != PASS_OUTPUT : pass->from != PASS_INPUT) continue;
        pass->first_position[out] = lines->first.position[out];
        pass->position[out] = lines->position[out];
        memcpy(pass->fold_position[out], lines->fold_position[out],
               sizeof pass->fold_position[out]);
    }
    pass->pair_position = lines->pair_position;
    pass->hook[0] = pass->from == PASS_INPUT && hook_exists(&l->program->problem.hooks, false) &&
                    end_is_plain(pass, false);
}

static void set_ranges(struct pass *pass, const struct lines *lines)
{
    for (int out = 0; out < 2; out++) {
        const enum pass_place place = out ? lines->to : lines->from;
        if (place == PASS_SCRATCH || lines->range[out].count == 0) continue;
        const bool pairs = (out ? pass->real_out : pass->real_in) && !pass->lone;
        pass->range[out] = (struct pass_range){.range = lines->range[out],
                                               .n = lines->range_n[out],
                                               .pair = pairs ? lines->range_pair : 0,
                                               .map = out ? lines->out_map : lines->in_map};
    }
}

struct program_stage *lowering_stage(struct lowering *l, enum pass_place from, enum pass_place to)
{
    struct program *program = l->program;
    struct program_stage *stage = &l->spare_stage;
    if (program->stages < PROGRAM_MAX_STAGES)
        stage = &program->stage[program->stages++];
    else
        l->failed = true;
    *stage = (struct program_stage){.first = program->passes, .from = from, .to = to,
                                    .runs = {true, true}};
    return stage;
}

struct pass *lowering_pass(struct lowering *l, const struct lines *lines)
{
    struct pass *pass = &l->spare;
    if (l->program->passes < PROGRAM_MAX_PASSES)
        pass = &l->program->pass[l->program->passes++];
    else
        l->failed = true;
    memset(pass, 0, sizeof *pass);
    pass->from = lines->from;
    pass->to = lines->to;
    pass->kind = lines->kind;
    pass->line = lines->line;
    pass->loops = lines->loops;
    memcpy(pass->loop, lines->loop, sizeof pass->loop);
    pass->twiddle_order = lines->twiddle_order;
    pass->twiddle_loop = lines->twiddle_loop;
    pass->twiddle_group = lines->twiddle_group;
    pass->group_loop = lines->group_loop;
    pass->twiddle_conjugate = lines->twiddle_conjugate;
    pass->spectrum_table = PASS_NO_TABLE;
    set_real(pass, lines);
    set_ranges(pass, lines);
    set_positions(l, pass, lines);
    return pass;
}

static void swap_numbers(int64_t *a, int64_t *b)
{
    int64_t kept = *a;
    *a = *b;
    *b = kept;
}

static void swap_number_of_loop(int *loop, int a, int b)
{
    if (*loop == a) *loop = b;
    else if (*loop == b) *loop = a;
}

static void swap_loops(struct pass *pass, int a, int b)
{
    struct dim kept = pass->loop[a];
    pass->loop[a] = pass->loop[b];
    pass->loop[b] = kept;
    swap_numbers(&pass->chirp_map.loop[a], &pass->chirp_map.loop[b]);
    swap_numbers(&pass->spectrum_map.loop[a], &pass->spectrum_map.loop[b]);
    swap_numbers(&pass->half_map.loop[a], &pass->half_map.loop[b]);
    for (int out = 0; out < 2; out++) {
        swap_numbers(&pass->position[out].loop[a], &pass->position[out].loop[b]);
        swap_numbers(&pass->range[out].map.loop[a], &pass->range[out].map.loop[b]);
    }
    if (pass->twiddle_order == 0) return;
    swap_number_of_loop(&pass->twiddle_loop, a, b);
    if (pass->twiddle_group > 0) swap_number_of_loop(&pass->group_loop, a, b);
}

/* Whether it counts the columns of the pass's twiddle. */
static bool counts_columns(const struct pass *pass, int loop)
{
    if (pass->twiddle_order == 0) return false;
    return pass->twiddle_loop == loop || (pass->twiddle_group > 0 && pass->group_loop == loop);
}

/* Whether loop `slow` goes on where loop `fast` ends, in memory and in what counts with them. */
static bool continues(const struct pass *pass, int fast, int slow)
{
    const struct dim *f = &pass->loop[fast], *s = &pass->loop[slow];
    if (s->in_stride != f->n * f->in_stride || s->out_stride != f->n * f->out_stride) return false;
    if (pass->chirp_map.loop[slow] != f->n * pass->chirp_map.loop[fast]) return false;
    if (pass->spectrum_map.loop[slow] != f->n * pass->spectrum_map.loop[fast]) return false;
    if (pass->half_map.loop[slow] != f->n * pass->half_map.loop[fast]) return false;
    for (int out = 0; out < 2; out++) {
        const int64_t *position = pass->position[out].loop, *number = pass->range[out].map.loop;
        if (position[slow] != f->n * position[fast]) return false;
        if (number[slow] != f->n * number[fast]) return false;
    }
    return !counts_columns(pass, fast) && !counts_columns(pass, slow);
}

static void remove_loop(struct pass *pass, int gone)
{
    for (int i = gone; i < pass->loops - 1; i++)
        swap_loops(pass, i, i + 1);
    pass->loops--;
    pass->loop[pass->loops] = (struct dim){0, 0, 0};
    pass->chirp_map.loop[pass->loops] = 0;
    pass->spectrum_map.loop[pass->loops] = 0;
    pass->half_map.loop[pass->loops] = 0;
    for (int out = 0; out < 2; out++)
        pass->position[out].loop[pass->loops] = pass->range[out].map.loop[pass->loops] = 0;
}

/* The fastest first; but of a split the columns of one line are a tile's rather than few lines. */
static void sort_loops(const struct lowering *l, struct pass *pass)
{
    for (int i = 1; i < pass->loops; i++) {
        for (int j = i; j > 0 && place_faster(&pass->loop[j], &pass->loop[j - 1]); j--)
            swap_loops(pass, j, j - 1);
    }
    const bool part = (pass->from == PASS_SCRATCH) != (pass->to == PASS_SCRATCH);
    if (pass->loops < 2 || pass->body != PASS_TRANSFORM || !part) return;
    if (place_is_few(l, pass->loop[0].n) && !place_is_few(l, pass->loop[1].n))
        swap_loops(pass, 0, 1);
}

/* Axes and batches of one: as the fastest loop they would leave tiles a line each. Columns and
 * slices of a split are told by their loops, which stay. */
static void remove_ones(struct pass *pass)
{
    if (pass->twiddle_order != 0) return;
    for (int i = pass->loops - 1; i >= 0; i--)
        if (pass->loop[i].n == 1) remove_loop(pass, i);
}

void lowering_finish(const struct lowering *l, struct pass *pass)
{
    remove_ones(pass);
    sort_loops(l, pass);
    for (int i = 0; i + 1 < pass->loops;) {
        if (!continues(pass, i, i + 1)) {
            i++;
            continue;
        }
        pass->loop[i].n *= pass->loop[i + 1].n;
        remove_loop(pass, i + 1);
    }
}

/* One number that is made of reals, or made reals, as any other line of them: on a CPU, where a
 * transform of no steps needs no code of its own. */
static bool is_line_of_one(const struct lowering *l, const struct lines *lines)
{
    const bool reals = lines->half_out == PASS_HALF_SPREAD || lines->half_in == PASS_HALF_FOLD ||
                       (lines->reals[0].parts && lines->reals[1].parts);
    return lines->line.n == 1 && reals && l->limits->vector_bytes > 0;
}

static void shift_map(struct pass_map *map, int loops)
{
    map->line = map->loop[0];
    memmove(map->loop, map->loop + 1, (size_t)loops * sizeof *map->loop);
    map->loop[loops] = 0;
}

/* The fastest loop becomes the line. */
static void take_line(struct pass *pass)
{
    pass->line = pass->loop[0];
    pass->loops--;
    memmove(pass->loop, pass->loop + 1, (size_t)pass->loops * sizeof *pass->loop);
    for (int out = 0; out < 2; out++) shift_map(&pass->position[out], pass->loops);
}

/* Whether it copies numbers by themselves, which may as well be lines. */
static bool copies_numbers(const struct pass *pass)
{
    if (pass->body != PASS_COPY || pass->line.n != 1 || pass->loops == 0) return false;
    if (pass->half != PASS_NO_HALF || pass_reflects(pass) || pass->twiddle_order != 0) return false;
    return pass->range[0].range.count == 0 && pass->range[1].range.count == 0;
}

void lowering_copy(struct lowering *l, const struct lines *lines)
{
    struct pass *pass = lowering_pass(l, lines);
    pass->body = is_line_of_one(l, lines) ? PASS_TRANSFORM : PASS_COPY;
    lowering_finish(l, pass);
    if (copies_numbers(pass)) take_line(pass);
    pass->length = pass->line.n;
}

void lowering_sweep(struct lowering *l, const struct lines *lines, enum pass_body body,
                    int64_t length, int64_t apart)
{
    struct pass *pass = lowering_pass(l, lines);
    pass->body = body;
    pass->length = length;
    pass->apart = apart;
    lowering_finish(l, pass);
}

/* Each element for itself: in place, or from the draft. */
static void sweep_output(struct lowering *l, const struct problem *p, enum pass_place from)
{
    const struct problem placed = draft_onwards(p, from == PASS_DRAFT ? l->drafted : p);
    copy_stages_lower(l, &placed, from, PASS_OUTPUT, true);
}

void lowering_store_hook(struct lowering *l, const struct problem *p)
{
    struct program *program = l->program;
    bool ends = true;
    if (l->failed || !hook_exists(&program->problem.hooks, true)) return;
    const struct pass *last = &program->pass[program->passes - 1];
    if (last->to == PASS_DRAFT || !end_is_plain(last, true)) sweep_output(l, p, last->to);
    for (int s = program->stages - 1; s >= 0 && ends; s--) {
        const struct program_stage *stage = &program->stage[s];
        program->pass[stage->first + stage->passes - 1].hook[1] = true;
        ends = stage->goes_on;
    }
}

static void map_prepend(struct pass_map *map)
{
    memmove(map->loop + 1, map->loop, (PASS_MAX_LOOPS - 1) * sizeof *map->loop);
    map->loop[0] = 0;
}

void lines_prepend(struct lowering *l, struct lines *lines, struct dim loop)
{
    if (lines->loops == PASS_MAX_LOOPS) {
        l->failed = true;
        return;
    }
    memmove(lines->loop + 1, lines->loop, (size_t)lines->loops * sizeof *lines->loop);
    lines->loop[0] = loop;
    map_prepend(&lines->in_map);
    map_prepend(&lines->out_map);
    for (int out = 0; out < 2; out++) map_prepend(&lines->position[out]);
    lines->loops++;
    lines->twiddle_loop++;
    lines->group_loop++;
}

struct placed_dim placed_axis(const struct problem *p, int i)
{
    return (struct placed_dim){p->axis[i], {p->hooks.axis[0][i], p->hooks.axis[1][i]}};
}

struct placed_dim placed_loop(const struct problem *p, int i)
{
    return (struct placed_dim){p->loop[i], {p->hooks.loop[0][i], p->hooks.loop[1][i]}};
}

struct placed_dim placed_run(struct placed_dim placed, struct range run, struct first_line *first)
{
    first->offset[0] += run.first * placed.dim.in_stride;
    first->offset[1] += run.first * placed.dim.out_stride;
    for (int out = 0; out < 2; out++) first->position[out] += run.first * placed.position[out];
    placed.dim.n = run.count;
    return placed;
}

void lines_prepend_placed(struct lowering *l, struct lines *lines, const struct placed_dim *loop)
{
    lines_prepend(l, lines, loop->dim);
    for (int out = 0; out < 2; out++) lines->position[out].loop[0] = loop->position[out];
}

void lines_set_line(struct lines *lines, const struct placed_dim *line)
{
    lines->line = line->dim;
    for (int out = 0; out < 2; out++) lines->position[out].line = line->position[out];
}

void lines_work_in_place(struct lines *lines)
{
    lines->from = lines->to;
    lines->line.in_stride = lines->line.out_stride;
    for (int i = 0; i < lines->folds; i++)
        lines->fold[i].in_stride = lines->fold[i].out_stride;
    for (int i = 0; i < lines->loops; i++)
        lines->loop[i].in_stride = lines->loop[i].out_stride;
    lines->first.offset[0] = lines->first.offset[1];
}

void lines_whole(struct lines *lines, bool out)
{
    lines->range[out] = (struct range){0, 0};
}

void lines_place_whole(struct lines *lines, bool out)
{
    lines->first.offset[out] = 0;
    lines_whole(lines, out);
}

void lines_twiddle(struct lines *lines, int64_t order, bool conjugate)
{
    lines->twiddle_order = order;
    lines->twiddle_loop = 0;
    lines->twiddle_conjugate = conjugate;
}

/* Whole cache lines in each of two planes, but powers of two fall into few sets of a cache. */
int64_t lowering_pitch(const struct lowering *l, int64_t n)
{
    if (l->limits->vector_bytes == 0) return n;
    int64_t element_bytes = 2 * precision_bytes(l->program->problem.precision);
    int64_t run = 2 * l->limits->coalescing_bytes / element_bytes;
    int64_t pitch = run > 1 ? (n + run - 1) / run * run : n;
    return shares_cache_sets(pitch * element_bytes) ? pitch + (run > 1 ? run : 1) : pitch;
}

/* Whole tiles of columns, that the scratch may be blocks (device/cpu/blocks.h). */
static int64_t cut_pitch(const struct lowering *l, int64_t n)
{
    const int64_t tile = far_columns_widest(l->limits, &l->program->problem);
    return lowering_pitch(l, (n + tile - 1) / tile * tile);
}

/* Of a line that was cut so, loop[0] counting its columns. */
static void map_columns(struct pass_map *map, int64_t columns)
{
    map->loop[0] = map->line;
    map->line *= columns;
}

struct lowering_cut lowering_cut(struct lowering *l, const struct lines *lines, int64_t n1,
                                 int64_t n2)
{
    int64_t row = lines->from == PASS_SCRATCH ? n2 : cut_pitch(l, n2);
    struct lines placed = lowering_place(l, lines, n1 * row);
    int64_t unit = placed.line.out_stride, pitch = row * unit;
    struct lowering_cut cut = {placed, *lines, unit, pitch};
    cut.columns.to = PASS_SCRATCH;
    cut.columns.line = (struct dim){n1, n2 * lines->line.in_stride, pitch};
    lines_prepend(l, &cut.columns, (struct dim){n2, lines->line.in_stride, unit});
    map_columns(&cut.columns.in_map, n2);
    map_columns(&cut.columns.position[0], n2);
    lines_twiddle(&cut.columns, n1 * n2, false);

    cut.rest.from = PASS_SCRATCH;
    for (int i = 0; i < lines->loops; i++)
        cut.rest.loop[i].in_stride = placed.loop[i].out_stride;
    return cut;
}

void lines_map_rows(struct lines *lines, const struct lines *whole, int64_t rows)
{
    lines->out_map.line = rows * whole->out_map.line;
    lines->out_map.loop[0] = whole->out_map.line;
    lines->position[1].line = rows * whole->position[1].line;
    lines->position[1].loop[0] = whole->position[1].line;
}

int lowering_table(struct lowering *l, enum program_table_kind kind, int64_t n, int64_t m)
{
    struct program *program = l->program;
    for (int i = 0; i < program->tables; i++) {
        const struct program_table *table = &program->table[i];
        if (table->kind == kind && table->n == n && table->m == m) return i;
    }
    if (program->tables == PROGRAM_MAX_PASSES) {
        l->failed = true;
        return 0;
    }
    program->table[program->tables] = (struct program_table){kind, n, m};
    return program->tables++;
}

static bool is_lone_block(const struct plan_node *node)
{
    return node->kind == PLAN_BLOCK && node->cluster == 0;
}

bool lowering_spreads(const struct plan_node *node, const struct limits *limits)
{
    const struct plan_node *child = node->child[0];
    if (child->kind == PLAN_IMAGE || is_lone_block(child)) return true;
    if (limits->vector_bytes > 0) return false;
    if (child->kind == PLAN_BLOCK)
        return plan_cluster_cut(child->radices, child->radix, child->cluster, PLAN_ROW_MIRRORS) > 0;
    return child->kind == PLAN_RADER ||
           (child->kind == PLAN_BLUESTEIN && is_lone_block(child->child[0]));
}

bool lowering_spreads_one(const struct lowering *l, const struct plan_node *node)
{
    return node->child[0]->kind == PLAN_COPY && l->limits->vector_bytes > 0;
}

static bool has_only_blocks(const struct plan_node *node)
{
    if (node->kind != PLAN_SPLIT) return is_lone_block(node);
    return is_lone_block(node->child[0]) && has_only_blocks(node->child[1]);
}

bool lowering_halves(const struct plan_node *node, bool forward)
{
    const struct plan_node *split = node->child[0];
    if (split->kind != PLAN_SPLIT || split->n != node->n) return false;
    const struct plan_node *columns = split->child[0], *rows = split->child[1];
    if (columns->n % 2 != 0 || rows->n % 2 != 0 || !is_lone_block(columns)) return false;
    return forward ? has_only_blocks(rows) : is_lone_block(rows);
}

int64_t lowering_scratch(const struct plan_node *node, const struct limits *limits)
{
    if (node->kind == PLAN_REAL || node->kind == PLAN_TRIGONOMETRIC) {
        if (lowering_halves(node, true)) return node->n / 2;
        if (odd_is_cut(node)) return node->n / 2 + node->child[0]->n;
        if (lowering_spreads(node, limits)) return 0;
        return lowering_scratch(node->child[0], limits) + node->child[0]->n;
    }
    if (node->kind == PLAN_SPLIT || node->kind == PLAN_TRANSPOSED) return node->n;
    if (node->kind == PLAN_BLUESTEIN && node->child[0]->kind == PLAN_SPLIT) {
        return node->child[0]->n;
    }
    if (node->kind == PLAN_RESAMPLED)
        return 2 * (node->child[0]->n + lowering_scratch(node->child[0], limits));
    return 0;
}

void pass_set_radices(struct pass *pass, const struct plan_node *block)
{
    pass->radices = block->radices;
    memcpy(pass->radix, block->radix, sizeof pass->radix);
    pass->columns = block->columns;
    pass->cluster = block->cluster;
}

/* Callers' expressions at the ends of lines (src/hook/): a part of general_template.h. Elements go
 * through them in runs, and between two of these lie in the first-level cache. A run is a block of
 * the tile where elements are moved as they are, and any of them elsewhere. */
#include "hook/run.h"

/* Some elements of a tile's lines. */
struct hook_run {
    int count;
    int64_t e[HOOK_RUN], c[HOOK_RUN];
    REAL re[HOOK_RUN], im[HOOK_RUN];
};

/* Numbers that elements have: element 0 of the tile's first column, and how far it is to that of
 * the next element and column. */
struct hook_map {
    int64_t start, line, column;
};

/* An end of the lines. */
struct hook_end {
    const struct pass *pass;
    const struct hook_program *program; /* NULL: there is no hook */
    void *workspace;
    struct hook_map position;
    const struct pass_range *range; /* which elements of an input there are, by their number; */
    struct hook_map number;         /* NULL: all */
    bool out, real, exchange;
};

static struct hook_map hook_map_of(const struct cpu_tile *tile, const struct pass_map *map,
                                   int64_t start)
{
    for (int l = 0; l < tile->kernel->pass->loops; l++) start += map->loop[l] * tile->counter[l];
    return (struct hook_map){start, map->line, map->loop[0]};
}

static struct hook_end hook_end_of(const struct cpu_tile *tile, bool out)
{
    const struct kernel *kernel = tile->kernel;
    const struct pass *pass = kernel->pass;
    const struct pass_range *range = &pass->range[out];
    struct hook_end end = {.pass = pass,
                           .program = kernel->hook[out],
                           .workspace = tile->hook_workspace[out],
                           .out = out,
                           .real = kernel->real_place[out],
                           .exchange = tile->exchange};
    if (!end.program) return end;
    end.position =
        hook_map_of(tile, &pass->position[out], tile->position[out] + pass->first_position[out]);
    if (!out && range->range.count > 0) {
        end.range = range;
        end.number = hook_map_of(tile, &range->map, 0);
    }
    const bool inverse = tile->direction == WEFT_INVERSE;
    HOOK_BEGIN(end.program, end.workspace, inverse != kernel->turned);
    return end;
}

/* Planes that are exchanged for the inverse direction are known to the hook as they are. Pairs of
 * reals are reals of their own. */
static void apply_at(const struct hook_end *end, int64_t position[HOOK_RUN], struct hook_run *run)
{
    if (!end->real) {
        HOOK_APPLY(end->program, end->workspace, run->count, position,
                   end->exchange ? run->im : run->re, end->exchange ? run->re : run->im);
        return;
    }
    HOOK_APPLY(end->program, end->workspace, run->count, position, run->re, NULL);
    if (end->pass->lone) return;
    for (int i = 0; i < run->count; i++) position[i] += end->pass->pair_position;
    HOOK_APPLY(end->program, end->workspace, run->count, position, run->im, NULL);
}

/* Makes those that the input does not have zeros, whatever the hook made of them. */
static void clear_missing(const struct hook_end *end, int64_t number[HOOK_RUN],
                          struct hook_run *run)
{
    const struct pass_range *range = end->range;
    const int64_t pair = end->real ? range->pair : 0;
    for (int i = 0; i < run->count; i++) {
        if (!range_has(range->range, number[i], range->n)) run->re[i] = 0;
        if (!range_has(range->range, number[i] + pair, range->n)) run->im[i] = 0;
    }
}

static void map_run(const struct hook_map *map, const struct hook_run *run,
                    int64_t number[HOOK_RUN])
{
    for (int i = 0; i < run->count; i++)
        number[i] = map->start + map->line * run->e[i] + map->column * run->c[i];
}

static void apply_hook(const struct hook_end *end, struct hook_run *run)
{
    int64_t number[HOOK_RUN];
    if (!end->program) return;
    map_run(&end->position, run, number);
    apply_at(end, number, run);
    if (!end->range) return;
    map_run(&end->number, run, number);
    clear_missing(end, number, run);
}

/* ---- blocks ---- */

/* Elements that are moved as they are but for their hooks and a factor. */
struct movement {
    int64_t elements, columns;
    struct side from, to;
    struct hook_end in, out;
    REAL factor;
};

/* Elements e .. e+rows-1 of columns c .. c+width-1: a run of rows * width. */
struct hook_block {
    int64_t e, c;
    int rows, width;
};

/* Narrower blocks are walked through along the lines. */
#define HOOK_LEAST_WIDTH 16

static void exchange_counts(int64_t *x, int64_t *y)
{
    const int64_t other = *x;
    *x = *y;
    *y = other;
}

/* Takes elements for columns, and columns for elements. */
static void turn_movement(struct movement *m)
{
    exchange_counts(&m->elements, &m->columns);
    exchange_counts(&m->from.line, &m->from.column);
    exchange_counts(&m->to.line, &m->to.column);
    exchange_counts(&m->in.position.line, &m->in.position.column);
    exchange_counts(&m->in.number.line, &m->in.number.column);
    exchange_counts(&m->out.position.line, &m->out.position.column);
}

static void read_block(const struct side *from, const struct hook_block *block, REAL *re, REAL *im)
{
    for (int row = 0; row < block->rows; row++, re += block->width, im += block->width) {
        const int64_t at = (block->e + row) * from->line + block->c * from->column;
        for (int i = 0; i < block->width; i++) {
            const struct complex x = read_place(from, at + i * from->column);
            re[i] = x.re;
            im[i] = x.im;
        }
    }
}

static void write_block(const struct side *to, const struct hook_block *block, const REAL *re,
                        const REAL *im)
{
    for (int row = 0; row < block->rows; row++, re += block->width, im += block->width) {
        const int64_t at = (block->e + row) * to->line + block->c * to->column;
        for (int i = 0; i < block->width; i++) to->re[at + i * to->column] = re[i];
        for (int i = 0; to->im && i < block->width; i++) to->im[at + i * to->column] = im[i];
    }
}

static void map_block(const struct hook_map *map, const struct hook_block *block,
                      int64_t number[HOOK_RUN])
{
    for (int row = 0; row < block->rows; row++) {
        const int64_t start = map->start + map->line * (block->e + row) + map->column * block->c;
        for (int i = 0; i < block->width; i++)
            number[row * block->width + i] = start + i * map->column;
    }
}

static void apply_to_block(const struct hook_end *end, const struct hook_block *block,
                           struct hook_run *run)
{
    int64_t number[HOOK_RUN];
    if (!end->program) return;
    map_block(&end->position, block, number);
    apply_at(end, number, run);
    if (!end->range) return;
    map_block(&end->number, block, number);
    clear_missing(end, number, run);
}

static void move_block(const struct movement *m, const struct hook_block *block)
{
    struct hook_run run;
    run.count = block->rows * block->width;
    read_block(&m->from, block, run.re, run.im);
    apply_to_block(&m->in, block, &run);
    scale_run(run.re, run.count, m->factor);
    scale_run(run.im, run.count, m->factor);
    apply_to_block(&m->out, block, &run);
    write_block(&m->to, block, run.re, run.im);
}

static void move_blocks(struct movement *m)
{
    if (m->columns < HOOK_LEAST_WIDTH && m->columns < m->elements) turn_movement(m);
    struct hook_block block;
    for (block.c = 0; block.c < m->columns; block.c += block.width) {
        const int64_t columns = m->columns - block.c;
        block.width = (int)(columns < HOOK_RUN ? columns : HOOK_RUN);
        for (block.e = 0; block.e < m->elements; block.e += block.rows) {
            const int64_t rows = m->elements - block.e;
            block.rows = HOOK_RUN / block.width;
            if (block.rows > rows) block.rows = (int)rows;
            move_block(m, &block);
        }
    }
}

/* Whether lines are read, or written, each element in its own place. */
static bool reads_plainly(const struct cpu_operation *op, const struct half *half)
{
    return !op->table && !op->permutation && !half->in.reals->parts && !gathers_half(half);
}

static bool writes_plainly(const struct cpu_operation *op, const struct half *half)
{
    return !op->table && !op->permutation && half->kind != PASS_HALF_CUT &&
           half->kind != PASS_HALF_SPREAD;
}

/* ---- any elements ---- */

/* The next elements of `elements` lines' ones in every column; false: there are none. e and c: of
 * the next one, at first 0. */
static bool next_run(struct hook_run *run, int64_t elements, int64_t columns, int64_t *e,
                     int64_t *c)
{
    run->count = 0;
    while (run->count < HOOK_RUN && *e < elements) {
        run->e[run->count] = *e;
        run->c[run->count++] = *c;
        if (++*c < columns) continue;
        *c = 0;
        ++*e;
    }
    return run->count > 0;
}

static __attribute__((noinline)) void read_run(const struct hook_end *end, const struct half *half,
                                               const struct side *from, struct hook_run *run)
{
    for (int i = 0; i < run->count; i++) {
        const struct complex x = read_line(half, from, run->e[i], run->c[i]);
        run->re[i] = x.re;
        run->im[i] = x.im;
    }
    apply_hook(end, run);
}

/* Leaves those that are not kept out, and makes of the others what is to be in memory but for the
 * hook. */
static void finish_run(const struct half *half, REAL factor, struct hook_run *run)
{
    int kept = 0;
    for (int i = 0; i < run->count; i++) {
        struct complex x = {run->re[i] * factor, run->im[i] * factor};
        if (half->kind == PASS_HALF_CUT) {
            if (half_index(half, run->e[i], run->c[i]) >= half->kept) continue;
            x = turned(half, x);
        }
        run->e[kept] = run->e[i];
        run->c[kept] = run->c[i];
        run->re[kept] = x.re;
        run->im[kept++] = x.im;
    }
    run->count = kept;
}

static void write_run(const struct hook_end *end, const struct half *half, REAL factor,
                      const struct side *to, struct hook_run *run)
{
    finish_run(half, factor, run);
    apply_hook(end, run);
    for (int i = 0; i < run->count; i++) {
        const int64_t at = run->e[i] * to->line + run->c[i] * to->column;
        to->re[at] = run->re[i];
        if (to->im) to->im[at] = run->im[i];
    }
}

/* ---- operations ---- */

static int64_t table_index(const struct cpu_operation *op, int64_t start, int64_t e, int64_t c)
{
    return start + op->table_map.line * e + op->table_map.loop[0] * c;
}

/* Leaves out elements beyond the chirp's, and makes places of the others' numbers. */
static void keep_existing(const struct cpu_operation *op, int64_t start, struct hook_run *run,
                          int64_t *tile_e)
{
    int kept = 0;
    for (int i = 0; i < run->count; i++) {
        if (op->table && table_index(op, start, run->e[i], run->c[i]) >= op->table_end) continue;
        tile_e[kept] = run->e[i];
        run->e[kept] = op->permutation ? op->permutation[run->e[i]] : run->e[i];
        run->c[kept++] = run->c[i];
    }
    run->count = kept;
}

static void gather_hooked(const struct cpu_operation *op, const struct cpu_tile *tile,
                          const struct half *half, const struct side *from, const struct side *to)
{
    const struct hook_end end = hook_end_of(tile, false);
    const int64_t start = table_start(op, tile);
    struct hook_run run;
    int64_t e = 0, c = 0, tile_e[HOOK_RUN];
    const bool whole = !op->table && op->elements == op->length;
    for (int64_t i = 0; !whole && i < op->length * op->columns; i++) to->re[i] = to->im[i] = 0;
    if (reads_plainly(op, half)) {
        struct movement m = {op->elements, op->columns, *from, *to, end, {.program = NULL}, 1};
        move_blocks(&m);
        return;
    }
    while (next_run(&run, op->elements, op->columns, &e, &c)) {
        keep_existing(op, start, &run, tile_e);
        read_run(&end, half, from, &run);
        for (int i = 0; i < run.count; i++) {
            struct complex x = {run.re[i], run.im[i]};
            if (op->table) x = times(op, x, table_index(op, start, tile_e[i], run.c[i]));
            write_side(to, tile_e[i], run.c[i], x);
        }
    }
}

/* A result as it is before its scale, from the tile. */
static struct complex result_at(const struct cpu_operation *op, const struct half *half,
                                int64_t start, const struct side *tile, int64_t e, int64_t c)
{
    if (half->kind == PASS_HALF_SPREAD) {
        struct half in_tile = *half;
        in_tile.step = tile->line;
        return unfold(&in_tile, tile, e * tile->line + c * tile->column, e);
    }
    const struct complex x = read_side(tile, e, c);
    return op->table ? times(op, x, table_index(op, start, e, c)) : x;
}

static void scatter_hooked(const struct cpu_operation *op, const struct cpu_tile *tile,
                           const struct side *from, const struct side *to)
{
    const struct hook_end end = hook_end_of(tile, true);
    const struct half half = half_of(op, tile);
    const int64_t start = table_start(op, tile);
    const int64_t elements = half.kind == PASS_HALF_SPREAD ? half.h + 1 : op->elements;
    struct hook_run run;
    int64_t e = 0, c = 0, tile_e[HOOK_RUN];
    if (writes_plainly(op, &half)) {
        struct movement m = {elements, op->columns,       *from, *to, {.program = NULL},
                             end,      scatter_factor(tile)};
        move_blocks(&m);
        return;
    }
    while (next_run(&run, elements, op->columns, &e, &c)) {
        keep_existing(op, start, &run, tile_e);
        for (int i = 0; i < run.count; i++) {
            const struct complex x = result_at(op, &half, start, from, tile_e[i], run.c[i]);
            run.re[i] = x.re;
            run.im[i] = x.im;
        }
        write_run(&end, &half, scatter_factor(tile), to, &run);
    }
}

static void copy_hooked(const struct cpu_operation *op, const struct cpu_tile *tile,
                        const struct half *half, const struct side *from, const struct side *to)
{
    const struct hook_end in = hook_end_of(tile, false), out = hook_end_of(tile, true);
    struct hook_run run;
    int64_t e = 0, c = 0;
    if (reads_plainly(op, half) && writes_plainly(op, half)) {
        struct movement m = {op->elements, op->columns,         *from, *to, in,
                             out,          scatter_factor(tile)};
        move_blocks(&m);
        return;
    }
    while (next_run(&run, op->elements, op->columns, &e, &c)) {
        read_run(&in, half, from, &run);
        write_run(&out, half, scatter_factor(tile), to, &run);
    }
}

/* Rader's element 0 of every column, read before anything is written. */
static SELDOM void rader_hooked(const struct cpu_operation *op, const struct cpu_tile *tile,
                                const struct half *half, const struct side *at)
{
    const struct side from = caller_side(op, tile, CPU_FROM), to = caller_side(op, tile, CPU_TO);
    const struct hook_end in = hook_end_of(tile, false), out = hook_end_of(tile, true);
    struct hook_run run;
    int64_t e = 0, c = 0;
    while (next_run(&run, 1, op->columns, &e, &c)) {
        read_run(&in, half, &from, &run);
        for (int i = 0; i < run.count; i++) {
            const struct complex first = {run.re[i], run.im[i]}, sum = read_side(at, 0, run.c[i]);
            const struct complex product = times(op, sum, 0);
            run.re[i] += sum.re;
            run.im[i] += sum.im;
            write_side(at, 0, run.c[i],
                       (struct complex){product.re + first.re, product.im + first.im});
        }
        write_run(&out, half, scatter_factor(tile), &to, &run);
    }
}

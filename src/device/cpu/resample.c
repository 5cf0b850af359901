#include "device/cpu/resample.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/roots.h"
#include "spec/kind.h"

static int block_lanes(const struct kernel *kernel)
{
    return kernel->resampling->window.lanes;
}

/* Numbers 0 to n / 2. */
static int64_t middle_of(const struct pass *pass)
{
    return pass->line.n / 2 + 1;
}

/* Of numbers 0 to n / 2, and their mirrors. The last one ends at n / 2, wherever that has it
 * begin. */
static int64_t blocks_of(const struct kernel *kernel)
{
    const int64_t lanes = block_lanes(kernel);
    return (middle_of(kernel->pass) + lanes - 1) / lanes;
}

/* The block's first number. */
static int64_t block_begin(const struct kernel *kernel, int64_t block)
{
    const int64_t lanes = block_lanes(kernel), last = middle_of(kernel->pass) - lanes;
    return block * lanes < last ? block * lanes : last;
}

static weft_status allocate(struct kernel *kernel, size_t bytes)
{
    kernel->resampling->memory = memory_alloc_large(bytes);
    if (!kernel->resampling->memory) return error_memory("a table");
    kernel->table_bytes += bytes;
    return WEFT_OK;
}

/* ---- weights before ---- */

static bool fill_roots(const struct kernel *kernel, int64_t count, void *re, void *im)
{
    const int64_t order = 2 * kernel->resampling->window.h;
    return kernel->precision == WEFT_F32 ? roots_fill_float(order, 0, 1, count, re, im)
                                         : roots_fill_double(order, 0, 1, count, re, im);
}

/* Numbers are spread so many at once, the last time up to twice as many, from either end of the
 * line: which of them vectors do, and so how they are rounded, does not depend on the threads. */
#define UNIT 64

/* Places that numbers of either side share. */
static int64_t shared_of(const struct pass *pass)
{
    return pass->length < pass->line.n ? pass->line.n - pass->length : 0;
}

/* Few shared places are in the last unit of the numbers before the middle. */
static bool shares_unit(const struct pass *pass)
{
    return shared_of(pass) < UNIT;
}

static struct resample_side side_of(const struct pass *pass, bool beyond)
{
    const int64_t n = pass->line.n, middle = middle_of(pass), shared = shared_of(pass);
    const int64_t before = shares_unit(pass) ? middle : middle - shared;
    struct resample_side side = {beyond ? middle + shared : 0, beyond ? n : before, 1};
    if (side.end - side.begin > UNIT) side.units = (side.end - side.begin) / UNIT;
    return side;
}

static weft_status make_factors(struct kernel *kernel)
{
    struct cpu_resampling *r = kernel->resampling;
    const int64_t lanes = block_lanes(kernel), count = blocks_of(kernel) * lanes;
    double fit[WINDOW_FIT];
    for (int beyond = 0; beyond < 2; beyond++)
        r->side[beyond] = side_of(kernel->pass, beyond);
    const size_t plane = r->plane = (size_t)(count * kernel->real_bytes);
    const bool turns = !kernel->pass->lone;
    weft_status status = allocate(kernel, (turns ? 3 : 1) * plane);
    if (status) return status;
    r->factor = r->memory;
    const struct resample_factors factors = {.n = r->window.n,
                                             .count = count,
                                             .fit = fit,
                                             .weight = r->factor,
                                             .turned_re = turns ? r->factor + plane : NULL,
                                             .turned_im = turns ? r->factor + 2 * plane : NULL};
    if (turns && !fill_roots(kernel, count, factors.turned_re, factors.turned_im))
        return error_memory("a table");
    window_fit_factor(&r->window, fit);
    kernel->sets->resample[kernel->precision].factors(&factors);
    return WEFT_OK;
}

/* ---- weights after ---- */

/* Blocks are made so many at a time. */
#define CHUNK 32

/* Of blocks from `block` on, whose lanes' variable is y, of one parity. */
static void weigh_blocks(const struct kernel *kernel, int odd, int64_t block, int64_t count,
                         const double *y, const double (*fit)[WINDOW_FIT])
{
    const struct cpu_resampling *r = kernel->resampling;
    const int64_t pitch = WINDOW_BLOCK_BYTES * 2 * r->window.taps;
    struct resample_weigh weigh = {.step = r->window.step,
                                   .fit = fit,
                                   .weight = r->weight + pitch * block + WINDOW_BLOCK_BYTES * odd};
    for (int64_t i = 0; i < count; i++) {
        weigh.y = y[i];
        kernel->sets->resample[kernel->precision].weigh(&weigh);
        weigh.weight = (char *)weigh.weight + pitch;
    }
}

/* At most CHUNK of them, one behind the other. */
static void make_blocks(const struct kernel *kernel, int64_t block, int64_t count,
                        const double (*fit)[WINDOW_FIT])
{
    const struct cpu_resampling *r = kernel->resampling;
    double y[2][CHUNK];
    const struct window_firsts firsts = {{r->first[0] + block, r->first[1] + block},
                                         {y[0], y[1]}};
    window_first_taps(&r->window, block_begin(kernel, block), count, &firsts);
    for (int odd = 0; odd < 2; odd++) {
        if (r->cell) window_place_lanes(&r->window, y[odd], count, r->place[odd] + block);
        else weigh_blocks(kernel, odd, block, count, y[odd], fit);
    }
}

/* Of half of the numbers of a line of reals by itself, in whole blocks. */
static int64_t roots_of(const struct kernel *kernel)
{
    return kernel->pass->lone ? kernel->pass->length / 2 + 2 + block_lanes(kernel) : 0;
}

/* So many bytes, and behind them where each block's taps are and, in cells, its lanes; roots. */
static weft_status allocate_blocks(struct kernel *kernel, size_t bytes, bool cells)
{
    struct cpu_resampling *r = kernel->resampling;
    const size_t blocks = (size_t)r->blocks;
    const size_t places = cells ? 2 * blocks * sizeof *r->place[0] : 0;
    const size_t all = bytes + places + 2 * blocks * sizeof *r->first[0];
    r->plane = (size_t)(roots_of(kernel) * kernel->real_bytes);
    weft_status status = allocate(kernel, all + 2 * r->plane);
    if (status) return status;
    r->factor = r->memory + all;
    for (size_t odd = 0; odd < 2; odd++) {
        r->place[odd] = (struct window_place *)(void *)(r->memory + bytes) + odd * blocks;
        r->first[odd] = (int64_t *)(void *)(r->memory + bytes + places) + odd * blocks;
    }
    return WEFT_OK;
}

/* Weights of so many second levels come from beyond them. (Experiment "resampled" in
 * docs/experiments.) */
#define FAR_LEVELS 4

/* Of cells, or of all weights. */
static weft_status allocate_weights(struct kernel *kernel)
{
    struct cpu_resampling *r = kernel->resampling;
    const struct limits *limits = &kernel->device->limits;
    const size_t taps = (size_t)r->window.taps;
    const bool cells = window_has_cells(&r->window, limits->cache_bytes[LIMITS_CACHES - 1]);
    const size_t weights = (size_t)r->blocks * 2 * taps * WINDOW_BLOCK_BYTES;
    const size_t powers = WINDOW_CELLS * taps * (size_t)window_powers(&r->window);
    weft_status status = allocate_blocks(kernel, cells ? powers * sizeof *r->cell : weights, cells);
    if (status) return status;
    r->far = FAR_LEVELS * (size_t)limits->cache_bytes[1] < weights;
    if (cells) r->cell = (double *)(void *)r->memory;
    else r->weight = r->memory;
    return WEFT_OK;
}

static weft_status make_weights(struct kernel *kernel)
{
    struct cpu_resampling *r = kernel->resampling;
    double fit[WINDOW_MOST_TAPS][WINDOW_FIT];
    const int64_t blocks = r->blocks = blocks_of(kernel);
    r->whole = middle_of(kernel->pass) / block_lanes(kernel);
    weft_status status = allocate_weights(kernel);
    if (status) return status;
    if (!fill_roots(kernel, roots_of(kernel), r->factor, r->factor + r->plane))
        return error_memory("a table");
    window_fit_taps(&r->window, fit);
    if (r->cell) window_fit_cells(&r->window, (const double(*)[WINDOW_FIT])fit, r->cell);
    for (int64_t b = 0; b < blocks - 1; b += CHUNK) {
        const int64_t left = blocks - 1 - b;
        make_blocks(kernel, b, left < CHUNK ? left : CHUNK, (const double(*)[WINDOW_FIT])fit);
    }
    make_blocks(kernel, blocks - 1, 1, (const double(*)[WINDOW_FIT])fit);
    return WEFT_OK;
}

weft_status resample_create(struct kernel *kernel, const struct program *program, int index)
{
    const struct pass *pass = kernel->pass = &program->pass[index];
    kernel->resampling = arena_alloc(kernel->arena, sizeof *kernel->resampling);
    if (!kernel->resampling) return error_memory("a kernel");
    for (int d = 0; d < 2; d++)
        kernel->scale[d] = pass->scaled ? program->problem.scale[d] : 1;
    kernel->real_place[CPU_FROM] = program_place_is_real(program, pass->from);
    kernel->real_place[CPU_TO] = program_place_is_real(program, pass->to);
    kernel->resampling->directed = kind_is_half(program->problem.kind);
    for (int d = 0; d < 2; d++)
        kernel->resampling->runs[d] = program_stage_of(program, index)->runs[d] ||
                                      problem_mixes_kinds(&program->problem);
    kernel->resampling->other = 2 * (size_t)(pass->apart * kernel->real_bytes);
    kernel->resampling->window = window_make(pass->line.n, pass->length, kernel->real_bytes);
    return pass->body == PASS_SPREAD ? make_factors(kernel) : make_weights(kernel);
}

void resample_free(struct kernel *kernel)
{
    if (kernel->resampling) memory_free(kernel->resampling->memory);
}

/* ---- running ---- */

/* The second of two lines. */
static char *other_line(const struct kernel *kernel, char *line)
{
    return line + kernel->resampling->other;
}

/* Numbers begin to end - 1, of those beyond the middle or of the others; added to what is there. */
static void spread(const struct resample_loop *loop, bool beyond, bool adds, int64_t begin,
                   int64_t end)
{
    const struct kernel *kernel = loop->kernel;
    const struct cpu_resampling *r = kernel->resampling;
    const int64_t real = kernel->real_bytes;
    const bool exchanges = loop->direction == WEFT_INVERSE && !kernel->pass->one_way;
    const char *factor = r->factor + (beyond ? r->window.n - begin : begin) * real;
    char *even = loop->to + 2 * real * (begin + (beyond ? r->window.h - r->window.n : 0));
    const struct resample_spread s = {.count = end - begin,
                                      .pair = loop->from + 2 * real * begin,
                                      .even = even,
                                      .odd = other_line(kernel, even),
                                      .weight = factor,
                                      .turned_re = factor + r->plane,
                                      .turned_im = factor + 2 * r->plane,
                                      .back = beyond,
                                      .sign = exchanges ? -1 : 1,
                                      .adds = adds};
    if (begin < end) kernel->sets->resample[kernel->precision].spread(&s);
}

static void spread_side(const struct resample_loop *loop, bool beyond, int64_t first, int64_t last)
{
    const struct resample_side side = loop->kernel->resampling->side[beyond];
    const int64_t end = last < side.units ? side.begin + last * UNIT : side.end;
    if (first < 0) first = 0;
    if (first < last) spread(loop, beyond, false, side.begin + first * UNIT, end);
}

/* What lies between the two sides: zeros, or where they meet. */
static void spread_middle(const struct resample_loop *loop)
{
    const struct pass *pass = loop->kernel->pass;
    const int64_t middle = middle_of(pass), zeros = pass->length - pass->line.n;
    const int64_t shared = shared_of(pass);
    const size_t pair = 2 * (size_t)loop->kernel->real_bytes;
    char *even = loop->to + pair * (size_t)middle;
    if (shared > 0) {
        if (!shares_unit(pass)) spread(loop, false, false, middle - shared, middle);
        spread(loop, true, true, middle, middle + shared);
        return;
    }
    memset(even, 0, pair * (size_t)zeros);
    memset(other_line(loop->kernel, even), 0, pair * (size_t)zeros);
}

static void spread_units(void *context, int64_t begin, int64_t end, int worker)
{
    const struct resample_loop *loop = context;
    const int64_t before = loop->kernel->resampling->side[false].units;
    (void)worker;
    spread_side(loop, false, begin, end < before ? end : before);
    if (begin < before && end >= before) spread_middle(loop);
    spread_side(loop, true, begin - before, end - before);
}

static void sum_in_cells(const struct cpu_resampling *r, int64_t begin, struct resample_sum *s)
{
    s->cell = r->cell;
    for (int odd = 0; odd < 2; odd++)
        s->place[odd] = r->place[odd] + begin;
    s->powers = window_powers(&r->window);
    s->step = window_cell_step(&r->window);
}

/* An initializer would clear it, which takes as long as the sums of a short line. (Experiment "one
 * call" in docs/experiments.) */
static void place_sum(const struct resample_loop *loop, int64_t begin, int64_t end,
                      struct resample_sum *s)
{
    const struct kernel *kernel = loop->kernel;
    const struct cpu_resampling *r = kernel->resampling;
    const int64_t lanes = block_lanes(kernel), pair = 2 * kernel->real_bytes;
    const int64_t k = block_begin(kernel, begin);
    s->blocks = end - begin;
    for (int odd = 0; odd < 2; odd++) {
        char *const line = odd ? other_line(kernel, loop->from) : loop->from;
        s->line[odd] = line;
        s->mirror[odd] = line + pair * (r->window.h + 1 - odd - lanes);
        s->first[odd] = r->first[odd] + begin;
    }
    s->pair = loop->to + pair * k;
    s->mirrored = loop->to + pair * (r->window.n + 1 - lanes - k);
    s->scale = kernel->scale[loop->direction];
    s->far = r->far;
    s->weight = r->cell ? NULL : r->weight + WINDOW_BLOCK_BYTES * 2 * r->window.taps * begin;
    if (r->cell) sum_in_cells(r, begin, s);
}

void resample_sum_half(const struct resample_loop *loop, char *const line[2], char *to,
                       int64_t begin, int64_t end)
{
    if (begin >= end) return;
    struct resample_sum s;
    place_sum(loop, begin, end, &s);
    for (int odd = 0; odd < 2; odd++) s.line[odd] = line[odd];
    s.pair = to + 2 * loop->kernel->real_bytes * block_begin(loop->kernel, begin);
    s.mirrored = NULL;
    s.scale /= 2; /* what is unfolded are sums of two */
    loop->kernel->sets->resample[loop->kernel->precision].sum(&s);
}

static void sum(const struct resample_loop *loop, int64_t begin, int64_t end)
{
    if (begin >= end) return;
    struct resample_sum s;
    place_sum(loop, begin, end, &s);
    loop->kernel->sets->resample[loop->kernel->precision].sum(&s);
}

/* The first block, whose first number is its own mirror. */
static void sum_first(const struct resample_loop *loop)
{
    _Alignas(MEMORY_ALIGNMENT) char mirrored[2 * WINDOW_BLOCK_BYTES];
    const struct kernel *kernel = loop->kernel;
    struct resample_sum s;
    place_sum(loop, 0, 1, &s);
    void *to = s.mirrored;
    s.mirrored = mirrored;
    kernel->sets->resample[kernel->precision].sum(&s);
    memcpy(to, mirrored, sizeof mirrored - 2 * (size_t)kernel->real_bytes);
}

/* Of blocks that begin at a multiple of their lanes. Who has the last of them does that which ends
 * at n / 2 after it, for the two have numbers in common. What was wrapped is read last: just
 * written, it would have to be waited for. */
static void sum_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const struct resample_loop *loop = context;
    const struct cpu_resampling *r = loop->kernel->resampling;
    (void)worker;
    sum(loop, begin ? begin : 1, end);
    if (end == r->whole) sum(loop, r->whole, r->blocks);
    if (begin == 0) sum_first(loop);
}

/* Numbers beyond an end of a line are those of its other end: windows reach that far. */
static void wrap_lines(const struct resample_loop *loop)
{
    const size_t block = 2 * WINDOW_BLOCK_BYTES;
    const int64_t pair = 2 * loop->kernel->real_bytes;
    for (int odd = 0; odd < 2; odd++) {
        char *line = odd ? other_line(loop->kernel, loop->from) : loop->from;
        char *end = line + pair * loop->kernel->pass->length;
        memcpy(line - block, end - block, block);
        memcpy(end, line, block);
    }
}

/* What a line by itself has at an end are reals where the place is one of these. */
static int64_t unit_bytes(const struct kernel *kernel, bool out)
{
    const bool reals = kernel->pass->lone && kernel->real_place[out ? CPU_TO : CPU_FROM];
    return (reals ? 1 : 2) * kernel->real_bytes;
}

/* Where a place is an array of reals, these count to its element 0. */
static char *place_of(const struct kernel *kernel, const struct device_memory *memory, bool out)
{
    const int64_t first = memory->first * (kernel->real_place[out ? CPU_TO : CPU_FROM] ? 1 : 2);
    return (char *)memory->re + first * kernel->real_bytes +
           kernel->pass->offset[out] * unit_bytes(kernel, out);
}

/* One line. */
static void run_line(struct resample_loop *loop)
{
    const struct kernel *kernel = loop->kernel;
    const bool spreads = kernel->pass->body == PASS_SPREAD;
    const struct cpu_resampling *r = kernel->resampling;
    const int64_t count = spreads ? r->side[0].units + r->side[1].units : r->whole;
    thread_loop_body *body = spreads ? spread_units : sum_blocks;
    if (kernel->pass->lone) {
        resample_reals_line(loop);
        return;
    }
    if (!spreads) wrap_lines(loop);
    if (!kernel->pool) {
        body(loop, 0, count, 0);
        return;
    }
    const int64_t grain = RESAMPLE_GRAIN / (spreads ? UNIT : 2 * block_lanes(kernel));
    thread_pool_run(kernel->pool, count, grain, body, loop);
}

void resample_line(const struct kernel *kernel, weft_direction direction, char *from, char *to)
{
    struct resample_loop loop = {kernel, from, to, direction};
    run_line(&loop);
}

void resample_run(const struct kernel *kernel, const struct pass_arguments *arguments)
{
    const struct pass *pass = kernel->pass;
    const int64_t in = unit_bytes(kernel, false), out = unit_bytes(kernel, true);
    const int64_t lines = pass_lines(pass);
    char *const from = place_of(kernel, &arguments->place[pass->from], false);
    char *const to = place_of(kernel, &arguments->place[pass->to], true);
    for (int64_t i = 0; i < lines; i++) {
        resample_line(kernel, arguments->direction, from + in * pass_line_start(pass, i, false),
                      to + out * pass_line_start(pass, i, true));
    }
}

#include "device/cpu/resample.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "math/roots.h"

/* Numbers that a thread takes at once, of several. */
#define GRAIN 1024

struct cpu_resampling {
    struct window window;
    char *memory; /* of all that follows */
    char *factor; /* PASS_SPREAD: weights, and the real and imaginary parts of those turned */
    char *weight; /* PASS_RESAMPLE: as struct resample_sum has them */
    int64_t *first[2];
    int64_t inner, outer; /* the first block whose taps and lanes are all within the line, and the
                           * first after it that is none such */
};

static int block_lanes(const struct kernel *kernel)
{
    return kernel->resampling->window.lanes;
}

/* Of numbers 0 to n / 2, and their mirrors. */
static int64_t blocks_of(const struct kernel *kernel)
{
    return kernel->pass->line.n / 2 / block_lanes(kernel) + 1;
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

static weft_status make_factors(struct kernel *kernel)
{
    struct cpu_resampling *r = kernel->resampling;
    const int64_t lanes = block_lanes(kernel), count = (r->window.n / 2 + lanes) / lanes * lanes;
    const size_t plane = (size_t)r->window.n * (size_t)kernel->real_bytes;
    double fit[WINDOW_FIT];
    weft_status status = allocate(kernel, 3 * plane);
    if (status) return status;
    r->factor = r->memory;
    const struct resample_factors factors = {.n = r->window.n,
                                             .count = count,
                                             .fit = fit,
                                             .weight = r->factor,
                                             .turned_re = r->factor + plane,
                                             .turned_im = r->factor + 2 * plane};
    if (!fill_roots(kernel, count, factors.turned_re, factors.turned_im))
        return error_memory("a table");
    window_fit_factor(&r->window, fit);
    kernel->sets->resample[kernel->precision].factors(&factors);
    return WEFT_OK;
}

/* ---- weights after ---- */

static void make_block(const struct kernel *kernel, int64_t block, double step,
                       const double (*fit)[WINDOW_FIT])
{
    const struct cpu_resampling *r = kernel->resampling;
    const int64_t k = block * block_lanes(kernel);
    const struct window_first first = window_first_taps(&r->window, k);
    char *weight = r->weight + WINDOW_BLOCK_BYTES * 2 * r->window.taps * block;
    for (int odd = 0; odd < 2; odd++) {
        r->first[odd][block] = k + first.tap[odd];
        const struct resample_weigh weigh = {.y = first.y[odd],
                                             .step = step,
                                             .fit = fit,
                                             .weight = weight + WINDOW_BLOCK_BYTES * odd};
        kernel->sets->resample[kernel->precision].weigh(&weigh);
    }
}

/* Whether all taps and lanes of a block and its mirror are where they would be in the middle of
 * the line. */
static bool is_inner(const struct kernel *kernel, int64_t block)
{
    const struct cpu_resampling *r = kernel->resampling;
    const int lanes = block_lanes(kernel);
    for (int odd = 0; odd < 2; odd++) {
        const int64_t first = r->first[odd][block];
        if (first < 1 || first + lanes + r->window.taps > r->window.h) return false;
    }
    return block > 0 && 2 * (block + 1) * lanes <= r->window.n + 1;
}

static void find_inner(const struct kernel *kernel)
{
    struct cpu_resampling *r = kernel->resampling;
    const int64_t blocks = blocks_of(kernel);
    while (r->inner < blocks && !is_inner(kernel, r->inner))
        r->inner++;
    r->outer = blocks;
    while (r->outer > r->inner && !is_inner(kernel, r->outer - 1))
        r->outer--;
}

static weft_status make_weights(struct kernel *kernel)
{
    struct cpu_resampling *r = kernel->resampling;
    double fit[WINDOW_MOST_TAPS][WINDOW_FIT];
    const int64_t blocks = blocks_of(kernel);
    const size_t weights = (size_t)blocks * 2 * (size_t)r->window.taps * WINDOW_BLOCK_BYTES;
    weft_status status = allocate(kernel, weights + 2 * (size_t)blocks * sizeof *r->first[0]);
    if (status) return status;
    r->weight = r->memory;
    r->first[0] = (int64_t *)(void *)(r->memory + weights);
    r->first[1] = r->first[0] + blocks;
    window_fit_taps(&r->window, fit);
    const double step = window_step(&r->window);
    for (int64_t b = 0; b < blocks; b++)
        make_block(kernel, b, step, (const double(*)[WINDOW_FIT])fit);
    find_inner(kernel);
    return WEFT_OK;
}

weft_status resample_create(struct kernel *kernel, const struct program *program, int index)
{
    const struct pass *pass = kernel->pass = &program->pass[index];
    kernel->resampling = arena_alloc(kernel->arena, sizeof *kernel->resampling);
    if (!kernel->resampling) return error_memory("a kernel");
    for (int d = 0; d < 2; d++)
        kernel->scale[d] = pass->scaled ? program->problem.scale[d] : 1;
    kernel->resampling->window = window_make(pass->line.n, pass->length, kernel->real_bytes);
    return pass->body == PASS_SPREAD ? make_factors(kernel) : make_weights(kernel);
}

void resample_free(struct kernel *kernel)
{
    if (kernel->resampling) memory_free(kernel->resampling->memory);
}

/* ---- running ---- */

struct resample_loop {
    const struct kernel *kernel;
    char *from, *to; /* pairs */
    weft_direction direction;
};

/* The second of two lines. */
static char *other_line(const struct kernel *kernel, char *line)
{
    return line + 2 * kernel->pass->apart * kernel->real_bytes;
}

/* Numbers begin to end - 1, which lie by `moved` further on in the lines. */
static void spread(const struct resample_loop *loop, int64_t begin, int64_t end, int64_t moved)
{
    const struct kernel *kernel = loop->kernel;
    const int64_t real = kernel->real_bytes, plane = kernel->pass->line.n * real;
    const char *factor = kernel->resampling->factor + begin * real;
    char *even = loop->to + 2 * real * (begin + moved);
    if (begin >= end) return;
    const struct resample_spread s = {.count = end - begin,
                                      .pair = loop->from + 2 * real * begin,
                                      .even = even,
                                      .odd = other_line(kernel, even),
                                      .weight = factor,
                                      .turned_re = factor + plane,
                                      .turned_im = factor + 2 * plane,
                                      .sign = loop->direction == WEFT_INVERSE ? -1 : 1};
    kernel->sets->resample[kernel->precision].spread(&s);
}

/* Numbers are spread so many at once, from either end of the gap on: which of them vectors do, and
 * so how they are rounded, does not depend on the threads. */
#define UNIT 64

static int64_t middle_of(const struct pass *pass)
{
    return pass->line.n / 2 + 1;
}

static int64_t units_of(int64_t numbers)
{
    return (numbers + UNIT - 1) / UNIT;
}

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static void spread_units(void *context, int64_t begin, int64_t end, int worker)
{
    const struct resample_loop *loop = context;
    const struct pass *pass = loop->kernel->pass;
    const int64_t middle = middle_of(pass), zeros = pass->length - pass->line.n;
    const int64_t before = units_of(middle);
    const size_t pair = 2 * (size_t)loop->kernel->real_bytes;
    (void)worker;
    if (begin < before) spread(loop, begin * UNIT, least_of(end * UNIT, middle), 0);
    if (end > before) {
        const int64_t first = middle + (begin > before ? begin - before : 0) * UNIT;
        spread(loop, first, least_of(middle + (end - before) * UNIT, pass->line.n), zeros);
    }
    if (begin >= before || end < before) return;
    char *even = loop->to + pair * (size_t)middle;
    memset(even, 0, pair * (size_t)zeros);
    memset(other_line(loop->kernel, even), 0, pair * (size_t)zeros);
}

static struct resample_sum sum_of(const struct resample_loop *loop, int64_t begin, int64_t end)
{
    const struct kernel *kernel = loop->kernel;
    const struct cpu_resampling *r = kernel->resampling;
    const int64_t lanes = block_lanes(kernel), pair = 2 * kernel->real_bytes;
    struct resample_sum s = {.blocks = end - begin,
                             .line = {loop->from, other_line(kernel, loop->from)},
                             .first = {r->first[0] + begin, r->first[1] + begin},
                             .weight = r->weight + WINDOW_BLOCK_BYTES * 2 * r->window.taps * begin,
                             .pair = loop->to + pair * lanes * begin,
                             .mirrored = loop->to + pair * (r->window.n + 1 - lanes * (begin + 1)),
                             .scale = kernel->scale[loop->direction]};
    for (int odd = 0; odd < 2; odd++)
        s.mirror[odd] = (const char *)s.line[odd] + pair * (r->window.h + 1 - odd - lanes);
    return s;
}

#define MOST_NEAR ((WINDOW_BLOCK_BYTES / 4 + WINDOW_MOST_TAPS) * 2 * sizeof(double))

/* What a block at an end of the line, or in its middle, reads and writes. */
struct resample_end {
    _Alignas(MEMORY_ALIGNMENT) char near[2][MOST_NEAR], mirror[2][MOST_NEAR];
    _Alignas(MEMORY_ALIGNMENT) char to[2 * WINDOW_BLOCK_BYTES], mirrored[2 * WINDOW_BLOCK_BYTES];
};

/* The pairs that a block reads, round the line's end. */
static void collect(const struct kernel *kernel, const char *line, int64_t first, char *near)
{
    const int64_t h = kernel->resampling->window.h;
    const size_t pair = 2 * (size_t)kernel->real_bytes;
    const int64_t count = block_lanes(kernel) + kernel->resampling->window.taps;
    if (first < 0) first += h;
    if (first >= h) first -= h;
    const int64_t before = first + count > h ? h - first : count;
    memcpy(near, line + pair * (size_t)first, pair * (size_t)before);
    memcpy(near + pair * (size_t)before, line, pair * (size_t)(count - before));
}

static void collect_ends(const struct kernel *kernel, struct resample_sum *s,
                         struct resample_end *end)
{
    static const int64_t none = 0;
    const struct cpu_resampling *r = kernel->resampling;
    const int64_t before = r->window.taps - 1;
    for (int odd = 0; odd < 2; odd++) {
        const int64_t first = *s->first[odd];
        const int64_t last = r->window.h + 1 - odd - block_lanes(kernel) - first;
        collect(kernel, s->line[odd], first, end->near[odd]);
        collect(kernel, s->line[odd], last - before, end->mirror[odd]);
        s->line[odd] = end->near[odd];
        s->mirror[odd] = end->mirror[odd] + 2 * before * kernel->real_bytes;
        s->first[odd] = &none;
    }
}

/* A block at an end of the line, or in its middle: numbers k <= n / 2, and n - k > n / 2. */
static void sum_outer(const struct resample_loop *loop, int64_t block)
{
    const struct kernel *kernel = loop->kernel;
    const int64_t n = kernel->pass->line.n, lanes = block_lanes(kernel), k = block * lanes;
    const int64_t count = least_of(n / 2 + 1 - k, lanes);
    const int64_t from = k == 0, to = least_of((n + 1) / 2 - k, lanes); /* mirrored lanes */
    const int64_t pair = 2 * kernel->real_bytes;
    struct resample_end end;
    struct resample_sum s = sum_of(loop, block, block + 1);
    char *const first = s.pair;
    collect_ends(kernel, &s, &end);
    s.pair = end.to;
    s.mirrored = end.mirrored;
    kernel->sets->resample[kernel->precision].sum(&s);
    memcpy(first, end.to, (size_t)(pair * count));
    if (to <= from) return;
    memcpy(loop->to + pair * (n + 1 - k - to), end.mirrored + pair * (lanes - to),
           (size_t)(pair * (to - from)));
}

static void sum_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const struct resample_loop *loop = context;
    const struct kernel *kernel = loop->kernel;
    (void)worker;
    const struct cpu_resampling *r = kernel->resampling;
    for (; begin < end && begin < r->inner; begin++)
        sum_outer(loop, begin);
    const int64_t last = end < r->outer ? end : r->outer;
    if (begin < last) {
        const struct resample_sum s = sum_of(loop, begin, last);
        kernel->sets->resample[kernel->precision].sum(&s);
        begin = last;
    }
    for (; begin < end; begin++)
        sum_outer(loop, begin);
}

static char *pairs_at(const struct kernel *kernel, const struct device_memory *memory, bool out)
{
    const int64_t first = memory->first + kernel->pass->offset[out];
    return (char *)memory->re + 2 * first * kernel->real_bytes;
}

void resample_run(const struct kernel *kernel, const struct pass_arguments *arguments)
{
    const struct pass *pass = kernel->pass;
    struct resample_loop loop = {kernel, pairs_at(kernel, &arguments->place[pass->from], false),
                                 pairs_at(kernel, &arguments->place[pass->to], true),
                                 arguments->direction};
    const bool spreads = pass->body == PASS_SPREAD;
    const int64_t middle = middle_of(pass);
    const int64_t units = units_of(middle) + units_of(pass->line.n - middle);
    const int64_t count = spreads ? units : blocks_of(kernel);
    thread_loop_body *body = spreads ? spread_units : sum_blocks;
    const int64_t grain = GRAIN / (spreads ? UNIT : 2 * block_lanes(kernel));
    if (kernel->pool)
        thread_pool_run(kernel->pool, count, grain, body, &loop);
    else
        body(&loop, 0, count, 0);
}

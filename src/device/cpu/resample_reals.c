/* Lines of reals by themselves: one of 2 h of which h pairs are transformed, and half of what comes
 * of them is summed. Back from half a spectrum, which is made as many reals, by way of their
 * spectrum. */
#include "device/cpu/resample.h"

#include <string.h>

/* Numbers that are opened at once, the last time up to twice as many. */
#define UNIT 64

static int64_t middle_of(const struct kernel *kernel)
{
    return kernel->pass->line.n / 2 + 1;
}

static const struct cpu_resample *functions_of(const struct kernel *kernel)
{
    return &kernel->sets->resample[kernel->precision];
}

/* By all threads, or by the caller. */
static void run(const struct resample_loop *loop, int64_t count, int64_t numbers,
                thread_loop_body *body, void *context)
{
    struct thread_pool *pool = loop->kernel->pool;
    if (pool) thread_pool_run(pool, count, RESAMPLE_GRAIN / numbers, body, context);
    else body(context, 0, count, 0);
}

/* Whether half a spectrum is at the end that is no line of pairs. */
static bool has_half(const struct resample_loop *loop)
{
    const bool half = loop->kernel->pass->half != PASS_NO_HALF;
    return half == loop->kernel->resampling->runs[loop->direction];
}

/* Of the caller's half a spectrum the inverse direction has conjugates. */
static double sign_of(const struct resample_loop *loop)
{
    const bool given = has_half(loop) && loop->kernel->resampling->directed;
    return given && loop->direction == WEFT_INVERSE ? -1 : 1;
}

/* ---- opening ---- */

static int64_t units_of(const struct kernel *kernel)
{
    const int64_t units = middle_of(kernel) / UNIT;
    return units ? units : 1;
}

static void open_units(void *context, int64_t begin, int64_t end, int worker)
{
    const struct resample_loop *loop = context;
    const struct kernel *kernel = loop->kernel;
    const struct cpu_resampling *r = kernel->resampling;
    const bool last = end == units_of(kernel);
    (void)worker;
    functions_of(kernel)->open(
        &(struct resample_reals){.n = r->window.n,
                                 .h = r->window.h,
                                 .begin = begin * UNIT,
                                 .end = last ? middle_of(kernel) : end * UNIT,
                                 .from = loop->from,
                                 .factor = {r->factor},
                                 .to = {loop->to},
                                 .half = has_half(loop),
                                 .pairs = !kernel->real_place[CPU_FROM],
                                 .sign = sign_of(loop)});
}

static void open_line(struct resample_loop *loop)
{
    const struct kernel *kernel = loop->kernel;
    const int64_t real = kernel->real_bytes, middle = middle_of(kernel);
    const int64_t zeros = 2 * kernel->pass->length - kernel->pass->line.n;
    memset(loop->to + real * middle, 0, (size_t)(real * zeros));
    run(loop, units_of(kernel), UNIT, open_units, loop);
}

/* ---- unfolding and closing ---- */

/* Of twice the line's spectrum the numbers of either parity, behind what wraps around. */
struct unfolding {
    const struct resample_loop *loop;
    char *line[2];
};

static struct unfolding unfolding_of(const struct resample_loop *loop)
{
    const struct cpu_resampling *r = loop->kernel->resampling;
    const int64_t lanes = r->window.lanes, pair = 2 * loop->kernel->real_bytes;
    char *const even = loop->from + r->other;
    return (struct unfolding){loop, {even, even + window_half_pitch(r->window.h, lanes) * pair}};
}

/* Blocks of numbers up to h / 2; the last one ends there, or one further on. */
static int64_t whole_blocks(const struct kernel *kernel)
{
    return (kernel->pass->length / 2 + 1) / kernel->resampling->window.lanes;
}

static void unfold(const struct unfolding *u, int64_t begin, int64_t end)
{
    const struct kernel *kernel = u->loop->kernel;
    const struct cpu_resampling *r = kernel->resampling;
    if (begin >= end) return;
    functions_of(kernel)->unfold(
        &(struct resample_reals){.h = r->window.h,
                                 .begin = begin,
                                 .end = end,
                                 .from = u->loop->from,
                                 .factor = {r->factor, r->factor + r->plane},
                                 .to = {u->line[0], u->line[1]},
                                 .sign = sign_of(u->loop)});
}

static void unfold_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const struct unfolding *u = context;
    const int64_t lanes = u->loop->kernel->resampling->window.lanes;
    const int64_t last = (u->loop->kernel->pass->length / 2 + 2 - lanes) / 2 * 2;
    (void)worker;
    unfold(u, begin * lanes, end * lanes);
    if (end == whole_blocks(u->loop->kernel)) unfold(u, last, last + lanes);
}

static void conjugate(const struct kernel *kernel, const char *from, char *to)
{
    if (kernel->precision == WEFT_F32) {
        const float *pair = (const float *)(const void *)from;
        ((float *)(void *)to)[0] = pair[0];
        ((float *)(void *)to)[1] = -pair[1];
    } else {
        const double *pair = (const double *)(const void *)from;
        ((double *)(void *)to)[0] = pair[0];
        ((double *)(void *)to)[1] = -pair[1];
    }
}

/* What windows reach beyond either end are conjugates. */
static void wrap_halves(const struct unfolding *u)
{
    const struct kernel *kernel = u->loop->kernel;
    const int64_t pair = 2 * kernel->real_bytes, middle = pair * (kernel->pass->length / 2);
    for (int64_t i = 1; i <= kernel->resampling->window.lanes; i++) {
        const int64_t at = i * pair;
        conjugate(kernel, u->line[0] + at, u->line[0] - at);
        conjugate(kernel, u->line[1] + at - pair, u->line[1] - at);
        conjugate(kernel, u->line[0] + middle - at, u->line[0] + middle + at);
        conjugate(kernel, u->line[1] + middle - at, u->line[1] + middle + at - pair);
    }
}

/* Of blocks that begin at a multiple of their lanes; who has the last of them does what is left. */
static void sum_blocks(void *context, int64_t begin, int64_t end, int worker)
{
    const struct unfolding *u = context;
    const struct resample_loop *loop = u->loop;
    const struct kernel *kernel = loop->kernel;
    const struct cpu_resampling *r = kernel->resampling;
    const bool half = has_half(loop);
    char *const to = half ? loop->to : loop->from;
    (void)worker;
    resample_sum_half(loop, u->line, to, begin, end);
    if (end == r->whole) resample_sum_half(loop, u->line, to, r->whole, r->blocks);
    if (half && r->directed) return;
    const int64_t lanes = r->window.lanes;
    functions_of(kernel)->close(
        &(struct resample_reals){.n = r->window.n,
                                 .begin = begin * lanes,
                                 .end = end == r->whole ? middle_of(kernel) : end * lanes,
                                 .from = to,
                                 .to = {loop->to},
                                 .half = half,
                                 .pairs = !kernel->real_place[CPU_TO]});
}

static void close_line(struct resample_loop *loop)
{
    const struct kernel *kernel = loop->kernel;
    const struct cpu_resampling *r = kernel->resampling;
    const int64_t pair = 2 * kernel->real_bytes;
    struct unfolding unfolding = unfolding_of(loop);
    memcpy(loop->from + pair * r->window.h, loop->from, (size_t)pair);
    run(loop, whole_blocks(kernel), r->window.lanes, unfold_blocks, &unfolding);
    wrap_halves(&unfolding);
    run(loop, r->whole, r->window.lanes, sum_blocks, &unfolding);
}

void resample_reals_line(struct resample_loop *loop)
{
    if (loop->kernel->pass->body == PASS_SPREAD) open_line(loop);
    else close_line(loop);
}

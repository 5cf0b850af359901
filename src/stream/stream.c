/* Making and describing: sizes of bands, programs, kernels. */
#include "stream/stream.h"

#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "base/memory.h"
#include "plan/planner.h"
#include "spec/kind.h"
#include "stream/convolve.h"
#include "stream/layout.h"

/* What a band takes at least: itself and its result. */
#define BANDS_OF_MEMORY 2

#define WORD_BYTES 4

/* How much longer the largest bands are that are tried for a link. */
#define MOST_TO_LEAST_BAND 64

/* How much shorter than the root of a length its columns are that are tried for a link. */
#define MOST_SHORTER 16

/* What a link could have copied one way in the time that a row takes beside its bytes, and a band;
 * and how many times longer kernels take than engines. (Experiment "runs".) */
#define ROW_COST_BYTES 500.0
#define BAND_COST_BYTES 2e6
#define KERNELS_COST 1.2

/* ---- programs ---- */

static weft_status plan_columns_of(struct stream *s, struct stream_pass *pass)
{
    const struct limits *limits = device_limits(s->device, s->problem.precision);
    return columns_lower(s->arena, &s->problem, limits, &pass->split, &pass->whole.program);
}

/* A band as a problem by itself. */
static struct problem band_problem(const struct stream *s, const struct stream_pass *pass,
                                   bool rest)
{
    struct problem p = {.kind = pass->kind,
                        .precision = s->problem.precision,
                        .format = WEFT_INTERLEAVED,
                        .orthonormal = s->problem.orthonormal,
                        .scale = {1, 1},
                        .threads = s->problem.threads,
                        .hooks = pass->hooks};
    for (int side = 0; side < 2; side++)
        p.side[side].storage = layout_storage(&s->problem, pass->place[side]);
    for (int d = 0; d < pass->dims; d++) {
        const struct stream_dim *dim = &pass->dim[d];
        const int64_t reals = dim->n[0] > dim->n[1] ? dim->n[0] : dim->n[1];
        const int64_t n = dim->line                ? reals
                          : rest && d == pass->cut ? dim->n[1] % dim->part
                                                   : dim->part;
        const struct dim band = {n, dim->near[0], dim->near[1]};
        for (int side = 0; side < 2; side++) {
            int64_t *positions = dim->line ? p.hooks.axis[side] : p.hooks.loop[side];
            positions[dim->line ? p.axes : p.loops] = dim->position[side];
        }
        for (int side = 0; side < 2 && dim->line; side++) p.range[side][p.axes] = dim->range[side];
        if (dim->line && kind_is_trigonometric(pass->kind))
            problem_set_axis_kind(&p, p.axes, dim->kind);
        if (dim->line) p.axis[p.axes++] = band;
        else if (n > 1) p.loop[p.loops++] = band;
    }
    for (int i = 0; i < 2 && pass->scaled; i++) {
        const int direction = pass->one_way ? pass->runs[WEFT_INVERSE] : i;
        p.scale[i] = s->problem.scale[direction];
        p.scale_rest[i] = s->problem.scale_rest[direction];
    }
    return p;
}

static weft_status plan_band(struct stream *s, const struct stream_pass *pass, bool rest,
                             struct stream_kernel *kernel)
{
    const struct problem problem = band_problem(s, pass, rest);
    const struct limits *limits = device_limits(s->device, problem.precision);
    const struct plan_node *tree;
    weft_status status = plan_best(s->arena, &problem, limits, &tree);
    if (!status) status = plan_lower(s->arena, &problem, limits, tree, &kernel->program);
    if (status) return status;
    kernel->in_band = program_works_in_input(kernel->program, s->device->scratch_format);
    return WEFT_OK;
}

static weft_status plan_pass(struct stream *s, struct stream_pass *pass)
{
    if (pass->columns >= 0) return plan_columns_of(s, pass);
    weft_status status = plan_band(s, pass, false, &pass->whole);
    if (!status && pass->cut >= 0) status = plan_band(s, pass, true, &pass->rest);
    return status;
}

static void widen(size_t *most, size_t bytes)
{
    if (bytes > *most) *most = bytes;
}

static size_t scratch_of(const struct stream_kernel *kernel)
{
    if (!kernel->program || kernel->in_band) return 0;
    return (size_t)program_scratch_elements(kernel->program) * 2 *
           (size_t)precision_bytes(kernel->program->problem.precision);
}

/* Devices read small numbers by words. */
static size_t band_bytes(const struct stream_pass *pass, int side)
{
    const size_t bytes = (size_t)pass->elements[side] * pass->element_bytes[side];
    return (bytes + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
}

static weft_status plan_passes(struct stream *s, int64_t elements)
{
    weft_status status = stream_make_passes(s, elements);
    s->near_bytes[0] = s->near_bytes[1] = s->scratch_bytes = 0;
    for (int i = 0; i < s->passes && !status; i++) {
        struct stream_pass *pass = &s->pass[i];
        status = plan_pass(s, pass);
        for (int side = 0; side < 2; side++)
            widen(&s->near_bytes[side], band_bytes(pass, side));
        if (status) return status;
        widen(&s->scratch_bytes, scratch_of(&pass->whole));
        widen(&s->scratch_bytes, scratch_of(&pass->rest));
    }
    return status;
}

static bool fits(const struct stream *s)
{
    const size_t room = (size_t)s->limit;
    const size_t largest = (size_t)s->device->limits.largest_buffer;
    return s->near_bytes[0] + s->near_bytes[1] + s->scratch_bytes <= room &&
           s->near_bytes[0] <= largest && s->near_bytes[1] <= largest;
}

/* ---- sizes of bands ---- */

/* Of a split line's numbers. */
static double window_share(const struct stream_pass *pass, int side)
{
    const struct stream_window *window = &pass->window[side];
    if (window->range.count == 0) return 1;
    const struct stream_dim *last = &pass->dim[pass->dims - 1];
    return (double)window->range.count / ((double)last[-1].n[side] * (double)last->n[side]);
}

static double side_bytes(const struct stream_pass *pass, int side)
{
    double bytes = (double)pass->element_bytes[side];
    for (int d = 0; d < pass->dims; d++) {
        if (pass->dim[d].near[side]) bytes *= (double)stream_range(&pass->dim[d], side).count;
    }
    return bytes * window_share(pass, side);
}

static double pass_bytes(const struct stream_pass *pass)
{
    return side_bytes(pass, 0) + side_bytes(pass, 1);
}

static double bands_of(const struct stream_pass *pass)
{
    double bands = 1;
    for (int d = 0; d < pass->dims; d++) bands *= (double)stream_bands(&pass->dim[d]);
    return bands;
}

/* Bytes that a link copies one way in the time that the passes take: while the slower way goes on,
 * beside the first band or the last, and from one band to the next. */
static double link_bytes(const struct stream *s)
{
    double bytes = 0;
    for (int i = 0; i < s->passes; i++) {
        const struct stream_pass *pass = &s->pass[i];
        const double bands = bands_of(pass);
        double slower = 0;
        for (int side = 0; side < 2; side++) {
            const double run = (double)stream_run_bytes(pass, side);
            slower = fmax(slower, side_bytes(pass, side) * (1 + ROW_COST_BYTES / run));
        }
        if (stream_is_scattered(pass)) slower *= KERNELS_COST;
        bytes += slower * (1 + 1 / bands) + bands * BAND_COST_BYTES;
    }
    return bytes;
}

/* Plans in an arena that has nothing else in it. */
static weft_status plan_anew(struct stream *s, int64_t elements)
{
    arena_destroy(&s->arena);
    s->arena = arena_create();
    return s->arena ? plan_passes(s, elements) : error_memory("a plan");
}

/* Sizes of bands, and of the columns of what is split. */
struct shape {
    int64_t elements;
    double shorter;
};

static weft_status make_passes(struct stream *s, const struct shape *shape)
{
    s->shorter = shape->shorter;
    return stream_make_passes(s, shape->elements);
}

/* Takes a shape with smaller bands, if such pass a link sooner: the more there are, the less it
 * matters that nothing goes while the first one comes, and the shorter are their runs. */
static void shrink_bands(struct stream *s, struct shape shape, double *least, struct shape *best)
{
    const int64_t smallest = (shape.elements - 1) / MOST_TO_LEAST_BAND + 1;
    for (; shape.elements >= smallest; shape.elements /= 2) {
        if (make_passes(s, &shape)) return;
        const double bytes = link_bytes(s);
        if (bytes < *least) *best = shape;
        *least = fmin(*least, bytes);
    }
}

/* Shorter columns have longer runs, and rows shorter ones: whichever passes a link sooner. */
static weft_status plan_for_link(struct stream *s, int64_t elements)
{
    const struct shape largest = {elements, 1};
    struct shape best = largest;
    double least = link_bytes(s);
    shrink_bands(s, largest, &least, &best);
    for (int shorter = 2; s->line_elements > 0 && shorter <= MOST_SHORTER; shorter *= 2)
        shrink_bands(s, (struct shape){elements, shorter}, &least, &best);
    s->shorter = best.shorter;
    if (!plan_anew(s, best.elements) && fits(s)) return WEFT_OK;
    s->shorter = 1;
    return plan_anew(s, elements);
}

/* The largest bands that the limit allows, or better ones, in the arena that is left. */
static weft_status plan_within_limit(struct stream *s)
{
    const int64_t bytes = 2 * precision_bytes(s->problem.precision);
    int64_t elements = s->limit / (BANDS_OF_MEMORY * bytes);
    for (; elements > 0; elements = elements * 2 / 3) {
        weft_status status = plan_anew(s, elements);
        if (status) return status;
        if (fits(s)) return s->device->ops->link ? plan_for_link(s, elements) : WEFT_OK;
    }
    return error_set(WEFT_ERROR_UNSUPPORTED,
                     "%" PRId64 " bytes of memory are too few to transform anything in", s->limit);
}

/* ---- kernels ---- */

static weft_status make_kernel(struct stream *s, struct stream_kernel *kernel, bool sliced)
{
    if (!kernel->program) return WEFT_OK;
    weft_status status = executable_create(s->device, kernel->program, &kernel->executable);
    if (status) return status;
    if (!sliced) return runner_create(kernel->executable, &kernel->runner);
    widen(&s->workspace_bytes, kernel->executable->workspace_bytes);
    return WEFT_OK;
}

static void destroy_kernel(struct stream_kernel *kernel)
{
    runner_destroy(&kernel->runner);
    executable_destroy(&kernel->executable);
}

static weft_status make_kernels(struct stream *s)
{
    weft_status status = WEFT_OK;
    for (int i = 0; i < s->passes && !status; i++) {
        const bool sliced = s->pass[i].columns >= 0;
        status = make_kernel(s, &s->pass[i].whole, sliced);
        if (!status) status = make_kernel(s, &s->pass[i].rest, sliced);
    }
    return status;
}

/* ---- the whole ---- */

static weft_status check(const struct problem *problem)
{
    if (problem_wraps(problem)) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "a range that goes on at 0 behind the end of its axis does not stream: "
                         "accepted are those that do not");
    }
    for (int side = 0; side < 2; side++) {
        if (!problem->side[side].texels.format) continue;
        return error_set(WEFT_ERROR_UNSUPPORTED, "the %s is an image: what is streamed is not",
                         side ? "output" : "input");
    }
    return WEFT_OK;
}

weft_status stream_create(struct device *device, const struct problem *problem, int64_t limit,
                          struct stream **made)
{
    weft_status status = check(problem);
    if (status) return status;
    struct stream *s = memory_alloc_zeroed(sizeof *s);
    if (!s) return error_memory("a plan");
    s->device = device;
    s->problem = *problem;
    s->limit = limit;
    s->shorter = 1;
    pthread_mutex_init(&s->lock, NULL);
    status = problem_convolves(problem) ? convolve_make(s) : plan_within_limit(s);
    if (!status) status = make_kernels(s);
    if (status) stream_destroy(&s);
    else *made = s;
    return status;
}

static void free_near(struct stream *s, void **memory)
{
    if (*memory) s->device->ops->free(s->device, *memory);
    *memory = NULL;
}

void stream_release(struct stream *s)
{
    for (int side = 0; side < 2; side++) free_near(s, &s->near[side]);
    free_near(s, &s->scratch);
}

static void free_memory(struct stream *s)
{
    const struct device_ops *ops = s->device->ops;
    stream_release(s);
    for (int i = 0; i < STREAM_QUEUES; i++) {
        if (s->queue[i]) ops->link->queue_destroy(s->device, s->queue[i]);
    }
    stream_unpin(s->device, s->spare, s->spare_pin);
    memory_free(s->spare);
    memory_free(s->staging);
    memory_free(s->workspace);
}

void stream_destroy(struct stream **stream)
{
    struct stream *s = *stream;
    if (!s) return;
    for (int back = 0; back < 2; back++) stream_destroy(&s->way[back]);
    for (int i = 0; i < s->passes; i++) {
        destroy_kernel(&s->pass[i].whole);
        destroy_kernel(&s->pass[i].rest);
    }
    free_memory(s);
    arena_destroy(&s->arena);
    pthread_mutex_destroy(&s->lock);
    memory_free(s);
    *stream = NULL;
}

/* ---- describing ---- */

size_t stream_spare_bytes(const struct stream *s)
{
    if (s->way[0]) return convolve_spare_bytes(s);
    return (size_t)(s->spare_elements + s->line_elements + s->chirp_elements) * 2 *
           (size_t)precision_bytes(s->problem.precision);
}

const struct problem *stream_problem(const struct stream *s)
{
    return &s->problem;
}

int64_t stream_limit(const struct stream *s)
{
    return s->limit;
}

int stream_passes(const struct stream *s)
{
    if (s->way[0]) return stream_passes(s->way[0]) + stream_passes(s->way[1]);
    int passes = 0;
    for (int i = 0; i < s->passes; i++) passes += s->pass[i].runs[WEFT_FORWARD];
    return passes;
}

double stream_bytes(const struct stream *s)
{
    double bytes = 0;
    if (s->way[0])
        return stream_bytes(s->way[0]) + (double)s->problem.kernel.n * stream_bytes(s->way[1]);
    for (int i = 0; i < s->passes; i++) {
        if (s->pass[i].runs[WEFT_FORWARD]) bytes += pass_bytes(&s->pass[i]);
    }
    return bytes;
}

static void print_pass(struct text *t, const struct stream_pass *pass, int number)
{
    static const char *const places[] = {"input", "output", "spare", "lines", "chirps"};
    const char *inverse = pass->runs[WEFT_FORWARD] ? "" : "inverse ";
    text_append(t, "%spass %d: %s to %s, %.0f bands of %" PRId64 " elements, %.4g MB: ", inverse,
                number, places[pass->place[0]], places[pass->place[1]], bands_of(pass),
                pass->elements[1], pass_bytes(pass) / 1e6);
    if (pass->columns >= 0)
        text_append(t, "columns of %" PRId64 ", twiddled", pass->split.n1);
    else
        plan_print(t, pass->whole.program->tree);
    text_append(t, "\n");
}

void stream_print(struct text *t, const struct stream *s)
{
    if (s->way[0]) {
        stream_print(t, s->way[0]);
        text_append(t, "times the spectrum of each kernel\n");
        stream_print(t, s->way[1]);
        return;
    }
    text_append(t, "streamed through %" PRId64 " bytes of memory\n", s->limit);
    for (int i = 0; i < s->passes; i++) print_pass(t, &s->pass[i], i + 1);
}

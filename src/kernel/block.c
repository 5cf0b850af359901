/* The kernel of a pass: its steps from gather to scatter. */
#include <string.h>

#include "base/error.h"
#include "kernel/block_state.h"

/* ---- who does what ---- */

/* Asked of the butterfly where that spares finding its column. */
static ir_value column_exists(struct block *k, const struct block_step *s, ir_value butterfly,
                              ir_value column)
{
    struct ir_builder *b = k->b;
    int64_t columns = k->pass->loops ? k->pass->loop[0].n : 1;
    ir_value left = ir_int_sub(b, ir_int(b, columns), k->at.first_column);
    if (columns % k->shape.columns == 0) return ir_less(b, ir_int(b, 0), ir_int(b, 1));
    if (s->columns_first) return ir_less(b, column, left);
    ir_value count = ir_int(b, block_line_butterflies(&k->shape, s) / (s->paired ? 2 : 1));
    return ir_less(b, butterfly, ir_int_mul(b, left, count));
}

struct block_spot block_spot(struct block *k, int step, int slot)
{
    struct ir_builder *b = k->b;
    const struct block_shape *shape = &k->shape;
    const struct block_step *s = &shape->step[step];
    ir_value columns = ir_int(b, shape->columns);
    const int64_t share = s->paired ? 2 : 1;
    ir_value count = ir_int(b, block_line_butterflies(shape, s) / share);
    ir_value butterfly =
        ir_int_add(b, k->thread, ir_int(b, slot / share * (int64_t)shape->threads));
    struct block_spot spot;
    spot.valid = ir_less(b, butterfly, ir_int(b, block_tile_butterflies(shape, step) / share));
    butterfly = ir_select(b, spot.valid, butterfly, ir_int(b, 0));
    if (s->columns_first) {
        spot.column = ir_int_mod(b, butterfly, columns);
        spot.index = ir_int_mod(b, ir_int_div(b, butterfly, columns), count);
    } else {
        spot.index = ir_int_mod(b, butterfly, count);
        spot.column = ir_int_mod(b, ir_int_div(b, butterfly, count), columns);
    }
    spot.exists = column_exists(k, s, butterfly, spot.column);
    if (s->paired) spot.index = block_paired_index(k, s, spot.index, slot % 2 != 0);
    if (s->image && s->radix == 2 && k->pass->line.n % 2)
        spot.valid = ir_and(b, spot.valid, block_image_spot(k, spot.index).busy);
    return spot;
}

/* Where a butterfly is: `i` along the axis of its step, and the rest of its place in the tile. */
struct along {
    ir_value i, rest;
};

static struct along along_axis(struct block *k, const struct block_step *s, ir_value index)
{
    struct ir_builder *b = k->b;
    ir_value inner = ir_int(b, s->inner), count = ir_int(b, s->n / s->radix);
    ir_value beyond = ir_int_div(b, index, inner);
    ir_value outer = ir_int_mul(b, ir_int_div(b, beyond, count), ir_int(b, s->n * s->inner));
    return (struct along){ir_int_mod(b, beyond, count),
                          ir_int_add(b, outer, ir_int_mod(b, index, inner))};
}

ir_value block_input_element(struct block *k, int step, ir_value index, int j)
{
    struct ir_builder *b = k->b;
    const struct block_step *s = &k->shape.step[step];
    if (s->mirrored) return block_mirrored_element(k, s, index, j);
    struct along at = along_axis(k, s, index);
    ir_value element = ir_int_mul(b, at.i, ir_int(b, s->inner));
    element = ir_int_add(b, at.rest, element);
    return ir_int_add(b, element, ir_int(b, j * (s->n / s->radix) * s->inner));
}

ir_value block_result_element(struct block *k, int step, ir_value index, int j)
{
    struct ir_builder *b = k->b;
    const struct block_step *s = &k->shape.step[step];
    if (s->mirrored) return block_mirrored_element(k, s, index, j);
    struct along at = along_axis(k, s, index);
    ir_value before = ir_int(b, s->before);
    ir_value group = ir_int_mul(b, ir_int_div(b, at.i, before), ir_int(b, s->before * s->radix));
    ir_value element = ir_int_add(b, group, ir_int_mod(b, at.i, before));
    element = ir_int_add(b, at.rest, ir_int_mul(b, element, ir_int(b, s->inner)));
    return ir_int_add(b, element, ir_int(b, j * s->before * s->inner));
}

ir_value block_axis_index(struct block *k, int step, ir_value index)
{
    return along_axis(k, &k->shape.step[step], index).i;
}

ir_value block_existing_column(struct block *k, const struct block_spot *spot)
{
    return ir_select(k->b, spot->exists, spot->column, ir_int(k->b, 0));
}

/* What is the thread's own apart from what all of a block share: it may be a smaller number, and
 * lines without gaps are one run of elements. */
ir_value block_map(struct block *k, const struct pass_map *map, ir_value column, ir_value element)
{
    struct ir_builder *b = k->b;
    ir_value thread = ir_int_mul(b, element, ir_int(b, map->line)), block = ir_int(b, 0);
    for (int l = 0; l < k->pass->loops; l++) {
        ir_value stride = ir_int(b, map->loop[l]);
        ir_value counter = l ? k->at.counter[l] : k->at.first_column;
        block = ir_int_add(b, block, ir_int_mul(b, counter, stride));
        if (l == 0) thread = ir_int_add(b, thread, ir_int_mul(b, column, stride));
    }
    return ir_int_add(b, thread, block);
}

/* ---- the steps ---- */

static struct ir_complex swapped(struct ir_complex x)
{
    return (struct ir_complex){x.im, x.re};
}

static int step_elements(const struct block *k, int step)
{
    return block_slots(&k->shape, step) * k->shape.step[step].radix;
}

static void swap_all(struct block *k, int step, struct ir_complex *x)
{
    for (int i = 0; i < step_elements(k, step); i++) x[i] = swapped(x[i]);
}

static void butterflies(struct block *k, int step, struct ir_complex *x)
{
    int radix = k->shape.step[step].radix;
    if (k->shape.step[step].mirrored) return;
    for (int slot = 0; slot < block_slots(&k->shape, step); slot++) {
        struct block_spot spot = block_spot(k, step, slot);
        block_step_twiddle(k, step, spot.index, x + slot * radix);
        butterfly(k->b, k->info->precision, radix, x + slot * radix);
    }
}

/* Rader's result 0 is element 0 plus the sum of all others, which the forward transform found; and
 * every other result has element 0 added, which is a constant in the convolution's spectrum. */
static struct ir_complex add_first(struct block *k, int slot, ir_value index, struct ir_complex sum,
                                   struct ir_complex product)
{
    struct ir_builder *b = k->b;
    ir_value is_first = ir_equal(b, index, ir_int(b, 0)), zero = ir_real(b, 0, 0);
    struct ir_complex first = k->first[slot];
    k->first[slot] = (struct ir_complex){ir_add(b, first.re, sum.re), ir_add(b, first.im, sum.im)};
    product.re = ir_add(b, product.re, ir_select(b, is_first, first.re, zero));
    product.im = ir_add(b, product.im, ir_select(b, is_first, first.im, zero));
    return product;
}

/* Between the forward and the inverse transform of a convolution. */
static void multiply_spectrum(struct block *k, struct ir_complex *x)
{
    int step = k->shape.turn, radix = k->shape.step[step].radix;
    for (int slot = 0; slot < block_slots(&k->shape, step); slot++) {
        struct block_spot spot = block_spot(k, step, slot);
        ir_value column = block_existing_column(k, &spot);
        for (int j = 0; j < radix; j++) {
            ir_value element = block_result_element(k, step, spot.index, j);
            struct ir_complex *at = &x[slot * radix + j], before = *at;
            *at = block_spectrum(k, column, element, before);
            if (j == 0 && k->first) *at = add_first(k, slot, spot.index, before, *at);
        }
    }
    swap_all(k, step, x);
}

/* The registers of a step, by slot and element. */
static struct ir_complex *step_registers(struct block *k, int step)
{
    return arena_array(k->arena, (size_t)step_elements(k, step), sizeof(struct ir_complex));
}

/* A load that was sent to another element must come before that one is overwritten. */
static bool gathers_astray(const struct block *k)
{
    const struct pass *pass = k->pass;
    const struct block_shape *shape = &k->shape;
    bool partial = pass->loops && pass->loop[0].n % shape->columns != 0;
    bool idle = block_tile_butterflies(shape, 0) % shape->threads != 0;
    return partial || idle || pass_line_elements(pass) < shape->length * shape->chunks ||
           (pass->chirp_n && pass->chirp_before) || pass_half_elements(pass, false) > 0;
}

/* The registers of the step after s. NULL: no memory. */
static struct ir_complex *exchanged(struct block *k, int s, struct ir_complex *x)
{
    if (!block_exchanges(&k->shape, s)) return x;
    struct ir_complex *next = step_registers(k, s + 1);
    if (next) block_exchange(k, s, x, next);
    if (s + 1 == k->shape.sending) ir_arrive(k->b);
    return next;
}

/* From the registers of step `first` to those of the step after `last`. */
static struct ir_complex *run_range(struct block *k, int first, int last, struct ir_complex *x)
{
    for (int s = first; x && s <= last; s++) {
        butterflies(k, s, x);
        x = exchanged(k, s, x);
    }
    return x;
}

/* ---- convolutions ---- */

/* Registers times steps from which on a kernel is so long that compiling it takes longer than
 * anything else, and that its second half had better be the first one again (docs/experiments,
 * experiment "loop"). */
#define LONG_CONVOLUTION 128

static int first_forward(const struct block *k)
{
    return k->shape.turn + 1 - k->pass->radices;
}

static bool same_step(const struct block_step *a, const struct block_step *b)
{
    return a->radix == b->radix && a->before == b->before && a->n == b->n &&
           a->inner == b->inner && a->columns_first == b->columns_first;
}

/* Whether both transforms of a convolution are so much alike that one piece of code serves both. */
static bool loops(const struct block *k)
{
    const struct block_shape *shape = &k->shape;
    const int radices = k->pass->radices, first = first_forward(k);
    if (step_elements(k, first) * 2 * radices <= LONG_CONVOLUTION) return false;
    for (int s = first; s <= shape->turn; s++) {
        if (!same_step(&shape->step[s], &shape->step[s + radices])) return false;
        const struct block_layout *a = &shape->layout[s], *b = &shape->layout[s + radices];
        if (s < shape->turn && memcmp(a, b, sizeof *a) != 0) return false;
    }
    return true;
}

static void keep_pair(struct block *k, int place, struct ir_complex x)
{
    ir_store(k->b, k->kept, ir_int(k->b, 2 * place), x.re);
    ir_store(k->b, k->kept, ir_int(k->b, 2 * place + 1), x.im);
}

static struct ir_complex kept_pair(struct block *k, int place)
{
    ir_value re = ir_load(k->b, k->kept, ir_int(k->b, 2 * place));
    return (struct ir_complex){re, ir_load(k->b, k->kept, ir_int(k->b, 2 * place + 1))};
}

/* A thread's registers, and what Rader has beside them. */
static void keep_all(struct block *k, const struct ir_complex *x)
{
    const int step = k->shape.turn, elements = step_elements(k, step);
    for (int i = 0; i < elements; i++) keep_pair(k, i, x[i]);
    for (int i = 0; k->first && i < block_slots(&k->shape, step); i++)
        keep_pair(k, elements + i, k->first[i]);
}

static void take_all(struct block *k, struct ir_complex *x)
{
    const int step = k->shape.turn, elements = step_elements(k, step);
    for (int i = 0; i < elements; i++) x[i] = kept_pair(k, i);
    for (int i = 0; k->first && i < block_slots(&k->shape, step); i++)
        k->first[i] = kept_pair(k, elements + i);
}

/* Two rounds of a loop, with the spectrum's product in the first. */
static struct ir_complex *convolve_in_loop(struct block *k, struct ir_complex *x)
{
    struct ir_builder *b = k->b;
    const int turn = k->shape.turn, pairs = step_elements(k, turn) + block_slots(&k->shape, turn);
    const ir_value outside = k->thread;
    k->kept = ir_buffer(b, "kept", IR_PRIVATE, true, 2 * (int64_t)pairs);
    keep_all(k, x);
    ir_value round = ir_for(b, ir_int(b, 2));
    k->shared_used = true; /* in the round before */
    k->thread = ir_thread_anew(b);
    take_all(k, x);
    x = run_range(k, first_forward(k), turn, x);
    if (!x) return NULL;
    keep_all(k, x);
    ir_if(b, ir_equal(b, round, ir_int(b, 0)));
    multiply_spectrum(k, x);
    keep_all(k, x);
    ir_end(b);
    ir_end(b);
    k->thread = outside;
    take_all(k, x);
    return exchanged(k, turn + k->pass->radices, x);
}

static struct ir_complex *convolve(struct block *k, struct ir_complex *x)
{
    const int turn = k->shape.turn, last = turn + k->pass->radices;
    if (loops(k)) return convolve_in_loop(k, x);
    x = run_range(k, first_forward(k), turn, x);
    if (x) multiply_spectrum(k, x);
    return run_range(k, turn + 1, last, x);
}

/* ---- all of it ---- */

static struct ir_complex *run_body(struct block *k, struct ir_complex *x)
{
    const int last = k->shape.steps - 1;
    if (k->shape.turn < 0) return run_range(k, 0, last, x);
    x = run_range(k, 0, first_forward(k) - 1, x);
    if (x) x = convolve(k, x);
    return run_range(k, k->shape.turn + k->pass->radices + 1, last, x);
}

static bool run_steps(struct block *k)
{
    const struct block_shape *shape = &k->shape;
    bool inverse = k->pass->body == PASS_TRANSFORM && k->pass->backward;
    struct ir_complex *x = step_registers(k, 0);
    if (!x) return false;
    /* Before a block stores to another's shared memory that one must have begun, and be done with
     * what it had there. */
    if (shape->sending == 0) ir_arrive(k->b);
    block_gather(k, x);
    if (k->pass->body == PASS_RADER) block_gather_first(k);
    if (inverse) swap_all(k, 0, x);
    x = run_body(k, x);
    if (!x) return false;
    if (inverse || shape->turn >= 0) swap_all(k, shape->steps - 1, x);
    if (!k->shared_used && gathers_astray(k)) ir_barrier(k->b);
    block_scatter(k, x);
    return true;
}

/* ---- the whole ---- */

/* A buffer of pairs and one that is not used, or two planes; an image is the first of them. */
static void declare_end(struct block *k, bool out, ir_value base)
{
    struct ir_builder *b = k->b;
    const bool pairs = (out ? k->info->out_format : k->info->in_format) == WEFT_INTERLEAVED;
    const char *re = out ? "out_re" : "in_re", *im = out ? "out_im" : "in_im";
    const int first = pairs ? ir_pair_buffer(b, out ? "out" : "in", IR_GLOBAL, out, 0)
                            : ir_buffer(b, re, IR_GLOBAL, out, 0);
    const int second = ir_buffer(b, im, IR_GLOBAL, out, 0);
    ir_set_texels(b, first, out ? &k->info->out_texels : &k->info->in_texels);
    for (int buffer = first; buffer <= second; buffer++) {
        ir_set_base(b, buffer, base);
        ir_set_storage(b, buffer, out ? k->info->out_storage : k->info->in_storage);
    }
}

static void declare_arguments(struct block *k)
{
    struct ir_builder *b = k->b;
    declare_end(k, false, ir_param(b, "in_base"));
    declare_end(k, true, ir_param(b, "out_base"));
    k->swap = ir_param_within(b, "swap", 0, 1);
    block_declare_hooks(k);
    block_declare_tables(k);
    if (k->shape.shared_count == 0) return;
    int64_t count = k->shape.shared_count;
    k->shared = k->shape.apart ? ir_buffer(b, "shared", IR_SHARED, true, count)
                               : ir_pair_buffer(b, "shared", IR_SHARED, true, count);
}

/* The remainder also tells the builder how large the counter is. */
static ir_value take_counter(struct block *k, ir_value *number, int64_t count)
{
    ir_value limit = ir_int(k->b, count), counter = ir_int_mod(k->b, *number, limit);
    *number = ir_int_div(k->b, *number, limit);
    return counter;
}

/* Lines whose reals take more than this part of the cache are gone from it when tiles in their
 * order come to their other end. (Experiment "long cosines".) */
#define MEETING_SHARE 4

/* The loop that counts furthest along numbers whose reals are two apart, the others being those of
 * numbers at its other end; -1: there is none, or a cache holds the line. */
static int loop_of_others(const struct block *k, const struct limits *limits)
{
    const struct pass *pass = k->pass;
    const int64_t bytes = precision_bytes(k->program->problem.precision);
    int found = -1;
    for (int out = 0; out < 2; out++) {
        const struct reals *reals = &pass->reals[out];
        if (reals->parts < 2) continue;
        if (MEETING_SHARE * reals->n <= limits->cache_bytes[1] / bytes) continue;
        const struct pass_map *map = pass_number_map(pass, out);
        for (int l = 0; l < pass->loops; l++)
            if (map->loop[l] > (found < 0 ? 0 : map->loop[found])) found = l;
    }
    return found;
}

/* By turns from the begin of `count` and from its end: reals that lie in turns are in the cache
 * when the second tile wants what the first one left. */
static ir_value meeting(struct block *k, ir_value counter, int64_t count)
{
    struct ir_builder *b = k->b;
    const ir_value two = ir_int(b, 2), half = ir_int_div(b, counter, two);
    const ir_value even = ir_equal(b, ir_int_mod(b, counter, two), ir_int(b, 0));
    return ir_select(b, even, half, ir_int_sub(b, ir_int(b, count - 1), half));
}

/* Which tile this block has: a cluster's parts of a line change fastest, then columns, then chunks
 * of the line, then loop[1] on. */
static void find_tile(struct block *k, const struct limits *limits)
{
    struct ir_builder *b = k->b;
    const int64_t blocks = k->info->blocks;
    const int meets = loop_of_others(k, limits);
    ir_value block = ir_block_below(b, blocks);
    ir_value number = ir_int_mod(b, ir_int_add(b, k->first_block, block), ir_int(b, blocks));
    k->at.rank = take_counter(k, &number, k->shape.cluster);
    ir_value tile = take_counter(k, &number, k->shape.tiles);
    if (meets == 0) tile = meeting(k, tile, k->shape.tiles);
    ir_value chunk = take_counter(k, &number, k->shape.chunks);
    k->at.first_column = ir_int_mul(b, tile, ir_int(b, k->shape.columns));
    k->at.first_element = ir_int_mul(b, chunk, ir_int(b, k->shape.length));
    for (int l = 1; l < k->pass->loops; l++) {
        k->at.counter[l] = take_counter(k, &number, k->pass->loop[l].n);
        if (meets == l) k->at.counter[l] = meeting(k, k->at.counter[l], k->pass->loop[l].n);
    }
}

static void describe(struct block *k)
{
    const struct block_shape *shape = &k->shape;
    struct block_kernel *info = k->info;
    int bytes = precision_bytes(k->program->problem.precision);
    info->precision = k->program->problem.precision;
    info->threads = shape->threads;
    info->columns = (int)shape->columns;
    info->apart = shape->apart;
    info->shared_bytes = shape->shared_count * bytes * (shape->apart ? 1 : 2);
    info->cluster = shape->cluster;
    info->blocks = shape->tiles * shape->chunks * shape->cluster;
    for (int l = 1; l < k->pass->loops; l++) info->blocks *= k->pass->loop[l].n;
}

const struct ir *block_build(arena *a, const struct program *program, int pass_index,
                             const struct limits *limits, weft_format in_format,
                             weft_format out_format, struct block_kernel *info)
{
    struct block k = {.arena = a, .program = program, .pass = &program->pass[pass_index],
                      .info = info};
    *info = (struct block_kernel){.pass = pass_index,
                                  .in_format = in_format,
                                  .out_format = out_format,
                                  .in_storage = program_storage(program, k.pass->from),
                                  .out_storage = program_storage(program, k.pass->to),
                                  .in_texels = program_texels(program, k.pass->from),
                                  .out_texels = program_texels(program, k.pass->to)};
    if (!block_choose_shape(&k.shape, program, k.pass, limits)) return NULL;
    k.b = ir_begin(a, "block", k.shape.threads);
    /* With a register too many half as much would be on its way. (Experiment "second block".) */
    if (k.shape.cluster > 1 || k.shape.resident == 2)
        ir_set_cluster(k.b, k.shape.cluster, k.shape.resident);
    describe(&k);
    k.thread = ir_thread(k.b);
    k.first_block = ir_param_within(k.b, "first_block", 0, k.info->blocks - 1);
    declare_arguments(&k);
    find_tile(&k, limits);
    if (run_steps(&k)) return ir_finish(k.b);
    error_memory("kernel");
    return NULL;
}

/* The inside of block_build, shared by the files that make up a kernel. */
#ifndef WEFT_KERNEL_BLOCK_STATE_H
#define WEFT_KERNEL_BLOCK_STATE_H

#include "kernel/block.h"
#include "kernel/block_image.h"
#include "kernel/butterfly.h"

/* A convolution's steps twice, and a move at either end. */
#define BLOCK_MAX_STEPS (2 * PLAN_MAX_RADICES + 2)

/* Which of a step's twiddles w^j have a row in its table. Where all of them together would compete
 * with the data for the first-level cache, only those with j < 4 and with 4 | j have: the others
 * are products of two of them. */
#define BLOCK_ROOT_STEP   4
#define BLOCK_DIRECT_ROOTS 1024 /* entries of a table that never crowds the cache */

/* The row of w^j, 0 < j < radix; -1: it has none. */
static inline int block_root_row(int radix, int64_t before, int j)
{
    if (j < BLOCK_ROOT_STEP || (radix - 1) * before <= BLOCK_DIRECT_ROOTS) return j - 1;
    return j % BLOCK_ROOT_STEP == 0 ? BLOCK_ROOT_STEP - 2 + j / BLOCK_ROOT_STEP : -1;
}
static inline int64_t block_root_rows(int radix, int64_t before)
{
    int rows = 0;
    for (int j = 1; j < radix; j++) rows += block_root_row(radix, before, j) >= 0;
    return rows;
}

struct block_step {
    int radix;
    int64_t before;     /* product of the axis's radices before this one */
    int64_t n;          /* of the axis: a line, or one of its folds */
    int64_t inner;      /* elements of the tile from one of the axis to the next */
    int64_t turned;     /* rows of a cluster's split: the length of its columns; else 1 */
    bool columns_first; /* neighbouring threads work on neighbouring columns, not elements */
    bool mirrored;      /* no butterflies: the i-th takes elements i and length - i, the 0-th with 0
                         * the middle one, for PASS_HALF_SPREAD and PASS_HALF_PART; of radix 2, or
                         * as many as there are corners (block_corners.h), and the last */
    bool omits_zero;    /* a mirrored one's, whose element i is number i + 1 (PASS_RADER) */
    const struct pass *image; /* a mirrored one's, whose line is folded (block_image.h), or NULL:
                               * the last, or for PASS_HALF_FOLD the first */
    bool paired;        /* a thread's slots are two by two those of butterflies of mirrored
                         * elements: the i-th and the (n / radix - i)-th, the 0-th and the middle
                         * one; the last, for the same, or the first, for PASS_HALF_FOLD */
    int64_t mirrors;    /* a mirrored or paired one's of a cluster: so many of the block's columns,
                         * or rows, have their mirrors behind them (block_cluster.h); else 0 */
};

/* Where an exchange holds element e of column c in shared memory: at
 * p + the sum of p / every[i] * pad[i], p being c * column_stride + e * element_stride. */
#define BLOCK_PADDINGS 4
struct block_layout {
    int64_t column_stride, element_stride;
    int64_t every[BLOCK_PADDINGS], pad[BLOCK_PADDINGS]; /* every > 0 */
    int64_t size; /* elements it spans */
};

/* How a pass is cut into blocks and steps: all that is decided before any IR is built. */
struct block_shape {
    int64_t columns;  /* of a tile */
    int64_t length;   /* elements of a line in a tile */
    int cluster;      /* blocks that share a line; 1: one has all of it */
    int resident;     /* blocks that a multiprocessor should hold */
    int64_t run[2];   /* cluster: elements of a line that follow one another in a tile where it is
                       * read, and written: columns of the split, and rows */
    bool mirrors[2];  /* cluster: half of a block's columns, and of its rows, are the mirrors of the
                       * others */
    int sending;      /* cluster: the last step of the columns, whose results go to all blocks; -1:
                       * there is none */
    int64_t chunks;   /* tiles along a line: above 1 for copies only */
    int64_t tiles;    /* along loop[0] */
    int threads;
    bool apart;
    int steps;
    struct block_step step[BLOCK_MAX_STEPS];
    int turn; /* the last forward step of a convolution, whose results the next step takes as they
               * are; -1: none */
    struct block_layout layout[BLOCK_MAX_STEPS]; /* of the exchange after a step */
    int64_t shared_count; /* elements that shared memory holds: pairs, or single parts if apart */
};

/* True if the exchange between step s and the next goes through shared memory. */
static inline bool block_exchanges(const struct block_shape *shape, int s)
{
    return s + 1 < shape->steps && s != shape->turn;
}

/* Butterflies of a step in a line of the tile, in a whole tile, and of one thread. */
static inline int64_t block_line_butterflies(const struct block_shape *shape,
                                             const struct block_step *step)
{
    if (step->image) return block_image_butterflies(step->image);
    return step->mirrored ? (step->n + 1) / 2 : shape->length / step->radix;
}
static inline int64_t block_tile_butterflies(const struct block_shape *shape, int s)
{
    return shape->columns * block_line_butterflies(shape, &shape->step[s]);
}
static inline int block_slots(const struct block_shape *shape, int s)
{
    return (int)((block_tile_butterflies(shape, s) + shape->threads - 1) / shape->threads);
}

/* Whether a convolution's inverse takes the radices the other way round, so that its first step
 * needs just what the last forward step left in each thread's registers. Where the first radix is
 * the last too, that is so in the forward order, and both transforms have the same steps and
 * twiddles. */
static inline bool block_turns_back(const struct pass *pass)
{
    return pass->radix[0] != pass->radix[pass->radices - 1];
}

/* The roots of unity of an order: one table, or the product of two (fine_count < order). */
struct block_roots {
    int64_t order, fine_count;
    int coarse, fine; /* buffers */
};

/* Which tile a block works on. */
struct block_at {
    ir_value rank;                    /* of this block in its cluster */
    ir_value first_column;            /* of the tile, along loop[0] */
    ir_value first_element;           /* likewise along the line */
    ir_value counter[PASS_MAX_LOOPS]; /* of loops 1 and up */
};

/* A kernel being built. */
struct block {
    arena *arena;
    struct ir_builder *b;
    const struct program *program;
    const struct pass *pass;
    struct block_shape shape;
    struct block_kernel *info;
    struct block_at at;
    ir_value first_block, swap; /* parameters, */
    ir_value position[2];       /* ... which only a pass with a hook has */
    ir_value thread;
    int shared;        /* buffer: of pairs, or of single parts if apart */
    bool shared_used;  /* something was read from shared memory that must not be overwritten yet */
    int step_roots, chirp, spectrum, scale, gather, scatter; /* buffers of tables */
    struct pass_map spectrum_map; /* which entry of that one */
    struct block_roots split, half, turn; /* half.order == 0: those of turn do */
    struct block_roots split_leg; /* of order split.order / split_apart, */
    int64_t split_apart;          /* ... if that is not 0: see block_twiddle.c */
    int64_t step_root[BLOCK_MAX_STEPS]; /* where a step's twiddles begin in their table */
    int kept;          /* buffer: what goes from one round of a loop to the next */
    struct ir_complex *first; /* Rader: element 0 of the line, by slot of the turning step */
};

/* The butterfly that a thread does in a slot of a step: of column `column`, the index-th. Beyond
 * the tile's last one it is the 0-th again, and `valid` is false. `exists` is false of columns that
 * the last tile has and the loop has not. */
struct block_spot {
    ir_value column, index, valid, exists;
};
struct block_spot block_spot(struct block *k, int step, int slot);

/* The column, or the tile's first one where there is none. */
ir_value block_existing_column(struct block *k, const struct block_spot *spot);

/* Which butterfly of its line is the other one of a pair. */
static inline int64_t block_paired_butterfly(const struct block_step *s, int64_t butterfly)
{
    const int64_t count = s->n / s->radix;
    return butterfly > 0 ? count - butterfly : count / 2;
}

/* Elements that the butterfly takes (j-th input) and makes (j-th result), counted in the tile's
 * line; of a mirrored one from the i-th the j-th, `bits` being i xor j. */
static inline int64_t block_mirrored_place(const struct block_step *s, int64_t place, int bits)
{
    if (s->image) return block_image_mirror(s->image, place, bits);
    if (place > 0 || s->omits_zero) return s->n - place;
    return s->n % 2 ? 0 : s->n / 2;
}
static inline int64_t block_paired_place(const struct block_step *s, int64_t butterfly, int j)
{
    const int64_t first = s->image ? block_image_first(s->image, butterfly) : butterfly;
    return j ? block_mirrored_place(s, first, j) : first;
}
static inline int64_t block_input_place(const struct block_step *s, int64_t butterfly, int j)
{
    if (s->mirrored) return block_paired_place(s, butterfly, j);
    int64_t count = s->n / s->radix, i = butterfly / s->inner % count;
    int64_t outer = butterfly / s->inner / count;
    return outer * s->n * s->inner + (i + j * count) * s->inner + butterfly % s->inner;
}
static inline int64_t block_result_place(const struct block_step *s, int64_t butterfly, int j)
{
    if (s->mirrored) return block_paired_place(s, butterfly, j);
    int64_t count = s->n / s->radix, i = butterfly / s->inner % count;
    int64_t outer = butterfly / s->inner / count;
    int64_t element = i / s->before * s->before * s->radix + i % s->before + j * s->before;
    return outer * s->n * s->inner + element * s->inner + butterfly % s->inner;
}

/* The same as code: elements the butterfly `index` of a step takes (j-th input) and makes (j-th
 * result). */
ir_value block_input_element(struct block *k, int step, ir_value index, int j);
ir_value block_result_element(struct block *k, int step, ir_value index, int j);
/* block_mirror.c. Of a step that pairs butterflies, the first one of the pair, or the other; and of
 * one that takes mirrored elements, the first or the j-th. */
ir_value block_paired_index(struct block *k, const struct block_step *s, ir_value pair, bool other);
ir_value block_mirrored_element(struct block *k, const struct block_step *s, ir_value index, int j);
/* Which of the axis's butterflies it is. */
ir_value block_axis_index(struct block *k, int step, ir_value index);

/* line * element + sum loop[l] * counter of the line at `column`. */
ir_value block_map(struct block *k, const struct pass_map *map, ir_value column, ir_value element);

/* block_shape.c: false with an error if the tile does not fit. */
bool block_choose_shape(struct block_shape *shape, const struct program *program,
                        const struct pass *pass, const struct limits *limits);

/* block_layout.c. Fills shape->layout and ->shared_count within `capacity` elements of so many
 * words; false if they do not fit. *conflicts: extra cycles in a sample of the accesses. */
bool block_choose_layouts(struct block_shape *shape, int simd_width, int element_words,
                          int64_t capacity, int64_t *conflicts);

/* One side of an exchange, in groups of threads that are served at once. */
struct block_access {
    const struct block_shape *shape;
    int step;
    bool writes; /* the step's results; otherwise its inputs */
    int group;
    int rank; /* of the block, of those that write to one another's shared memory */
};

/* Whether what it writes goes to all the blocks of the cluster, or what it reads came from them. */
static inline bool block_sends(const struct block_access *access)
{
    return access->writes && access->step == access->shape->sending;
}
static inline bool block_receives(const struct block_access *access)
{
    return !access->writes && access->shape->sending >= 0 &&
           access->step == access->shape->sending + 1;
}

/* How far the j-th elements of a slot's butterflies lie behind their first ones, if that is the
 * same for every thread. */
struct block_distance {
    bool same;
    int32_t number;
};
void block_layout_distances(const struct block_layout *layout, const struct block_access *access,
                            int slot, struct block_distance distance[LIMITS_MAX_RADIX]);

/* block_exchange.c */
void block_exchange(struct block *k, int step, const struct ir_complex *from,
                    struct ir_complex *to);

/* block_gather.c, block_scatter.c. x: by slot and element of the first or last step. */
void block_gather(struct block *k, struct ir_complex *x);
struct ir_complex block_load_in(struct block *k, ir_value address); /* as the input has it */
void block_gather_first(struct block *k); /* Rader's element 0 */
void block_scatter(struct block *k, const struct ir_complex *x);

/* block_range.c, of an end with a range. Whether it has the element of that number along the axis;
 * the number of an element. */
ir_value block_in_range(struct block *k, bool out, ir_value number);
ir_value block_range_number(struct block *k, bool out, ir_value column, ir_value place);
/* Where the first element of the input's range is, which may be read in place of those that are out
 * of it: in the tile, `further` from a place of any line; or, where a tile has but a part of each
 * line, in another one's, at an address. */
struct block_first {
    bool in_tile;
    int64_t place, further, address;
};
struct block_first block_range_first(struct block *k);

/* block_hook.c. Whether an end has a hook; */
static inline bool block_hooks(const struct block *k, bool out)
{
    return k->pass->hook[out];
}
/* ... declares what hooks need of the launch; */
void block_declare_hooks(struct block *k);
/* ... where in the problem's array the element at `place` of a line is; of an end without a hook
 * IR_NONE; */
ir_value block_position(struct block *k, bool out, ir_value column, ir_value place);
/* ... and applies the hook, if there is one, to what lies in memory: a complex number whose parts
 * are exchanged if they come from exchanged planes, or one or two reals. */
struct ir_complex block_hook(struct block *k, bool out, ir_value position, struct ir_complex x);

/* block_half.c. The element `index` of what half a spectrum stands for, where its own address leads
 * to X[index] or would. */
struct ir_complex block_unfold(struct block *k, ir_value address, ir_value index);
/* Number `index` of the half, in the forward direction, where `address` is that of number `at`, or
 * would be. */
struct ir_complex block_half_number(struct block *k, ir_value address, ir_value at, ir_value index);
/* Elements `index` and h - index of what is folded from the numbers of that index; of index 0 the
 * first alone. */
struct block_folded {
    struct ir_complex own, other;
};
struct block_folded block_fold(struct block *k, ir_value index, struct ir_complex own,
                               struct ir_complex other);
/* Likewise, with number 0 and its mirror as they are: of an image's rows they are no reals. */
struct block_folded block_fold_pair(struct block *k, ir_value index, struct ir_complex own,
                                    struct ir_complex other);
/* Numbers `index`, which is at most h / 2, and h - index of the half from elements index and
 * h - index of what is unfolded. Of index 0: numbers 0 and h from element 0, and number h / 2 from
 * `other`, element h / 2. */
struct block_spread {
    struct ir_complex own, other, middle;
};
struct block_spread block_spread(struct block *k, ir_value index, ir_value first,
                                 struct ir_complex own, struct ir_complex other);
/* Numbers k of the halves of two lines from elements k and n - k; of k == 0, where `first` holds,
 * from element 0. */
struct block_parted {
    struct ir_complex one, two;
};
struct block_parted block_part(struct block *k, ir_value first, struct ir_complex own,
                               struct ir_complex other);
struct ir_complex block_conjugate(struct block *k, struct ir_complex x);
/* By the square root of a power of two that `factor` is nearest to, or by itself. */
struct ir_complex block_times(struct block *k, double factor, struct ir_complex x);
/* The conjugate in the inverse direction, x itself in the forward one and of reals that stand for
 * more. */
struct ir_complex block_conjugated(struct block *k, struct ir_complex x);

/* block_reals.c. A number that reals stand for, where `address` is that of real `at`, or would be;
 * and what of a number goes to its reals, where it is that of real `number`. */
struct ir_complex block_load_number(struct block *k, ir_value address, ir_value at,
                                    ir_value number);
/* Whether the rows of an image are reals that stand for more there, each of one: where the element
 * at `place` has its fold's number `row` then, and that element with its row's sign. */
bool block_reorders_rows(const struct pass *pass, bool out);
ir_value block_row_real(struct block *k, bool out, int fold, ir_value row);
struct ir_complex block_row_signed(struct block *k, bool out, ir_value place, struct ir_complex x);
void block_store_number(struct block *k, ir_value address, ir_value number, struct ir_complex x);
ir_value block_factor(struct block *k, double factor);
/* What numbers that reals stand for are multiplied by as they are unfolded: a factor, which comes
 * first, and a root of each, `index` being the first one's. They are stored as they are then. */
double block_spread_factor(const struct pass *pass);
void block_turn_spread(struct block *k, ir_value index, struct block_spread *spread);

/* block_twiddle.c. */
void block_declare_tables(struct block *k);
void block_step_twiddle(struct block *k, int step, ir_value index, struct ir_complex *x);
/* Of PASS_HALF_PART, line 0 or 1 of the two; else 0. */
struct ir_complex block_split_twiddle(struct block *k, ir_value column, ir_value element, int line,
                                      struct ir_complex x);
/* exp(-2 pi i index / half_n), 0 <= index < half_n, times x. */
struct ir_complex block_half_twiddle(struct block *k, ir_value index, struct ir_complex x);
/* exp(-2 pi i turn / order) of the numbers that reals stand for, 0 <= turn < order. */
struct ir_complex block_turn(struct block *k, ir_value turn);
struct ir_complex block_chirp(struct block *k, ir_value place, struct ir_complex x);
struct ir_complex block_spectrum(struct block *k, ir_value column, ir_value element,
                                 struct ir_complex x);
struct ir_complex block_scale(struct block *k, struct ir_complex x);

#endif

/* How a pipeline is put together: operations are appended; failure sticks and is checked at the
 * end. Used by kernel.c; made of pipeline.c (what a pass
 * needs), whole.c and steps.c (what a transform needs). */
#ifndef WEFT_DEVICE_CPU_PIPELINE_H
#define WEFT_DEVICE_CPU_PIPELINE_H

#include "device/cpu/engine.h"
#include "device/cpu/general.h"
#include "device/cpu/tables.h"
#include "device/cpu/tiles.h"

/* Bytes of a line of a cache, which stores past the caches fill whole. */
#define STREAM_ALIGNMENT 64

struct pipeline_builder {
    struct kernel *kernel;
    const struct program *program;
    const void *const *tables; /* as in device_ops.pass_create */
    const struct cpu_general *general;
    struct cpu_pipeline *pipeline;
    struct cpu_operation *operation; /* room for CPU_MAX_OPERATIONS */
    int64_t first_column; /* of the first tile this pipeline is for */
    int64_t tiles;        /* how many tiles along loop[0] it is for */
    bool across;          /* lanes are columns */
    bool joined;          /* ... two of which are one line of the tile (beside.h) */
    bool scaled; /* by a step (scaling.h) */
    bool failed;
};

/* One end of a transform: an array of complex elements, `stride` from one of the line to the next.
 */
struct transform_end {
    enum cpu_operand operand;
    bool pair; /* interleaved */
    int64_t stride;
    const struct beside_legs *reals; /* they are made of these; NULL: they are what there is */
    bool parted; /* they are a line's reals there and back, which the first step reads so */
};

/* The split's twiddle that a transform may apply with its last step; order 0: none. */
struct transform_twiddle {
    int64_t order, columns;
};

/* Runs an operation that is a codelet. */
void pipeline_run_codelet(const struct cpu_operation *op, const struct cpu_tile *tile);

/* Where the lines are that the pass transforms: CPU_FROM, or CPU_TO, if half a spectrum was folded
 * to there; and how far apart elements of the dimension lie there. */
enum cpu_operand pipeline_source(const struct pipeline_builder *b);
int64_t pipeline_stride(const struct dim *dim, enum cpu_operand operand);

/* Whether an end is of pairs, all of which are gathered, or scattered, as they are. */
bool pipeline_has_pairs(const struct pipeline_builder *b, bool out);

/* Adds an operation, with the pipeline's columns filled in. Never NULL. */
struct cpu_operation *pipeline_add(struct pipeline_builder *b, cpu_operation_function *run);

/* The end that a tile buffer is. */
struct transform_end tile_end(const struct pipeline_builder *b, enum cpu_operand operand);

/* Adds the steps of one transform (the pass's radices) of every column of the tile, from one end to
 * the other. An end `to` in a tile buffer may become the other buffer: returns where the result is.
 * backward: the inverse transform, by exchanged planes; `from` must then be planar. */
struct transform_end pipeline_transform(struct pipeline_builder *b, struct transform_end from,
                                        struct transform_end to, bool backward,
                                        struct transform_twiddle twiddle);

/* Likewise the steps behind a first one of radix 2, of lines half as long, from a tile buffer to
 * one. */
struct transform_end pipeline_half(struct pipeline_builder *b, struct transform_end from,
                                   bool backward);

/* The same by one codelet of the whole line, between ends of pairs, where the tile's lines are so
 * many pairs apart; NULL where there is none. */
struct cpu_operation *pipeline_line(struct pipeline_builder *b, struct transform_end from,
                                    int64_t from_row, struct transform_end to, int64_t to_row);

/* Whether the first step of the pass's transform can read an end that is `parted`. */
bool pipeline_opens_parted(const struct kernel *kernel);

/* Adds one codelet over lanes 0 .. lanes-1 of a shape, split into vectors of all widths so that no
 * lane is touched twice: a whole transform that may work in place. lane_elements: complex elements
 * from a lane to the next at both ends. */
void pipeline_whole(struct pipeline_builder *b, enum codelet_kind kind, int radix,
                    struct codelet_shape shape, int64_t lane_elements,
                    struct transform_twiddle twiddle);

/* Adds the gathering of so many elements of lines into the tile's columns by transposing codelets;
 * false where there are none for these strides. */
bool pipeline_transpose(struct pipeline_builder *b, struct transform_end from,
                        struct transform_end to, int64_t elements);

/* What a codelet multiplies with; NULL: no memory. */
void pipeline_set_twiddles(struct pipeline_builder *b, struct cpu_operation *op,
                           const struct cpu_table *table);

/* Has the set's codelet run. Comes last: the operation has its shape and its twiddles. */
void pipeline_set_codelet(struct pipeline_builder *b, struct cpu_operation *op,
                          const struct codelet_set *set, enum codelet_kind kind, int radix);

/* The shape of the inverse transform: see src/kernel/codelet.h. */
struct codelet_shape pipeline_turned(enum codelet_kind kind, int radix, struct codelet_shape shape);

/* Passes whose lines codelets take from place to place (whole.c); false: this is none. */
bool pipeline_build_short(struct pipeline_builder *b, const struct shape_of_pass *shape);
/* Lines as sums of products (sums.c): the pass's, or, as pipeline_line() has them, those of a prime
 * in the tile; false: there are none. */
void pipeline_build_sums(struct pipeline_builder *b);
bool pipeline_sums(struct pipeline_builder *b, struct transform_end from, int64_t from_row,
                   struct transform_end to, int64_t to_row);
/* Whether the first step of a line, of that kind, is done so, and what it takes of an operation
 * that has its ends and its shape. */
bool sums_open(const struct kernel *kernel, enum codelet_kind kind, int radix,
               int64_t butterflies);
void pipeline_open_sums(struct pipeline_builder *b, struct cpu_operation *op,
                        enum codelet_kind kind, int radix);

/* g^q mod n for q = 0 .. n - 2, g the primitive root of the prime n, and those of 1 / g (powers.c).
 */
int32_t *pipeline_powers(struct pipeline_builder *b, int64_t n);
int32_t *pipeline_inverse_powers(struct pipeline_builder *b, int64_t n, const int32_t *power);

/* Adds all the operations of the builder's pass. */
void pipeline_build(struct pipeline_builder *b);

#endif

/* The CPU engine: a pass becomes a pipeline of operations on one tile, a tile is worked off by one
 * core in its caches.
 *
 * A tile holds `columns` lines in two planar buffers, A and B, between which the Stockham steps go
 * back and forth. Element e of column c lies at e * columns + c. Three shapes of it:
 *  - across: the lanes of the vectors are neighbouring columns;
 *  - within: columns == 1, the lanes are neighbouring elements of one line;
 *  - whole:  one codelet takes the line from place to place; no tile at all.
 * Where strides allow it the first step reads the caller's array and the last one writes it. */
#ifndef WEFT_DEVICE_CPU_ENGINE_H
#define WEFT_DEVICE_CPU_ENGINE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/threads.h"
#include "device/cpu/codelet.h"
#include "device/device.h"
#include "kernel/codelet.h"
#include "math/roots.h"
#include "spec/pair_steps.h"

/* ---- instruction sets (isa.c) ---- */

#define CPU_MAX_SETS 6

struct cpu_general; /* general.h */
struct machine_arithmetic; /* machine.h */
struct cpu_extended; /* extended.c */
struct cpu_mirrors; /* mirror.h */
struct cpu_sums; /* sum.h */
struct cpu_matrices; /* matrix.h */
struct cpu_factors; /* factors.h */
struct cpu_resample; /* resample.h */
struct cpu_odd; /* odd.h */
struct cpu_opening; /* odd.c */
struct cpu_abreast; /* abreast.h */
struct cpu_resampling; /* resample.c */
struct cpu_laid; /* laid.h */
struct hook_program; /* hook/run.h */

/* The codelet sets this processor can run, widest first; the last is scalar. */
struct cpu_sets {
    int count[2]; /* by weft_precision */
    const struct codelet_set *set[2][CPU_MAX_SETS];
    const struct cpu_general *general[2]; /* of the widest set */
    const struct machine_arithmetic *extended; /* likewise */
    const struct cpu_mirrors *mirrors;         /* likewise, by weft_precision, */
    const struct cpu_sums *sums;               /* and so are these */
    const struct cpu_matrices *matrices;
    const struct cpu_factors *factors;
    const struct cpu_resample *resample;
    const struct cpu_odd *odd;
    const struct cpu_abreast *abreast;
    bool halved; /* units take half of a vector of 64 bytes at once */
};

/* WEFT_ISA=scalar|sse2|avx2|avx512|neon in the environment takes that set and the narrower ones.
 * DEVICE: the variable names a set this processor or build lacks. */
weft_status cpu_sets_find(struct cpu_sets *sets);

/* What a codelet is chosen for. */
struct cpu_run {
    int64_t lanes;
    int64_t plane; /* reals of a tile's plane, of which a line's first step writes whole vectors */
    bool goes_on;  /* both ends follow legs and rows with room for a vector more */
};

/* The set whose codelets take the fewest vectors; of equals the narrower, but not one of few
 * registers. The last vector overlaps the one before, so a set needs at least its width, or masks,
 * or codelets that write legs in turn. */
const struct codelet_set *cpu_sets_best(const struct cpu_sets *sets, weft_precision precision,
                                        enum codelet_kind kind, int radix, struct cpu_run run);

/* Fills limits from the processor and its caches (limits.c). */
void cpu_limits(struct limits *limits, const struct cpu_sets *sets);

/* ---- pipelines ---- */

/* Where an operation reads or writes. */
enum cpu_operand { CPU_FROM, CPU_TO, CPU_TILE_A, CPU_TILE_B, CPU_OPERANDS };

struct cpu_operation;

/* A tile being worked off: where its operands are and which it is. */
struct cpu_tile {
    char *re[CPU_OPERANDS], *im[CPU_OPERANDS]; /* exchanged for the caller's arrays when inverse */
    char *base[CPU_OPERANDS]; /* of interleaved arrays: the pair, never exchanged */
    const void *spectrum;     /* PASS_SPECTRUM, in pairs */
    const struct kernel *kernel;
    weft_direction direction;
    bool exchange; /* re and im of the caller's arrays, for the inverse direction */
    int64_t counter[PASS_MAX_LOOPS]; /* of the loops; [0] is the tile's first column */
    int64_t index;                   /* tiles before this one along loop[0] */
    bool descends;                   /* kernel->descends, and this array needs it */
    bool begins, ends;               /* likewise: no tile was before, or comes after it */
    char *carried;                   /* ... numbers of the tile before */
    int64_t position[2];             /* of element 0 where all counters are 0, at both ends, */
    void *hook_workspace[2];         /* ... and what their hooks work in */
};

typedef void cpu_operation_function(const struct cpu_operation *, const struct cpu_tile *);

/* One operation of a pipeline: a codelet over a rectangle, or one of the general ones of
 * general.h. */
struct cpu_operation {
    cpu_operation_function *run;
    enum cpu_operand from, to;
    bool swap_from, swap_to;      /* exchange re and im planes: an inverse transform in the tile */
    bool from_pair, to_pair;      /* the operand is interleaved */
    int64_t from_bytes, to_bytes; /* added to the operand's place */
    bool parts;                   /* numbers whose parts are reals of one array, not planes ... */
    int64_t part_bytes;           /* ... so far apart; 0 where reals are broadcast */

    /* codelets */
    codelet_function *codelet[2];  /* by direction, */
    codelet_function *streamed;    /* ... in its place for aligned ends; NULL: none */
    struct codelet_shape shape[2]; /* likewise */
    const struct codelet_set *set; /* whose codelet of this kind and radix it is, where rows and */
    enum codelet_kind kind;        /* ... lanes may be done apart; otherwise NULL */
    int radix;
    bool scales;   /* what lies there (scaling.h) */
    bool directed; /* by the direction of the run, even in passes that are the same in both */
    bool reversed; /* forward is the inverse: a pass's transform back, with an interleaved end */
    bool mixed; /* one end interleaved, one planar: backwards the planes of this are exchanged */
    const struct codelet_onward *onward; /* but for its place; NULL: nothing */
    int64_t onward_bytes;                /* ... which is so far behind the tile's */
    const char *twiddles;
    int64_t inverse_twiddle_bytes; /* added in the inverse direction of the program, */
    int64_t twiddle_tile_bytes; /* added for every tile along loop[0] */
    const char *fine;           /* of a split twiddle, */
    int64_t fine_tile_bytes;    /* ... likewise */

    /* codelets over one group of a line's lanes after the other (groups.h); from_bytes and to_bytes
     * are then those from a lane to the next. Of rows that are reflected (halves.c): the last step,
     * whose lanes are butterflies */
    const struct cpu_operation *grouped;
    int64_t lanes, group; /* in all, and of one group */

    const struct cpu_operation *ragged; /* a last step, to rows in the workspace (ragged.c) */

    /* general operations */
    int64_t columns;            /* of this tile */
    bool joined;                /* ... two of which are one of its lines (beside.h), */
    const struct beside_list *beside; /* ... where the reals beside each other are */
    int64_t elements;           /* of a line that are touched; the rest of the tile is zeroed */
    int64_t length;             /* of the tile's lines */
    const int32_t *permutation; /* line index of the e-th element; NULL: e */
    const char *table;          /* planar complex factors, re at [i], im at [i + table_plane] */
    int64_t table_plane;
    struct pass_map table_map; /* which factor belongs to element e of column c */
    int64_t table_mirrored;    /* entries of an even table of which the lines up to the middle one
                                * are there: one beyond is its mirror's backwards; 0: all are */
    int64_t table_end;         /* elements whose index reaches it are zeros and are not written */
    const char *root_table;    /* planar, of a convolution's second parity where it is gathered or
                                * scattered with the first (parity.h), */
    int64_t root_plane;
    int64_t root_bytes;        /* ... and where that lies behind it; NULL: it is not */
    bool conjugate;            /* multiply by the conjugate */
    int shift;                 /* twiddle: the table is table_roots() of this shift */
    const char *half_table;    /* of half a spectrum: table_half(), */
    int64_t half_plane;        /* reals from its re to its im */
    const char *turn_table[2]; /* by end, of struct reals: table_turn(); NULL: there is none */
    int64_t turn_plane[2];
};

#define CPU_MAX_OPERATIONS 80

/* Numbers of a line that are multiplied by a split's twiddles together, as they are scattered. */
#define CPU_TWIDDLED_RUN 32

/* A table of a kernel, planar, in its precision. */
struct cpu_table {
    struct cpu_table *next;
    int kind, radix; /* tables_*.c: what it holds, so that it is made once */
    int64_t rows, columns;
    int64_t plane; /* reals from re to im */
    void *data;    /* table_maker.h: which kernels of a plan may have in common */
};

struct cpu_pipeline {
    int64_t columns; /* lines a tile */
    int operations;
    struct cpu_operation *operation;
};

/* One dimension of what is copied. */
#define STAGED_LINE (-1)
struct staged_dim {
    int loop;               /* of the pass, or STAGED_LINE; loop 0 of a tile: its columns */
    int64_t n, stride;      /* in the caller's array, in elements */
    int64_t number;         /* along the axis, from one to the next (struct pass_range) */
    int64_t staged;         /* stride in the copy */
};

/* An end whose numbers are stored otherwise than computed with, or which has not all of them
 * (staged.h). */
struct cpu_staged {
    weft_storage storage; /* WEFT_STORED_AS_COMPUTED: it is not such an end */
    bool whole;           /* all that the pass touches is copied at once, not tile by tile */
    int dims;             /* the fastest in the copy first */
    struct staged_dim dim[PASS_MAX_LOOPS + 1];
    int64_t pair, offset; /* struct pass: of the caller's array */
    int64_t plane; /* elements of the copy */
    size_t start;  /* the copy's first byte in its workspace */
};

/* Elements of each line that are cleared before it is read. */
struct cpu_fill {
    int runs;
    struct range run[2];
    int64_t stride; /* of neighbours */
    int64_t tiles;  /* whose lines are cleared at once, at most: memory likes longer runs */
};

/* What is asked for of the tile that comes next (ahead.h). */
struct cpu_ahead {
    bool wanted;
    bool near;        /* in the first-level cache, not the second */
    int64_t bytes[2]; /* by end, of planes each; 0: nothing */
    int64_t step[2];  /* bytes from a tile's first to the next one's */
};

struct kernel {
    arena *arena; /* of everything here but the tables */
    struct cpu_extended *extended; /* what runs in WEFT_DD, instead of pipelines; otherwise NULL */
    struct cpu_resampling *resampling; /* likewise of passes that pass_resamples() tells, */
    struct cpu_opening *opening;              /* or pass_opens() */
    struct device *device;
    const struct pass *pass;
    struct pass *own_pass; /* the same, with strides of copies; NULL: the program's will do */
    const struct cpu_sets *sets;
    weft_precision precision;
    int real_bytes;
    weft_format format[2]; /* of CPU_FROM and CPU_TO */
    bool real_place[2];    /* they are arrays of reals */
    struct cpu_staged staged[2];
    struct cpu_fill fill;
    struct cpu_laid *laid; /* lines that come in a worker's memory; NULL: none */
    size_t staged_whole_bytes; /* of copies of all that the pass touches, before the workspaces */
    double scale[2];       /* by direction; 1: none */
    double product_scale;  /* of products with PASS_SPECTRUM, in place of `scale` */
    bool scales_apart;     /* neither ends nor products do it: steps do, or operations of their own
                            * (scaling.h) */
    int threads;
    int64_t grain;            /* tiles that a thread takes at once */
    thread_pool *pool;        /* NULL for one thread, or no memory for more */
    const struct hook_program *hook[2]; /* of CPU_FROM and CPU_TO; NULL: none */
    size_t hook_offset[2];    /* where in a workspace they work */
    bool turned; /* the pass runs in the other direction than the program, which is what they are
                  * told */
    int64_t tile_plane;       /* reals from a tile buffer's re to its im */
    int64_t behind;           /* bytes of a plane behind which vectors of more lanes than there are
                               * may read; 0: none do (run_clear_behind()) */
    size_t workspace;         /* bytes one worker needs; a multiple of MEMORY_ALIGNMENT */
    struct cpu_pipeline main; /* for full tiles */
    struct cpu_pipeline
        rest;            /* for the last columns, fewer than main.columns; none if they divide */
    int64_t full_tiles;  /* along loop[0], */
    int64_t tiles;       /* and with the rest's */
    int64_t outer_tiles; /* combinations of the other loops */
    int64_t steps;       /* of the stage whose first pass it is, each of which meets new data; 1: an
                          * earlier pass has brought it near */
    bool ends_stage;      /* no later pass of its stage finds its results in a cache */
    bool ranged, far_ranges; /* the problem has ranges; caches do not hold what they leave of it */
    int64_t tile_step[2]; /* elements from a tile along loop[0] to the next, at both ends */
    struct cpu_ahead ahead;
    int64_t swept; /* bytes that are read from end to end before the first tile (ahead.h) */
    int64_t piece, piece_pitch; /* blocks.h: elements of a line that lie together, 0: all; and from
                                 * one such piece to the next */
    bool products;       /* lines are products with a matrix (matrix.h) */
    bool streams;        /* results go past the caches where they can, */
    bool staged_streams; /* ... from their copies */
    bool descends;       /* the last tile of loop[0] comes first, and leaves numbers to the next,
                          * but where rows may be ragged and are not */
    size_t carried;      /* ... here in a workspace */
    bool past;           /* results are made in a workspace, here, (past.h) */
    size_t past_start;
    struct kernel *in_place; /* ... but where they lie over what is read, by this; NULL: none */
    bool stays;              /* which it is */
    bool ragged;         /* ... among rows that may begin anywhere in a line (ragged.h) */
    bool meets;          /* tiles of loop[0] come by turns from its begin and from its end: two such
                          * have reals of the same lines of memory */
    struct pair_steps pair_steps; /* of contiguous lines as long as the pass's (paired.h); none of
                                   * one radix */
    enum cpu_operand borrowed; /* the tile buffer that may lie where a line's results will; CPU_TO:
                                * none */
    bool borrowed_first;       /* ... is written by the first step: not in place */
    bool straight;       /* nothing but codelets on whole operands, of so many tiles, so far apart
                          * at both ends: */
    int64_t straight_tiles, straight_bytes[2];
    bool plain;          /* ... between pairs or reals */
    struct cpu_table *table; /* a list */
    size_t table_bytes;
    void *circle;            /* while tables are made (tables.c), */
    struct cpu_handed *handed; /* and so is this (handed.h) */
};

/* Of the widest vectors. */
static inline int64_t cpu_widest_lanes(const struct kernel *kernel)
{
    return kernel->sets->set[kernel->precision][0]->lanes;
}

/* pass_create and pass_run of the device (kernel.c, run.c). */
weft_status cpu_pass_create(struct device *device, const struct program *program, int index,
                            const void *const *tables, struct kernel **kernel);
void cpu_pass_destroy(struct device *device, struct kernel **kernel);
weft_status cpu_pass_run(struct device *device, const struct kernel *kernel,
                         const struct pass_arguments *arguments);

static inline const char *cpu_twiddles(const struct cpu_operation *op, int direction)
{
    return op->twiddles + direction * op->inverse_twiddle_bytes;
}

/* Reals and pairs need have no second plane. */
static inline char *cpu_further(char *plane, int64_t bytes)
{
    return plane ? plane + bytes : NULL;
}

/* All of a straight kernel as if it were a codelet, in place of whose twiddles it is taken, and
 * whose planes are those of the ends: for workspaces of so many bytes, which lie on the stack.
 * Finding another takes as long as one of a short line's codelets. (run.c; experiment "direct"
 * in docs/experiments.) */
#define CPU_SHORT_BYTES 36864
codelet_function cpu_run_forward, cpu_run_inverse;

/* Likewise of all the kernels of a program, in place of whose fine twiddles that is taken; what
 * lies between two passes takes so many bytes beside the workspace. */
#define CPU_CHAIN_BYTES 32768
size_t cpu_chain_bytes(const struct program *program);
codelet_function cpu_chain_forward, cpu_chain_inverse;
codelet_function cpu_chain_planes_forward, cpu_chain_planes_inverse; /* with planes at an end */

/* pass_source of the device: a line for every operation of the pipelines (source.c). */
weft_status cpu_pass_source(struct device *device, const struct program *program, int index,
                            const struct kernel *kernel, struct text *text);

/* What the device keeps: its sets, and a pool for every number of threads that was asked for. */
struct cpu_state {
    struct cpu_sets sets;
    struct limits extended; /* of the device in WEFT_DD */
    int64_t shared_cache_bytes; /* the third level that processors near each other have together */
    pthread_mutex_t lock; /* of the list */
    _Atomic(struct cpu_pool *) pools; /* they are added behind the lock, and stay */
    _Atomic(struct cpu_handed *) handed; /* by the kernel that was made last (handed.h) */
};

struct cpu_pool {
    struct cpu_pool *next;
    int threads;
    int64_t grain; /* tiles that a thread takes at once */
    thread_pool *pool;
};

/* The pool of so many threads, made when first asked for; NULL: no memory. (cpu.c) */
thread_pool *cpu_pool_for(struct cpu_state *state, int threads);

/* How many threads share a pass, whether there is a pool for them or not: its tiles depend on it,
 * and those of the pass before and after on them. (kernel.c) */
int cpu_pass_threads(const struct program *program, int index);

#endif

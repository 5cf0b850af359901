/* The kernel IR: what one thread of a pass computes.
 *
 * A kernel is a list of nodes in static single assignment form, in the order in which they run,
 * with structured `if` and `for`. It is built through constructors that fold constants and share
 * values: equal pure nodes exist once. It knows nothing of languages (src/print/) nor of transforms
 * (src/kernel/).
 *
 * Two kinds of machine run the same IR:
 *  - a GPU runs it for every thread of every block;
 *  - on the CPU a "block" is one row of a loop, its threads are the lanes of vector registers: a
 *    codelet is a kernel without shared memory whose memory addresses are affine in IR_THREAD.
 *
 * Failure sticks: after an allocation failed or a constructor was misused, values are IR_NONE and
 * ir_finish returns NULL. */
#ifndef WEFT_IR_IR_H
#define WEFT_IR_IR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/storage.h"
#include "base/texels.h"
#include "weft/weft.h"

typedef int32_t ir_value;
#define IR_NONE (-1)

enum ir_type { IR_VOID, IR_REAL, IR_INT, IR_BOOL, IR_PAIR };

enum ir_op {
    /* leaves */
    IR_REAL_CONSTANT, /* real */
    IR_INT_CONSTANT,  /* integer; of type IR_BOOL: 0 or 1 */
    IR_PARAM,         /* integer: the index-th launch parameter, the same for all threads */
    IR_THREAD,        /* integer: this thread's index in its block (a lane, on the CPU) */
    IR_BLOCK,         /* integer: this block's index (a row, on the CPU) */
    /* real arithmetic */
    IR_ADD,
    IR_SUB,
    IR_MUL,
    IR_NEG,
    IR_FMA,  /*  a * b + c, rounded once */
    IR_FMS,  /*  a * b - c */
    IR_FNMA, /* -a * b + c */
    /* what callers' expressions need beyond transforms; IEEE says what comes of 0, infinity, NaN */
    IR_DIV,
    IR_SQRT,
    IR_FLOOR,
    IR_TO_REAL,    /* of an integer */
    IR_REAL_LESS,  /* bool */
    IR_REAL_EQUAL,
    /* integer arithmetic, 64 bits wide in meaning; a printer may narrow what is not `wide`.
     * Division and remainder are of non-negative numbers. */
    IR_INT_ADD,
    IR_INT_SUB,
    IR_INT_MUL,
    IR_INT_DIV,
    IR_INT_MOD,
    IR_LESS,
    IR_EQUAL,
    IR_AND,    /* of integers, of integers, of bools */
    IR_OR,     /* of bools */
    IR_NOT,
    IR_SELECT, /* condition ? a : b, of reals or of integers */
    IR_FIRST,  /* the first real of pair a */
    IR_SECOND,
    /* memory and control */
    IR_LOAD,     /* real: buffer[index + lane_stride * thread + offset] */
    IR_LOAD_INT, /* integer, from an integer table */
    IR_LOAD_PAIR, /* pair, from a buffer of pairs */
    IR_STORE,    /* value a to that place */
    IR_STORE_PAIR, /* values a and c to a pair */
    IR_BARRIER,  /* all threads of the block; never inside divergent control */
    IR_ARRIVE,   /* likewise: the first half of a barrier of all blocks of the cluster, */
    IR_WAIT,     /* ... and the second: what any of them did before it arrived is done */
    IR_FOR,      /* integer: the counter, 0 .. a-1; the body ends at the matching IR_END */
    IR_IF,       /* on bool a; the body ends at the matching IR_END */
    IR_END,      /* a: the IR_FOR or IR_IF it ends, in whose own scope it stands */
    IR_OP_COUNT
};

enum ir_buffer_kind {
    IR_GLOBAL, /* an array of reals of the caller's, or a table of reals */
    IR_TABLE,  /* a read-only array of 32-bit integers (permutations) */
    IR_SHARED, /* reals, private to a block, `count` elements of them */
    IR_PRIVATE /* likewise to a thread: what a loop carries from one round to the next. Its indices
                * are constants, so that compilers hold it in registers. */
};
#define IR_BUFFER_KINDS (IR_PRIVATE + 1)

#define IR_MAX_BUFFERS 16
#define IR_MAX_PARAMS  48

struct ir_buffer {
    const char *name;
    enum ir_buffer_kind kind;
    bool writable;
    bool pairs;    /* its elements are pairs of reals, which only pair operations access */
    int base;      /* the parameter that is added to every index; IR_NONE: nothing is */
    int64_t count; /* shared and private: its elements; others: 0 */
    weft_storage storage; /* bound: what its reals are in memory; 0: what is computed with. Loads
                           * and stores convert, as enum weft_storage says */
    struct texels texels; /* its elements are those of an image, unless the format is 0; whoever has
                           * no images takes it for an array */
};

/* Whether it is memory that whoever launches a kernel has bound to it. */
static inline bool ir_is_bound(const struct ir_buffer *buffer)
{
    return buffer->kind == IR_GLOBAL || buffer->kind == IR_TABLE;
}

struct ir_node {
    enum ir_op op;
    enum ir_type type;
    ir_value a, b, c;    /* operands; IR_NONE where there is none. Memory: a = the value stored,
                          * b = the index */
    int buffer;          /* memory */
    int peer;            /* stores: the block of the cluster in whose shared memory that is, counted
                          * from 1; 0: this thread's own */
    int64_t lane_stride; /* memory: the address grows by this from a thread to the next, */
    int64_t offset;      /* and has this added; both 0 unless the kernel is a codelet */
    int64_t integer;     /* IR_INT_CONSTANT, index of IR_PARAM; IR_THREAD: 0 or IR_ANEW */
    double hi, lo;       /* IR_REAL_CONSTANT: the value, as an unevaluated sum */
    bool wide;           /* integers: may need more than 32 bits with a sign; its operands may be
                          * narrow all the same */
    ir_value scope;      /* the IR_FOR or IR_IF around it; IR_NONE at top level */
};

static inline bool ir_is_barrier(enum ir_op op)
{
    return op >= IR_BARRIER && op <= IR_WAIT;
}

static inline bool ir_is_store(enum ir_op op)
{
    return op == IR_STORE || op == IR_STORE_PAIR;
}

/* Loads and stores. */
static inline bool ir_is_access(enum ir_op op)
{
    return op >= IR_LOAD && op <= IR_STORE_PAIR;
}

/* A finished kernel. Everything in it belongs to the arena it was built in. */
struct ir {
    const char *name;
    int threads; /* threads a block; 0: any number (codelets) */
    int resident; /* blocks that a multiprocessor should hold at once; 0: whatever comes of it */
    int cluster; /* so many neighbouring blocks run at the same time and may store to one another's
                  * shared memory; 1: blocks have nothing to do with one another. More is what a
                  * dialect may offer, and has a place in struct limits. */
    int param_count;
    const char *param_name[IR_MAX_PARAMS];
    int buffer_count;
    struct ir_buffer buffer[IR_MAX_BUFFERS];
    int32_t count;
    const struct ir_node *node;
};

/* ---- building (src/ir/build*.c, fold_*.c, finish.c) ---- */

struct ir_builder;

struct ir_builder *ir_begin(arena *a, const char *name, int threads);
void ir_set_cluster(struct ir_builder *b, int blocks, int resident);
int ir_buffer(struct ir_builder *b, const char *name, enum ir_buffer_kind kind, bool writable,
              int64_t count);
/* Likewise of pairs. */
int ir_pair_buffer(struct ir_builder *b, const char *name, enum ir_buffer_kind kind, bool writable,
                   int64_t count);
/* From now on the parameter is added to every index into the buffer, which may be negative then. */
void ir_set_base(struct ir_builder *b, int buffer, ir_value param);
/* From now on its reals are stored so. */
void ir_set_storage(struct ir_builder *b, int buffer, weft_storage storage);
/* From now on the buffer is an image. */
void ir_set_texels(struct ir_builder *b, int buffer, const struct texels *texels);
ir_value ir_param(struct ir_builder *b, const char *name); /* a new parameter */
/* A new parameter that is known to be from low to high. */
ir_value ir_param_within(struct ir_builder *b, const char *name, int64_t low, int64_t high);

ir_value ir_real(struct ir_builder *b, double hi, double lo);
ir_value ir_int(struct ir_builder *b, int64_t value);
ir_value ir_thread(struct ir_builder *b);
/* The same number, which compilers, where there are words for it, are not told: in a loop, so that
 * what follows from it is computed in every round and not held in registers over all of them. */
ir_value ir_thread_anew(struct ir_builder *b);
#define IR_ANEW 1
ir_value ir_block(struct ir_builder *b);
/* Likewise, known to be below `count`, the most blocks there are. */
ir_value ir_block_below(struct ir_builder *b, int64_t count);

/* Folding rules: constants are folded, x+0, x*1, x*0 (exact for integers; for reals only where the
 * constant comes from the transform's own roots: NaN and infinity are not kept through x*0), x*-1,
 * -(-x), a+(-b), (-a)*b = -(a*b), fma with a constant 0, 1 or -1; commutative operands are put in a
 * fixed order; integer x*2^k stays a multiplication (printers choose the shift). */
ir_value ir_add(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_sub(struct ir_builder *b, ir_value x, ir_value y);
/* Likewise of what may be products with the same constant, whose sum then is one: what has one
 * scale keeps it for the sums after this. Not where it matters how the products are rounded. */
ir_value ir_add_scaled(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_sub_scaled(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_mul(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_neg(struct ir_builder *b, ir_value x);
ir_value ir_fma(struct ir_builder *b, ir_value x, ir_value y, ir_value z); /* x*y + z */
ir_value ir_fms(struct ir_builder *b, ir_value x, ir_value y, ir_value z); /* x*y - z */

ir_value ir_div(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_sqrt(struct ir_builder *b, ir_value x);
ir_value ir_floor(struct ir_builder *b, ir_value x);
ir_value ir_to_real(struct ir_builder *b, ir_value integer);
ir_value ir_real_less(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_real_equal(struct ir_builder *b, ir_value x, ir_value y);

ir_value ir_int_add(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_int_sub(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_int_mul(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_int_div(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_int_mod(struct ir_builder *b, ir_value x, ir_value y);
/* The constant of the sum that x is; 0: it is none. */
int64_t ir_int_offset(const struct ir_builder *b, ir_value x);
ir_value ir_less(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_equal(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_and(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_or(struct ir_builder *b, ir_value x, ir_value y);
ir_value ir_not(struct ir_builder *b, ir_value x);
ir_value ir_select(struct ir_builder *b, ir_value condition, ir_value x, ir_value y);

/* Loads are not shared with one another (a store may lie between). */
ir_value ir_load(struct ir_builder *b, int buffer, ir_value index);
/* From a table of numbers that are known to be from 0 to count - 1. */
ir_value ir_load_int(struct ir_builder *b, int buffer, ir_value index, int64_t count);
void ir_store(struct ir_builder *b, int buffer, ir_value index, ir_value value);
ir_value ir_load_pair(struct ir_builder *b, int buffer, ir_value index);
ir_value ir_first(struct ir_builder *b, ir_value pair);
ir_value ir_second(struct ir_builder *b, ir_value pair);
void ir_store_pair(struct ir_builder *b, int buffer, ir_value index, ir_value first,
                   ir_value second);
/* Likewise to the shared memory of the cluster's block `peer`, counted from 0. */
void ir_send(struct ir_builder *b, int peer, int buffer, ir_value index, ir_value value);
void ir_send_pair(struct ir_builder *b, int peer, int buffer, ir_value index, ir_value first,
                  ir_value second);
/* The codelet's form: address = index + lane_stride * thread + offset. */
ir_value ir_load_lane(struct ir_builder *b, int buffer, ir_value index, int64_t lane_stride,
                      int64_t offset);
void ir_store_lane(struct ir_builder *b, int buffer, ir_value index, int64_t lane_stride,
                   int64_t offset, ir_value value);
void ir_barrier(struct ir_builder *b);
void ir_arrive(struct ir_builder *b);
void ir_wait(struct ir_builder *b);
ir_value ir_for(struct ir_builder *b, ir_value count); /* returns the counter */
void ir_if(struct ir_builder *b, ir_value condition);
void ir_end(struct ir_builder *b);

/* How many values there are so far, and whether one is a constant real, and which. */
int32_t ir_size(const struct ir_builder *b);
bool ir_is_number(const struct ir_builder *b, ir_value x, double *number);

/* Removes what nothing uses, verifies, and returns the kernel, which lives in the arena. NULL: the
 * arena failed, or the kernel is malformed (error_last() says how). */
const struct ir *ir_finish(struct ir_builder *b);

/* ---- transforming (src/ir/fma.c, src/ir/extended.c) ---- */

/* The kernel with every product that only sums and differences of its scope use fused into all of
 * them. For machines that have fma. NULL: no memory. */
const struct ir *ir_form_fma(arena *a, const struct ir *kernel);

/* The kernel in extended precision: each of its reals is the unevaluated sum of two, the greater
 * first, some 106 bits where those are doubles. So arrays of reals become arrays of as many pairs,
 * arrays of pairs of reals become arrays of twice as many pairs; those of another storage stay as
 * they are, and must not be written as any but WEFT_STORED_F64. fma: the machine has fused
 * operations, and products are exact in two operations instead of 17. What comes out is complete:
 * nothing else may be fused or reordered. Of kernels for blocks, not of codelets, without what only
 * callers' expressions need. NULL: no memory, or more buffers than there may be. */
const struct ir *ir_form_extended(arena *a, const struct ir *kernel, bool fma);

/* ---- looking (src/ir/verify.c, src/ir/count.c) ---- */

/* True if types agree, every operand is defined before and in a scope around its use, scopes nest,
 * buffers and params exist, barriers stand outside `if`. Otherwise false, with error_set(). */
bool ir_verify(const struct ir *kernel);

/* Operations of one thread outside loops, by kind; an fma counts as one in `fma`. */
struct ir_counts {
    int adds, multiplies, fmas, negations, loads, stores, barriers;
};
struct ir_counts ir_count(const struct ir *kernel);

/* True if some node reads or writes the buffer. */
bool ir_buffer_used(const struct ir *kernel, int buffer);

/* ---- running (src/ir/evaluate.c) ---- */

struct ir_launch {
    int64_t blocks;               /* whole clusters */
    int threads;                  /* a block; equals kernel->threads unless that is 0 */
    bool single;                  /* reals are rounded to float after every operation */
    int coalescing_bytes;         /* the width of a memory transaction: 32, 64, 128 */
    int simd_width;               /* threads that access memory together: 16, 32, 64 */
    int banks;                    /* of shared memory, each one 4-byte word wide: 32 */
    const int64_t *params;        /* param_count of them */
    void *buffer[IR_MAX_BUFFERS]; /* float or double arrays, or as stored; int32_t for tables;
                                   * others: NULL */
    int64_t buffer_count[IR_MAX_BUFFERS]; /* their lengths in elements */
};

/* What the evaluator saw. Counts are over all blocks. */
struct ir_report {
    int64_t races;         /* accesses to a shared word that another thread of the block wrote, or
                             * that overwrite what another thread read, since the last barrier, of
                             * the cluster if that thread is in another block of it; and
                             * global words written by one thread and touched by another, unless
                             * a barrier of their block lies between. Not watched: buffers that
                             * span more than 2^24 words */
    int64_t out_of_bounds; /* accesses outside a buffer: not performed, loads give 0 */
    int64_t divergent_barriers;
    int64_t bank_conflicts;  /* extra shared-memory cycles beyond one an access of a SIMD group */
    int64_t shared_accesses; /* accesses of SIMD groups to shared memory */
    int64_t transactions;    /* memory transactions the SIMD groups' global accesses need */
    int64_t ideal_transactions; /* what they would need if all bytes were contiguous */
    char first[160];            /* the first defect in words; "" if none */
};

/* Runs the kernel cluster by cluster, all threads of its blocks in lock-step: the living definition
 * of the IR. Defects are counted, not fatal. WEFT_ERROR_MEMORY if there is no memory. */
weft_status ir_evaluate(const struct ir *kernel, const struct ir_launch *launch,
                        struct ir_report *report);

#endif

/* A machine that runs kernels of blocks (kernel/block.h) in extended precision: arithmetic so slow
 * that walking over a kernel's operations costs little beside it, if each is done for all threads
 * of a block at once. A register holds a number for every thread, the parts of which lie behind one
 * another: hi of all threads, then lo.
 *
 * The slow twin of it is ir/evaluate.h on what ir_form_extended() makes of the kernel. */
#ifndef WEFT_DEVICE_CPU_MACHINE_H
#define WEFT_DEVICE_CPU_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "ir/ir.h"

/* Lanes of a register come in so many, for vectors. */
#define MACHINE_LANES 8
/* Scopes of a kernel within one another. */
#define MACHINE_MOST_DEPTH 34

/* What processors differ in: to[] = operation of a[], b[], each `lanes` times hi and then as many
 * lo. A result overlaps no operand. */
struct machine_arithmetic {
    void (*add)(double *restrict to, const double *a, const double *b, int lanes);
    void (*subtract)(double *restrict to, const double *a, const double *b, int lanes);
    void (*multiply)(double *restrict to, const double *a, const double *b, int lanes);
};

extern const struct machine_arithmetic machine_basic;
#if defined(__x86_64__)
extern const struct machine_arithmetic machine_avx2, machine_avx512;
#endif

/* Where a register lies. */
struct machine_place {
    bool lasting;  /* in the machine's own memory, filled once; otherwise in a worker's */
    size_t offset; /* bytes */
};

struct machine_instruction {
    enum ir_op op;
    bool real;    /* of reals, or of pairs; else of integers */
    bool uniform; /* the same integer for all threads */
    bool narrow;  /* its operands are integers of 32 bits */
    struct machine_place to, a, b, c;
    int buffer;
    int64_t integer;
    double hi, lo;
    int32_t end; /* of a scope: the instruction that ends it */
};

struct machine_code {
    int32_t count;
    struct machine_instruction *instruction;
};

/* A kernel translated, which has no fused operations, none of callers' expressions and no clusters.
 * Everything in it belongs to the arena it was made in. */
struct machine {
    const struct ir *kernel;
    int threads, lanes; /* of a block; of a register */
    struct machine_code once, code; /* for all blocks and runs; for each block */
    char *lasting;                  /* what `once` computed */
    size_t lasting_bytes;
    size_t worker_bytes; /* of a worker's memory: registers, */
    size_t masks;        /* ... from here on the threads that are active, by depth of scope, */
    size_t memory[IR_MAX_BUFFERS]; /* ... and from here on shared and private memory */
};

/* NULL: no memory. The kernel has to live as long as the machine. */
struct machine *machine_create(arena *a, const struct ir *kernel,
                               const struct machine_arithmetic *arithmetic);

/* What a run works on. */
struct machine_run {
    const struct machine *machine;
    const struct machine_arithmetic *arithmetic;
    const int64_t *params;
    void *buffer[IR_MAX_BUFFERS]; /* arrays of struct extended, or int32_t in tables */
};

/* Fills machine->lasting. (machine_run.c) */
void machine_run_once(struct machine *machine, const struct machine_arithmetic *arithmetic);

/* Runs the blocks begin to end - 1. worker: machine->worker_bytes that nobody else uses meanwhile,
 * aligned to MEMORY_ALIGNMENT. */
void machine_run(const struct machine_run *run, int64_t begin, int64_t end, void *worker);

#endif

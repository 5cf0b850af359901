/* The inside of the evaluator: the state of a launch, shared by its control and its memory. */
#ifndef WEFT_IR_EVALUATE_H
#define WEFT_IR_EVALUATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "ir/ir.h"

/* A node's value in one thread; bools are integers. */
union ir_slot {
    double real;
    double pair[2];
    int64_t integer;
};

/* Who touched a word of memory. Time is counted in epochs: a new one begins with every block and
 * after every barrier, so accesses of one epoch are unordered unless one thread made them. */
struct ir_word {
    int64_t write_epoch;                 /* of the last write; 0: never written */
    int64_t first_read_epoch, read_epoch; /* of the first and the last read; 0: never read */
    int32_t writer;                      /* the last write's thread */
    int32_t reader; /* the thread of all reads in read_epoch, or IR_MANY_READERS */
};
#define IR_MANY_READERS (-1)

struct ir_memory {
    bool shared, own;     /* of a block; of each thread, one after the other */
    int64_t count;        /* elements; shared: of one block, own: of one thread, which lie one after
                           * the other */
    int parts;            /* of an element: reals or an integer */
    int bytes;            /* of an element */
    weft_storage storage; /* of its reals */
    int words;            /* that are watched, a part */
    int64_t base;         /* added to every index */
    char *data;           /* shared, own: doubles, whatever the precision */
    int64_t bank_offset;  /* shared: bytes before it */
    struct ir_word *word; /* by part; NULL: not watched. Buffers that overlap share them. */
};

struct ir_run {
    const struct ir *kernel;
    const struct ir_launch *launch;
    struct ir_report *report;
    int threads;   /* of a cluster's blocks together, */
    int in_block;  /* ... and of one of them */
    int64_t block; /* the cluster's first */
    int64_t epoch, block_epoch; /* now, and the first of this cluster */
    int64_t arrived_epoch; /* that after all blocks of the cluster last arrived, */
    int64_t cluster_epoch; /* ... and after they last arrived and waited */
    union ir_slot *value;       /* node * threads + thread */
    struct ir_memory memory[IR_MAX_BUFFERS];
    int64_t *address; /* by thread: what an access touches; IR_NO_ADDRESS: nothing. Shared: in all
                       * blocks' memory */
    int32_t *chain;   /* by thread: scratch of the bank counter */
};
#define IR_NO_ADDRESS (-1)

/* Sets up run->memory in the arena; false if there is no memory. */
bool ir_memory_init(struct ir_run *run, arena *a);

/* Which of the cluster's blocks a thread is in. */
static inline int ir_rank(const struct ir_run *run, int thread)
{
    return thread / run->in_block;
}

/* What shared and private memory hold when a block starts: nothing that may be relied upon. */
void ir_memory_begin_block(struct ir_run *run);

/* Performs the load or store `v` for the active threads, and counts. */
void ir_memory_access(struct ir_run *run, ir_value v, const bool *active);

/* Keeps the first defect in words. */
void ir_report_defect(struct ir_run *run, ir_value v, int thread, const char *what);

#endif

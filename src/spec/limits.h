/* What a device can do, as plain data. A test can invent a device. */
#ifndef WEFT_SPEC_LIMITS_H
#define WEFT_SPEC_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/storage.h"
#include "weft/weft.h"

#define LIMITS_MAX_RADIX 127
#define LIMITS_CACHES    3
#define LIMITS_MAX_LINE  256
#define LIMITS_MAX_PAIR_STEP 40
/* Below there are steps behind Rader's joined lines alone, of the vectors that this one has. */
#define LIMITS_LEAST_PAIR_STEP 4
#define LIMITS_NARROWEST_VECTOR 16 /* bytes; narrower ones have no lanes to speak of */

/* Those of integers and of halves may need what a device lacks. */
#define LIMITS_ALL_STORAGES ((1u << STORAGE_COUNT) - 2)

struct limits {
    char name[48];
    uint32_t precisions;    /* bit p: weft_precision p as arithmetic */
    uint32_t storages;      /* bit s: weft_storage s where the arithmetic is another; see
                             * LIMITS_ALL_STORAGES */
    int cores;              /* multiprocessors; processors of a CPU */
    int vector_bytes;       /* CPU: bytes of a vector register; 0: a GPU */
    int unit_bytes;         /* CPU: so many of them the units take at once */
    int threads;            /* GPU: most threads a block */
    int simd_width;         /* GPU: threads that move together */
    int registers;          /* 32-bit registers a thread may have (GPU), vector registers (CPU) */
    int register_file;      /* GPU: registers of a multiprocessor; 0: for `threads` threads with
                             * `registers` each */
    int resident_threads;   /* GPU: threads a multiprocessor holds; 0: unknown */
    int64_t shared_total;   /* GPU: shared memory of a multiprocessor; 0: of one block */
    int64_t shared_bytes;   /* fast memory for one block's tile: shared memory of a GPU; CPU: the
                             * part of the second-level cache that a tile and its twin may take */
    int cluster;            /* GPU: blocks that can run at the same time and store to one another's
                             * shared memory; below 2: none can */
    bool narrow;            /* GPU: there are no 64-bit integers */
    int coalescing_bytes;   /* runs shorter than this waste memory bandwidth; CPU: a cache line */
    int64_t largest_buffer; /* bytes */
    int64_t memory_bytes;   /* of the whole device */
    int64_t cache_bytes[LIMITS_CACHES];  /* first, second, third level; 0: none. CPU: a core's
                                          * share of the first two, and what it finds
                                          * to itself of the third */
    double bandwidth[LIMITS_CACHES + 1]; /* bytes a second (read + written) of one core (CPU) or
                                          * of the device (GPU), by level; the last: memory */
    double flops[WEFT_DD + 1]; /* a second, by precision, of one core or of the device: what well
                                * made butterflies reach, not the peak */
    double launch_seconds; /* overhead of a pass */
    double block_seconds;  /* GPU: from the start of one block to that of the next; 0: unknown */
    bool step[LIMITS_MAX_RADIX + 1];  /* radices usable as any step of a pass */
    bool last[LIMITS_MAX_RADIX + 1];  /* radices usable as the last or only step */
    bool opens[LIMITS_MAX_RADIX + 1]; /* CPU: ... as the first step of contiguous lines of pairs */
    bool late[LIMITS_MAX_RADIX + 1];  /* GPU: radices that pay where they save the third step
                                       * or a later one (block_issue.h) */
    uint8_t line[LIMITS_MAX_LINE + 1]; /* CPU: bit p: contiguous lines of the length have a codelet
                                        * of their own in weft_precision p, or two steps of pairs */
    uint8_t line_of_pairs[LIMITS_MAX_LINE + 1]; /* likewise one of two steps in registers */
    uint8_t pair_step[LIMITS_MAX_PAIR_STEP + 1]; /* CPU: radices of steps between pairs
                                                  * (pair_steps.h), in vectors of 32 (bit 0) and 64
                                                  * bytes (bit 1) */
    bool in_turn; /* CPU: steps between others take as one vector what fills any part of one */
    bool partial[LIMITS_MAX_RADIX + 1];  /* CPU: first and last ones of a line that take as one
                                          * vector what fills half of one */
    bool streamed[LIMITS_MAX_RADIX + 1]; /* CPU: last ones that can write past the caches */
    bool parted[LIMITS_MAX_RADIX + 1];    /* CPU: first ones that can read columns of a line of
                                           * reals that go there and back */
    bool reflected[LIMITS_MAX_RADIX + 1]; /* CPU: first ones that can read columns of reals that go
                                           * there and back */
};

/* CPU: numbers' parts in a vector of this precision; 1: there are no vectors. */
int limits_lanes(const struct limits *limits, weft_precision precision);

/* CPU: whether vectors are half a line of the cache. */
bool limits_halve_lines(const struct limits *limits);

/* CPU: whether half a vector is one, too, so that butterflies around cores take its lanes. */
bool limits_take_halves(const struct limits *limits);

/* CPU: whether vectors are a line and the second level is as large as server processors have it
 * whose third is far from a core. What was measured on one stands for all (experiment "a far third
 * level" in docs/experiments). */
bool limits_far_third(const struct limits *limits);

/* One processor core of unknown make with AVX2-like vectors; a usual GPU with 48 KB. For tests and
 * as the base that devices fill in. */
void limits_default_cpu(struct limits *limits);
void limits_default_gpu(struct limits *limits);

/* Makes radices between 16 and 32 steps, each of which is one exchange fewer. (Experiment "longer
 * steps" in docs/experiments.) */
void limits_add_long_steps(struct limits *limits);
/* Makes of double precision, if there is any, what is known of WEFT_DD on such a GPU. */
void limits_add_extended(struct limits *limits);

/* Reads "shared=16384,threads=256,simd=32,coalescing=128,registers=64,cores=8" into limits that
 * were set before. Before all these the name of a profile may stand (spec/profile.h):
 * "rpi5,cores=4". ARGUMENT: an unknown name or a value out of range, with the names accepted. */
weft_status limits_parse(struct limits *limits, const char *text);

#endif

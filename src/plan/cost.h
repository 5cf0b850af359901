/* What things cost: the model behind every choice of the planner. Seconds everywhere. */
#ifndef WEFT_PLAN_COST_H
#define WEFT_PLAN_COST_H

#include "spec/limits.h"
#include "spec/matrix_shape.h"
#include "spec/program.h"

/* Addresses so far apart go to the same set of a CPU's first-level cache. */
#define COST_PAGE_BYTES 4096

/* A device at work in one precision. */
struct cost_machine {
    const struct limits *limits;
    weft_precision precision;
    int element_bytes; /* of a complex number */
    int threads;       /* at work at once; 1 on a GPU, whose figures are the device's */
    bool of_pairs; /* both ends of the problem are complex, */
    bool plain;    /* ... or not; and as they are computed with (problem_is_plain()) */
    bool planar;   /* the parts of numbers lie apart there */
};

struct cost_machine cost_machine(const struct limits *limits, const struct problem *problem);

/* The cache level, or LIMITS_CACHES for memory, that holds so many bytes. */
int cost_level(const struct limits *limits, double bytes);
double cost_bandwidth(const struct cost_machine *machine, int level);
/* Whether scratch of n numbers leaves a CPU's caches, with the arrays at both ends beside it. */
bool cost_leaves_caches(const struct cost_machine *machine, int64_t n);

/* How many of `available` neighbouring lines of length n a tile takes up together. */
int64_t cost_columns(const struct cost_machine *machine, int64_t n, int64_t available);
/* Likewise of lines that are convolved. */
int64_t cost_convolved_columns(const struct cost_machine *machine, int64_t n, int64_t available);

/* A line of length n in a tile; `columns` lines are done at once, 1: one line by itself. */
struct cost_line {
    const struct cost_machine *machine;
    int64_t n, columns;
    bool convolved; /* its ends are in the tile, too, where vectors are whole */
    bool kept;      /* its last step leaves planes, for something else to go on with, or to stay */
    double moved; /* seconds to read and write every element of a CPU's tile */
};

struct cost_line cost_line(const struct cost_machine *machine, int64_t n, int64_t columns,
                           bool convolved);
/* One Stockham step on it: `before` is the product of the radices of the steps before it. */
double cost_line_step(const struct cost_line *line, int radix, int64_t before);
double cost_step(const struct cost_machine *machine, int64_t n, int radix, int64_t before,
                 int64_t columns);
/* What the first, or last, step of a contiguous line that a CPU reads, or writes, where it lies
 * takes more. */
double cost_end(const struct cost_machine *machine, int64_t n, int radix, bool last);
/* What the first, or last, step of lines beside each other takes more that a CPU reads, or writes,
 * where they lie with elements `stride` apart. */
double cost_across(const struct cost_machine *machine, int64_t n, int radix, int64_t stride,
                   bool last);
/* What the last step of a split's columns, or of its rows whose results are reflected, takes more
 * for legs that meet in a CPU's tile. (Experiment "reflected legs" in docs/experiments.) */
double cost_tile_legs(const struct cost_machine *machine, int64_t n, int radix, int64_t columns,
                      bool reflected);
/* What a step of a line that a CPU convolves takes more, for all that passes through its caches. */
double cost_convolved(const struct cost_machine *machine, int64_t n, int64_t columns);
/* How lines lie for a GPU's pass: contiguous at both ends, beside each other at both, or read
 * contiguous and written beside each other. */
enum cost_ends { COST_ROWS, COST_COLUMNS, COST_TURNED };
/* One line of a block node, in a pass of a GPU over many. */
double cost_tile(const struct cost_machine *machine, const struct plan_node *block,
                 enum cost_ends ends);
/* The share of a GPU's bandwidth that the pass reaches. Next to nothing where no tile fits. */
double cost_share(const struct cost_machine *machine, const struct pass *pass);
/* Reading and writing a line of n elements in a GPU's memory. */
double cost_memory(const struct cost_machine *machine, int64_t n);
/* `count` complex multiplications in a tile. */
double cost_products(const struct cost_machine *machine, double count);
/* Carrying n elements between an array and a tile apart from the steps, once. */
double cost_carrying(const struct cost_machine *machine, int64_t n);
/* Multiplying n elements by a chirp, once; m by a spectrum. */
double cost_chirp(const struct cost_machine *machine, int64_t n);
double cost_spectrum(const struct cost_machine *machine, int64_t m);
/* What a convolution in two halves takes beside these, of `columns` lines of n at once. */
double cost_parities(const struct cost_machine *machine, int64_t n, int64_t columns);
/* Moving n elements to permuted places and back. */
double cost_permutation(const struct cost_machine *machine, int64_t n);
/* Multiplying n elements at such places by a split's twiddle. */
double cost_permuted_twiddle(const struct cost_machine *machine, int64_t n);
/* Multiplying n elements of lines that are convolved beside each other in several passes. */
double cost_turned_beside(const struct cost_machine *machine, int64_t n);
/* A line of reals as a CPU's products with a matrix. */
double cost_matrix(const struct cost_machine *machine, const struct pass *pass,
                   const struct matrix_shape *shape);
/* An additional sweep over a line of length n. */
double cost_sweep(const struct cost_machine *machine, int64_t n);

/* Fills in the bytes and seconds of the passes and of the program, and what of it several threads
 * of a CPU share (cost_program.c). */
void cost_program(struct program *program, const struct limits *limits);

#endif

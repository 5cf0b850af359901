/* Lines of reals that lie beside each other, of which a vector has one a lane: the numbers that
 * reals stand for (spec/reals.h), a row of all lines at a time, between a tile and the caller's
 * array. */
#ifndef WEFT_DEVICE_CPU_BESIDE_H
#define WEFT_DEVICE_CPU_BESIDE_H

#include <stdbool.h>
#include <stdint.h>

struct cpu_operation;
struct cpu_tile;
struct kernel;
struct reals;

/* Lanes are at least as many as fill such a vector. */
#define BESIDE_BYTES 16

/* The reals that a part of some numbers is, weighted, of the first line. */
struct beside_reals {
    int64_t first; /* bytes from the line's real 0 */
    int64_t step;  /* reals from one number's to the next one's */
    double weight; /* 0: there are none; what `first` is then is read nevertheless */
};

struct beside_numbers {
    int64_t at;   /* bytes from the tile's number 0 to the first one */
    int64_t step; /* reals from one to the next */
    struct beside_reals part[2];
    const void *turn_re, *turn_im; /* what the first one is turned by; NULL: they are not; */
    int64_t turn_step;             /* ... and from one's turn to the next one's */
    int64_t second; /* where two lines are one: from reals of the one to those of the other */
};

/* Of `rows` numbers each, from both ends of the lines; where own ones, k, k + 1, ..., and other
 * ones, h - k, h - k - 1, ..., make one another, with the roots exp(-2 pi i k / n). */
struct beside_rows {
    int64_t rows, lanes;
    struct beside_numbers own, other;
    const void *root_re, *root_im;
};

/* Where a tile's are. */
struct beside_place {
    char *line;    /* real 0 of the first line, */
    char *re, *im; /* ... and its number 0 in the tile */
    double factor; /* of all reals besides */
};

/* One of mirror.h. */
typedef void beside_function(const struct beside_rows *, const struct beside_place *);

/* All that an operation carries, found once: looking it up for every tile took longer than carrying
 * short lines. (Experiment "looked up".) */
struct beside_list {
    beside_function *function;
    int64_t count;
    const struct beside_rows *rows;
    double factor; /* of what is scattered, besides the scale */
};

/* Whether the tile's numbers come so from the pass's input, or go to its output. */
bool beside_suits(const struct kernel *kernel, const struct cpu_operation *op, bool out);

/* Makes of a gather or a scatter, which has its ends, its columns and its tables, an operation that
 * does it so. False: no memory. */
bool beside_use(const struct kernel *kernel, struct cpu_operation *op, bool out);

/* Such operations. */
void beside_gather(const struct cpu_operation *op, const struct cpu_tile *tile);
void beside_scatter(const struct cpu_operation *op, const struct cpu_tile *tile);

/* Where a step finds the parts of numbers, reals apart; of those of the second half, if these are
 * mirrored, from the last one on, the first part from the second one of number 0. */
struct beside_legs {
    int64_t first, number, part; /* number 0's first part; to the next number; to the second part */
    bool mirrored;
    int64_t last;
    double sign; /* what those are multiplied by */
};

/* Whether the first step reads so the numbers that reals are, of a tile of so many columns; and
 * what it takes of its operation, which has its shape. False: no memory. */
bool beside_has_legs(const struct kernel *kernel, int64_t columns, struct beside_legs *legs);
bool beside_use_legs(const struct kernel *kernel, struct cpu_operation *op,
                     const struct beside_legs *legs);

/* Whether lines of reals are taken two by two, the first ones of a tile of so many columns as the
 * real parts and the last ones as the imaginary parts of beside_joined() lines: where results, or
 * what is transformed, have the symmetry of one line of reals. */
bool beside_joins(const struct kernel *kernel, int64_t columns);
/* An odd one is there twice. */
int64_t beside_joined(int64_t columns);

#endif

/* Lines of reals that lie beside each other, of which a vector has one a lane: the numbers that
 * reals stand for (spec/reals.h), a row of all lines at a time, between a tile and the caller's
 * array. */
#ifndef WEFT_DEVICE_CPU_BESIDE_H
#define WEFT_DEVICE_CPU_BESIDE_H

#include <stdbool.h>
#include <stdint.h>

struct cpu_operation;
struct kernel;
struct reals;

/* Lanes are at least as many as fill such a vector. */
#define BESIDE_BYTES 16

/* The reals that a part of some numbers is, weighted, of the first line. */
struct beside_reals {
    void *first;
    int64_t step;  /* reals from one number's to the next one's */
    double weight; /* 0: there are none; what `first` is then is read nevertheless */
};

struct beside_numbers {
    void *re, *im; /* of the tile: the first number, */
    int64_t step;  /* ... and reals from one to the next */
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

/* One of mirror.h. */
typedef void beside_function(const struct beside_rows *);

/* An end of a tile. Planes and strides in reals. */
struct beside_end {
    int real_bytes;
    const struct reals *reals;
    int64_t lanes;
    char *line; /* real 0 of the first line, */
    int64_t stride;
    char *re, *im; /* ... and its number 0 in the tile, */
    int64_t step;  /* ... and to the next number there */
    const char *turn; /* as in struct cpu_operation */
    int64_t turn_step, turn_plane;
    double factor;  /* of all reals besides */
    int64_t second; /* struct beside_numbers; 0: each line is one */
};

/* All numbers, each as it is. */
void beside_carry(const struct beside_end *end, int64_t numbers, beside_function *function);
/* Numbers 0 to h, of which, two by two, the tile's h numbers are made, or which these make. */
void beside_mirror(const struct beside_end *end, int64_t h, const char *root, int64_t root_plane,
                   beside_function *function);

/* All numbers k and n - k of two lines at once, which the tile's numbers k and n - k are. */
void beside_part(const struct beside_end *end, int64_t n, beside_function *function);

/* Whether lines of reals are taken two by two, the first ones of a tile of so many columns as the
 * real parts and the last ones as the imaginary parts of beside_joined() lines: where results, or
 * what is transformed, have the symmetry of one line of reals. */
bool beside_joins(const struct kernel *kernel, int64_t columns);
/* An odd one is there twice. */
int64_t beside_joined(int64_t columns);

#endif

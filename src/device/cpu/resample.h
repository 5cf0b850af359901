/* Passes that lead to lines among whose numbers others are interpolated, and from there
 * (math/window.h). A block is the lanes of a cache line: its taps are read from neighbours. */
#ifndef WEFT_DEVICE_CPU_RESAMPLE_H
#define WEFT_DEVICE_CPU_RESAMPLE_H

#include "device/cpu/engine.h"
#include "math/window.h"

/* Pairs times weights, to both lines. */
struct resample_spread {
    int64_t count;
    const void *pair;
    void *even, *odd;                           /* pairs, too */
    const void *weight, *turned_re, *turned_im; /* turned: times the root */
    bool back;   /* those of mirrors: counted backwards, their imaginary parts' signs changed */
    double sign; /* of the roots' imaginary parts, but for that: -1 where re and im are exchanged */
    bool adds;   /* to what is there */
};

/* Sums of taps, of blocks and their mirrors in the line: n - k has the weights of k. */
struct resample_sum {
    int64_t blocks;
    const void *line[2];     /* by parity: pairs */
    const void *mirror[2];   /* where a mirrored block's would begin if its first tap's were 0 */
    const int64_t *first[2]; /* by parity: the first tap's pair, of each block */
    const void *weight;      /* of a block and tap the lanes' for even numbers, then for odd ones,
                              * as resample_weights.h has them; NULL: they are made of: */
    bool far; /* ... beyond the second level: those of blocks further on are asked for */
    const struct window_place *place[2]; /* by parity: of each block, in */
    const double *cell;                  /* what window_fit_cells() has */
    int powers;                          /* of their polynomials, */
    double step;                         /* whose variable's lanes are so far apart */
    void *pair, *mirrored;   /* the first block's; mirrored ones follow backwards */
    double scale;
};

/* Weights of a block and parity, every second group of lanes: the polynomials at y, y - step... */
struct resample_weigh {
    double y, step;
    const double (*fit)[WINDOW_FIT];
    void *weight;
};

/* Weights of the first half of a line's n numbers, `count` in whole blocks, the polynomial of the
 * window's factors, and those turned: times the roots that are there. */
struct resample_factors {
    int64_t n, count;
    const double *fit;
    void *weight, *turned_re, *turned_im;
};

struct cpu_resample {
    void (*spread)(const struct resample_spread *spread);
    void (*sum)(const struct resample_sum *sum);
    void (*weigh)(const struct resample_weigh *weigh);
    void (*factors)(const struct resample_factors *factors);
};

/* By weft_precision. */
extern const struct cpu_resample resample_basic[2];
#if defined(__x86_64__)
extern const struct cpu_resample resample_avx2[2], resample_avx512[2];
#endif

/* Fills kernel->resampling and ->table_bytes. MEMORY. */
weft_status resample_create(struct kernel *kernel, const struct program *program, int index);
void resample_free(struct kernel *kernel);
void resample_run(const struct kernel *kernel, const struct pass_arguments *arguments);

/* Of a pass without loops, from the line's pairs to where they go. */
void resample_line(const struct kernel *kernel, weft_direction direction, char *from, char *to);

#endif

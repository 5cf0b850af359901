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
    void *pair, *mirrored;   /* the first block's; mirrored ones follow backwards. NULL: none are
                              * wanted */
    double scale;
};

/* Weights of a block and parity, every second group of lanes: the polynomials at y, y - step... */
struct resample_weigh {
    double y, step;
    const double (*fit)[WINDOW_FIT];
    void *weight;
};

/* Weights of the first half of a line's n numbers, `count` in whole blocks, the polynomial of the
 * window's factors, and those turned, if wanted: times the roots that are there. */
struct resample_factors {
    int64_t n, count;
    const double *fit;
    void *weight, *turned_re, *turned_im;
};

/* A line of n reals by itself, which is one of 2 h, or h pairs. Opening it: from the reals, or, of
 * half a spectrum X (`half`), from the n reals Re X[k] + sign Im X[k], whose spectrum's real parts
 * less its imaginary ones are the results, numbers `begin` to `end` and their mirrors go to both
 * ends of to[0], times factor[0]. Unfolding: numbers `begin` to `end` and h less these of twice the
 * line's spectrum, by parity, from the pairs' transform and roots of order 2 h; `sign` is that of
 * imaginary parts. Closing: results from numbers of their spectrum, or, of half a spectrum, which
 * is there, the mirrors. Reals may be those of pairs. */
struct resample_reals {
    int64_t n, h, begin, end;
    const void *from, *factor[2];
    void *to[2];
    bool half, pairs;
    double sign;
};

struct cpu_resample {
    void (*spread)(const struct resample_spread *spread);
    void (*sum)(const struct resample_sum *sum);
    void (*weigh)(const struct resample_weigh *weigh);
    void (*factors)(const struct resample_factors *factors);
    void (*open)(const struct resample_reals *reals);
    void (*unfold)(const struct resample_reals *reals);
    void (*close)(const struct resample_reals *reals);
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

/* Numbers that a thread takes at once, of several. */
#define RESAMPLE_GRAIN 1024

struct resample_loop {
    const struct kernel *kernel;
    char *from, *to; /* pairs, or the ends of a line of reals by itself */
    weft_direction direction;
};

/* Numbers from one to another, of those beyond the middle or of the others, that are put where they
 * go, not added, and in how many units they are spread. */
struct resample_side {
    int64_t begin, end, units;
};

struct cpu_resampling {
    struct window window;
    char *memory; /* of all that follows */
    char *factor; /* PASS_SPREAD: weights, and the real and imaginary parts of those turned, up to
                   * the middle; mirrors have the same, or the conjugates. Of a line of reals by
                   * itself weights alone, and PASS_RESAMPLE: the parts of roots */
    char *weight; /* PASS_RESAMPLE: as struct resample_sum has them */
    bool far;
    int64_t *first[2];
    size_t other; /* bytes from one of the two lines to the other */
    /* PASS_SPREAD */
    struct resample_side side[2]; /* beyond the middle: the second */
    size_t plane;  /* bytes of weights */
    bool directed; /* half a spectrum is the caller's, of which there is no more than that */
    bool runs[2];  /* the pass, in either direction; in one that it does not, the kernel is that of
                    * the pass which leads back (program_twin()) */
    struct window_place *place[2]; /* PASS_RESAMPLE: of each block, where weights are not kept, */
    double *cell;                  /* in these polynomials */
    /* PASS_RESAMPLE: blocks that begin at a multiple of their lanes, and all. */
    int64_t whole, blocks;
};

/* Results of blocks begin to end - 1 from two lines, without their mirrors. */
void resample_sum_half(const struct resample_loop *loop, char *const line[2], char *to,
                       int64_t begin, int64_t end);

/* A line of reals by itself (device/cpu/resample_reals.c). */
void resample_reals_line(struct resample_loop *loop);

/* Of a pass without loops, from the line's pairs to where they go. */
void resample_line(const struct kernel *kernel, weft_direction direction, char *from, char *to);

#endif

/* What a stream is made of: passes over large arrays, each in bands of one shape. */
#ifndef WEFT_STREAM_PASS_H
#define WEFT_STREAM_PASS_H

#include <pthread.h>

#include "base/arena.h"
#include "plan/columns.h"
#include "run/executable.h"
#include "run/runner.h"
#include "spec/reals.h"
#include "stream/box.h"
#include "stream/stream.h"

/* STREAM_LINES: the rows of split axes, between columns and rows; STREAM_SPARE: what the output has
 * no room for, half spectra of c2r, or digits that it does not store; STREAM_CHIRPS: the spectrum
 * of a chirp. All are in the spare array, as they are computed with. */
enum stream_place {
    STREAM_IN,
    STREAM_OUT,
    STREAM_SPARE,
    STREAM_LINES,
    STREAM_CHIRPS,
    STREAM_PLACES
};

/* Pairs: where a pass gathers from, and where it scatters to. */
struct stream_dim {
    int64_t n[2];    /* elements there; they differ along the axis of half a spectrum */
    int64_t far[2];  /* from one to the next there, in elements */
    int64_t near[2]; /* and in a band */
    int64_t position[2]; /* likewise in the order that hooks count in (spec/hook.h) */
    int64_t part;    /* of a band; as many as there are along a line */
    bool line;       /* transformed, */
    weft_kind kind;  /* ... as the problem says of it, */
    struct range range[2]; /* and which elements of it there are */
};

/* Which numbers of a split line a side has: number step l + k is at l along the line, and at k
 * along the other of the pass's last two dimensions. */
struct stream_window {
    int64_t step;
    struct range range; /* count 0: all */
};

/* What the host multiplies numbers with on their way, of a line that becomes a convolution
 * (chirped.c). */
enum stream_factor {
    STREAM_NO_FACTOR,
    STREAM_CHIRP,    /* number k with exp(-pi i k^2 / n) */
    STREAM_INVERSE,  /* all with 1 / (rows columns): what is carried is the spectrum of the chirp */
    STREAM_SPECTRUM, /* with what STREAM_CHIRPS has there, and the parts are exchanged */
    STREAM_TWIDDLE   /* with those of the split, row by row */
};

/* A side where the host carries pairs, one after the other: number k is at k, as the pass's last
 * two dimensions count. */
struct stream_carry {
    enum stream_factor factor;
    int64_t n;             /* of the line; beyond there are zeros */
    int64_t rows, columns; /* of the convolution */
    int64_t stride;        /* of pairs in memory */
    bool half;             /* there is but half a spectrum, */
    bool made;             /* nothing is read, but the chirp made that numbers are convolved with */
    bool exchanged;        /* real and imaginary parts are, for the inverse direction */
};

/* What a band is run by. */
struct stream_kernel {
    const struct program *program; /* NULL: there is none */
    struct executable *executable;
    struct runner *runner; /* NULL: the program has slices */
    bool in_band;          /* its scratch is the band that was gathered */
};

struct stream_pass {
    enum stream_place place[2];
    weft_kind kind; /* where reals become reals each line has its own */
    int dims;
    struct stream_dim dim[BOX_MAX_DIMS]; /* the slowest first, as in a problem */
    int order[2][BOX_MAX_DIMS];          /* the dimensions as they lie in a band, nearest first */
    int64_t elements[2];                 /* of a band */
    size_t element_bytes[2];
    /* Elements before the first that the pass takes of the dimensions that it does not transform,
     * and positions, both of the whole array. */
    int64_t first[2], first_position[2];
    int cut;              /* the dimension of which the last band may have fewer; -1: none */
    int columns;          /* the dimension of a split's columns; -1: it is no such pass */
    struct columns split; /* of those */
    struct stream_window window[2]; /* by side */
    /* By side: half a spectrum of a split line is there. Where the line's index is behind its
     * middle, the last two dimensions count back from mirror_far, and elements are conjugates. */
    bool mirrors[2];
    int64_t mirror_far;
    /* By side: reals stand for more there (parts > 0), as numbers of a split line: the last two
     * dimensions count these. Such passes are the same in both directions. */
    struct reals reals[2];
    struct stream_carry carry[2];
    bool one_way;
    bool runs[2]; /* by direction */
    bool scaled;
    struct hooks hooks; /* of the first pass and the last; none in between */
    struct stream_kernel whole, rest; /* rest: of the last band along `cut` */
};

#define STREAM_MAX_PASSES (12 * PROBLEM_MAX_DIMS + 2)

/* What goes on at once where a device has a link: a band comes while the one before is going, and
 * between the two there is nothing but the transform, from one's memory to the other's. */
enum stream_queue { STREAM_COMING, STREAM_TRANSFORMS, STREAM_GOING, STREAM_QUEUES };

struct stream {
    struct device *device;
    struct problem problem;
    int64_t limit;
    double shorter; /* how many times columns of a split are shorter than the root of its length */
    arena *arena;   /* of the programs */
    int passes;
    struct stream_pass pass[STREAM_MAX_PASSES];
    /* Complex, of STREAM_SPARE, STREAM_LINES and STREAM_CHIRPS: a pair of reals is one. */
    int64_t spare_elements, line_elements, chirp_elements;
    size_t near_bytes[2], scratch_bytes;   /* of the device */
    struct stream *way[2]; /* there and back, of a problem that convolves: it has no passes, and
                            * spare_elements are those of an array between; else NULL */
    size_t workspace_bytes;                /* of the host, for programs with slices */

    pthread_mutex_t lock; /* of what follows: the memory of a run, kept for the next */
    void *near[2];        /* device memory: bands gathered, and to be scattered */
    void *scratch;        /* NULL: none is needed */
    void *queue[STREAM_QUEUES]; /* NULL: calls return when the work is done */
    void *staging;              /* of the host, as large as one band; NULL: bands are such memory */
    void *workspace;            /* of the host */
    void *spare;                /* of the host, */
    enum device_pin spare_pin;
};

/* Fills in the passes, without kernels, for bands of at most so many complex elements. UNSUPPORTED,
 * MEMORY. (passes.c) */
weft_status stream_make_passes(struct stream *stream, int64_t elements);

/* Whether the host makes the numbers on that side, or that of them. */
static inline bool stream_carries(const struct stream_pass *pass, int side)
{
    return pass->reals[side].parts > 0 || pass->carry[side].factor;
}

/* Of a split axis. */
static inline int stream_line(const struct stream_pass *pass)
{
    return pass->dim[pass->dims - 1].line ? pass->dims - 1 : pass->dims - 2;
}

/* Frees the device's memory that is kept for the next run. (stream.c) */
void stream_release(struct stream *stream);

/* The bands along a dimension of a pass. */
static inline int64_t stream_bands(const struct stream_dim *dim)
{
    return dim->line ? 1 : (dim->n[1] + dim->part - 1) / dim->part;
}

/* What of a line there is on a side, or all counts of another dimension. */
static inline struct range stream_range(const struct stream_dim *dim, int side)
{
    const struct range all = {0, dim->n[side]};
    return dim->range[side].count > 0 ? dim->range[side] : all;
}

/* Bytes of a side that a band has in one run. (make.c) */
int64_t stream_run_bytes(const struct stream_pass *pass, int side);

/* Whether either side's runs are too short for a link's engines. (make.c) */
bool stream_is_scattered(const struct stream_pass *pass);

#endif

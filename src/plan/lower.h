/* From a tree to passes: what the algorithms share. */
#ifndef WEFT_PLAN_LOWER_H
#define WEFT_PLAN_LOWER_H

#include "spec/limits.h"
#include "spec/program.h"

/* What comes before the first line, by end: elements from its place's element 0, and the position
 * (struct pass) of its own element 0. */
struct first_line {
    int64_t offset[2], position[2];
};

/* Lines to transform and where they lie: what an algorithm is given to lower. */
struct lines {
    enum pass_place from, to;
    weft_kind kind; /* of the problem's axis that they are */
    struct dim line;
    int folds; /* further axes to transform; an image alone takes lines with any */
    struct dim fold[PASS_MAX_FOLDS];
    int loops;
    struct dim loop[PASS_MAX_LOOPS];
    int64_t twiddle_order; /* of the results, as in struct pass; 0: none */
    int twiddle_loop;
    int64_t twiddle_group;
    int group_loop;
    bool twiddle_conjugate;
    /* Which element of the line as a whole another's index and loops lead to, where it is read and
     * where it is written. */
    struct pass_map in_map, out_map;
    /* Positions of elements, as in struct pass. */
    struct pass_map position[2];
    int64_t fold_position[2][PASS_MAX_FOLDS];
    int64_t pair_position;
    bool one_way, real_in, real_out, lone; /* as in struct pass, */
    int64_t pair;
    struct reals reals[2];            /* by the end that they are at, */
    enum pass_half half_in, half_out; /* and so are these */
    int64_t half_n, half_stride, half_pair, half_rows;
    struct first_line first;
    bool goes_on; /* as in struct pass */
    /* Which elements of the line as a whole each end has; its length, and from a real to the
     * imaginary part that another is for it, as in struct pass_range. */
    struct range range[2];
    int64_t range_n[2], range_pair;
};

/* Failure sticks. */
struct lowering {
    const struct limits *limits;
    struct program *program;
    const struct problem *problem; /* what is lowered now: the program's, or a part of it, */
    const struct problem *whole;   /* whose lines may be laid (plan/lay.h): this is of one axis of
                                    * it, or the same; NULL: none, */
    enum pass_place from, to;      /* from here to there, */
    const struct problem *drafted; /* ... as it is drafted if packed (plan/draft.h), or NULL */
    bool loses;        /* the output has no place for all that lies between two stages */
    bool mirrored;     /* the problem's ends are exchanged, for its last axis is transformed last */
    bool inverse;      /* of PLAN_TRANSPOSED the passes of the inverse direction */
    struct pass spare; /* what lowering_pass returns after a failure, */
    struct program_stage spare_stage; /* and lowering_stage */
    bool failed;       /* the tree needs more passes or loops than a program holds, or more
                        * scratch than there is */
};

/* A new stage, of the passes that follow, in both directions; without outer counters, and how many
 * passes there are is still to be said. */
struct program_stage *lowering_stage(struct lowering *l, enum pass_place from, enum pass_place to);

/* A new pass over the lines, without a body; and what must follow when it has one: its loops are
 * sorted, the fastest first, and merged where they are one run. */
struct pass *lowering_pass(struct lowering *l, const struct lines *lines);
void lowering_finish(const struct lowering *l, struct pass *pass);
/* The whole of one that copies. */
void lowering_copy(struct lowering *l, const struct lines *lines);
/* The whole of one that leads to lines of `length` which are `apart`, or from them. */
void lowering_sweep(struct lowering *l, const struct lines *lines, enum pass_body body,
                    int64_t length, int64_t apart);

/* A dimension and what its counts add to positions, by end. */
struct placed_dim {
    struct dim dim;
    int64_t position[2];
};

/* An axis, or a loop, of the problem. */
struct placed_dim placed_axis(const struct problem *p, int i);
struct placed_dim placed_loop(const struct problem *p, int i);

/* Leaves of its counts those of the run, and moves the first line to the first of them. */
struct placed_dim placed_run(struct placed_dim placed, struct range run, struct first_line *first);

/* As lines_prepend(), with its positions. */
void lines_prepend_placed(struct lowering *l, struct lines *lines, const struct placed_dim *loop);
/* Makes it the line. */
void lines_set_line(struct lines *lines, const struct placed_dim *line);

/* Puts a loop in front of the others, whose numbers grow by one. */
void lines_prepend(struct lowering *l, struct lines *lines, struct dim loop);
/* Reads where the results will be written. */
void lines_work_in_place(struct lines *lines);
/* Forgets offset and range of an end, which has a place of its own. */
void lines_place_whole(struct lines *lines, bool out);
/* Likewise the range alone, where the place stays. */
void lines_whole(struct lines *lines, bool out);

/* Gives the results a twiddle by the counter of loop[0]. */
void lines_twiddle(struct lines *lines, int64_t order, bool conjugate);

/* Gives lines that will take up `elements` places each in scratch their strides there: the result's
 * out_strides, with line.out_stride for neighbours within a line. Lines that come from scratch stay
 * where they are. */
struct lines lowering_place(struct lowering *l, const struct lines *lines, int64_t elements);
/* Likewise in PASS_WORK; contiguous: nothing lies between neighbours within a line. */
struct lines lowering_place_work(struct lowering *l, const struct lines *lines, int64_t elements,
                                 bool contiguous);
/* ... or in PASS_MIDDLE, where PASS_WORK has what lies between the problem's axes. */
enum pass_place lowering_work(const struct lowering *l);
int64_t *lowering_work_elements(const struct lowering *l);

/* How far apart rows of n elements, n > 0, should lie in what is the library's own. */
int64_t lowering_pitch(const struct lowering *l, int64_t n);

/* A line of n1 * n2 elements that goes through scratch as n1 rows of n2. */
struct lowering_cut {
    struct lines columns; /* from the line to scratch, with the twiddle between the two */
    struct lines rest;    /* from scratch to where the line goes; its line is still to be said */
    int64_t unit, pitch;  /* strides in scratch: of neighbours in a row, and of rows */
};

struct lowering_cut lowering_cut(struct lowering *l, const struct lines *lines, int64_t n1,
                                 int64_t n2);

/* Of rows that a line (`whole`) was cut into, whose results are `rows` apart in it: loop[0] counts
 * neighbours. */
void lines_map_rows(struct lines *lines, const struct lines *whole, int64_t rows);

/* The number of a table of the program, made if it has none like it yet. */
int lowering_table(struct lowering *l, enum program_table_kind kind, int64_t n, int64_t m);

/* Elements that a tree's lines take up in scratch, more or less; 0: none, one pass does. */
int64_t lowering_scratch(const struct plan_node *node, const struct limits *limits);

/* Whether what must be made of the results of a tree of PLAN_REAL or PLAN_TRIGONOMETRIC, two by
 * two, is done by the pass that makes them: a block has all of a line, in its order, or on a GPU
 * convolves it. */
bool lowering_spreads(const struct plan_node *node, const struct limits *limits);
/* Likewise of one number, which is its own transform: of no steps, on a CPU. */
bool lowering_spreads_one(const struct lowering *l, const struct plan_node *node);

/* Whether a tree of PLAN_REAL or PLAN_TRIGONOMETRIC splits the line as one of reals, which halves
 * both of its passes: two columns at once, and of the rows those up to the middle. Their lengths
 * are even. Rows of `forward` transforms may be splits themselves; others join two by two what
 * their first pass reads, which is then not in place: a tree that serves them serves both ways. */
bool lowering_halves(const struct plan_node *node, bool forward);

/* Copies the radices of a block into a pass. */
void pass_set_radices(struct pass *pass, const struct plan_node *block);

/* Appends stages that copy the elements of a problem that is real on both sides or on none, as many
 * as that side has of them (copy.c). */
void copy_stages_lower(struct lowering *l, const struct problem *p, enum pass_place from,
                       enum pass_place to, bool out);

/* The last pass so far has the results of the problem, scaled: it applies the hook that they are
 * stored by, or a sweep after it does. */
void lowering_store_hook(struct lowering *l, const struct problem *p);

/* Appends the stages of a program whose problem convolves (convolution.c). */
void convolution_stages_lower(struct lowering *l, const struct plan_node *tree);

/* Appends the stages of l->problem, which has at least one axis (axes.c). */
void axes_lower(struct lowering *l, const struct plan_node *tree);

/* Likewise of a whole problem with a real axis (real.c). */
void real_stages_lower(struct lowering *l, const struct plan_node *tree);

/* The problem of C2R on a CPU as its last axis, of several, finds it between the others and the
 * output. False: it has no such axis, or is too large. */
bool real_stages_between(const struct problem *p, const struct limits *limits,
                         struct problem *placed);

/* Likewise of a whole problem of reals to reals (trigonometric.c). */
void trigonometric_stages_lower(struct lowering *l, const struct plan_node *tree);

#endif

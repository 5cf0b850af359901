/* A program: the passes of a plan in order, with the scratch and the tables they need. Pure data in
 * an arena; every device runs programs. */
#ifndef WEFT_SPEC_PROGRAM_H
#define WEFT_SPEC_PROGRAM_H

#include "spec/limits.h"
#include "spec/pass.h"
#include "spec/plan.h"
#include "spec/problem.h"

/* Passes that run one after the other, all of them once for every combination of the outer
 * counters, which move the place `from` by in_stride and the place `to` by out_stride, or the one
 * place that is both by either. So scratch is one step's, and what one step leaves in a cache the
 * next finds there. */
struct program_stage {
    int first, passes;
    enum pass_place from, to;
    bool runs[2]; /* by direction; a kind whose inverse is another has stages for each */
    bool goes_on; /* with what the stage before it does, at other counts of the loops */
    bool turned;  /* its passes run in the other direction than the program */
    bool dealt;   /* CPU: each thread runs whole steps, with scratch of its own */
    int outers;
    struct dim outer[PROBLEM_MAX_DIMS];
    int64_t outer_position[2][PROBLEM_MAX_DIMS]; /* what they add to positions (struct pass), where
                                                  * they are known */
};

enum program_table_kind {
    TABLE_CHIRP,              /* Bluestein's: exp(-pi i j^2 / n), m = n */
    TABLE_BLUESTEIN_SPECTRUM, /* F_m of conj(chirp) wrapped around m, over m */
    TABLE_RADER_SPECTRUM      /* see PASS_RADER */
};

struct program_table {
    enum program_table_kind kind;
    int64_t n; /* of the transform it serves */
    int64_t m; /* complex entries */
};

#define PROGRAM_MAX_PASSES 128
#define PROGRAM_MAX_STAGES 32

struct program {
    struct problem problem;
    const struct plan_node *tree;
    int stages, passes, tables;
    struct program_stage *stage;
    struct pass *pass;
    struct program_table *table;
    /* CPU: stages from this one on are done for some kernels of a convolution after the other. */
    int kernel_stage;
    int64_t kernel_turns; /* so often; 1: for all at once */
    int64_t scratch_elements;             /* complex elements of PASS_SCRATCH, */
    int64_t work_elements;                /* and of PASS_WORK */
    int64_t draft_elements;               /* and of PASS_DRAFT, */
    int64_t draft_first;                  /* where its element (0, ..., 0) lies in it */
    bool draft_cut;                       /* it has no place for what ranges leave out, */
    bool draft_half;                      /* and is half a spectrum, where the output is of reals */
    int64_t middle_elements;              /* and of PASS_MIDDLE, */
    int64_t product_elements;             /* and of PASS_PRODUCTS, */
    int64_t laid_elements;                /* and, two reals each, of PASS_LAID */
    double bytes, seconds, bound_seconds; /* of one execute, forward */
    double back_seconds;  /* of one of the other direction */
    double order_seconds; /* likewise, as far as the order of axes moves it (plan/order.h) */
};

/* A program with room for as much as any has. Most have a pass or two, so nobody clears it, and
 * what is kept is program_fitted(). */
struct program_room {
    struct program program;
    struct program_stage stage[PROGRAM_MAX_STAGES];
    struct program_table table[PROGRAM_MAX_PASSES];
    struct pass pass[PROGRAM_MAX_PASSES];
};

/* The room's program, of whatever it has. */
struct program *program_of_room(struct program_room *room);
/* In the arena, with room for what it has. NULL: no memory. */
struct program *program_fitted(arena *a, const struct program *program);

/* How the numbers lie that a pass reads, or writes: scratch as the device has it, what is in the
 * middle of a convolution as pairs, work and draft as program_work_format() and
 * program_draft_format() say. Pairs of reals are interleaved. */
weft_format program_format(const struct program *program, const struct pass *pass, bool out,
                           weft_format scratch_format);
/* Whether the place is an array of reals: the elements from a buffer's beginning to the place's
 * element 0 are counted in reals then. */
bool program_place_is_real(const struct program *program, enum pass_place place);
/* The texels that the place has for elements; format 0 where it is an array. */
struct texels program_texels(const struct program *program, enum pass_place place);
/* How work's elements lie: half spectra between the axes of c2r as pairs, which are folded two by
 * two where they lie, and so are lines that others are interpolated among; a line's numbers on
 * their way to a sweep as the device's scratch. (Experiment "work" in docs/experiments.) */
weft_format program_work_format(const struct program *program, weft_format scratch_format);
/* How the draft's complex elements lie: as the output's, unless the device's kernels take all that
 * is the library's own interleaved. A CPU's codelets are quicker from pairs to pairs than from
 * planes. (Experiment "drafts" in docs/experiments.) */
weft_format program_draft_format(const struct program *program, weft_format scratch_format);
/* Where the draft's element (0, ..., 0) lies in what is neither input nor output: counted in reals
 * if it holds such, or planes. It follows all else. */
int64_t program_draft_place(const struct program *program, weft_format scratch_format);
/* Elements from the first plane of scratch to the second: of scratch alone, or, where they are
 * planes too, of work as well. */
int64_t program_scratch_plane(const struct program *program, weft_format scratch_format);
/* Likewise PASS_MIDDLE, which PASS_PRODUCTS follows: all before it may be planes. */
int64_t program_middle_place(const struct program *program);
/* Likewise PASS_LAID, behind these. */
int64_t program_laid_place(const struct program *program);
/* Of a convolution's kernels how many each of so many turns is for. */
int64_t program_kernels(const struct problem *problem, int64_t turns);
/* What real numbers of the place are in memory; 0: as they are computed with. */
weft_storage program_storage(const struct program *program, enum pass_place place);
/* The stage of a pass; NULL: none has it. */
const struct program_stage *program_stage_of(const struct program *program, int pass);
/* The last pass of its stage before those at its end that go on with other lines (struct pass); -1:
 * none do. */
int program_before_others(const struct program *program, const struct program_stage *stage);
/* A pass before this one that resamples the same lines, of the other direction, so that one kernel,
 * with its tables, is both; -1: there is none. */
int program_twin(const struct program *program, int pass);
/* Complex elements that a step has to itself: PASS_SCRATCH, and PASS_WORK unless one stage leaves
 * it to another. */
int64_t program_step_elements(const struct program *program);
/* Complex elements of all that is neither input nor output: what was said and, where steps are
 * dealt, what a step has to itself once more for each further thread. */
int64_t program_scratch_elements(const struct program *program);
/* Whether the input's memory, if it need not be kept, can be the scratch: the first pass, which
 * alone reads it, leaves each of its complex numbers where it was, and no other pass needs more. */
bool program_works_in_input(const struct program *program, weft_format scratch_format);
/* The first element of what such a thread's steps have, as the first one's but behind all else;
 * thread: 1 and above. */
int64_t program_dealt_place(const struct program *program, int thread);

/* The tree, and a line a pass with bytes and expected time: what `weft plan` shows. */
void program_print(struct text *t, const struct program *program, const struct limits *limits);

#endif

/* A program: the passes of a plan in order, with the scratch and the tables they need. Pure data in
 * an arena; every device runs programs. */
#ifndef WEFT_SPEC_PROGRAM_H
#define WEFT_SPEC_PROGRAM_H

#include "spec/limits.h"
#include "spec/pass.h"
#include "spec/plan.h"
#include "spec/problem.h"

/* Passes that run one after the other, all of them once for every combination of the outer
 * counters, which move the places: PASS_INPUT by in_stride, PASS_OUTPUT by out_stride, PASS_SCRATCH
 * not at all. So scratch is one step's, and what one step leaves in a cache the next finds there.
 */
struct program_stage {
    int first, passes;
    int outers;
    struct dim outer[PROBLEM_MAX_DIMS];
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

#define PROGRAM_MAX_PASSES 64
#define PROGRAM_MAX_STAGES 16

struct program {
    struct problem problem;
    const struct plan_node *tree;
    int stages;
    struct program_stage stage[PROGRAM_MAX_STAGES];
    int passes;
    struct pass pass[PROGRAM_MAX_PASSES];
    int tables;
    struct program_table table[PROGRAM_MAX_PASSES];
    int64_t scratch_elements;             /* complex elements of PASS_SCRATCH */
    double bytes, seconds, bound_seconds; /* of one execute */
};

/* The tree, and a line a pass with bytes and expected time: what `weft plan` shows. */
void program_print(struct text *t, const struct program *program, const struct limits *limits);

#endif

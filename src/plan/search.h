/* The search for trees: what the algorithms share. */
#ifndef WEFT_PLAN_SEARCH_H
#define WEFT_PLAN_SEARCH_H

#include <stdbool.h>

#include "base/arena.h"
#include "plan/cost.h"
#include "spec/limits.h"
#include "spec/plan.h"
#include "spec/problem.h"

/* What a node is wanted for; bits, so that an algorithm can say what it serves for. */
enum line_role {
    LINE_WHOLE = 1,   /* an axis of the problem */
    LINE_COLUMNS = 2, /* child[0] of a split: one pass, with a twiddle */
    LINE_ROWS = 4,    /* child[1] of a split */
    LINE_BLOCK = 8,   /* a convolution's transform in a block, or the columns of one */
    LINE_LAST = 32,   /* child[1] of PLAN_TRANSPOSED: one pass, with a twiddle in one direction */
    LINE_CHAIN = 16   /* a convolution's transform of several passes: blocks and splits of blocks */
};

struct task {
    int64_t n;
    int64_t columns; /* lines that one tile takes up together; 1: one line by itself */
    enum line_role role;
    int64_t stride; /* of the parts of a contiguous line; 0: it is no part of one */
    int64_t written; /* LINE_WHOLE, of lines beside each other: how far apart results lie */
    bool kept;       /* LINE_WHOLE: struct cost_line */
    bool apart; /* LINE_WHOLE: other lines are nearer than its own elements, at one side or both */
    bool reflected; /* LINE_ROWS, and the split of reals that they are of: results go by a tile */
};

#define CANDIDATES_MAX 48

struct candidates {
    int count;
    struct plan_node *node[CANDIDATES_MAX];
};

/* The best node found for a task; a linked list is quick enough for the few dozen there are. */
struct memo {
    struct task task;
    const struct plan_node *best; /* NULL: there is none */
    const struct memo *next;
};

struct search {
    arena *arena;
    const struct problem *problem;
    const struct limits *limits;
    struct cost_machine machine;
    bool broad; /* alternatives are wanted too, not only what the model likes */
    weft_kind kind; /* of the axis that trees are for; 0: of none in particular */
    bool both_ways; /* trees are for the kind that leads back as well */
    const struct memo *memos;
};

/* A node in the arena; NULL: no memory. */
struct plan_node *search_node(struct search *s, enum plan_kind kind, int64_t n);
/* Goes on to an axis of that kind. */
void search_turn_to(struct search *s, weft_kind kind);
/* Adds a node unless it is NULL, there already, or the list is full. */
void search_add(struct candidates *list, struct plan_node *node);
/* The best node for a task by expected seconds of a line. NULL: none fits the limits (or no
 * memory). */
const struct plan_node *search_best(struct search *s, struct task task);
/* All nodes worth considering. */
void search_propose(struct search *s, const struct task *task, struct candidates *list);

/* Nodes of one child, each a node worth considering for a line of `inner` elements, or, of 1, a
 * copy. */
void search_propose_around(struct search *s, enum plan_kind kind, const struct task *task,
                           int64_t inner, struct candidates *list);

/* True if every prime factor of n is the radix of a step. */
bool search_smooth(const struct search *s, int64_t n);
bool search_fits_block(const struct search *s, int64_t n);
/* Likewise, or if it is a longer line that a CPU takes in steps between pairs. */
bool search_fits_line(const struct search *s, int64_t n, enum line_role role);
/* True if lines may begin with steps that are for contiguous lines of pairs alone. */
bool search_opens(const struct search *s, enum line_role role);
/* True if a line of n numbers is one of contiguous pairs. If it is made of twice as many reals, or
 * of another line, only of what the second level keeps: it is gone through once more there, and
 * twice between cosines. */
bool search_pairs_line(const struct search *s, int64_t n, enum line_role role);

/* The divisors of n up to `most`, rising, in the arena. NULL: no memory. */
int64_t *search_divisors(struct search *s, int64_t n, int64_t most, int *count);

#endif

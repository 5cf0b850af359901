/* The columns of a split whose line is more than memory holds: one pass, run a slice at a time. */
#ifndef WEFT_PLAN_COLUMNS_H
#define WEFT_PLAN_COLUMNS_H

#include "base/arena.h"
#include "spec/limits.h"
#include "spec/problem.h"
#include "spec/program.h"

/* n = n1 * n2: n2 columns, n1 long. A slice of them is a matrix of n1 rows of `width`; the last one
 * may reach beyond the columns. */
struct columns {
    int64_t n1, n2, width;
    weft_storage in_storage;   /* of what is gathered; 0: as it is computed with */
    const struct hooks *hooks; /* that it goes through; NULL: none */
    bool real;                 /* what is gathered is, and of results there are n1 / 2 + 1 */
    int64_t position;          /* from one element of the axis to the next, as those count */
    struct range range;        /* of the axis: what else they make of zeros is zero; count 0: all */
};

/* What columns should be like. */
struct columns_wish {
    int64_t longest; /* neither columns nor rows are longer */
    double shorter;  /* as many times shorter than the root of n, nearly */
};

/* A length of columns that one pass takes, as wished. problem: that of which it is an axis of
 * complex numbers. UNSUPPORTED: there is none; MEMORY. */
weft_status columns_choose(arena *a, const struct problem *problem, const struct limits *limits,
                           int64_t n, const struct columns_wish *wish, int64_t *n1);

/* A program of one pass, from a slice of interleaved numbers, or of reals, to one of numbers:
 * transforms the columns and multiplies by the split's twiddles, unscaled. Errors as above. */
weft_status columns_lower(arena *a, const struct problem *problem, const struct limits *limits,
                          const struct columns *columns, const struct program **program);

#endif

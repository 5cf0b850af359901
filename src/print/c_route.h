/* Values moved between the lanes of vectors, printed as shuffles: any vectors of any values that
 * lie in vectors now. */
#ifndef WEFT_PRINT_C_ROUTE_H
#define WEFT_PRINT_C_ROUTE_H

#include "base/arena.h"
#include "print/c_shuffle.h"

#define C_ROUTE_MAX_LANES C_SHUFFLE_MAX_LANES

/* Lane `lane` of the vector that is printed as v<vector>; vector < 0: any value will do. */
struct c_route_place {
    int vector, lane;
};

/* A vector that is wanted, and afterwards its number. */
struct c_route_target {
    struct c_route_place lane[C_ROUTE_MAX_LANES];
    int vector;
    int group; /* targets that share sources, from 0 in the order of the first of each */
};

struct c_router {
    struct c_shuffles shuffles;
    arena *arena;
    int lanes;
    int next;  /* the first unused number of a vector */
    int piece; /* of so many targets; while one group is printed */
    int cost;  /* of its shuffles */
};

/* Finds the groups of targets that share sources; returns how many there are, -1: no memory. */
int c_route_groups(struct c_router *r, struct c_route_target *target, int targets);

/* Prints what makes the targets of one group, all of whose sources, or which all, are what `end`
 * says. False: no memory. */
bool c_route_print(struct c_router *r, struct c_route_target *target, int targets, int group,
                   enum c_shuffle_end end);

#endif

/* From a tree to a whole program: its stages, its draft, and what it costs. */
#ifndef WEFT_PLAN_LOWER_PROGRAM_H
#define WEFT_PLAN_LOWER_PROGRAM_H

#include "spec/limits.h"
#include "spec/plan.h"
#include "spec/problem.h"
#include "spec/program.h"

/* Lowers into a program that may hold an earlier one. `whole` as in struct lowering. False: the
 * program holds too few passes, or the limits too little scratch. */
bool lower_program(struct program *program, const struct problem *problem,
                   const struct problem *whole, const struct limits *limits,
                   const struct plan_node *tree);

#endif

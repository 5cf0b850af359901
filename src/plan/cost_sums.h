#ifndef WEFT_PLAN_COST_SUMS_H
#define WEFT_PLAN_COST_SUMS_H

#include "plan/cost.h"
#include "spec/matrix_shape.h"

/* The first step of a CPU's contiguous line of n numbers, of a prime, butterfly by butterfly as
 * sums of products (opening_sums()). */
double cost_opening_sums(const struct cost_machine *machine, int64_t n, int radix);

/* Contiguous lines of a prime number of pairs that one butterfly would be, alone or one by one:
 * whether those of a task are sums of products, and those of a pass, and what these take. */
bool cost_sums_serve(const struct cost_machine *machine, int64_t n);
bool cost_are_sums(const struct cost_machine *machine, const struct pass *pass, int64_t columns);
double cost_sums(const struct cost_machine *machine, const struct pass *pass);

/* Whether lines are one by one products with a matrix, and of what shape: what two by two would be
 * too short for (real.c), and odd lines that stand for more; those that take steps nevertheless are
 * few. */
bool cost_are_products(const struct cost_machine *machine, const struct pass *pass,
                       struct matrix_shape *shape);

#endif

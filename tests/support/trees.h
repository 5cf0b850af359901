/* Trees of plans from text, and problems of one line for them. */
#ifndef TESTS_SUPPORT_TREES_H
#define TESTS_SUPPORT_TREES_H

#include <stdint.h>

#include "base/arena.h"
#include "spec/plan.h"
#include "spec/problem.h"

struct problem tree_line(int64_t n);

/* The tree that is all of the text, in the arena; NULL: it is none. */
const struct plan_node *tree_parse(arena *a, const char *text);

#endif

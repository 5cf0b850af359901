/* Trees of plans for lines of one length that must come to the same. */
#ifndef TESTS_SUPPORT_TWO_TREES_H
#define TESTS_SUPPORT_TWO_TREES_H

#include <stddef.h>
#include <stdint.h>

struct two_trees {
    int64_t n;
    const char *tree[2];
};

/* Both directions of each two, by every instruction set that there is, in both precisions, of lines
 * of random numbers wherever they lie; fails the test that calls it. */
void two_trees_compare(size_t count, const struct two_trees *trees);

#endif

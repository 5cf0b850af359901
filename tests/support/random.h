/* Repeatable random numbers for the tests. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
    uint64_t state;
};

/* WEFT_TEST_SEED of the environment, otherwise one of the clock; printed, so that a failure can be
 * repeated. */
uint64_t random_seed(void);

uint64_t random_bits(struct random *random);

/* least to most, both included. */
int64_t random_between(struct random *random, int64_t least, int64_t most);

bool random_chance(struct random *random, double probability);

/* In [-1, 1), all 53 bits random. */
double random_number(struct random *random);

#endif

#include "support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

uint64_t random_seed(void)
{
    const char *given = getenv("WEFT_TEST_SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);
    printf("WEFT_TEST_SEED=%" PRIu64 " repeats these random problems\n", seed);
    fflush(stdout);
    return seed;
}

uint64_t random_bits(struct random *random)
{
    random->state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    uint64_t z = random->state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int64_t random_between(struct random *random, int64_t least, int64_t most)
{
    return least + (int64_t)(random_bits(random) % (uint64_t)(most - least + 1));
}

bool random_chance(struct random *random, double probability)
{
    return (double)(random_bits(random) >> 11) * 0x1p-53 < probability;
}

double random_number(struct random *random)
{
    return (double)(int64_t)(random_bits(random) >> 10) * 0x1p-53 - 1.0;
}

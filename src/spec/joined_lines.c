#include "spec/joined_lines.h"

#include "math/factor.h"

bool joined_lines(const struct limits *limits, weft_precision precision, int64_t prime,
                  int64_t cofactor)
{
    if (limits->vector_bytes == 0 || cofactor < 2 || prime < 3 || !is_prime(prime)) return false;
    return pair_steps_last(limits, precision, cofactor, prime).count == 1 &&
           joined_lines_steps(limits, precision, prime).count == 2;
}

struct pair_steps joined_lines_steps(const struct limits *limits, weft_precision precision,
                                     int64_t prime)
{
    return pair_steps_of(limits, precision, prime - 1, 1);
}

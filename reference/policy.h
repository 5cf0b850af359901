/* How large an error may be: the one place that says it, for `weft check` and for the tests. */
#ifndef REFERENCE_POLICY_H
#define REFERENCE_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "weft/weft.h"

/* The largest prime factor that the strict policy covers. */
enum { POLICY_LARGEST_SMOOTH_PRIME = 13 };

/* No size has a prime factor above POLICY_LARGEST_SMOOTH_PRIME. */
bool policy_is_smooth(int rank, const int64_t *size);

/* The length whose prime factors a transform of n numbers has: of types I, which are half a period
 * of 2 (n - 1) or 2 (n + 1) reals, that is n - 1 or n + 1. What follows wants such lengths. */
int64_t policy_length(weft_kind kind, int64_t n);

/* The relative L2 error allowed for a transform of these sizes of random complex data in single and
 * in double precision. device: the name it was opened by; NULL: the CPU. */
double policy_limit_f32(const char *device, int rank, const int64_t *size);
double policy_limit_f64(const char *device, int rank, const int64_t *size);
/* Likewise of halves and of bfloat16 that are computed with in single precision: whatever the size,
 * each number of the result is rounded once. */
double policy_limit_f16(const char *device, int rank, const int64_t *size);
double policy_limit_bf16(const char *device, int rank, const int64_t *size);
/* Likewise in double-double. Of what it allows, the reference itself may use up a third. */
double policy_limit_dd(const char *device, int rank, const int64_t *size);

#endif

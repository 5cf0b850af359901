/* Aligned arrays of seeded random data, and the clock: what check and bench share. */
#ifndef WEFT_CLI_SAMPLES_H
#define WEFT_CLI_SAMPLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weft/weft.h>

/* `bytes` zeroed bytes at a multiple of 64, for free(); NULL: no memory. */
void *samples_create(size_t bytes);

/* Whether this machine has so many bytes of memory. To be asked before large arrays are made: Linux
 * grants more than there is, and ends the program when it is used. */
bool samples_fit(double bytes);

/* Bytes of a real number. */
size_t samples_number_bytes(weft_precision precision);

/* Number i of an array: of WEFT_DD the first part, and the second one becomes 0. What is set is a
 * number that the precision has, in halves from 2^-14 on or 0. */
double samples_number(const void *array, weft_precision precision, int64_t i);
void samples_set_number(void *array, weft_precision precision, int64_t i, double number);

/* Fills `count` numbers with uniform random ones in [-1, 1), the same for the same seed: multiples
 * of the smallest part of 1 that all of them can be (2^-23 in single precision, 2^-11 in half, 2^-8
 * in bfloat16), so that they are exact in wider types. Those of WEFT_DD are doubles. */
void samples_randomize(void *array, weft_precision precision, int64_t count, uint64_t seed);

/* Seconds since some start. */
double seconds_now(void);

#endif

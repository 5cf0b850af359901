/* Real numbers of 16 bits: IEEE half, and bfloat16, which is the upper half of an IEEE single. */
#ifndef WEFT_CLI_FLOAT16_H
#define WEFT_CLI_FLOAT16_H

#include <stdint.h>

/* The numbers that bits stand for. */
double float16_half(uint16_t bits);
double float16_bfloat(uint16_t bits);

/* The bits of a number that the type has, of IEEE half 0 or a normal one. */
uint16_t float16_half_bits(double number);
uint16_t float16_bfloat_bits(double number);

#endif

/* The slow twin of every device: a program run to the letter of spec/pass.h, in double precision,
 * with no device at all. */
#ifndef WEFT_TESTS_INTERPRETER_H
#define WEFT_TESTS_INTERPRETER_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "spec/program.h"
#include "weft/weft.h"

/* The definition: out[k] = sum_j in[j] exp(-2 pi i j k / n), + if backward; in and out may be
 * the same. */
void dft(int64_t n, bool backward, const double complex *in, double complex *out);

/* What a table holds; the caller frees it. */
double complex *interpret_table(const struct program_table *table);

/* The first pass alone, between in and out, which point at element 0 and may be the same; table
 * is the spectrum it multiplies with, or NULL. */
void interpret_pass(const struct program *program, double complex *table, weft_direction direction,
                    double complex *in, double complex *out);

/* in and out point at the elements (0, ..., 0) and may be the same. Reversed, the lines of every
 * pass run from the last to the first. Fails the test if scratch is touched outside its bounds. */
void interpret_program(const struct program *program, weft_direction direction, bool reversed,
                       double complex *in, double complex *out);

#endif

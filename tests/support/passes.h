/* One pass by itself on the device that evaluates kernels, and the arrays it reads and writes. */
#ifndef TESTS_SUPPORT_PASSES_H
#define TESTS_SUPPORT_PASSES_H

#include <complex.h>
#include <stdint.h>

#include "device/device.h"
#include "spec/program.h"
#include "support/random.h"

/* Where an end's element 0 lies in its array, and the array's length. */
struct extent {
    int64_t first, count;
};

/* Complex numbers as a device holds them. */
struct pass_array {
    weft_precision precision;
    weft_format format;
    struct extent extent;
    double complex *exact;
    void *held; /* pairs, or all real and then all imaginary parts */
};

/* The radices of pass_transform(), ended by 0. */
#define RADICES(...) ((const int[]){__VA_ARGS__, 0})

/* A transform of a packed line of n; and one more loop. */
struct pass pass_transform(int64_t n, const int *radix);
void pass_add_loop(struct pass *pass, int64_t n, int64_t in_stride, int64_t out_stride);

/* A program of one pass of unscaled results, freed by free(). */
struct program *pass_program(const struct pass *pass);

/* An array that the program's one pass can read (or write), filled with random numbers, the same in
 * `exact` and in `held`. */
struct pass_array pass_array_make(struct random *random, const struct program *program, bool out);
void pass_array_free(struct pass_array *a);

/* Where the device finds element 0. */
struct device_memory pass_array_memory(const struct pass_array *a);

/* ||held - exact|| / ||exact|| */
double pass_array_error(const struct pass_array *a);

/* Opens a device of these limits; NULL: those of "null". */
struct device pass_device_open(const char *limits);

/* Makes the pass's kernel, runs and destroys it. `table` is the spectrum it multiplies with, or
 * NULL. The message is that of error_last(). */
weft_status pass_run(struct device *device, const struct program *program,
                     const double complex *table, weft_direction direction,
                     const struct pass_array *in, const struct pass_array *out);

#endif

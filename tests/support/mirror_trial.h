/* Trials of what cpu_mirrors does: reals and numbers of either precision in memory. */
#ifndef TESTS_SUPPORT_MIRROR_TRIAL_H
#define TESTS_SUPPORT_MIRROR_TRIAL_H

#include <complex.h>
#include <stdbool.h>
#include <stdint.h>

#include "device/cpu/engine.h"
#include "device/cpu/mirror.h"

#define MIRROR_SENTINEL 1234.5

struct mirror_trial {
    const struct cpu_mirrors *mirrors;
    weft_precision precision;
    bool folds, in_place;
    int64_t h;
    double factor[2]; /* of real and imaginary parts */
};

/* From -1/2 to 1/2, exact in both precisions. */
double mirror_random(void);
complex double mirror_complex(double re, double im);

/* exp(-2 pi i k / n) */
complex double mirror_root(int64_t k, int64_t n);
complex double mirror_scaled(const struct mirror_trial *t, complex double x);

/* Complex number `at` of memory, its parts side by side; one whose parts are `apart`. */
complex double mirror_number(const struct mirror_trial *t, const void *from, int64_t at);
void mirror_put_pair(const struct mirror_trial *t, void *to, int64_t re, int64_t apart,
                     complex double x);

/* Calls it with those of every instruction set this machine has. */
void mirror_on_every_width(void (*all)(const struct cpu_mirrors *));

#endif

/* Roots of unity to the last bits of extended precision. */
#ifndef REFERENCE_ROOTS_H
#define REFERENCE_ROOTS_H

#include "extended.h"

/* All n-th roots, as products of a coarse one and a fine one: 2 sqrt(n) are computed and kept. */
struct reference_roots {
    int64_t n;
    int64_t step;
    int sign;
    struct extended_complex *coarse; /* exp(sign 2 pi i step a / n), a from 0 to n / step */
    struct extended_complex *fine;   /* exp(sign 2 pi i b / n), b from 0 to step - 1 */
};

/* exp(2 pi i k / n) for 0 <= k < n <= 2^41, from the series. */
struct extended_complex reference_root(int64_t k, int64_t n);

/* false: no memory; then there is nothing to free. */
bool reference_roots_create(int64_t n, int sign, struct reference_roots *roots);

/* exp(sign 2 pi i k / n) for 0 <= k < n. */
struct extended_complex reference_roots_at(const struct reference_roots *roots, int64_t k);

void reference_roots_destroy(struct reference_roots *roots);

#endif

/* Half a spectrum of real data, which stands for the whole: of the last transformed axis, n long,
 * only elements 0 to n / 2 are stored. Arrays are packed and row-major; bit i of axes: axis i is
 * transformed; 0: all are. */
#ifndef REFERENCE_HALF_H
#define REFERENCE_HALF_H

#include <stdbool.h>
#include <stdint.h>

/* Complex elements of the half; size[]: of the whole. */
int64_t half_elements(int rank, const int64_t *size, uint32_t axes);

/* Whether the half has the element of the whole. */
bool half_has(int rank, const int64_t *size, uint32_t axes, int64_t index);

/* Fills the whole, as many pairs as the sizes say, from the half: X[-k] = conj X[k]. */
void half_extend(int rank, const int64_t *size, uint32_t axes, const double *half, double *whole);

#endif

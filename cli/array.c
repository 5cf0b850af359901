#include "array.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t array_element_bytes(weft_precision precision)
{
    return precision == WEFT_F64 ? 2 * sizeof(double) : 2 * sizeof(float);
}

size_t array_bytes(const array *a)
{
    return (size_t)a->count * array_element_bytes(a->precision);
}

/* The sizes' product, or 0 if the array's bytes would not fit ptrdiff_t. */
static int64_t checked_count(int rank, const int64_t *size, weft_precision precision)
{
    int64_t count = 1;
    for (int i = 0; i < rank; i++) {
        if (__builtin_mul_overflow(count, size[i], &count)) return 0;
    }
    int64_t most = (int64_t)(PTRDIFF_MAX / array_element_bytes(precision));
    return count <= most ? count : 0;
}

bool array_describe(array *a, int rank, const int64_t *size, weft_precision precision,
                    failure *why)
{
    *a = (array){0};
    if (rank == 0) return failure_set(why, "the array has no axis, only one number");
    if (rank > WEFT_MAX_RANK) {
        return failure_set(why, "the array has %d axes; at most %d are supported", rank,
                           WEFT_MAX_RANK);
    }
    for (int i = 0; i < rank; i++) {
        if (size[i] < 1) {
            return failure_set(why, "axis %d has size %lld; expected at least 1", i,
                               (long long)size[i]);
        }
    }
    int64_t count = checked_count(rank, size, precision);
    if (count == 0) return failure_set(why, "the array is larger than memory can be");
    *a = (array){.rank = rank, .count = count, .precision = precision};
    memcpy(a->size, size, (size_t)rank * sizeof *size);
    return true;
}

bool array_create(array *a, int rank, const int64_t *size, weft_precision precision, failure *why)
{
    if (!array_describe(a, rank, size, precision, why)) return false;
    const size_t bytes = array_bytes(a);
    a->data = calloc(1, bytes);
    if (a->data) return true;
    *a = (array){0};
    return failure_memory(why, bytes);
}

void array_destroy(array *a)
{
    free(a->data);
    *a = (array){0};
}

void array_set(array *a, int64_t index, double re, double im)
{
    if (a->precision == WEFT_F64) {
        ((double *)a->data)[2 * index] = re;
        ((double *)a->data)[2 * index + 1] = im;
    } else {
        ((float *)a->data)[2 * index] = (float)re;
        ((float *)a->data)[2 * index + 1] = (float)im;
    }
}

/* The index-th of the array's real and imaginary parts, counted through. */
static double part(const array *a, int64_t index)
{
    return a->precision == WEFT_F64 ? ((const double *)a->data)[index]
                                    : ((const float *)a->data)[index];
}

void array_scale(array *a, int64_t index, double factor)
{
    array_set(a, index, factor * part(a, 2 * index), factor * part(a, 2 * index + 1));
}

double array_power(const array *a, int64_t index)
{
    double re = part(a, 2 * index);
    double im = part(a, 2 * index + 1);
    return re * re + im * im;
}

double array_real(const array *a, int64_t index)
{
    return part(a, 2 * index);
}

double array_imaginary(const array *a, int64_t index)
{
    return part(a, 2 * index + 1);
}

double array_relative_difference(const array *a, const array *b)
{
    double difference = 0, norm = 0;
    for (int64_t i = 0; i < 2 * a->count; i++) {
        double of_a = part(a, i), of_b = part(b, i);
        difference += (of_a - of_b) * (of_a - of_b);
        norm += of_b * of_b;
    }
    return sqrt(norm > 0 ? difference / norm : difference);
}

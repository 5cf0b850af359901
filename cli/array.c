#include "array.h"

#include "number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

weft_storage array_storage(const array *a)
{
    return a->storage ? a->storage : number_computed(a->precision);
}

size_t array_element_bytes(const array *a)
{
    return 2 * number_bytes(array_storage(a));
}

size_t array_bytes(const array *a)
{
    return (size_t)a->count * array_element_bytes(a);
}

/* The sizes' product, or 0 if the array's bytes would not fit ptrdiff_t. */
static int64_t checked_count(int rank, const int64_t *size, weft_precision precision)
{
    int64_t count = 1;
    for (int i = 0; i < rank; i++) {
        if (__builtin_mul_overflow(count, size[i], &count)) return 0;
    }
    int64_t most = (int64_t)(PTRDIFF_MAX / (2 * number_bytes(number_computed(precision))));
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
    return array_describe(a, rank, size, precision, why) && array_allocate(a, why);
}

bool array_allocate(array *a, failure *why)
{
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

/* The index-th of the array's real and imaginary parts, counted through. */
static void *part_of(const array *a, int64_t index)
{
    return (char *)a->data + (size_t)index * number_bytes(array_storage(a));
}

void array_set(array *a, int64_t index, double re, double im)
{
    number_store(array_storage(a), part_of(a, 2 * index), re);
    number_store(array_storage(a), part_of(a, 2 * index + 1), im);
}

static double part(const array *a, int64_t index)
{
    return number_load(array_storage(a), part_of(a, index));
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

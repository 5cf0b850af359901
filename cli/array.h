/* Complex data with its shape and origin: what readers deliver and the transform works on. */
#ifndef WEFT_CLI_ARRAY_H
#define WEFT_CLI_ARRAY_H

#include "failure.h"

#include <weft/weft.h>

typedef enum array_origin {
    ARRAY_PLAIN,    /* numbers: frequencies in cycles per sample */
    ARRAY_IMAGE,    /* rows by columns: cycles per pixel */
    ARRAY_RECORDING /* samples in time: Hz */
} array_origin;

typedef struct array {
    array_origin origin;
    int rank;                    /* 1 to WEFT_MAX_RANK */
    int64_t size[WEFT_MAX_RANK]; /* `rank` sizes, each at least 1, the slowest first */
    int64_t count;               /* their product */
    weft_precision precision; /* that is computed with */
    weft_storage storage;     /* of its numbers; 0: as they are computed with */
    bool is_real;       /* every imaginary part is 0 because the numbers are real */
    double sample_rate; /* Hz; recordings only */
    double white;       /* the value of the lightest pixel there can be; images only */
    char note[160];     /* what reading did to the data, "" if nothing */
    void *data;         /* `count` interleaved complex numbers, packed row-major; owned */
} array;

/* What to read a source as; `automatic` takes the precision that holds the source's numbers. */
typedef enum precision_choice {
    PRECISION_AUTOMATIC = -1,
    PRECISION_F32 = WEFT_F32,
    PRECISION_F64 = WEFT_F64
} precision_choice;

/* What its numbers are stored as, by name. */
weft_storage array_storage(const array *a);

/* Bytes of one complex number. */
size_t array_element_bytes(const array *a);

/* Bytes of the whole array's data. */
size_t array_bytes(const array *a);

/* Sets rank, sizes, count and precision, and allocates zeroed data; everything else is zero. Fails
 * on a rank out of range, a size under 1, or more bytes than memory can hold; *a is then empty and
 * need not be destroyed. */
bool array_create(array *a, int rank, const int64_t *size, weft_precision precision, failure *why);

/* Likewise without data, however many there would be. */
bool array_describe(array *a, int rank, const int64_t *size, weft_precision precision,
                    failure *why);

/* Allocates zeroed data for what was described, its storage being set. If that fails, *a is empty.
 */
bool array_allocate(array *a, failure *why);

/* Frees the data. An all-zero array is left alone. */
void array_destroy(array *a);

/* Of an array stored as it is computed with. */
void array_set(array *a, int64_t index, double re, double im);

/* Multiplies an element of such an array. */
void array_scale(array *a, int64_t index, double factor);

/* |element|^2 */
double array_power(const array *a, int64_t index);

/* The real part. */
double array_real(const array *a, int64_t index);

/* The imaginary part. */
double array_imaginary(const array *a, int64_t index);

/* ||a - b|| / ||b||, in the Euclidean norm; of two arrays of one shape and precision. If b is zero
 * everywhere, ||a||. */
double array_relative_difference(const array *a, const array *b);

#endif

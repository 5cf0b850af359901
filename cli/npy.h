/* The parts of NumPy's .npy format that its reader and its writer share. */
#ifndef WEFT_CLI_NPY_H
#define WEFT_CLI_NPY_H

#include "array.h"
#include "number.h"

#include <stdio.h>

/* How one number of a file is stored. */
typedef struct npy_type {
    char kind;                                  /* NumPy's letter: b i u f c */
    int bytes;                                  /* of one element */
    bool wide;                                  /* single precision would lose digits */
    weft_storage storage;                       /* that the library has for it; 0: none */
    double (*load)(const void *bytes); /* one real number, in the host's byte order; NULL:
                                        * number_load() does it */
} npy_type;

/* What elements of a file are made in memory. */
typedef struct npy_target {
    weft_storage storage; /* of a real number, or of a part of a complex one */
    bool reals;           /* without imaginary parts */
} npy_target;

typedef struct npy_header {
    const npy_type *type;
    bool swapped; /* the file's byte order is not the host's */
    bool fortran_order;
    int rank;
    int64_t size[WEFT_MAX_RANK];
} npy_header;

/* The type that NumPy names `descr`, e.g. "<f8". */
bool npy_type_find(const char *descr, const npy_type **type, bool *swapped, failure *why);

/* Loads one element: a real number and the imaginary part, 0 for real types. */
void npy_element_load(const npy_header *header, const unsigned char *bytes, double *re, double *im);

/* Makes one element what the target says: as it is in the file but for the byte order, where that
 * is the target's storage, else single or double. */
void npy_element_convert(const npy_header *header, const unsigned char *bytes,
                         const npy_target *target, void *element);
size_t npy_target_bytes(const npy_target *target);

/* Whether elements lie in the file as the target says. */
bool npy_is_target(const npy_header *header, const npy_target *target);

/* Parses the dictionary of a header, `text` with its final 0. */
bool npy_header_parse(const char *text, npy_header *header, failure *why);

/* Reads the header of a file at its start, finds that as many bytes follow as it claims, and stands
 * before them. */
bool npy_open(FILE *file, npy_header *header, failure *why);

/* What its numbers are computed with, and what they are in memory then: numbers that are narrower
 * stay as they are. */
weft_precision npy_precision(const npy_header *header, precision_choice choice);
weft_storage npy_storage(const npy_header *header, weft_precision precision);

/* Writes the header alone; the data of such a file take so many bytes. */
bool npy_write_header(FILE *file, const array *a, failure *why);
size_t npy_data_bytes(const array *a);

/* Writes the array as complex numbers, or reals if it is real, as it stores them, in C order,
 * format version 1. */
bool npy_write(FILE *file, const array *a, failure *why);

#endif

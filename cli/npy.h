/* The parts of NumPy's .npy format that its reader and its writer share. */
#ifndef WEFT_CLI_NPY_H
#define WEFT_CLI_NPY_H

#include "array.h"

#include <stdio.h>

/* How one number of a file is stored. */
typedef struct npy_type {
    char kind;                                  /* NumPy's letter: b i u f c */
    int bytes;                                  /* of one element */
    bool wide;                                  /* single precision would lose digits */
    double (*load)(const unsigned char *bytes); /* one real number, in the host's byte order */
} npy_type;

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

/* Parses the dictionary of a header, `text` with its final 0. */
bool npy_header_parse(const char *text, npy_header *header, failure *why);

/* Reads the header of a file at its start, finds that as many bytes follow as it claims, and stands
 * before them. */
bool npy_open(FILE *file, npy_header *header, failure *why);

/* What its numbers are read as. */
weft_precision npy_precision(const npy_header *header, precision_choice choice);

/* Writes the header alone; the data of such a file take so many bytes. */
bool npy_write_header(FILE *file, const array *a, failure *why);
size_t npy_data_bytes(const array *a);

/* Writes the array as complex64 or complex128, or float32 or float64 if it is real, in C order,
 * format version 1. */
bool npy_write(FILE *file, const array *a, failure *why);

#endif

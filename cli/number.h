/* Real numbers as they lie in arrays and in files, in the host's byte order. */
#ifndef WEFT_CLI_NUMBER_H
#define WEFT_CLI_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

#include <weft/weft.h>

/* What numbers of a precision that is computed with lie in memory as: single or double. */
weft_storage number_computed(weft_precision precision);

/* Bytes of one. */
size_t number_bytes(weft_storage storage);

/* One number, wherever it lies; what is stored is single or double. */
double number_load(weft_storage storage, const void *bytes);
void number_store(weft_storage storage, void *bytes, double value);

/* Defines a function that reads a number of a C type, wherever it lies. It takes <string.h>. */
#define NUMBER_DEFINE_LOAD(name, c_type)                                                           \
    static double name(const void *bytes)                                                          \
    {                                                                                              \
        c_type value;                                                                              \
        memcpy(&value, bytes, sizeof value);                                                       \
        return (double)value;                                                                      \
    }

/* NumPy's letter for such numbers, which stands before their bytes: f, u or i. */
char number_letter(weft_storage storage);

/* Reads one of NUMBERS. false: none of these. */
bool number_read(const char *text, weft_storage *storage);
#define NUMBERS "f16, f32, f64, u8, i8, u16 or i16"

/* "u8" */
const char *number_name(weft_storage storage);

#endif

/* A string that grows. Failure sticks: after an allocation failed the text is empty and stays so,
 * and text_failed() is true. Numbers are printed without regard to the locale. */
#ifndef WEFT_BASE_TEXT_H
#define WEFT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text {
    char *data; /* always terminated once anything was appended; NULL before */
    size_t length;
    size_t capacity;
    bool failed;
};

#define TEXT_EMPTY                                                                                 \
    {                                                                                              \
        0                                                                                          \
    }

/* As printf, but never with %a, %e, %f or %g: those follow the locale. Print such numbers by the
 * functions below. */
void text_append(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Bytes as they are: what holds them is no string then, and its length counts. */
void text_append_bytes(struct text *t, const void *data, size_t bytes);
/* "1.5 MB", "12.3 us": three significant digits and a unit; a kB is 1000 bytes. */
void text_bytes(struct text *t, double bytes);
void text_seconds(struct text *t, double seconds);
/* A plain string; a whole number in decimals. Faster than text_append(), for long texts. */
void text_string(struct text *t, const char *string);
void text_integer(struct text *t, int64_t value);
/* A real number to so many significant digits (1 to 17), as %.*g prints it in the "C" locale. */
void text_number(struct text *t, double value, int significant_digits);
/* A real constant with enough digits to be read back exactly, as a literal of type double of C,
 * CUDA C and OpenCL C; infinities and NaN as quotients in parentheses. */
void text_real(struct text *t, double value);
/* The same of type float: "0.5f". */
void text_single(struct text *t, float value);
/* True once an allocation failed. */
bool text_failed(const struct text *t);
/* The text so far; "" when empty or failed. Valid until the next append. */
const char *text_chars(const struct text *t);
/* Frees the text and makes it empty again, failure forgotten. */
void text_free(struct text *t);

#endif

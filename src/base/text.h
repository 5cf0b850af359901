/* A string that grows. Failure sticks: after an allocation failed the text is empty and stays so,
 * and text_failed() is true. Numbers are printed without regard to the locale. */
#ifndef WEFT_BASE_TEXT_H
#define WEFT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

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

void text_append(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "1.5 MB", "12.3 us": three significant digits and a unit. */
void text_bytes(struct text *t, double bytes);
void text_seconds(struct text *t, double seconds);
/* A real constant with enough digits to be read back exactly, "C" locale, as a C literal. */
void text_real(struct text *t, double value);
/* The text so far; "" when empty or failed. Valid until the next append. */
const char *text_chars(const struct text *t);
void text_free(struct text *t);

#endif

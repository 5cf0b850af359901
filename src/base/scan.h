/* Reading text that the library itself wrote. Each function moves *text behind what it reads, or
 * leaves it alone and says so. */
#ifndef WEFT_BASE_SCAN_H
#define WEFT_BASE_SCAN_H

#include <stdbool.h>
#include <stdint.h>

/* Exactly these characters. */
bool scan_word(const char **text, const char *word);
/* The first of the words that stands there, as its index; -1: none. */
int scan_choice(const char **text, const char *const *words, int count);
/* A whole number as printf writes it: no '+', no blanks, no leading zeros; -2^63 is none. */
bool scan_number(const char **text, int64_t *number);

#endif

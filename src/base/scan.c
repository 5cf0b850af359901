#include "base/scan.h"

#include <string.h>

#include "base/checked.h"

bool scan_word(const char **text, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0) return false;
    *text += length;
    return true;
}

int scan_choice(const char **text, const char *const *words, int count)
{
    for (int i = 0; i < count; i++) {
        if (scan_word(text, words[i])) return i;
    }
    return -1;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

bool scan_number(const char **text, int64_t *number)
{
    const char *c = *text;
    const bool negative = *c == '-';
    if (negative) c++;
    const bool zero = *c == '0';
    if (!is_digit(*c) || (zero && (negative || is_digit(c[1])))) return false;
    int64_t value = 0;
    for (; is_digit(*c); c++) {
        if (!checked_multiply(value, 10, &value)) return false;
        if (!checked_add(value, *c - '0', &value)) return false;
    }
    *number = negative ? -value : value;
    *text = c;
    return true;
}

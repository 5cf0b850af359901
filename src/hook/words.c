/* The words of an expression. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "hook/parse.h"

/* Counted from 1. */
struct place {
    int line, column;
};

static struct place place_of(const struct parser *p, const char *at)
{
    struct place place = {1, 1};
    for (const char *c = p->problem->hooks.source[p->out]; c < at; c++) {
        place.column++;
        if (*c != '\n') continue;
        place.line++;
        place.column = 1;
    }
    return place;
}

struct hook_value parse_fail(struct parser *p, const struct word *at, const char *format, ...)
{
    struct hook_value nothing = {HOOK_NOTHING, IR_NONE, IR_NONE};
    if (p->failed) return nothing;
    char reason[384];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    const struct place place = place_of(p, at->text);
    error_set(WEFT_ERROR_ARGUMENT, "%s hook, line %d, column %d: %s", p->out ? "store" : "load",
              place.line, place.column, reason);
    p->failed = true;
    p->word = (struct word){WORD_END, p->at, 0, 0};
    return nothing;
}

bool word_is(const struct word *word, const char *text)
{
    return word->kind != WORD_END && strlen(text) == (size_t)word->length &&
           memcmp(word->text, text, (size_t)word->length) == 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Spaces, and comments from # to the line's end. */
static const char *skip(const char *c)
{
    while (*c == ' ' || *c == '\t' || *c == '\n' || *c == '\r' || *c == '#') {
        if (*c++ != '#') continue;
        while (*c && *c != '\n') c++;
    }
    return c;
}

/* What follows the e of a number: its digits and their sign. */
static const char *read_exponent(const char *c, int *exponent)
{
    const bool negative = *c == '-';
    int value = 0;
    if (*c == '-' || *c == '+') c++;
    for (; is_digit(*c); c++) {
        if (value < 10000) value = 10 * value + (*c - '0');
    }
    *exponent = negative ? -value : value;
    return c;
}

static bool begins_exponent(const char *c)
{
    if (*c != 'e' && *c != 'E') return false;
    return is_digit(c[1]) || ((c[1] == '-' || c[1] == '+') && is_digit(c[2]));
}

/* Not by strtod(), whose point is the locale's. Long double holds what a double rounds. */
static const char *read_number(const char *c, double *number)
{
    long double value = 0;
    int exponent = 0, shift = 0;
    for (; is_digit(*c); c++) value = 10 * value + (*c - '0');
    if (*c == '.') c++;
    for (; is_digit(*c); c++, shift--) value = 10 * value + (*c - '0');
    if (begins_exponent(c)) c = read_exponent(c + 1, &exponent);
    exponent += shift;
    /* In two steps: 10 to a large negative power is 0 by itself. */
    *number = (double)(value * powl(10, exponent / 2) * powl(10, exponent - exponent / 2));
    return c;
}

static const char *const signs[] = {"<=", ">=", "==", "!=", "&&", "||", "+", "-", "*", "/", "<",
                                    ">",  "!",  "?",  ":",  "(",  ")",  ",", ";", "="};

static int sign_length(const char *c)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t length = strlen(signs[i]);
        if (strncmp(c, signs[i], length) == 0) return (int)length;
    }
    return 0;
}

static void read_word(struct parser *p, struct word *word)
{
    const char *c = word->text;
    if (is_digit(*c) || (*c == '.' && is_digit(c[1]))) {
        word->kind = WORD_NUMBER;
        p->at = read_number(c, &word->number);
    } else if (begins_name(*c)) {
        word->kind = WORD_NAME;
        while (begins_name(*c) || is_digit(*c)) c++;
        p->at = c;
    } else {
        word->kind = WORD_SIGN;
        p->at = c + sign_length(c);
    }
    word->length = (int)(p->at - word->text);
}

void parse_next(struct parser *p)
{
    struct word word = {WORD_END, skip(p->at), 0, 0};
    if (p->failed) return;
    p->at = word.text;
    if (*p->at) read_word(p, &word);
    p->word = word;
    if (word.kind == WORD_SIGN && word.length == 0) {
        const unsigned char c = (unsigned char)*word.text;
        parse_fail(p, &word, isprint(c) ? "'%c' means nothing here" : "byte 0x%02x means nothing",
                   c);
    } else if (word.kind == WORD_NUMBER && begins_name(*p->at)) {
        parse_fail(p, &word, "a number that goes on as a name; a product is written 2*x");
    } else if (word.kind == WORD_NUMBER && !isfinite(word.number)) {
        parse_fail(p, &word, "the number is beyond what a double holds");
    }
}

bool parse_take(struct parser *p, const char *text)
{
    if (p->failed || !word_is(&p->word, text)) return false;
    parse_next(p);
    return true;
}

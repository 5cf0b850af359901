/* The header of a .npy file: a dictionary in Python's notation with the keys descr, fortran_order
 * and shape, in any order. Only what NumPy writes is understood; nothing is evaluated. */
#include "npy.h"

#include <string.h>

enum { WORD_CAPACITY = 24 };

typedef struct cursor {
    const char *at;
} cursor;

static void skip_blanks(cursor *c)
{
    while (*c->at == ' ' || *c->at == '\t' || *c->at == '\n' || *c->at == '\r')
        c->at++;
}

/* Takes the character if it comes next. */
static bool take(cursor *c, char expected)
{
    skip_blanks(c);
    if (*c->at != expected) return false;
    c->at++;
    return true;
}

/* A string in single or double quotes, without escapes. */
static bool take_string(cursor *c, char word[WORD_CAPACITY])
{
    skip_blanks(c);
    char quote = *c->at;
    if (quote != '\'' && quote != '"') return false;
    const char *end = strchr(c->at + 1, quote);
    if (!end || end - c->at > WORD_CAPACITY) return false;
    size_t length = (size_t)(end - c->at - 1);
    memcpy(word, c->at + 1, length);
    word[length] = 0;
    c->at = end + 1;
    return true;
}

static bool take_word(cursor *c, const char *word)
{
    skip_blanks(c);
    size_t length = strlen(word);
    if (strncmp(c->at, word, length) != 0) return false;
    c->at += length;
    return true;
}

/* A number without sign that fits int64_t; Python 2 wrote some with a final L. */
static bool take_size(cursor *c, int64_t *size)
{
    skip_blanks(c);
    if (*c->at < '0' || *c->at > '9') return false;
    *size = 0;
    for (; *c->at >= '0' && *c->at <= '9'; c->at++) {
        if (__builtin_mul_overflow(*size, 10, size)) return false;
        if (__builtin_add_overflow(*size, *c->at - '0', size)) return false;
    }
    if (*c->at == 'L') c->at++;
    return true;
}

static bool parse_shape(cursor *c, npy_header *header, failure *why)
{
    if (!take(c, '(')) return failure_set(why, "the header's shape is no tuple");
    header->rank = 0;
    while (!take(c, ')')) {
        int64_t size;
        if (!take_size(c, &size)) {
            return failure_set(why, "the header's shape holds something that is no size");
        }
        if (header->rank == WEFT_MAX_RANK) {
            return failure_set(why, "the array has more than %d axes, which is the most supported",
                               WEFT_MAX_RANK);
        }
        header->size[header->rank++] = size;
        skip_blanks(c);
        if (!take(c, ',') && *c->at != ')') {
            return failure_set(why, "the header's shape is no tuple of sizes");
        }
    }
    return true;
}

static bool parse_descr(cursor *c, npy_header *header, failure *why)
{
    char descr[WORD_CAPACITY];
    if (!take_string(c, descr)) {
        return failure_set(why, "its elements are no plain numbers; records are not read");
    }
    return npy_type_find(descr, &header->type, &header->swapped, why);
}

static bool parse_order(cursor *c, npy_header *header, failure *why)
{
    header->fortran_order = take_word(c, "True");
    if (header->fortran_order || take_word(c, "False")) return true;
    return failure_set(why, "the header's fortran_order is neither True nor False");
}

static const struct {
    const char *name;
    bool (*parse)(cursor *c, npy_header *header, failure *why);
} keys[] = {{"descr", parse_descr}, {"fortran_order", parse_order}, {"shape", parse_shape}};

enum { KEYS = sizeof keys / sizeof keys[0] };

/* Parses one `'key': value`, and marks in *seen which it was. */
static bool parse_entry(cursor *c, npy_header *header, unsigned *seen, failure *why)
{
    char name[WORD_CAPACITY];
    if (!take_string(c, name) || !take(c, ':')) {
        return failure_set(why, "the header is not the dictionary that a .npy file has");
    }
    for (int i = 0; i < KEYS; i++) {
        if (strcmp(name, keys[i].name) != 0 || *seen & 1u << i) continue;
        *seen |= 1u << i;
        return keys[i].parse(c, header, why);
    }
    return failure_set(why, "the header has an unexpected key '%s'", name);
}

bool npy_header_parse(const char *text, npy_header *header, failure *why)
{
    cursor c = {text};
    unsigned seen = 0;
    *header = (npy_header){0};
    if (!take(&c, '{')) return failure_set(why, "the header holds no dictionary");
    while (!take(&c, '}')) {
        if (!parse_entry(&c, header, &seen, why)) return false;
        skip_blanks(&c);
        if (!take(&c, ',') && *c.at != '}') {
            return failure_set(why, "the header is not the dictionary that a .npy file has");
        }
    }
    if (seen == (1u << KEYS) - 1) return true;
    return failure_set(why, "the header lacks one of descr, fortran_order and shape");
}

/* The inside of the parser, shared by its files: words of the source, and values with a type.
 *
 * Failure sticks: after the first error, which is kept as the thread's last, words are at their end
 * and values are nothing. */
#ifndef WEFT_HOOK_PARSE_H
#define WEFT_HOOK_PARSE_H

#include "hook/hook.h"

/* ---- words (words.c) ---- */

enum word_kind { WORD_END, WORD_NUMBER, WORD_NAME, WORD_SIGN };

struct word {
    enum word_kind kind;
    const char *text; /* in the source */
    int length;
    double number;
};

/* ---- values (values.c) ---- */

enum hook_type { HOOK_NOTHING, HOOK_BOOL, HOOK_REAL, HOOK_COMPLEX };

struct hook_value {
    enum hook_type type;
    ir_value re, im; /* a bool is in re */
};

struct binding {
    const char *name; /* in the source */
    int length;
    struct hook_value value;
};

#define HOOK_MAX_BINDINGS 32
#define HOOK_MAX_DEPTH    48
/* Values of the IR that an expression may take: every element of a kernel computes them all. */
#define HOOK_MAX_VALUES   4000

struct parser {
    struct ir_builder *b;
    const struct problem *problem;
    const struct hook_element *element;
    bool out;
    bool failed;
    const char *at;   /* what was not read yet */
    struct word word; /* what is read next */
    int depth;
    bool checks; /* the kernel is the hook's own: in another, values may be known that only are so
                  * there, and there are others beside the hook's */
    int bindings;
    struct binding binding[HOOK_MAX_BINDINGS];
};

/* Fails with a message that begins with the place of the word, and returns nothing. */
struct hook_value parse_fail(struct parser *p, const struct word *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Moves on to the next word. */
void parse_next(struct parser *p);
/* Whether the next word is this sign, or this name; if so, moves on. */
bool parse_take(struct parser *p, const char *text);
/* Whether the word is this one. */
bool word_is(const struct word *word, const char *text);

struct hook_value value_real(struct parser *p, double number);
struct hook_value value_of_real(ir_value re);
/* The names that stand for something by themselves; nothing, without a failure: it is no such
 * name. */
struct hook_value value_named(struct parser *p, const struct word *name);

/* x as a complex value. */
struct hook_value value_complex(struct parser *p, struct hook_value x);
/* Operators: `at` is the word that complaints are about. */
struct hook_value value_negate(struct parser *p, const struct word *at, struct hook_value x);
struct hook_value value_not(struct parser *p, const struct word *at, struct hook_value x);
struct hook_value value_arithmetic(struct parser *p, const struct word *at, struct hook_value x,
                                   struct hook_value y);
struct hook_value value_compare(struct parser *p, const struct word *at, struct hook_value x,
                                struct hook_value y);
struct hook_value value_logic(struct parser *p, const struct word *at, struct hook_value x,
                              struct hook_value y);
struct hook_value value_choose(struct parser *p, const struct word *at, struct hook_value condition,
                               struct hook_value x, struct hook_value y);

/* ---- functions (functions.c) ---- */

#define HOOK_MAX_ARGUMENTS 64

/* Whether there is a function of this name, and its value. */
bool function_exists(const struct word *name);
struct hook_value function_call(struct parser *p, const struct word *name, int count,
                                const struct hook_value *argument);

#endif

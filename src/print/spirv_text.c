/* SPIR-V modules as text, in the notation of spirv-as. Only what spirv_print() writes is known. */
#include "print/spirv.h"

#include <stdlib.h>
#include <string.h>

#include "print/spirv_words.h"

/* ---- names ---- */

struct named {
    uint32_t number;
    const char *name, *operands;
};

#define OP_ROW(name, number, operands) {number, "Op" #name, operands},
#define ROW(name, number)              {number, #name, NULL},
static const struct named ops[] = {SPIRV_OPS(OP_ROW){0, NULL, NULL}};
static const struct named capabilities[] = {SPIRV_CAPABILITIES(ROW){0, NULL, NULL}};
static const struct named storages[] = {SPIRV_STORAGES(ROW){0, NULL, NULL}};
static const struct named decorations[] = {SPIRV_DECORATIONS(ROW){0, NULL, NULL}};
static const struct named built_ins[] = {SPIRV_BUILT_INS(ROW){0, NULL, NULL}};
static const struct named extended[] = {SPIRV_EXTENDED(ROW){0, NULL, NULL}};
static const struct named formats[] = {SPIRV_IMAGE_FORMATS(ROW){0, NULL, NULL}};
#undef OP_ROW
#undef ROW
static const struct named execution_models[] = {{SPIRV_GL_COMPUTE, "GLCompute", NULL}, {0}};
static const struct named dimensions[] = {{SPIRV_2D, "2D", NULL}, {0}};
static const struct named loop_controls[] = {{SPIRV_DONT_UNROLL, "DontUnroll", NULL}, {0}};
static const struct named controls[] = {{0, "None", NULL}, {0}};

/* Operands of one word that has a name, by their letters in SPIRV_OPS; others have the last one. */
static const struct {
    char kind;
    const struct named *names;
} named_operands[] = {
    {'c', capabilities},     {'S', storages},   {'x', extended},      {'f', formats},
    {'E', execution_models}, {'d', dimensions}, {'l', loop_controls}, {0, controls},
};

static const struct named *find(const struct named *table, uint32_t number)
{
    while (table->name && table->number != number)
        table++;
    return table->name ? table : NULL;
}

static void print_name(struct text *t, const struct named *table, uint32_t number)
{
    const struct named *found = find(table, number);
    text_append(t, " %s", found ? found->name : "?");
}

/* ---- instructions ---- */

struct module {
    const uint32_t *word;
    size_t words;
};

/* The words of an instruction that are not read yet. */
struct instruction {
    const uint32_t *word;
    uint32_t left;
};

static uint32_t take(struct instruction *i)
{
    if (i->left == 0) return 0;
    i->left--;
    return *i->word++;
}

static uint32_t length_at(const struct module *m, size_t at)
{
    const uint32_t length = m->word[at] >> 16;
    return length > 0 && length <= m->words - at ? length : (uint32_t)(m->words - at);
}

/* The instruction that makes a type, which stands before its uses. */
static const uint32_t *find_type(const struct module *m, uint32_t id)
{
    for (size_t at = SPIRV_HEADER_WORDS; at < m->words; at += length_at(m, at)) {
        const uint32_t op = m->word[at] & 0xffff;
        const bool type = op == SPIRV_TypeInt || op == SPIRV_TypeFloat;
        if (type && length_at(m, at) > 2 && m->word[at + 1] == id) return &m->word[at];
    }
    return NULL;
}

static void print_constant(struct text *t, const struct module *m, uint32_t type,
                           struct instruction *i)
{
    const uint32_t *maker = find_type(m, type);
    const bool real = maker && (*maker & 0xffff) == SPIRV_TypeFloat;
    const uint32_t low = take(i);
    const bool wide = i->left > 0;
    const uint64_t bits = (uint64_t)take(i) << 32 | low;
    float narrow;
    double value;
    memcpy(&narrow, &low, sizeof narrow);
    memcpy(&value, &bits, sizeof value);
    text_append(t, " ");
    if (real)
        text_number(t, wide ? value : (double)narrow, 17);
    else
        text_append(t, "%llu", (unsigned long long)bits);
}

static void print_string(struct text *t, struct instruction *i)
{
    const size_t most = i->left * sizeof(uint32_t);
    const size_t length = strnlen((const char *)i->word, most);
    text_append(t, " \"%.*s\"", (int)length, (const char *)i->word);
    for (size_t words = length / sizeof(uint32_t) + 1; words > 0; words--)
        take(i);
}

static void print_numbers(struct text *t, struct instruction *i)
{
    while (i->left > 0)
        text_append(t, " %u", (unsigned)take(i));
}

static void print_decoration(struct text *t, struct instruction *i)
{
    const uint32_t decoration = take(i);
    print_name(t, decorations, decoration);
    if (decoration == SPIRV_BuiltIn) print_name(t, built_ins, take(i));
    print_numbers(t, i);
}

static void print_mode(struct text *t, struct instruction *i)
{
    text_append(t, take(i) == SPIRV_LOCAL_SIZE ? " LocalSize" : " ?");
    print_numbers(t, i);
}

static void print_models(struct text *t, struct instruction *i)
{
    text_append(t, take(i) == SPIRV_LOGICAL ? " Logical" : " ?");
    text_append(t, take(i) == SPIRV_GLSL450 ? " GLSL450" : " ?");
}

static const struct named *names_of(char kind)
{
    int i = 0;
    while (named_operands[i].kind && named_operands[i].kind != kind)
        i++;
    return named_operands[i].names;
}

static void print_operand(struct text *t, const struct module *m, char kind, uint32_t type,
                          struct instruction *i)
{
    switch (kind) {
    case 'i':
        text_append(t, " %%%u", (unsigned)take(i));
        break;
    case 'I':
        while (i->left > 0)
            text_append(t, " %%%u", (unsigned)take(i));
        break;
    case 'n':
        text_append(t, " %u", (unsigned)take(i));
        break;
    case 's':
        print_string(t, i);
        break;
    case 'k':
        print_constant(t, m, type, i);
        break;
    case 'D':
        print_decoration(t, i);
        break;
    case 'M':
        print_mode(t, i);
        break;
    case 'A':
        print_models(t, i);
        break;
    default:
        print_name(t, names_of(kind), take(i));
        break;
    }
}

/* "%result = OpName %type operands" */
static void print_instruction(struct text *t, const struct module *m, size_t at)
{
    struct instruction i = {&m->word[at + 1], length_at(m, at) - 1};
    const struct named *op = find(ops, m->word[at] & 0xffff);
    if (!op) {
        text_append(t, "; instruction %u\n", (unsigned)(m->word[at] & 0xffff));
        return;
    }
    const char *operands = op->operands;
    const bool typed = *operands == 't';
    const uint32_t type = typed ? take(&i) : 0;
    operands += typed;
    if (*operands == 'r') {
        text_append(t, "%%%u = ", (unsigned)take(&i));
        operands++;
    }
    text_append(t, "%s", op->name);
    if (typed) text_append(t, " %%%u", (unsigned)type);
    for (; *operands; operands++)
        print_operand(t, m, *operands, type, &i);
    text_append(t, "\n");
}

void spirv_disassemble(struct text *t, const void *binary, size_t bytes)
{
    const struct module m = {binary, bytes / sizeof(uint32_t)};
    for (size_t at = SPIRV_HEADER_WORDS; at < m.words; at += length_at(&m, at))
        print_instruction(t, &m, at);
}

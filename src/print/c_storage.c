#include "print/c_storage.h"

/* Halves are converted from and to single precision, by bits; from double precision the odd one of
 * both neighbours is taken first, so that all is rounded once (Boldo, Melquiond 2008). Each dialect
 * defines weft_function, weft_real, weft_pair, weft_bits, weft_from_bits and weft_rint. */
static const char *const singles[2] = {
    "weft_function float weft_single(float x)\n{\n    return x;\n}\n",
    "weft_function float weft_single(double x)\n"
    "{\n"
    "    const float near = (float)x;\n"
    "    const double kept = (double)near;\n"
    "    const unsigned bits = weft_bits(near);\n"
    "    const bool inward = (kept < 0 ? -kept : kept) < (x < 0 ? -x : x);\n"
    "    const unsigned odd = inward ? bits + 1u : bits - 1u;\n"
    "    return kept != x && !(bits & 1u) ? weft_from_bits(odd) : near;\n"
    "}\n"};

static const char bfloat16[] =
    "weft_function weft_real weft_load_bf16(unsigned short x)\n"
    "{\n"
    "    return (weft_real)weft_from_bits((unsigned)x << 16);\n"
    "}\n"
    "weft_function unsigned short weft_store_bf16(weft_real x)\n"
    "{\n"
    "    const unsigned bits = weft_bits(weft_single(x));\n"
    "    const unsigned rounded = (bits + 0x7fffu + (bits >> 16 & 1u)) >> 16;\n"
    "    const bool number = (bits & 0x7fffffffu) <= 0x7f800000u;\n"
    "    return (unsigned short)(number ? rounded : bits >> 16 | 0x40u);\n"
    "}\n";

static const char whole[] =
    "weft_function int weft_whole(weft_real x, weft_real least, weft_real most)\n"
    "{\n"
    "    const weft_real number = x == x ? x : (weft_real)0;\n"
    "    const weft_real up = number < least ? least : number;\n"
    "    return (int)weft_rint(up > most ? most : up);\n"
    "}\n";

/* A number and the vector of two: with the storage's name, and the range of an integer. */
struct stored_type {
    const char *type, *pair;
    const char *least, *most; /* NULL: it is no integer */
};

static const struct stored_type stored_types[STORAGE_COUNT] = {
    [WEFT_STORED_F16] = {"unsigned short", "ushort2", NULL, NULL},
    [WEFT_STORED_BF16] = {"unsigned short", "ushort2", NULL, NULL},
    [WEFT_STORED_F32] = {"float", "float2", NULL, NULL},
    [WEFT_STORED_F64] = {"double", "double2", NULL, NULL},
    [WEFT_STORED_U8] = {"unsigned char", "uchar2", "0", "255"},
    [WEFT_STORED_I8] = {"signed char", "char2", "-128", "127"},
    [WEFT_STORED_U16] = {"unsigned short", "ushort2", "0", "65535"},
    [WEFT_STORED_I16] = {"short", "short2", "-32768", "32767"},
};

const char *c_storage_type(const struct ir_buffer *buffer)
{
    const struct stored_type *type = &stored_types[buffer->storage];
    return buffer->pairs ? type->pair : type->type;
}

static void print_number(const struct c_like_printer *p, weft_storage storage)
{
    const struct stored_type *type = &stored_types[storage];
    const char *name = storage_names[storage];
    if (storage == WEFT_STORED_F16) {
        text_string(p->text, p->target->dialect->halves);
    } else if (storage == WEFT_STORED_BF16) {
        text_string(p->text, bfloat16);
    } else {
        text_append(p->text,
                    "weft_function weft_real weft_load_%s(%s x)\n{\n    return (weft_real)x;\n}\n"
                    "weft_function %s weft_store_%s(weft_real x)\n{\n    return (%s)",
                    name, type->type, type->type, name, type->type);
        if (type->least)
            text_append(p->text, "weft_whole(x, (weft_real)(%s), (weft_real)%s);\n}\n", type->least,
                        type->most);
        else
            text_append(p->text, "x;\n}\n");
    }
}

static void print_pair(const struct c_like_printer *p, weft_storage storage)
{
    const char *name = storage_names[storage], *pair = stored_types[storage].pair;
    text_append(p->text,
                "weft_function weft_pair weft_load_%s_pair(%s x)\n{\n    weft_pair y;\n"
                "    y.x = weft_load_%s(x.x);\n    y.y = weft_load_%s(x.y);\n    return y;\n}\n"
                "weft_function %s weft_store_%s_pair(weft_real x, weft_real y)\n{\n    %s z;\n"
                "    z.x = weft_store_%s(x);\n    z.y = weft_store_%s(y);\n    return z;\n}\n",
                name, pair, name, name, pair, name, pair, name, name);
}

void c_storage_print_functions(const struct c_like_printer *p)
{
    bool found[STORAGE_COUNT] = {false};
    for (int i = 0; i < p->kernel->buffer_count; i++) {
        const weft_storage storage = p->kernel->buffer[i].storage;
        if (!storage || found[storage] || !ir_buffer_used(p->kernel, i)) continue;
        if (!found[WEFT_STORED_AS_COMPUTED]) {
            text_append(p->text, "%s%s%s", p->target->dialect->storages[!p->target->single],
                        singles[!p->target->single], whole);
        }
        found[WEFT_STORED_AS_COMPUTED] = found[storage] = true;
        print_number(p, storage);
        print_pair(p, storage);
    }
}

static void print_name(const struct c_like_printer *p, const struct ir_buffer *buffer,
                       const char *verb)
{
    text_append(p->text, "weft_%s_%s%s(", verb, storage_names[buffer->storage],
                buffer->pairs ? "_pair" : "");
}

void c_storage_print_load(const struct c_like_printer *p, const struct ir_buffer *buffer)
{
    print_name(p, buffer, "load");
}

void c_storage_print_store(const struct c_like_printer *p, const struct ir_buffer *buffer)
{
    print_name(p, buffer, "store");
}

/* Numbers that are stored otherwise than computed with. A buffer of them is an array of words of 32
 * bits, which every device reads and writes: numbers are taken out of words by shifts, and put
 * where a word has more than them by two atomic operations, which leave its other bits alone. */
#include "print/spirv_module.h"

#include <string.h>

/* ---- instructions with a new result ---- */

static uint32_t constant(struct spirv_module *m, uint32_t number)
{
    const uint32_t id = spirv_new_id(m);
    SPIRV_EMIT(&m->globals, Constant, ID_INT, id, number);
    return id;
}

static uint32_t real_constant(struct spirv_module *m, double number)
{
    const float narrow = (float)number;
    uint32_t operand[4] = {ID_REAL, spirv_new_id(m)};
    memcpy(&operand[2], m->target->single ? (const void *)&narrow : (const void *)&number,
           m->target->single ? sizeof narrow : sizeof number);
    spirv_emit(&m->globals, SPIRV_Constant, m->target->single ? 3 : 4, operand);
    return operand[1];
}

static uint32_t one(struct spirv_module *m, enum spirv_op op, uint32_t type, uint32_t a)
{
    const uint32_t operand[] = {type, spirv_new_id(m), a};
    spirv_emit(&m->body, op, 3, operand);
    return operand[1];
}

static uint32_t two(struct spirv_module *m, enum spirv_op op, uint32_t type, uint32_t a, uint32_t b)
{
    const uint32_t operand[] = {type, spirv_new_id(m), a, b};
    spirv_emit(&m->body, op, 4, operand);
    return operand[1];
}

/* Of two integers, the second a constant. */
static uint32_t with(struct spirv_module *m, enum spirv_op op, uint32_t a, uint32_t number)
{
    return two(m, op, ID_INT, a, constant(m, number));
}

static uint32_t selected(struct spirv_module *m, uint32_t type, uint32_t condition, uint32_t a,
                         uint32_t b)
{
    const uint32_t id = spirv_new_id(m);
    SPIRV_EMIT(&m->body, Select, type, id, condition, a, b);
    return id;
}

static uint32_t extended(struct spirv_module *m, uint32_t type, enum spirv_extended op, uint32_t a)
{
    const uint32_t id = spirv_new_id(m);
    SPIRV_EMIT(&m->body, ExtInst, type, id, ID_EXTENDED, (uint32_t)op, a);
    return id;
}

/* ---- types ---- */

static uint32_t single_type(const struct spirv_module *m)
{
    return m->target->single ? ID_REAL : ID_OTHER_REAL;
}

static uint32_t double_type(const struct spirv_module *m)
{
    return m->target->single ? ID_OTHER_REAL : ID_REAL;
}

static bool is_stored_as(const struct spirv_module *m, int index, weft_storage storage)
{
    return m->kernel->buffer[index].storage == storage && ir_buffer_used(m->kernel, index);
}

bool spirv_stores_doubles(const struct spirv_module *m)
{
    for (int i = 0; i < m->kernel->buffer_count; i++)
        if (is_stored_as(m, i, WEFT_STORED_F64)) return true;
    return false;
}

static bool stores_otherwise(const struct spirv_module *m)
{
    for (int i = 0; i < m->kernel->buffer_count; i++)
        if (m->kernel->buffer[i].storage && ir_buffer_used(m->kernel, i)) return true;
    return false;
}

bool spirv_parts_doubles(const struct spirv_module *m)
{
    return m->target->single ? spirv_stores_doubles(m) : stores_otherwise(m);
}

void spirv_declare_storages(struct spirv_module *m)
{
    if (!spirv_parts_doubles(m)) return;
    SPIRV_EMIT(&m->globals, TypeFloat, ID_OTHER_REAL, m->target->single ? 64 : 32);
    SPIRV_EMIT(&m->globals, TypeVector, ID_OTHER_PAIR, ID_OTHER_REAL, 2);
}

/* ---- words ---- */

static uint32_t word_at(struct spirv_module *m, const struct ir_node *node, uint32_t index)
{
    const uint32_t pointer = spirv_new_id(m);
    SPIRV_EMIT(&m->body, AccessChain, ID_ELEMENT_POINTER + SPIRV_INTS, pointer,
               ID_BUFFER + (uint32_t)node->buffer, ID_ZERO, index);
    return pointer;
}

/* Where an element lies that takes up a word or less. */
struct spot {
    uint32_t word;  /* the id of its pointer */
    uint32_t shift; /* of the bits that are below it */
};

static struct spot find_spot(struct spirv_module *m, const struct ir_node *node, int bytes)
{
    const uint32_t element = spirv_print_element(m, node);
    const uint32_t in_word = bytes == 1 ? 2 : bytes == 2 ? 1 : 0; /* bits that say which of them */
    const uint32_t word = in_word ? with(m, SPIRV_ShiftRightLogical, element, in_word) : element;
    const uint32_t which = with(m, SPIRV_BitwiseAnd, element, (1u << in_word) - 1);
    return (struct spot){word_at(m, node, word), with(m, SPIRV_IMul, which, 8 * (uint32_t)bytes)};
}

/* Word `part` of an element of several. */
static uint32_t part_at(struct spirv_module *m, const struct ir_node *node, uint32_t element,
                        uint32_t words, uint32_t part)
{
    const uint32_t first = with(m, SPIRV_IMul, element, words);
    return word_at(m, node, with(m, SPIRV_IAdd, first, part));
}

/* ---- numbers out of bits ---- */

static uint32_t real_of_single(struct spirv_module *m, uint32_t single)
{
    return m->target->single ? single : one(m, SPIRV_FConvert, ID_REAL, single);
}

/* The lowest bits are the number's; others may be anything. */
static uint32_t number_of_bits(struct spirv_module *m, weft_storage storage, uint32_t bits)
{
    const uint32_t above = 32 - 8 * (uint32_t)storage_bytes(storage);
    const uint32_t pair = m->target->single ? ID_PAIR : ID_OTHER_PAIR;
    if (storage == WEFT_STORED_F16) {
        const uint32_t halves = extended(m, pair, SPIRV_UnpackHalf2x16, bits);
        const uint32_t id = spirv_new_id(m);
        SPIRV_EMIT(&m->body, CompositeExtract, single_type(m), id, halves, 0);
        return real_of_single(m, id);
    }
    const uint32_t high = above ? with(m, SPIRV_ShiftLeftLogical, bits, above) : bits;
    if (storage == WEFT_STORED_BF16 || storage == WEFT_STORED_F32)
        return real_of_single(m, one(m, SPIRV_Bitcast, single_type(m), high));
    if (storage == WEFT_STORED_U8 || storage == WEFT_STORED_U16)
        return one(m, SPIRV_ConvertUToF, ID_REAL, with(m, SPIRV_ShiftRightLogical, high, above));
    return one(m, SPIRV_ConvertSToF, ID_REAL, with(m, SPIRV_ShiftRightArithmetic, high, above));
}

static uint32_t load_word(struct spirv_module *m, uint32_t pointer)
{
    return one(m, SPIRV_Load, ID_INT, pointer);
}

static uint32_t load_double(struct spirv_module *m, const struct ir_node *node, uint32_t element,
                            uint32_t words, uint32_t part)
{
    const uint32_t low = load_word(m, part_at(m, node, element, words, 2 * part));
    const uint32_t high = load_word(m, part_at(m, node, element, words, 2 * part + 1));
    const uint32_t both = two(m, SPIRV_CompositeConstruct, ID_COLUMN_AND_ROW, low, high);
    return one(m, SPIRV_FConvert, ID_REAL, one(m, SPIRV_Bitcast, double_type(m), both));
}

void spirv_load_stored(struct spirv_module *m, ir_value v)
{
    const struct ir_node *node = &m->kernel->node[v];
    const weft_storage storage = m->kernel->buffer[node->buffer].storage;
    const int parts = node->op == IR_LOAD_PAIR ? 2 : 1, bytes = storage_bytes(storage);
    const uint32_t words = (uint32_t)(parts * bytes / 4);
    uint32_t number[2];
    if (words <= 1 && bytes < 4) {
        const struct spot spot = find_spot(m, node, parts * bytes);
        const uint32_t word = load_word(m, spot.word);
        const uint32_t bits = two(m, SPIRV_ShiftRightLogical, ID_INT, word, spot.shift);
        for (int p = 0; p < parts; p++) {
            const uint32_t below = 8 * (uint32_t)(bytes * p);
            const uint32_t own = p ? with(m, SPIRV_ShiftRightLogical, bits, below) : bits;
            number[p] = number_of_bits(m, storage, own);
        }
    } else {
        const uint32_t element = spirv_print_element(m, node);
        for (uint32_t p = 0; p < (uint32_t)parts; p++) {
            number[p] =
                bytes == 8
                    ? load_double(m, node, element, words, p)
                    : number_of_bits(m, storage, load_word(m, part_at(m, node, element, words, p)));
        }
    }
    if (parts == 2)
        SPIRV_EMIT(&m->body, CompositeConstruct, ID_PAIR, spirv_value(v), number[0], number[1]);
    else
        SPIRV_EMIT(&m->body, CopyObject, ID_REAL, spirv_value(v), number[0]);
}

/* ---- bits of numbers ---- */

/* The bits of a single that is rounded to the odd one of both neighbours, so that rounding it once
 * more is rounding the number once (Boldo, Melquiond 2008). */
static uint32_t odd_single(struct spirv_module *m, uint32_t real)
{
    if (m->target->single) return one(m, SPIRV_Bitcast, ID_INT, real);
    const uint32_t near = one(m, SPIRV_FConvert, ID_OTHER_REAL, real);
    const uint32_t kept = one(m, SPIRV_FConvert, ID_REAL, near);
    const uint32_t bits = one(m, SPIRV_Bitcast, ID_INT, near);
    const uint32_t inexact = two(m, SPIRV_FUnordNotEqual, ID_BOOL, kept, real);
    const uint32_t even =
        two(m, SPIRV_IEqual, ID_BOOL, with(m, SPIRV_BitwiseAnd, bits, 1), ID_ZERO);
    const uint32_t inward =
        two(m, SPIRV_FOrdLessThan, ID_BOOL, extended(m, ID_REAL, SPIRV_FAbs, kept),
            extended(m, ID_REAL, SPIRV_FAbs, real));
    const uint32_t step = selected(m, ID_INT, inward, constant(m, 1), constant(m, UINT32_MAX));
    return selected(m, ID_INT, two(m, SPIRV_LogicalAnd, ID_BOOL, inexact, even),
                    two(m, SPIRV_IAdd, ID_INT, bits, step), bits);
}

/* Whether a magnitude's bits are above the number. */
static uint32_t is_above(struct spirv_module *m, uint32_t magnitude, uint32_t number)
{
    return two(m, SPIRV_SLessThan, ID_BOOL, constant(m, number), magnitude);
}

/* `bits` without the lowest ones, rounded to even; `half` is one less than half a unit. */
static uint32_t rounded(struct spirv_module *m, uint32_t bits, uint32_t half, uint32_t dropped)
{
    const uint32_t odd =
        with(m, SPIRV_BitwiseAnd, with(m, SPIRV_ShiftRightLogical, bits, dropped), 1);
    const uint32_t sum = two(m, SPIRV_IAdd, ID_INT, with(m, SPIRV_IAdd, bits, half), odd);
    return with(m, SPIRV_ShiftRightLogical, sum, dropped);
}

/* As to_f16() in device/cpu/general_storage.h. */
static uint32_t bits_of_f16(struct spirv_module *m, uint32_t real)
{
    const uint32_t single = odd_single(m, real);
    const uint32_t magnitude = with(m, SPIRV_BitwiseAnd, single, 0x7fffffff);
    const uint32_t sign =
        with(m, SPIRV_BitwiseAnd, with(m, SPIRV_ShiftRightLogical, single, 16), 0x8000);
    const uint32_t value = one(m, SPIRV_Bitcast, single_type(m), magnitude);
    const uint32_t half = one(m, SPIRV_Bitcast, single_type(m), constant(m, 0x3f000000));
    const uint32_t sum = two(m, SPIRV_FAdd, single_type(m), value, half);
    const uint32_t small = with(m, SPIRV_ISub, one(m, SPIRV_Bitcast, ID_INT, sum), 0x3f000000);
    const uint32_t moved = with(m, SPIRV_ISub, magnitude, 112u << 23);
    uint32_t bits = selected(m, ID_INT, is_above(m, magnitude, 0x387fffff),
                             rounded(m, moved, 0xfff, 13), small);
    bits = selected(m, ID_INT, is_above(m, magnitude, 0x477fefff), constant(m, 0x7c00), bits);
    bits = selected(m, ID_INT, is_above(m, magnitude, 0x7f800000), constant(m, 0x7e00), bits);
    return two(m, SPIRV_BitwiseOr, ID_INT, sign, bits);
}

static uint32_t bits_of_bf16(struct spirv_module *m, uint32_t real)
{
    const uint32_t single = odd_single(m, real);
    const uint32_t magnitude = with(m, SPIRV_BitwiseAnd, single, 0x7fffffff);
    const uint32_t high = with(m, SPIRV_ShiftRightLogical, single, 16);
    return selected(m, ID_INT, is_above(m, magnitude, 0x7f800000),
                    with(m, SPIRV_BitwiseOr, high, 0x40), rounded(m, single, 0x7fff, 16));
}

/* Drivers may round doubles as singles where they are told to: these are rounded by a sum whose
 * unit is 1. */
static uint32_t bits_of_whole(struct spirv_module *m, uint32_t real)
{
    if (m->target->single)
        return one(m, SPIRV_ConvertFToS, ID_INT, extended(m, ID_REAL, SPIRV_RoundEven, real));
    const uint32_t sum = two(m, SPIRV_FAdd, ID_REAL, real, real_constant(m, 0x1.8p+52));
    const uint32_t low = spirv_new_id(m);
    SPIRV_EMIT(&m->body, CompositeExtract, ID_INT, low,
               one(m, SPIRV_Bitcast, ID_COLUMN_AND_ROW, sum), 0);
    return low;
}

static uint32_t bits_of_integer(struct spirv_module *m, weft_storage storage, uint32_t real)
{
    const int bits = 8 * storage_bytes(storage);
    const bool sign = storage == WEFT_STORED_I8 || storage == WEFT_STORED_I16;
    const uint32_t least = real_constant(m, sign ? -(double)(1 << (bits - 1)) : 0);
    const uint32_t most = real_constant(m, (double)((1 << (sign ? bits - 1 : bits)) - 1));
    const uint32_t number = two(m, SPIRV_FOrdEqual, ID_BOOL, real, real);
    uint32_t x = selected(m, ID_REAL, number, real, real_constant(m, 0));
    x = selected(m, ID_REAL, two(m, SPIRV_FOrdLessThan, ID_BOOL, x, least), least, x);
    x = selected(m, ID_REAL, two(m, SPIRV_FOrdLessThan, ID_BOOL, most, x), most, x);
    return with(m, SPIRV_BitwiseAnd, bits_of_whole(m, x), (1u << bits) - 1);
}

/* Of a number of 32 bits at most. */
static uint32_t bits_of_number(struct spirv_module *m, weft_storage storage, uint32_t real)
{
    if (storage == WEFT_STORED_F16) return bits_of_f16(m, real);
    if (storage == WEFT_STORED_BF16) return bits_of_bf16(m, real);
    if (storage != WEFT_STORED_F32) return bits_of_integer(m, storage, real);
    return one(m, SPIRV_Bitcast, ID_INT, one(m, SPIRV_FConvert, ID_OTHER_REAL, real));
}

/* ---- storing ---- */

/* Puts `bytes` bytes into the word, whose other bytes are others'. */
static void put(struct spirv_module *m, const struct spot *spot, uint32_t bits, int bytes)
{
    const uint32_t device = constant(m, SPIRV_SCOPE_DEVICE);
    const uint32_t own = constant(m, (1u << 8 * bytes) - 1);
    const uint32_t mask = two(m, SPIRV_ShiftLeftLogical, ID_INT, own, spot->shift);
    const uint32_t others = with(m, SPIRV_BitwiseXor, mask, UINT32_MAX);
    const uint32_t placed = two(m, SPIRV_ShiftLeftLogical, ID_INT, bits, spot->shift);
    SPIRV_EMIT(&m->body, AtomicAnd, ID_INT, spirv_new_id(m), spot->word, device, ID_ZERO, others);
    SPIRV_EMIT(&m->body, AtomicOr, ID_INT, spirv_new_id(m), spot->word, device, ID_ZERO, placed);
}

static void store_small(struct spirv_module *m, const struct ir_node *node, weft_storage storage)
{
    const bool pair = node->op == IR_STORE_PAIR;
    const int bytes = storage_bytes(storage), all = bytes * (pair ? 2 : 1);
    uint32_t bits = bits_of_number(m, storage, spirv_value(node->a));
    if (pair) {
        const uint32_t second = bits_of_number(m, storage, spirv_value(node->c));
        bits = two(m, SPIRV_BitwiseOr, ID_INT, bits,
                   with(m, SPIRV_ShiftLeftLogical, second, 8 * (uint32_t)bytes));
    }
    if (all == 4) {
        SPIRV_EMIT(&m->body, Store, word_at(m, node, spirv_print_element(m, node)), bits);
        return;
    }
    const struct spot spot = find_spot(m, node, all);
    put(m, &spot, bits, all);
}

static void store_large(struct spirv_module *m, const struct ir_node *node, weft_storage storage)
{
    const uint32_t element = spirv_print_element(m, node);
    const uint32_t parts = node->op == IR_STORE_PAIR ? 2 : 1;
    const uint32_t each = (uint32_t)storage_bytes(storage) / 4, words = parts * each;
    for (uint32_t p = 0; p < parts; p++) {
        const uint32_t real = spirv_value(p ? node->c : node->a);
        if (each == 1) {
            SPIRV_EMIT(&m->body, Store, part_at(m, node, element, words, p),
                       bits_of_number(m, storage, real));
            continue;
        }
        const uint32_t wide = one(m, SPIRV_FConvert, double_type(m), real);
        const uint32_t both = one(m, SPIRV_Bitcast, ID_COLUMN_AND_ROW, wide);
        for (uint32_t half = 0; half < 2; half++) {
            const uint32_t word = spirv_new_id(m);
            SPIRV_EMIT(&m->body, CompositeExtract, ID_INT, word, both, half);
            SPIRV_EMIT(&m->body, Store, part_at(m, node, element, words, 2 * p + half), word);
        }
    }
}

void spirv_store_stored(struct spirv_module *m, const struct ir_node *node)
{
    const weft_storage storage = m->kernel->buffer[node->buffer].storage;
    if (storage_bytes(storage) < 4)
        store_small(m, node, storage);
    else
        store_large(m, node, storage);
}

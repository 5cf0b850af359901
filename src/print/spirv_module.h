/* A SPIR-V module while it is being written, shared by the files that print one. */
#ifndef WEFT_PRINT_SPIRV_MODULE_H
#define WEFT_PRINT_SPIRV_MODULE_H

#include "base/arena.h"
#include "print/spirv.h"
#include "print/spirv_words.h"

/* What buffers hold. */
enum spirv_element { SPIRV_INTS, SPIRV_REALS, SPIRV_PAIRS, SPIRV_ELEMENTS };

/* Ids with a meaning of their own. Those of an element's kind and of a buffer follow each other. */
enum spirv_id {
    ID_FUNCTION = 1,
    ID_ENTRY, /* its first label */
    ID_EXTENDED,
    ID_VOID,
    ID_FUNCTION_TYPE,
    ID_BOOL,
    ID_INT, /* 32 bits; operations say whether there is a sign */
    ID_WIDE,
    ID_REAL,
    ID_PAIR,
    ID_TRIPLE, /* of ID_INT */
    ID_TRIPLE_INPUT,
    ID_INT_INPUT,
    ID_THREAD,
    ID_BLOCK,
    ID_ZERO,
    ID_SCOPE,
    ID_SEMANTICS,
    ID_PARAMS_TYPE,
    ID_PARAMS_POINTER,
    ID_PARAMS,
    ID_PARAM_POINTER,
    ID_WIDE_PARAM_POINTER,
    ID_ARRAY,
    ID_STRUCT = ID_ARRAY + SPIRV_ELEMENTS,
    ID_STRUCT_POINTER = ID_STRUCT + SPIRV_ELEMENTS,
    ID_ELEMENT_POINTER = ID_STRUCT_POINTER + SPIRV_ELEMENTS,
    ID_SHARED_POINTER = ID_ELEMENT_POINTER + SPIRV_ELEMENTS, /* to an element */
    ID_PRIVATE_POINTER = ID_SHARED_POINTER + SPIRV_ELEMENTS,
    ID_BUFFER = ID_PRIVATE_POINTER + SPIRV_ELEMENTS,
    ID_SHARED_ARRAY = ID_BUFFER + IR_MAX_BUFFERS,
    ID_SHARED_ARRAY_POINTER = ID_SHARED_ARRAY + IR_MAX_BUFFERS,
    ID_TEXEL = ID_SHARED_ARRAY_POINTER + IR_MAX_BUFFERS,
    ID_COLUMN_AND_ROW, /* two of ID_INT */
    ID_NOTHING,
    ID_OTHER_REAL, /* of the precision that is not computed with, where it is stored */
    ID_OTHER_PAIR,
    ID_IMAGE,
    ID_IMAGE_POINTER = ID_IMAGE + IR_MAX_BUFFERS,
    ID_IMAGE_WIDTH = ID_IMAGE_POINTER + IR_MAX_BUFFERS,
    ID_VALUE = ID_IMAGE_WIDTH + IR_MAX_BUFFERS /* of the kernel's node 0; the others follow, then
                                                * ids without a name */
};

struct spirv_module {
    const struct spirv_target *target;
    const struct ir *kernel;
    struct text head, names, annotations, globals, body; /* in this order */
    uint32_t bound;                                      /* the next id */
    bool *wide; /* by node: an integer that is computed in 64 bits */
    bool any_wide;
    bool wide_param[IR_MAX_PARAMS]; /* read in 64 bits */
    uint32_t *label;                /* by node: the first id of those that an opener needs */
    uint32_t here;                  /* the label of the block that is being written */
    uint32_t base[IR_MAX_BUFFERS];  /* the id of what is added to a buffer's indices; 0: none */
};

/* Appends an instruction to a section: SPIRV_EMIT(&m->body, IAdd, type, result, a, b). */
void spirv_emit(struct text *section, enum spirv_op op, size_t operands, const uint32_t *operand);
#define SPIRV_EMIT(section, op, ...)                                                               \
    spirv_emit(section, SPIRV_##op, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t),    \
               (const uint32_t[]){__VA_ARGS__})

static inline uint32_t spirv_new_id(struct spirv_module *m)
{
    return m->bound++;
}

static inline uint32_t spirv_value(ir_value v)
{
    return ID_VALUE + (uint32_t)v;
}

enum spirv_element spirv_element_of(const struct ir_buffer *buffer);
uint32_t spirv_element_type(enum spirv_element element);
uint32_t spirv_element_bytes(const struct spirv_module *m, enum spirv_element element);

/* spirv_module.c: writes all but the function. */
void spirv_declare(struct spirv_module *m);

/* spirv_value.c: appends the node's value to the function. False: there are no words for it. */
bool spirv_print_value(struct spirv_module *m, ir_value v);
void spirv_print_store(struct spirv_module *m, const struct ir_node *node);
void spirv_print_bases(struct spirv_module *m);
/* An integer as an operand: in 64 bits, or the low 32 of it. */
uint32_t spirv_integer(struct spirv_module *m, ir_value v, bool wide);
/* Which element of its buffer the node reads or writes. */
uint32_t spirv_print_element(struct spirv_module *m, const struct ir_node *node);

/* spirv_storage.c: buffers of numbers that are stored otherwise than computed with. */
void spirv_declare_storages(struct spirv_module *m);
bool spirv_stores_doubles(const struct spirv_module *m);
/* ... or has doubles whose two words it takes apart. */
bool spirv_parts_doubles(const struct spirv_module *m);
void spirv_load_stored(struct spirv_module *m, ir_value v);
void spirv_store_stored(struct spirv_module *m, const struct ir_node *node);

/* spirv_image.c: buffers that are images. */
bool spirv_has_images(const struct spirv_module *m);
void spirv_print_image_capability(struct spirv_module *m);
void spirv_declare_texels(struct spirv_module *m); /* the types of all */
void spirv_declare_image(struct spirv_module *m, int index);
void spirv_load_texel(struct spirv_module *m, ir_value v);
void spirv_store_texel(struct spirv_module *m, const struct ir_node *node);

#endif

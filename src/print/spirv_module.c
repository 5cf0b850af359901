/* What stands before a module's function: capabilities, decorations, types, variables. */
#include "print/spirv_module.h"

#include <string.h>

#define NAME_WORDS 16
#define NO_BINDING UINT32_MAX

/* ---- instructions ---- */

void spirv_emit(struct text *section, enum spirv_op op, size_t operands, const uint32_t *operand)
{
    const uint32_t first = (uint32_t)(operands + 1) << 16 | (uint32_t)op;
    text_append_bytes(section, &first, sizeof first);
    text_append_bytes(section, operand, operands * sizeof *operand);
}

/* An instruction of some ids, a string, and the last of the ids behind it. */
static void emit_named(struct text *section, enum spirv_op op, int before, const uint32_t *id,
                       int after, const char *name)
{
    uint32_t operand[NAME_WORDS + 8] = {0};
    const size_t length = strnlen(name, sizeof(uint32_t) * NAME_WORDS - 1);
    const size_t words = length / sizeof(uint32_t) + 1; /* with the final 0 */
    memcpy(operand, id, (size_t)before * sizeof *id);
    memcpy(operand + before, name, length);
    memcpy(operand + (size_t)before + words, id + before, (size_t)after * sizeof *id);
    spirv_emit(section, op, (size_t)before + words + (size_t)after, operand);
}

/* ---- the head ---- */

static void print_entry(struct spirv_module *m)
{
    struct text name = TEXT_EMPTY;
    text_append(&name, "weft_%s", m->kernel->name);
    const uint32_t id[] = {SPIRV_GL_COMPUTE, ID_FUNCTION, ID_THREAD, ID_BLOCK};
    emit_named(&m->head, SPIRV_EntryPoint, 2, id, 2, text_chars(&name));
    text_free(&name);
    SPIRV_EMIT(&m->head, ExecutionMode, ID_FUNCTION, SPIRV_LOCAL_SIZE, (uint32_t)m->kernel->threads,
               1, 1);
}

static void print_head(struct spirv_module *m)
{
    SPIRV_EMIT(&m->head, Capability, SPIRV_Shader);
    if (!m->target->single || spirv_stores_doubles(m))
        SPIRV_EMIT(&m->head, Capability, SPIRV_Float64);
    if (m->any_wide) SPIRV_EMIT(&m->head, Capability, SPIRV_Int64);
    spirv_print_image_capability(m);
    emit_named(&m->head, SPIRV_ExtInstImport, 1, (const uint32_t[]){ID_EXTENDED}, 0,
               "GLSL.std.450");
    SPIRV_EMIT(&m->head, MemoryModel, SPIRV_LOGICAL, SPIRV_GLSL450);
    print_entry(m);
}

/* ---- types ---- */

static uint32_t real_bits(const struct spirv_module *m)
{
    return m->target->single ? 32 : 64;
}

static void print_types(struct spirv_module *m)
{
    struct text *t = &m->globals;
    SPIRV_EMIT(t, TypeVoid, ID_VOID);
    SPIRV_EMIT(t, TypeFunction, ID_FUNCTION_TYPE, ID_VOID);
    SPIRV_EMIT(t, TypeBool, ID_BOOL);
    SPIRV_EMIT(t, TypeInt, ID_INT, 32, 0);
    if (m->any_wide) SPIRV_EMIT(t, TypeInt, ID_WIDE, 64, 0);
    SPIRV_EMIT(t, TypeFloat, ID_REAL, real_bits(m));
    SPIRV_EMIT(t, TypeVector, ID_PAIR, ID_REAL, 2);
    SPIRV_EMIT(t, TypeVector, ID_TRIPLE, ID_INT, 3);
    SPIRV_EMIT(t, Constant, ID_INT, ID_ZERO, 0);
    SPIRV_EMIT(t, Constant, ID_INT, ID_SCOPE, SPIRV_SCOPE_WORKGROUP);
    const uint32_t images = spirv_has_images(m) ? SPIRV_SEMANTICS_IMAGE : 0;
    SPIRV_EMIT(t, Constant, ID_INT, ID_SEMANTICS, SPIRV_SEMANTICS_BARRIER | images);
    if (images || spirv_parts_doubles(m))
        SPIRV_EMIT(t, TypeVector, ID_COLUMN_AND_ROW, ID_INT, 2);
    if (images) spirv_declare_texels(m);
    spirv_declare_storages(m);
}

static void print_inputs(struct spirv_module *m)
{
    struct text *t = &m->globals;
    SPIRV_EMIT(t, TypePointer, ID_TRIPLE_INPUT, SPIRV_Input, ID_TRIPLE);
    SPIRV_EMIT(t, TypePointer, ID_INT_INPUT, SPIRV_Input, ID_INT);
    SPIRV_EMIT(t, Variable, ID_TRIPLE_INPUT, ID_THREAD, SPIRV_Input);
    SPIRV_EMIT(t, Variable, ID_TRIPLE_INPUT, ID_BLOCK, SPIRV_Input);
    SPIRV_EMIT(&m->annotations, Decorate, ID_THREAD, SPIRV_BuiltIn, SPIRV_LocalInvocationId);
    SPIRV_EMIT(&m->annotations, Decorate, ID_BLOCK, SPIRV_BuiltIn, SPIRV_WorkgroupId);
}

static void print_params(struct spirv_module *m)
{
    struct text *t = &m->globals;
    uint32_t operand[1 + SPIRV_MOST_PARAMS] = {ID_PARAMS_TYPE};
    const uint32_t params = (uint32_t)m->kernel->param_count;
    if (params == 0) return;
    for (uint32_t i = 0; i < params; i++) {
        operand[1 + i] = m->wide_param[i] ? ID_WIDE : ID_INT;
        SPIRV_EMIT(&m->annotations, MemberDecorate, ID_PARAMS_TYPE, i, SPIRV_Offset, 8 * i);
    }
    SPIRV_EMIT(&m->annotations, Decorate, ID_PARAMS_TYPE, SPIRV_Block);
    spirv_emit(t, SPIRV_TypeStruct, 1 + params, operand);
    SPIRV_EMIT(t, TypePointer, ID_PARAMS_POINTER, SPIRV_PushConstant, ID_PARAMS_TYPE);
    SPIRV_EMIT(t, TypePointer, ID_PARAM_POINTER, SPIRV_PushConstant, ID_INT);
    if (m->any_wide) SPIRV_EMIT(t, TypePointer, ID_WIDE_PARAM_POINTER, SPIRV_PushConstant, ID_WIDE);
    SPIRV_EMIT(t, Variable, ID_PARAMS_POINTER, ID_PARAMS, SPIRV_PushConstant);
}

/* ---- buffers ---- */

enum spirv_element spirv_element_of(const struct ir_buffer *buffer)
{
    if (buffer->kind == IR_TABLE || buffer->storage) return SPIRV_INTS;
    return buffer->pairs ? SPIRV_PAIRS : SPIRV_REALS;
}

uint32_t spirv_element_type(enum spirv_element element)
{
    static const uint32_t type[SPIRV_ELEMENTS] = {ID_INT, ID_REAL, ID_PAIR};
    return type[element];
}

uint32_t spirv_element_bytes(const struct spirv_module *m, enum spirv_element element)
{
    if (element == SPIRV_INTS) return 4;
    return real_bits(m) / 8 * (element == SPIRV_PAIRS ? 2 : 1);
}

/* The type of all storage buffers of such elements. */
static void print_storage_type(struct spirv_module *m, enum spirv_element element)
{
    struct text *t = &m->globals, *a = &m->annotations;
    const uint32_t type = spirv_element_type(element);
    SPIRV_EMIT(t, TypeRuntimeArray, ID_ARRAY + element, type);
    SPIRV_EMIT(t, TypeStruct, ID_STRUCT + element, ID_ARRAY + element);
    SPIRV_EMIT(t, TypePointer, ID_STRUCT_POINTER + element, SPIRV_Uniform, ID_STRUCT + element);
    SPIRV_EMIT(t, TypePointer, ID_ELEMENT_POINTER + element, SPIRV_Uniform, type);
    SPIRV_EMIT(a, Decorate, ID_ARRAY + element, SPIRV_ArrayStride,
               spirv_element_bytes(m, element));
    SPIRV_EMIT(a, MemberDecorate, ID_STRUCT + element, 0, SPIRV_Offset, 0);
    SPIRV_EMIT(a, Decorate, ID_STRUCT + element, SPIRV_BufferBlock);
}

static void print_storage(struct spirv_module *m, int index, uint32_t binding)
{
    const struct ir_buffer *buffer = &m->kernel->buffer[index];
    const uint32_t id = ID_BUFFER + (uint32_t)index;
    const bool table = !buffer->writable && buffer->base == IR_NONE;
    struct text *a = &m->annotations;
    if (buffer->texels.format)
        spirv_declare_image(m, index);
    else
        SPIRV_EMIT(&m->globals, Variable, ID_STRUCT_POINTER + spirv_element_of(buffer), id,
                   SPIRV_Uniform);
    SPIRV_EMIT(a, Decorate, id, SPIRV_DescriptorSet, 0);
    SPIRV_EMIT(a, Decorate, id, SPIRV_Binding, binding);
    SPIRV_EMIT(a, Decorate, id, table ? SPIRV_Restrict : SPIRV_Aliased);
    if (!buffer->writable) SPIRV_EMIT(a, Decorate, id, SPIRV_NonWritable);
}

/* Shared or private. */
static void print_array(struct spirv_module *m, int index)
{
    const struct ir_buffer *buffer = &m->kernel->buffer[index];
    const uint32_t element = spirv_element_of(buffer), i = (uint32_t)index;
    const uint32_t class = buffer->kind == IR_SHARED ? SPIRV_Workgroup : SPIRV_Private;
    const uint32_t count = spirv_new_id(m);
    struct text *t = &m->globals;
    SPIRV_EMIT(t, Constant, ID_INT, count, (uint32_t)buffer->count);
    SPIRV_EMIT(t, TypeArray, ID_SHARED_ARRAY + i, spirv_element_type(element), count);
    SPIRV_EMIT(t, TypePointer, ID_SHARED_ARRAY_POINTER + i, class, ID_SHARED_ARRAY + i);
    SPIRV_EMIT(t, Variable, ID_SHARED_ARRAY_POINTER + i, ID_BUFFER + i, class);
}

/* What the elements' kind needs, once for all buffers of shared memory, for all private ones and
 * for all others. */
static void print_element_types(struct spirv_module *m, const struct ir_buffer *buffer,
                                bool declared[IR_BUFFER_KINDS][SPIRV_ELEMENTS])
{
    const enum spirv_element element = spirv_element_of(buffer);
    const enum ir_buffer_kind kind = ir_is_bound(buffer) ? IR_GLOBAL : buffer->kind;
    const uint32_t type = spirv_element_type(element);
    if (declared[kind][element]) return;
    declared[kind][element] = true;
    if (kind == IR_SHARED)
        SPIRV_EMIT(&m->globals, TypePointer, ID_SHARED_POINTER + element, SPIRV_Workgroup, type);
    else if (kind == IR_PRIVATE)
        SPIRV_EMIT(&m->globals, TypePointer, ID_PRIVATE_POINTER + element, SPIRV_Private, type);
    else
        print_storage_type(m, element);
}

/* The next one, but for joined tables behind the first. */
static uint32_t binding_of(const struct spirv_module *m, int index, uint32_t *bindings,
                           uint32_t *joint)
{
    if (!m->target->joined || !m->target->joined[index]) return (*bindings)++;
    if (*joint == NO_BINDING) *joint = (*bindings)++;
    return *joint;
}

static void print_buffers(struct spirv_module *m)
{
    bool declared[IR_BUFFER_KINDS][SPIRV_ELEMENTS] = {{false}};
    uint32_t bindings = 0, joint = NO_BINDING;
    for (int i = 0; i < m->kernel->buffer_count; i++) {
        const struct ir_buffer *buffer = &m->kernel->buffer[i];
        if (!ir_buffer_used(m->kernel, i)) continue;
        if (!buffer->texels.format) print_element_types(m, buffer, declared);
        if (ir_is_bound(buffer))
            print_storage(m, i, binding_of(m, i, &bindings, &joint));
        else
            print_array(m, i);
        emit_named(&m->names, SPIRV_Name, 1, (const uint32_t[]){ID_BUFFER + (uint32_t)i}, 0,
                   buffer->name);
    }
}

void spirv_declare(struct spirv_module *m)
{
    print_head(m);
    print_types(m);
    print_inputs(m);
    print_params(m);
    print_buffers(m);
}

/* Images that kernels read and write texel by texel, as if they were arrays. */
#include "print/spirv_module.h"

#define TEXEL_CHANNELS 4 /* of what is read and written, whatever the format has */

/* Formats that every device of Vulkan 1.0 reads and writes in kernels that name them. */
static bool is_extended(int format)
{
    return format != SPIRV_Rgba32f && format != SPIRV_Rgba16f && format != SPIRV_R32f &&
           format != SPIRV_Rgba8 && format != SPIRV_Rgba8Snorm;
}

static bool is_image(const struct spirv_module *m, int index)
{
    return m->kernel->buffer[index].texels.format && ir_buffer_used(m->kernel, index);
}

bool spirv_has_images(const struct spirv_module *m)
{
    for (int i = 0; i < m->kernel->buffer_count; i++)
        if (is_image(m, i)) return true;
    return false;
}

void spirv_print_image_capability(struct spirv_module *m)
{
    for (int i = 0; i < m->kernel->buffer_count; i++) {
        if (!is_image(m, i) || !is_extended(m->kernel->buffer[i].texels.format)) continue;
        SPIRV_EMIT(&m->head, Capability, SPIRV_StorageImageExtendedFormats);
        return;
    }
}

/* Images of one format have one type, which is named for the first of them. */
static uint32_t type_of(const struct spirv_module *m, int index)
{
    int first = 0;
    while (!is_image(m, first) ||
           m->kernel->buffer[first].texels.format != m->kernel->buffer[index].texels.format)
        first++;
    return ID_IMAGE + (uint32_t)first;
}

void spirv_declare_texels(struct spirv_module *m)
{
    struct text *t = &m->globals;
    SPIRV_EMIT(t, TypeVector, ID_TEXEL, ID_REAL, TEXEL_CHANNELS);
    SPIRV_EMIT(t, Constant, ID_REAL, ID_NOTHING, 0);
    for (int i = 0; i < m->kernel->buffer_count; i++) {
        const uint32_t id = ID_IMAGE + (uint32_t)i;
        const uint32_t format = (uint32_t)m->kernel->buffer[i].texels.format;
        if (!is_image(m, i) || type_of(m, i) != id) continue;
        SPIRV_EMIT(t, TypeImage, id, ID_REAL, SPIRV_2D, 0, 0, 0, SPIRV_STORAGE_IMAGE, format);
        SPIRV_EMIT(t, TypePointer, ID_IMAGE_POINTER + (uint32_t)i, SPIRV_UniformConstant, id);
    }
}

void spirv_declare_image(struct spirv_module *m, int index)
{
    const uint32_t pointer = ID_IMAGE_POINTER - ID_IMAGE + type_of(m, index);
    const uint32_t width = (uint32_t)m->kernel->buffer[index].texels.width;
    SPIRV_EMIT(&m->globals, Constant, ID_INT, ID_IMAGE_WIDTH + (uint32_t)index, width);
    SPIRV_EMIT(&m->globals, Variable, pointer, ID_BUFFER + (uint32_t)index, SPIRV_UniformConstant);
}

/* An image and where in it an element lies. */
struct spot {
    uint32_t image, place;
};

static struct spot print_spot(struct spirv_module *m, const struct ir_node *node)
{
    const uint32_t width = ID_IMAGE_WIDTH + (uint32_t)node->buffer;
    const uint32_t index = spirv_print_element(m, node);
    const uint32_t column = spirv_new_id(m), row = spirv_new_id(m);
    const uint32_t place = spirv_new_id(m), image = spirv_new_id(m);
    SPIRV_EMIT(&m->body, UMod, ID_INT, column, index, width);
    SPIRV_EMIT(&m->body, UDiv, ID_INT, row, index, width);
    SPIRV_EMIT(&m->body, CompositeConstruct, ID_COLUMN_AND_ROW, place, column, row);
    SPIRV_EMIT(&m->body, Load, type_of(m, node->buffer), image, ID_BUFFER + (uint32_t)node->buffer);
    return (struct spot){image, place};
}

static uint32_t read_texel(struct spirv_module *m, const struct spot *spot)
{
    const uint32_t texel = spirv_new_id(m);
    SPIRV_EMIT(&m->body, ImageRead, ID_TEXEL, texel, spot->image, spot->place);
    return texel;
}

void spirv_load_texel(struct spirv_module *m, ir_value v)
{
    const struct ir_node *node = &m->kernel->node[v];
    const uint32_t channel = (uint32_t)m->kernel->buffer[node->buffer].texels.channel;
    const struct spot spot = print_spot(m, node);
    const uint32_t texel = read_texel(m, &spot);
    if (node->op == IR_LOAD)
        SPIRV_EMIT(&m->body, CompositeExtract, ID_REAL, spirv_value(v), texel, channel);
    else
        SPIRV_EMIT(&m->body, VectorShuffle, ID_PAIR, spirv_value(v), texel, texel, channel,
                   channel + 1);
}

static uint32_t insert(struct spirv_module *m, uint32_t texel, uint32_t value, uint32_t channel)
{
    const uint32_t changed = spirv_new_id(m);
    SPIRV_EMIT(&m->body, CompositeInsert, ID_TEXEL, changed, value, texel, channel);
    return changed;
}

/* Channels that are not the element's keep what they have. */
void spirv_store_texel(struct spirv_module *m, const struct ir_node *node)
{
    const struct texels *texels = &m->kernel->buffer[node->buffer].texels;
    const bool pair = node->op == IR_STORE_PAIR, all = texels->channels == (pair ? 2 : 1);
    const uint32_t channel = (uint32_t)texels->channel, re = spirv_value(node->a);
    const uint32_t im = pair ? spirv_value(node->c) : ID_NOTHING;
    const struct spot spot = print_spot(m, node);
    uint32_t texel;
    if (all) {
        texel = spirv_new_id(m);
        SPIRV_EMIT(&m->body, CompositeConstruct, ID_TEXEL, texel, re, im, ID_NOTHING, ID_NOTHING);
    } else {
        texel = insert(m, read_texel(m, &spot), re, channel);
        if (pair) texel = insert(m, texel, im, channel + 1);
    }
    SPIRV_EMIT(&m->body, ImageWrite, spot.image, spot.place, texel);
}

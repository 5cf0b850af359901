#include "device/vulkan/bindings.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"

/* Sets of the first pool; every further one doubles what there is. */
#define FIRST_SETS 4

static VkDescriptorType type_of(const struct vulkan_bindings *bindings, int i)
{
    return bindings->image[i] ? VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
                              : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
}

weft_status vulkan_bindings_create(const struct vulkan_state *state, int buffers,
                                   const bool *image, struct vulkan_bindings *bindings)
{
    VkDescriptorSetLayoutBinding binding[IR_MAX_BUFFERS];
    *bindings = (struct vulkan_bindings){.buffers = buffers};
    for (int i = 0; i < buffers; i++) {
        bindings->image[i] = image[i];
        bindings->images += image[i];
        binding[i] =
            (VkDescriptorSetLayoutBinding){.binding = (uint32_t)i,
                                           .descriptorType = type_of(bindings, i),
                                           .descriptorCount = 1,
                                           .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT};
    }
    const VkDescriptorSetLayoutCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = (uint32_t)buffers,
        .pBindings = binding};
    VkResult result =
        state->library->CreateDescriptorSetLayout(state->device, &info, NULL, &bindings->layout);
    if (result) bindings->layout = VK_NULL_HANDLE;
    return vulkan_check(state, result, "vkCreateDescriptorSetLayout", NULL);
}

/* The set names these buffers no more. */
static void let_go(const struct vulkan_bindings *bindings, struct vulkan_set *set)
{
    for (int i = 0; i < bindings->buffers; i++) {
        if (!set->memory[i]) continue;
        set->memory[i]->references--;
        vulkan_release_memory(set->memory[i]);
        set->memory[i] = NULL;
    }
}

void vulkan_bindings_destroy(const struct vulkan_state *state, struct vulkan_bindings *bindings)
{
    for (int i = 0; i < bindings->count; i++)
        let_go(bindings, &bindings->set[i]);
    for (int i = 0; i < bindings->pools; i++)
        state->library->DestroyDescriptorPool(state->device, bindings->pool[i], NULL);
    if (bindings->layout)
        state->library->DestroyDescriptorSetLayout(state->device, bindings->layout, NULL);
    memory_free(bindings->set);
    memory_free(bindings->pool);
}

/* ---- room for more ---- */

static weft_status create_pool(const struct vulkan_state *state,
                               const struct vulkan_bindings *bindings, int sets,
                               VkDescriptorPool *pool)
{
    VkDescriptorPoolSize size[2];
    const int arrays = bindings->buffers - bindings->images;
    uint32_t sizes = 0;
    if (arrays > 0)
        size[sizes++] = (VkDescriptorPoolSize){VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                               (uint32_t)(arrays * sets)};
    if (bindings->images > 0)
        size[sizes++] = (VkDescriptorPoolSize){VK_DESCRIPTOR_TYPE_STORAGE_IMAGE,
                                               (uint32_t)(bindings->images * sets)};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = (uint32_t)sets,
                                             .poolSizeCount = sizes,
                                             .pPoolSizes = size};
    VkResult result = state->library->CreateDescriptorPool(state->device, &info, NULL, pool);
    return vulkan_check(state, result, "vkCreateDescriptorPool", NULL);
}

/* A copy with room for `capacity`; the old one is freed. NULL: no memory, and it is not. */
static void *grown(void *old, size_t count, size_t capacity, size_t size)
{
    void *larger = memory_alloc_zeroed(capacity * size);
    if (!larger) return NULL;
    if (count) memcpy(larger, old, count * size);
    memory_free(old);
    return larger;
}

static weft_status grow(const struct vulkan_state *state, struct vulkan_bindings *bindings)
{
    const int more = bindings->capacity ? bindings->capacity : FIRST_SETS;
    const size_t pools = (size_t)bindings->pools, sets = (size_t)bindings->count;
    VkDescriptorPool *pool = grown(bindings->pool, pools, pools + 1, sizeof *pool);
    if (pool) bindings->pool = pool;
    struct vulkan_set *set =
        grown(bindings->set, sets, (size_t)(bindings->capacity + more), sizeof *set);
    if (set) bindings->set = set;
    if (!pool || !set) return error_memory("bindings");
    weft_status status = create_pool(state, bindings, more, &bindings->pool[bindings->pools]);
    if (status) return status;
    bindings->pools++;
    bindings->capacity += more;
    return WEFT_OK;
}

/* ---- sets ---- */

static struct vulkan_set *find_set(const struct vulkan_bindings *bindings,
                                   struct vulkan_memory *const *memory)
{
    const size_t bytes = (size_t)bindings->buffers * sizeof(struct vulkan_memory *);
    for (int i = 0; i < bindings->count; i++)
        if (memcmp(bindings->set[i].memory, memory, bytes) == 0) return &bindings->set[i];
    return NULL;
}

/* Nothing runs on a set that names what was freed. */
static struct vulkan_set *find_dead(const struct vulkan_bindings *bindings)
{
    for (int i = 0; i < bindings->count; i++)
        for (int b = 0; b < bindings->buffers; b++)
            if (!bindings->set[i].memory[b] || bindings->set[i].memory[b]->dead)
                return &bindings->set[i];
    return NULL;
}

static weft_status add_set(const struct vulkan_state *state, struct vulkan_bindings *bindings,
                           struct vulkan_set **added)
{
    weft_status status = bindings->count < bindings->capacity ? WEFT_OK : grow(state, bindings);
    if (status) return status;
    struct vulkan_set *set = &bindings->set[bindings->count];
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = bindings->pool[bindings->pools - 1],
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &bindings->layout};
    VkResult result = state->library->AllocateDescriptorSets(state->device, &info, &set->set);
    if (result) return vulkan_check(state, result, "vkAllocateDescriptorSets", NULL);
    bindings->count++;
    *added = set;
    return WEFT_OK;
}

static void write_set(const struct vulkan_state *state, const struct vulkan_bindings *bindings,
                      struct vulkan_set *set, struct vulkan_memory *const *memory)
{
    VkDescriptorBufferInfo buffer[IR_MAX_BUFFERS];
    VkDescriptorImageInfo image[IR_MAX_BUFFERS];
    VkWriteDescriptorSet write[IR_MAX_BUFFERS];
    for (int i = 0; i < bindings->buffers; i++) {
        struct vulkan_memory *m = memory[i];
        set->memory[i] = m;
        m->references++;
        buffer[i] = (VkDescriptorBufferInfo){m->buffer, m->offset, m->bytes};
        image[i] = (VkDescriptorImageInfo){VK_NULL_HANDLE, m->view, VK_IMAGE_LAYOUT_GENERAL};
        write[i] = (VkWriteDescriptorSet){.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                          .dstSet = set->set,
                                          .dstBinding = (uint32_t)i,
                                          .descriptorCount = 1,
                                          .descriptorType = type_of(bindings, i),
                                          .pImageInfo = &image[i],
                                          .pBufferInfo = &buffer[i]};
    }
    state->library->UpdateDescriptorSets(state->device, (uint32_t)bindings->buffers, write, 0,
                                         NULL);
}

weft_status vulkan_bind(const struct vulkan_state *state, struct vulkan_bindings *bindings,
                        struct vulkan_memory *const *memory, VkDescriptorSet *set)
{
    struct vulkan_set *found = find_set(bindings, memory);
    if (!found) {
        found = find_dead(bindings);
        weft_status status = found ? WEFT_OK : add_set(state, bindings, &found);
        if (status) return status;
        let_go(bindings, found);
        write_set(state, bindings, found, memory);
    }
    *set = found->set;
    return WEFT_OK;
}

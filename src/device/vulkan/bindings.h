/* The descriptor sets of a kernel: one for every combination of buffers that it runs on, written
 * once. So a set may be in any number of command buffers at a time. One of whose buffers is gone is
 * written anew for others. */
#ifndef WEFT_DEVICE_VULKAN_BINDINGS_H
#define WEFT_DEVICE_VULKAN_BINDINGS_H

#include "device/vulkan/state.h"
#include "ir/ir.h"

struct vulkan_set {
    VkDescriptorSet set;
    struct vulkan_memory *memory[IR_MAX_BUFFERS];
};

struct vulkan_bindings {
    int buffers;
    int images; /* of them, */
    bool image[IR_MAX_BUFFERS]; /* and which */
    VkDescriptorSetLayout layout;
    int count, capacity; /* of sets; the capacity is that of all pools together */
    struct vulkan_set *set;
    int pools;
    VkDescriptorPool *pool;
};

/* image: which of them are images. */
weft_status vulkan_bindings_create(const struct vulkan_state *state, int buffers,
                                   const bool *image, struct vulkan_bindings *bindings);
void vulkan_bindings_destroy(const struct vulkan_state *state, struct vulkan_bindings *bindings);

/* The set that binds these, in the order of their bindings. Under the state's lock. */
weft_status vulkan_bind(const struct vulkan_state *state, struct vulkan_bindings *bindings,
                        struct vulkan_memory *const *memory, VkDescriptorSet *set);

#endif

/* Device memory: a handle is a struct vulkan_memory. Copies wait.
 *
 * A buffer has memory of its own. Where the device's memory is the host's (integrated GPUs,
 * processors), or where the host sees all of it (resizable BAR), it is mapped as long as it lives;
 * otherwise data go through a staging buffer, a part at a time. */
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "device/vulkan/state.h"
#include "device/vulkan/vulkan.h"

#define STAGING_BYTES (4 << 20)
#define NO_TYPE       UINT32_MAX

/* ---- kinds of memory ---- */

enum {
    LOCAL = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
    MAPPED = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
    CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT
};

/* Of the types that `allowed` has a bit for, the first with these properties. */
static uint32_t find_type(const struct vulkan_state *state, uint32_t allowed,
                          VkMemoryPropertyFlags wanted)
{
    for (uint32_t i = 0; i < state->memory.memoryTypeCount; i++) {
        const VkMemoryPropertyFlags has = state->memory.memoryTypes[i].propertyFlags;
        if (allowed >> i & 1 && (has & wanted) == wanted) return i;
    }
    return NO_TYPE;
}

static VkDeviceSize heap_bytes(const struct vulkan_state *state, uint32_t type)
{
    return state->memory.memoryHeaps[state->memory.memoryTypes[type].heapIndex].size;
}

/* The host sees as much of the device's memory as there is, not only a window. */
static bool sees_all(const struct vulkan_state *state, uint32_t mapped, uint32_t allowed)
{
    const uint32_t local = find_type(state, allowed, LOCAL);
    return mapped != NO_TYPE && heap_bytes(state, mapped) >= heap_bytes(state, local);
}

static uint32_t choose_type(const struct vulkan_state *state, uint32_t allowed, bool staging)
{
    const VkMemoryPropertyFlags order[] = {LOCAL | MAPPED | CACHED, LOCAL | MAPPED, LOCAL, 0};
    const VkMemoryPropertyFlags staging_order[] = {MAPPED | CACHED, MAPPED};
    uint32_t type = NO_TYPE;
    for (int i = 0; staging && i < 2 && type == NO_TYPE; i++)
        type = find_type(state, allowed, staging_order[i]);
    for (int i = 0; !staging && i < 4 && type == NO_TYPE; i++) {
        type = find_type(state, allowed, order[i]);
        if (order[i] & MAPPED && !sees_all(state, type, allowed)) type = NO_TYPE;
    }
    return type;
}

/* ---- making ---- */

static weft_status create_buffer(struct vulkan_state *state, struct vulkan_memory *memory)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = memory->bytes,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkResult result = state->library->CreateBuffer(state->device, &info, NULL, &memory->buffer);
    if (result) memory->buffer = VK_NULL_HANDLE;
    return vulkan_check(state, result, "vkCreateBuffer", NULL);
}

static weft_status map(struct vulkan_state *state, struct vulkan_memory *memory, uint32_t type)
{
    const VkMemoryPropertyFlags has = state->memory.memoryTypes[type].propertyFlags;
    if ((has & MAPPED) != MAPPED) return WEFT_OK;
    memory->cached = has & CACHED;
    VkResult result = state->library->MapMemory(state->device, memory->memory, 0, VK_WHOLE_SIZE, 0,
                                                &memory->mapped);
    if (result) memory->mapped = NULL;
    return vulkan_check(state, result, "vkMapMemory", NULL);
}

static weft_status back_buffer(struct vulkan_state *state, struct vulkan_memory *memory,
                               bool staging)
{
    VkMemoryRequirements needs;
    state->library->GetBufferMemoryRequirements(state->device, memory->buffer, &needs);
    const uint32_t type = choose_type(state, needs.memoryTypeBits, staging);
    if (type == NO_TYPE) {
        return error_set(WEFT_ERROR_DEVICE, "Vulkan: %s has no memory for buffers that the %s",
                         state->name, staging ? "host sees" : "device has");
    }
    const VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                       .allocationSize = needs.size,
                                       .memoryTypeIndex = type};
    VkResult result = state->library->AllocateMemory(state->device, &info, NULL, &memory->memory);
    if (result) {
        memory->memory = VK_NULL_HANDLE;
        return vulkan_check(state, result, "vkAllocateMemory", NULL);
    }
    result = state->library->BindBufferMemory(state->device, memory->buffer, memory->memory, 0);
    if (result) return vulkan_check(state, result, "vkBindBufferMemory", NULL);
    return map(state, memory, type);
}

static void destroy_buffer(struct vulkan_state *state, struct vulkan_memory *memory)
{
    if (memory->buffer) state->library->DestroyBuffer(state->device, memory->buffer, NULL);
    if (memory->memory) state->library->FreeMemory(state->device, memory->memory, NULL);
}

static weft_status create_memory(struct vulkan_state *state, size_t bytes, bool staging,
                                 struct vulkan_memory **made)
{
    struct vulkan_memory *memory = memory_alloc_zeroed(sizeof *memory);
    if (!memory) return error_memory("a buffer");
    memory->bytes = (bytes + 3) / 4 * 4; /* as filling takes it */
    weft_status status = create_buffer(state, memory);
    if (!status) status = back_buffer(state, memory, staging);
    if (status) {
        destroy_buffer(state, memory);
        memory_free(memory);
    } else {
        *made = memory;
    }
    return status;
}

static weft_status clear(struct vulkan_state *state, struct vulkan_memory *memory)
{
    if (memory->mapped && memory->cached) {
        memset(memory->mapped, 0, memory->bytes);
        return WEFT_OK;
    }
    struct vulkan_batch *batch;
    pthread_mutex_lock(&state->lock);
    weft_status status = vulkan_record(state, &batch);
    if (!status) {
        memory->used = batch->number;
        state->library->CmdFillBuffer(batch->commands, memory->buffer, 0, VK_WHOLE_SIZE, 0);
        status = vulkan_finish(state, batch->number);
    }
    pthread_mutex_unlock(&state->lock);
    return status;
}

weft_status vulkan_alloc(struct device *device, size_t bytes, void **memory)
{
    struct vulkan_state *state = device->state;
    if (bytes > (uint64_t)device->limits.largest_buffer) {
        return error_set(WEFT_ERROR_MEMORY,
                         "Vulkan: a buffer of %zu bytes; %s takes at most %lld in one", bytes,
                         state->name, (long long)device->limits.largest_buffer);
    }
    struct vulkan_memory *made;
    weft_status status = create_memory(state, bytes, false, &made);
    if (status) return status;
    status = clear(state, made);
    if (status)
        vulkan_free(device, made);
    else
        *memory = made;
    return status;
}

/* ---- unmaking ---- */

void vulkan_release_memory(struct vulkan_memory *memory)
{
    if (memory->dead && memory->references == 0) memory_free(memory);
}

/* What was recorded on it, but never run because something else failed, is run first. */
void vulkan_free(struct device *device, void *memory)
{
    struct vulkan_state *state = device->state;
    pthread_mutex_lock(&state->lock);
    for (struct vulkan_memory *m = memory, *next; m; m = next) {
        next = m->next;
        vulkan_finish(state, m->used);
        if (m->memory) destroy_buffer(state, m);
        m->dead = true;
        vulkan_release_memory(m);
    }
    pthread_mutex_unlock(&state->lock);
}

void vulkan_free_staging(struct device *device)
{
    struct vulkan_state *state = device->state;
    if (state->staging) vulkan_free(device, state->staging);
    state->staging = NULL;
}

/* ---- copying ---- */

/* Between the staging buffer and byte `offset` of the memory. */
static weft_status copy_staged(struct vulkan_state *state, struct vulkan_memory *memory,
                               size_t offset, size_t bytes, bool up)
{
    struct vulkan_batch *batch;
    const VkDeviceSize place = memory->offset + memory->shift + offset;
    const VkBufferCopy copy = {up ? 0 : place, up ? place : 0, bytes};
    pthread_mutex_lock(&state->lock);
    weft_status status = vulkan_record(state, &batch);
    if (!status) {
        memory->used = batch->number;
        vulkan_barrier(state, batch->commands);
        state->library->CmdCopyBuffer(batch->commands, up ? state->staging->buffer : memory->buffer,
                                      up ? memory->buffer : state->staging->buffer, 1, &copy);
        status = vulkan_finish(state, batch->number);
    }
    pthread_mutex_unlock(&state->lock);
    return status;
}

static weft_status copy_part(struct vulkan_state *state, struct vulkan_memory *memory,
                             size_t offset, void *data, size_t bytes, bool up)
{
    if (up) memcpy(state->staging->mapped, data, bytes);
    weft_status status = copy_staged(state, memory, offset, bytes, up);
    if (!up && !status) memcpy(data, state->staging->mapped, bytes);
    return status;
}

static weft_status copy(struct vulkan_state *state, struct vulkan_memory *memory, size_t offset,
                        void *data, size_t bytes, bool up)
{
    weft_status status = WEFT_OK;
    pthread_mutex_lock(&state->staging_lock);
    if (!state->staging) status = create_memory(state, STAGING_BYTES, true, &state->staging);
    for (size_t done = 0; done < bytes && !status;) {
        const size_t part = bytes - done < STAGING_BYTES ? bytes - done : STAGING_BYTES;
        status = copy_part(state, memory, offset + done, (char *)data + done, part, up);
        done += part;
    }
    pthread_mutex_unlock(&state->staging_lock);
    return status;
}

weft_status vulkan_upload(struct device *device, void *memory, size_t offset, const void *data,
                          size_t bytes)
{
    struct vulkan_memory *to = memory;
    if (!to->mapped) return copy(device->state, to, offset, (void *)(uintptr_t)data, bytes, true);
    memcpy((char *)to->mapped + offset, data, bytes);
    return WEFT_OK;
}

weft_status vulkan_download(struct device *device, const void *memory, size_t offset, void *data,
                            size_t bytes)
{
    struct vulkan_memory *from = (struct vulkan_memory *)(uintptr_t)memory;
    if (!from->mapped || !from->cached)
        return copy(device->state, from, offset, data, bytes, false);
    memcpy(data, (const char *)from->mapped + offset, bytes);
    return WEFT_OK;
}

/* ---- the caller's memory ---- */

static weft_status check_part(const struct vulkan_state *state, size_t offset, size_t bytes)
{
    const VkPhysicalDeviceLimits *limits = &state->properties.limits;
    if (offset % sizeof(float) != 0) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "Vulkan: a part of a buffer from byte %zu on; accepted are multiples of 4",
                         offset);
    }
    const VkDeviceSize shift = offset % limits->minStorageBufferOffsetAlignment;
    if (bytes + shift <= limits->maxStorageBufferRange) return WEFT_OK;
    return error_set(WEFT_ERROR_UNSUPPORTED,
                     "Vulkan: %zu bytes of a buffer; %s binds at most %llu (maxStorageBufferRange)",
                     bytes, state->name, (unsigned long long)limits->maxStorageBufferRange - shift);
}

weft_status vulkan_wrap(const struct device *device, int planes, const struct vulkan_part *part,
                        size_t bytes, void **memory)
{
    const struct vulkan_state *state = device->state;
    const VkDeviceSize alignment = state->properties.limits.minStorageBufferOffsetAlignment;
    struct vulkan_memory *next = NULL;
    for (int i = planes - 1; i >= 0; i--) {
        const VkDeviceSize shift = part[i].offset % alignment;
        weft_status status = check_part(state, part[i].offset, bytes);
        struct vulkan_memory *made = status ? NULL : memory_alloc_zeroed(sizeof *made);
        if (!made) {
            memory_free(next);
            return status ? status : error_memory("a buffer");
        }
        *made = (struct vulkan_memory){.buffer = part[i].buffer,
                                       .offset = part[i].offset - shift,
                                       .shift = shift,
                                       .bytes = bytes + shift,
                                       .next = next};
        memory[i] = next = made;
    }
    return WEFT_OK;
}

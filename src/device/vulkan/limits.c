/* What a device can do, from its properties. No device is known by name. */
#include <stdio.h>
#include <unistd.h>

#include "device/vulkan/state.h"

/* Kernels of more threads leave no room for another block. */
#define MOST_THREADS   1024
#define USUAL_SUBGROUP 32

/* A processor that Vulkan drives keeps a block's registers and shared memory in its caches, has no
 * banks there, and runs one block after the other: the experiment "processors" in
 * docs/experiments. */
#define PROCESSOR_SIMD_WIDTH   1
#define PROCESSOR_RESIDENT     1
#define PROCESSOR_THREADS      256
#define PROCESSOR_SHARED_BYTES 65536
#define PROCESSOR_BANDWIDTH    15e9
#define PROCESSOR_LAUNCH       30e-6

/* Where nothing tells a compiler how many blocks a multiprocessor should hold, kernels take a third
 * more registers than they need; and blocks are started one after the other: the experiment
 * "queues". */
#define GRAPHICS_REGISTERS 49152
#define GRAPHICS_BLOCK     0.7e-9

static int64_t at_most(uint64_t value, int64_t most)
{
    return value < (uint64_t)most ? (int64_t)value : most;
}

static int subgroup_size(const struct vulkan_state *state)
{
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceProperties2 all = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                       .pNext = &subgroup};
    if (state->api_version < VK_API_VERSION_1_1) return USUAL_SUBGROUP;
    state->library->GetPhysicalDeviceProperties2(state->physical, &all);
    if (subgroup.subgroupSize < 4 || subgroup.subgroupSize > 128) return USUAL_SUBGROUP;
    return (int)subgroup.subgroupSize;
}

static int64_t local_bytes(const struct vulkan_state *state)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < state->memory.memoryHeapCount; i++) {
        const VkMemoryHeap *heap = &state->memory.memoryHeaps[i];
        if (heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT && heap->size > most) most = heap->size;
    }
    return at_most(most, INT64_MAX);
}

static int processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (int)count : 1;
}

/* Rates are told by no driver: those of the usual GPU, and of a processor in proportion. */
static void be_processor(struct limits *limits)
{
    const double share = (double)processors() / limits->cores;
    for (int i = 0; i < LIMITS_CACHES; i++)
        limits->bandwidth[i] *= share;
    for (int i = 0; i < 2; i++)
        limits->flops[i] *= share;
    limits->cores = processors();
    limits->threads = (int)at_most((uint64_t)limits->threads, PROCESSOR_THREADS);
    limits->shared_bytes = at_most((uint64_t)limits->shared_bytes, PROCESSOR_SHARED_BYTES);
    limits->simd_width = PROCESSOR_SIMD_WIDTH;
    limits->resident_threads = PROCESSOR_RESIDENT;
    limits->bandwidth[LIMITS_CACHES] = PROCESSOR_BANDWIDTH;
    limits->launch_seconds = PROCESSOR_LAUNCH;
}

void vulkan_limits(const struct vulkan_state *state, struct limits *limits)
{
    const VkPhysicalDeviceLimits *has = &state->properties.limits;
    limits_default_gpu(limits);
    snprintf(limits->name, sizeof limits->name, "%.47s", state->name);
    limits->precisions = 1u << WEFT_F32;
    if (state->doubles) limits->precisions |= 1u << WEFT_F64;
    limits->storages = LIMITS_ALL_STORAGES;
    if (!state->doubles) limits->storages &= ~(1u << WEFT_STORED_F64);
    limits->threads = (int)at_most(has->maxComputeWorkGroupInvocations, MOST_THREADS);
    limits->threads = (int)at_most(has->maxComputeWorkGroupSize[0], limits->threads);
    limits->narrow = !state->wide;
    limits->simd_width = subgroup_size(state);
    limits->shared_bytes = has->maxComputeSharedMemorySize;
    limits->memory_bytes = local_bytes(state);
    limits->largest_buffer = at_most(has->maxStorageBufferRange, limits->memory_bytes);
    if (state->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU) {
        be_processor(limits);
    } else {
        limits->register_file = GRAPHICS_REGISTERS;
        limits->block_seconds = GRAPHICS_BLOCK;
    }
    limits_add_extended(limits);
}

/* What a device can do, from the attributes that the driver gives. No device is known by name. */
#include <stdio.h>

#include "device/cuda/state.h"

/* Of the peak that clock and bus width promise, a copy reaches this much. */
#define MEMORY_REACHED 0.88
/* Bytes a clock of one multiprocessor, from the second-level cache and from shared memory. */
#define L2_BYTES_A_CLOCK     21.0
#define SHARED_BYTES_A_CLOCK 115.0
/* Of the peak of fused operations, well made butterflies reach this much: half of what they do is
 * not fused, and addresses and exchanges take their share. */
#define FLOPS_REACHED 0.36
#define MOST_REGISTERS   255
/* Blocks of a cluster that every chip which has them takes, and from which capability on. */
#define CLUSTER_BLOCKS 8
#define CLUSTERS_FROM  90

/* The attribute, or what is usual if the driver does not know. */
static int attribute(const struct cuda_state *state, enum cuda_attribute which, int usual)
{
    int value = 0;
    cuda_result result = state->driver->device_attribute(&value, which, state->id);
    return result == CUDA_OK && value > 0 ? value : usual;
}

/* Single precision lanes of a multiprocessor, by generation (CUDA C++ Programming Guide, arithmetic
 * instructions): 64 on 6.0, 7.x and 8.0, otherwise 128. */
static int lanes(int capability)
{
    return capability == 60 || capability / 10 == 7 || capability == 80 ? 64 : 128;
}

static void fill_rates(const struct cuda_state *state, struct limits *limits)
{
    double clock = 1e3 * attribute(state, CUDA_CLOCK_KILOHERTZ, 1500000);
    double memory_clock = 1e3 * attribute(state, CUDA_MEMORY_KILOHERTZ, 1500000);
    double bus_bytes = attribute(state, CUDA_MEMORY_BUS_BITS, 4096) / 8.0;
    double memory = 2 * memory_clock * bus_bytes * MEMORY_REACHED; /* twice a clock */
    limits->bandwidth[0] = clock * limits->cores * SHARED_BYTES_A_CLOCK;
    limits->bandwidth[1] = clock * limits->cores * L2_BYTES_A_CLOCK;
    limits->bandwidth[2] = memory;
    limits->bandwidth[3] = memory;
    limits->flops[WEFT_F32] =
        2 * clock * limits->cores * lanes(state->target.capability) * FLOPS_REACHED;
    limits->flops[WEFT_F64] = limits->flops[WEFT_F32] / attribute(state, CUDA_SINGLE_TO_DOUBLE, 2);
}

void cuda_limits(const struct cuda_state *state, struct limits *limits)
{
    limits_default_gpu(limits);
    snprintf(limits->name, sizeof limits->name, "%.47s", state->name);
    limits->storages = LIMITS_ALL_STORAGES;
    limits->cores = attribute(state, CUDA_MULTIPROCESSORS, 16);
    limits->threads = attribute(state, CUDA_MAX_THREADS, 1024);
    limits->simd_width = attribute(state, CUDA_WARP_SIZE, 32);
    limits->shared_bytes = attribute(state, CUDA_SHARED_PER_BLOCK, 48 * 1024);
    limits->shared_total = attribute(state, CUDA_SHARED_PER_MULTIPROCESSOR, 64 * 1024);
    limits->registers = MOST_REGISTERS;
    limits->register_file = attribute(state, CUDA_REGISTERS_PER_MULTIPROCESSOR, 65536);
    limits->resident_threads = attribute(state, CUDA_THREADS_PER_MULTIPROCESSOR, 2048);
    limits->cluster = state->target.capability >= CLUSTERS_FROM ? CLUSTER_BLOCKS : 0;
    limits->cache_bytes[1] = attribute(state, CUDA_L2_BYTES, 4 * 1024 * 1024);
    size_t memory = 0;
    if (state->driver->device_memory(&memory, state->id) == CUDA_OK) {
        limits->memory_bytes = (int64_t)memory;
        limits->largest_buffer = (int64_t)memory;
    }
    fill_rates(state, limits);
    limits_add_extended(limits);
    limits_add_long_steps(limits);
}

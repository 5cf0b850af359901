/* What a device can do, from the facts that the driver gives. No device is known by name. */
#include <stdio.h>

#include "device/opencl/state.h"

/* Facts of later versions and of extensions: OpenCL 3.0, cl_nv_device_attribute_query,
 * cl_amd_device_attribute_query. */
#define PREFERRED_WORK_GROUP_SIZE_MULTIPLE 0x1067
#define WARP_SIZE_NV                       0x4003
#define WAVEFRONT_WIDTH_AMD                0x4043

/* Kernels of more threads leave no room for another block. */
#define MOST_THREADS 1024

/* A processor that OpenCL drives keeps a block's registers and local memory in its caches, and has
 * no more than those: what it says of itself is far beyond. */
#define PROCESSOR_THREADS      256
#define PROCESSOR_SHARED_BYTES 65536
#define PROCESSOR_BANDWIDTH    15e9
#define PROCESSOR_LAUNCH       30e-6

static int64_t at_most(int64_t value, int64_t most)
{
    return value < most ? value : most;
}

static int64_t at_least(int64_t value, int64_t least)
{
    return value > least ? value : least;
}

/* Threads that move together. */
static int64_t simd_width(const struct opencl_state *state)
{
    int64_t width = opencl_fact(state, WARP_SIZE_NV, 0);
    if (!width) width = opencl_fact(state, WAVEFRONT_WIDTH_AMD, 0);
    if (!width) width = opencl_fact(state, PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 32);
    return at_least(at_most(width, 128), 4);
}

static int64_t most_threads(const struct opencl_state *state)
{
    size_t sizes[3] = {0};
    int64_t threads = at_most(opencl_fact(state, CL_DEVICE_MAX_WORK_GROUP_SIZE, 1), MOST_THREADS);
    if (!state->library->GetDeviceInfo(state->id, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof sizes,
                                       sizes, NULL)) {
        threads = at_most(threads, (int64_t)sizes[0]);
    }
    return threads;
}

/* Rates are told by no driver: those of the usual GPU, in proportion to cores and clock. */
static void fill_rates(const struct opencl_state *state, struct limits *limits)
{
    const struct limits usual = *limits;
    limits->cores = (int)opencl_fact(state, CL_DEVICE_MAX_COMPUTE_UNITS, 1);
    const double share = (double)limits->cores / usual.cores;
    for (int i = 0; i <= LIMITS_CACHES; i++)
        limits->bandwidth[i] = usual.bandwidth[i] * share;
    for (int i = 0; i < 2; i++)
        limits->flops[i] = usual.flops[i] * share;
}

static void be_processor(struct limits *limits)
{
    limits->threads = (int)at_most(limits->threads, PROCESSOR_THREADS);
    limits->shared_bytes = at_most(limits->shared_bytes, PROCESSOR_SHARED_BYTES);
    limits->bandwidth[LIMITS_CACHES] = PROCESSOR_BANDWIDTH;
    limits->launch_seconds = PROCESSOR_LAUNCH;
}

void opencl_limits(const struct opencl_state *state, struct limits *limits)
{
    limits_default_gpu(limits);
    fill_rates(state, limits);
    snprintf(limits->name, sizeof limits->name, "%.47s", state->name);
    limits->precisions = 1u << WEFT_F32;
    if (opencl_fact(state, CL_DEVICE_DOUBLE_FP_CONFIG, 0)) limits->precisions |= 1u << WEFT_F64;
    limits_add_extended(limits);
    limits->storages = LIMITS_ALL_STORAGES;
    if (!(limits->precisions >> WEFT_F64 & 1)) limits->storages &= ~(1u << WEFT_STORED_F64);
    limits->threads = (int)most_threads(state);
    limits->simd_width = (int)simd_width(state);
    limits->shared_bytes = opencl_fact(state, CL_DEVICE_LOCAL_MEM_SIZE, limits->shared_bytes);
    limits->coalescing_bytes = (int)at_least(
        at_most(opencl_fact(state, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, 64), 128), 32);
    limits->largest_buffer = opencl_fact(state, CL_DEVICE_MAX_MEM_ALLOC_SIZE, 1 << 27);
    limits->memory_bytes = opencl_fact(state, CL_DEVICE_GLOBAL_MEM_SIZE, limits->largest_buffer);
    limits->cache_bytes[1] = opencl_fact(state, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, 0);
    if (opencl_fact(state, CL_DEVICE_TYPE, 0) & CL_DEVICE_TYPE_CPU) be_processor(limits);
}

/* The order in which Rader's algorithm takes a line. */
#include "device/cpu/pipeline.h"
#include "math/factor.h"

/* A tile is never so long that it takes more than 32 bits. Half way g^q is -1. */
int32_t *pipeline_powers(struct pipeline_builder *b, int64_t n)
{
    int32_t *power = arena_array(b->kernel->arena, (size_t)n, sizeof *power);
    if (!power) {
        b->failed = true;
        return NULL;
    }
    const struct multiplier next = multiplier_of((uint64_t)primitive_root(n), (uint64_t)n);
    const int64_t half = (n - 1) / 2;
    uint64_t value = 1;
    for (int64_t q = 0; q < half; q++) {
        power[q] = (int32_t)value;
        power[q + half] = (int32_t)(n - power[q]);
        value = multiplier_apply(&next, value);
    }
    return power;
}

/* They are the same the other way round. */
int32_t *pipeline_inverse_powers(struct pipeline_builder *b, int64_t n, const int32_t *power)
{
    int32_t *inverse = power ? arena_array(b->kernel->arena, (size_t)n, sizeof *inverse) : NULL;
    if (!inverse) {
        b->failed = true;
        return NULL;
    }
    inverse[0] = 1;
    for (int64_t q = 1; q < n - 1; q++)
        inverse[q] = power[n - 1 - q];
    return inverse;
}

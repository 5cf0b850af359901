#include "samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "float16.h"

enum { ALIGNMENT = 64 };

void *samples_create(size_t bytes)
{
    if (bytes > SIZE_MAX - ALIGNMENT) return NULL;
    size_t rounded = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
    void *array = aligned_alloc(ALIGNMENT, rounded);
    if (array) memset(array, 0, rounded);
    return array;
}

bool samples_fit(double bytes)
{
    long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages <= 0 || page_bytes <= 0 || bytes <= (double)pages * (double)page_bytes;
}

/* G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators" (2014). */
static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

size_t samples_number_bytes(weft_precision precision)
{
    static const size_t bytes[] = {[WEFT_F32] = sizeof(float),
                                   [WEFT_F64] = sizeof(double),
                                   [WEFT_F16] = sizeof(uint16_t),
                                   [WEFT_BF16] = sizeof(uint16_t),
                                   [WEFT_DD] = 2 * sizeof(double)};
    return bytes[precision];
}

double samples_number(const void *array, weft_precision precision, int64_t i)
{
    switch (precision) {
    case WEFT_F64: return ((const double *)array)[i];
    case WEFT_DD: return ((const double *)array)[2 * i];
    case WEFT_F16: return float16_half(((const uint16_t *)array)[i]);
    case WEFT_BF16: return float16_bfloat(((const uint16_t *)array)[i]);
    default: return ((const float *)array)[i];
    }
}

void samples_set_number(void *array, weft_precision precision, int64_t i, double number)
{
    switch (precision) {
    case WEFT_F64: ((double *)array)[i] = number; break;
    case WEFT_DD:
        ((double *)array)[2 * i] = number;
        ((double *)array)[2 * i + 1] = 0;
        break;
    case WEFT_F16: ((uint16_t *)array)[i] = float16_half_bits(number); break;
    case WEFT_BF16: ((uint16_t *)array)[i] = float16_bfloat_bits(number); break;
    default: ((float *)array)[i] = (float)number; break;
    }
}

void samples_randomize(void *array, weft_precision precision, int64_t count, uint64_t seed)
{
    /* With a sign, as many as the type has for all numbers between -1 and 1. */
    static const int digits[] = {
        [WEFT_F32] = 24, [WEFT_F64] = 53, [WEFT_F16] = 12, [WEFT_BF16] = 9, [WEFT_DD] = 53};
    const double unit = ldexp(1, 1 - digits[precision]);
    uint64_t state = seed;
    for (int64_t i = 0; i < count; i++) {
        const uint64_t bits = split_mix(&state) >> (64 - digits[precision]);
        samples_set_number(array, precision, i, (double)bits * unit - 1.0);
    }
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

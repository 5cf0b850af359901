#include "samples.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
    static const size_t bytes[] = {
        [WEFT_F32] = sizeof(float), [WEFT_F64] = sizeof(double), [WEFT_DD] = 2 * sizeof(double)};
    return bytes[precision];
}

void samples_randomize(void *array, weft_precision precision, int64_t count, uint64_t seed)
{
    float *singles = array;
    double *doubles = array;
    const int64_t step = precision == WEFT_DD ? 2 : 1;
    uint64_t state = seed;
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits = split_mix(&state);
        if (precision == WEFT_F32)
            singles[i] = (float)(bits >> 40) * 0x1p-23f - 1.0f;
        else
            doubles[i * step] = (double)(bits >> 11) * 0x1p-52 - 1.0;
        if (precision == WEFT_DD) doubles[i * step + 1] = 0;
    }
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* What this processor can do, from what the system says of it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/threads.h"
#include "device/cpu/engine.h"
#include "device/cpu/sum.h"
#include "kernel/line.h"
#include "spec/opening_sums.h"
#include "spec/pair_steps.h"

/* Bandwidths of one core by level, bytes a second read + written, and the arithmetic that steps
 * reach, for vectors of 64 bytes; narrower vectors scale the caches' down. Rounded from the machine
 * of docs/experiments ("machine limits"); only their ratios matter to the planner. */
static const double bandwidth_64[LIMITS_CACHES + 1] = {400e9, 160e9, 60e9, 20e9};
static const double flops_64[2] = {130e9, 65e9};
#define PASS_OVERHEAD_SECONDS 30e-9

static int64_t cache_bytes(int name, int64_t otherwise)
{
    long bytes = sysconf(name);
    return bytes > 0 ? (int64_t)bytes : otherwise;
}

/* The C library counts what all processors of a socket have; the first one may reach less. */
static int64_t third_level_bytes(int64_t all)
{
    int64_t kilobytes = 0;
    FILE *file = fopen("/sys/devices/system/cpu/cpu0/cache/index3/size", "r");
    if (!file) return all;
    if (fscanf(file, "%" SCNd64 "K", &kilobytes) != 1) kilobytes = 0;
    fclose(file);
    return kilobytes > 0 && kilobytes < all / 1024 ? kilobytes * 1024 : all;
}

/* Eighths of the third level that a process finds to itself: others use it as well, and lines drive
 * each other out of it before it is full. (Experiment "five eighths" in docs/experiments.) */
#define THIRD_LEVEL_EIGHTHS 5

static void fill_caches(struct limits *limits)
{
#if defined(_SC_LEVEL1_DCACHE_SIZE)
    limits->cache_bytes[0] = cache_bytes(_SC_LEVEL1_DCACHE_SIZE, limits->cache_bytes[0]);
    limits->cache_bytes[1] = cache_bytes(_SC_LEVEL2_CACHE_SIZE, limits->cache_bytes[1]);
    limits->cache_bytes[2] = cache_bytes(_SC_LEVEL3_CACHE_SIZE, limits->cache_bytes[2]);
#endif
    const int64_t third = third_level_bytes(limits->cache_bytes[2]) / 8 * THIRD_LEVEL_EIGHTHS;
    limits->cache_bytes[2] = third > limits->cache_bytes[1] ? third : limits->cache_bytes[1];
    limits->coalescing_bytes = 64;
    /* Both buffers of a tile, with the caller's lines passing through beside them. */
    limits->shared_bytes = limits->cache_bytes[1] - limits->cache_bytes[1] / 4;
}

#define OPENING_LANES 16 /* of singles */

static void fill_radices(struct limits *limits, const struct cpu_sets *sets)
{
    /* By narrower vectors convolutions are quicker. (Experiment "two lines".) */
    const bool sums = sets->sums && sets->sums[WEFT_F32].lanes >= OPENING_LANES;
    limits->in_turn = codelet_in_turn(sets->set[0][0], CODELET_STEP);
    for (int radix = 1; radix <= LIMITS_MAX_RADIX; radix++) {
        limits->step[radix] = radix > 1 && codelet_exists(CODELET_STEP, radix);
        limits->last[radix] = radix > 1 && codelet_exists(CODELET_STEP_PLAIN, radix);
        limits->opens[radix] = sums && radix <= SUM_MOST && opening_sums(radix, radix, 1);
        limits->partial[radix] = codelet_is_narrow(sets->set[0][0], CODELET_LEAVE, radix);
        limits->streamed[radix] = sets->set[0][0]->function[CODELET_STREAM][radix] != NULL;
        limits->reflected[radix] = sets->set[0][0]->function[CODELET_REFLECT][radix] != NULL;
        limits->parted[radix] = sets->set[0][0]->function[CODELET_ENTER_PARTED][radix] != NULL;
    }
}

_Static_assert(LIMITS_MAX_LINE == LINE_MAX_LENGTH, "all of them are known to the planner");

/* Longer lines of two steps through memory are no faster than others beside each other. */
#define LONGEST_STEPPED 128

static void fill_line(struct limits *limits, const struct codelet_set *set, int precision, int n)
{
    const uint8_t bit = (uint8_t)(1 << precision);
    if (!codelet_line(set, n)) return;
    limits->line[n] |= bit;
    if (line_is_of_pairs(set->lanes, precision, n)) limits->line_of_pairs[n] |= bit;
}

static bool has_two_steps(const struct limits *limits, int precision, int n)
{
    return n <= LONGEST_STEPPED &&
           pair_steps_of(limits, (weft_precision)precision, n, 1).count == 2;
}

/* Both precisions' are the same, and OPEN is of the same radices but for those below a vector's
 * pairs. */
static void fill_pair_steps(struct limits *limits, const struct cpu_sets *sets)
{
    for (int i = 0; i < sets->count[WEFT_F32]; i++) {
        const struct codelet_set *set = sets->set[WEFT_F32][i];
        const int wide = set->lanes * (int)sizeof(float) == 64;
        for (int radix = LIMITS_LEAST_PAIR_STEP; radix <= LIMITS_MAX_PAIR_STEP; radix++)
            if (set->function[CODELET_PAIRS_LEAVE][radix])
                limits->pair_step[radix] |= (uint8_t)(1 << wide);
    }
}

static void fill_lines(struct limits *limits, const struct cpu_sets *sets)
{
    fill_pair_steps(limits, sets);
    for (int n = 0; n <= LIMITS_MAX_LINE; n++)
        for (int p = 0; p < 2; p++) {
            if (has_two_steps(limits, p, n)) limits->line[n] |= (uint8_t)(1 << p);
            for (int i = 0; i < sets->count[p]; i++)
                fill_line(limits, sets->set[p][i], p, n);
        }
}

void cpu_limits(struct limits *limits, const struct cpu_sets *sets)
{
    limits_default_cpu(limits);
    limits->precisions |= 1u << WEFT_DD;
    snprintf(limits->name, sizeof limits->name, "cpu:%s", sets->set[0][0]->isa);
    limits->vector_bytes = sets->set[0][0]->lanes * (int)sizeof(float);
    limits->unit_bytes = sets->halved && limits->vector_bytes == 64 ? 32 : limits->vector_bytes;
    limits->storages = LIMITS_ALL_STORAGES;
    limits->registers =
        strcmp(sets->set[0][0]->isa, "avx512") == 0 || strcmp(sets->set[0][0]->isa, "neon") == 0
            ? 32
            : 16;
    limits->cores = threads_available();
    limits->memory_bytes = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
    limits->largest_buffer = INT64_MAX;
    fill_caches(limits);
    fill_radices(limits, sets);
    fill_lines(limits, sets);
    double width = limits->vector_bytes / 64.0;
    for (int level = 0; level <= LIMITS_CACHES; level++) {
        double scale = level < 2 ? 0.5 + 0.5 * width : 1.0;
        limits->bandwidth[level] = bandwidth_64[level] * scale;
    }
    for (int p = 0; p < 2; p++)
        limits->flops[p] = flops_64[p] * width;
    limits->launch_seconds = PASS_OVERHEAD_SECONDS;
}

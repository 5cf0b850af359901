#include "spec/limits.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "spec/problem.h"
#include "spec/profile.h"

static void all_steps(struct limits *limits)
{
    static const int beyond_sixteen[] = {17, 19, 20, 23, 25, 29, 31, 32};
    memset(limits->step, 0, sizeof limits->step);
    for (int radix = 2; radix <= 16; radix++)
        limits->step[radix] = true;
    for (size_t i = 0; i < sizeof beyond_sixteen / sizeof *beyond_sixteen; i++)
        limits->step[beyond_sixteen[i]] = true;
    memcpy(limits->last, limits->step, sizeof limits->last);
}

int limits_lanes(const struct limits *limits, weft_precision precision)
{
    const int lanes = limits->vector_bytes / precision_bytes(precision);
    return lanes > 1 ? lanes : 1;
}

bool limits_take_halves(const struct limits *limits)
{
    return limits->vector_bytes >= 2 * LIMITS_NARROWEST_VECTOR;
}

bool limits_halve_lines(const struct limits *limits)
{
    return limits->vector_bytes > 0 && 2 * limits->vector_bytes == limits->coalescing_bytes;
}

#define FAR_THIRD_BYTES (INT64_C(2) << 20)

bool limits_far_third(const struct limits *limits)
{
    return limits->vector_bytes > 0 && limits->vector_bytes >= limits->coalescing_bytes &&
           limits->cache_bytes[1] >= FAR_THIRD_BYTES;
}

void limits_default_cpu(struct limits *limits)
{
    *limits = (struct limits){
        .name = "cpu",
        .precisions = 1u << WEFT_F32 | 1u << WEFT_F64,
        .cores = 1,
        .vector_bytes = 32,
        .unit_bytes = 32,
        .threads = 1,
        .simd_width = 1,
        .registers = 16,
        .shared_bytes = 512 * 1024,
        .coalescing_bytes = 64,
        .largest_buffer = INT64_C(1) << 62,
        .memory_bytes = INT64_C(8) << 30,
        .cache_bytes = {32 * 1024, 1024 * 1024, 8 * 1024 * 1024},
        .bandwidth = {200e9, 100e9, 50e9, 15e9},
        .flops = {40e9, 20e9},
        .launch_seconds = 50e-9,
    };
    all_steps(limits);
    memcpy(limits->streamed, limits->step, sizeof limits->streamed);
}

/* Operations on doubles in one on their unevaluated sums: 20 in a sum, 8 in a product. */
#define EXTENDED_OPERATIONS 16

void limits_add_extended(struct limits *limits)
{
    if (!(limits->precisions >> WEFT_F64 & 1)) return;
    limits->precisions |= 1u << WEFT_DD;
    limits->flops[WEFT_DD] = limits->flops[WEFT_F64] / EXTENDED_OPERATIONS;
}

void limits_default_gpu(struct limits *limits)
{
    *limits = (struct limits){
        .name = "gpu",
        .precisions = 1u << WEFT_F32 | 1u << WEFT_F64,
        .cores = 132,
        .vector_bytes = 0,
        .threads = 1024,
        .simd_width = 32,
        .registers = 255,
        .register_file = 65536,
        .resident_threads = 2048,
        .shared_total = 100 * 1024,
        .shared_bytes = 48 * 1024,
        .coalescing_bytes = 128,
        .largest_buffer = INT64_C(1) << 36,
        .memory_bytes = INT64_C(80) << 30,
        .cache_bytes = {0, 48 * 1024 * 1024, 0},
        .bandwidth = {20e12, 5.5e12, 3.2e12, 3.2e12},
        .flops = {20e12, 10e12},
        .launch_seconds = 2.5e-6,
    };
    limits_add_extended(limits);
    all_steps(limits);
}

void limits_add_long_steps(struct limits *limits)
{
    static const int long_steps[] = {18, 22, 24, 27, 28, 30};
    for (size_t i = 0; i < sizeof long_steps / sizeof *long_steps; i++) {
        const int radix = long_steps[i];
        limits->step[radix] = limits->last[radix] = true;
        limits->late[radix] = true;
    }
}

/* What a test may invent. */
struct setting {
    const char *name;
    size_t offset;
    bool wide; /* int64_t; otherwise int */
    int64_t least, most;
};

static const struct setting settings[] = {
    {"shared", offsetof(struct limits, shared_bytes), true, 64, INT64_C(1) << 40},
    {"threads", offsetof(struct limits, threads), false, 1, 65536},
    {"simd", offsetof(struct limits, simd_width), false, 1, 1024},
    {"coalescing", offsetof(struct limits, coalescing_bytes), false, 4, 65536},
    {"registers", offsetof(struct limits, registers), false, 8, 1024},
    {"cores", offsetof(struct limits, cores), false, 1, 65536},
    {"cluster", offsetof(struct limits, cluster), false, 0, 16},
};
#define SETTINGS "shared, threads, simd, coalescing, registers, cores, cluster"

static const struct setting *find_setting(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        if (strlen(settings[i].name) == length && memcmp(settings[i].name, name, length) == 0) {
            return &settings[i];
        }
    }
    return NULL;
}

static weft_status refuse_name(const char *name, size_t length)
{
    char profiles[160] = "";
    for (int i = 0; i < profile_count; i++) {
        const size_t end = strlen(profiles);
        snprintf(profiles + end, sizeof profiles - end, ", %s", profile_table[i].name);
    }
    return error_set(WEFT_ERROR_ARGUMENT,
                     "limits: unknown name '%.*s'; there are " SETTINGS "; and the profiles%s",
                     (int)(length < 40 ? length : 40), name, profiles + 1);
}

/* Reads one "name=value" and moves *text behind it. */
static weft_status parse_setting(struct limits *limits, const char **text)
{
    size_t length = strcspn(*text, "=,");
    const struct setting *setting = find_setting(*text, length);
    if (!setting) {
        return refuse_name(*text, length);
    }
    const char *digits = *text + length + 1;
    char *end = (char *)(*text + length);
    errno = 0;
    bool given = (*text)[length] == '=' && *digits >= '0' && *digits <= '9';
    long long value = given ? strtoll(digits, &end, 10) : 0;
    bool whole = given && errno == 0 && (*end == 0 || *end == ',');
    if (!whole || value < setting->least || value > setting->most) {
        return error_set(WEFT_ERROR_ARGUMENT,
                         "limits: %s needs a whole number from %" PRId64 " to %" PRId64,
                         setting->name, setting->least, setting->most);
    }
    char *field = (char *)limits + setting->offset;
    if (setting->wide) *(int64_t *)(void *)field = value;
    else *(int *)(void *)field = (int)value;
    *text = end;
    return WEFT_OK;
}

weft_status limits_parse(struct limits *limits, const char *text)
{
    struct limits result = *limits;
    const size_t first = strcspn(text, ",");
    const struct profile *profile = profile_find(text, first);
    if (profile) {
        profile_apply(profile, &result);
        text += first;
        if (*text && !*++text)
            return error_set(WEFT_ERROR_ARGUMENT, "limits: nothing after the last ','");
    }
    while (*text) {
        weft_status status = parse_setting(&result, &text);
        if (status != WEFT_OK) return status;
        if (*text == ',') {
            text++;
            if (!*text) return error_set(WEFT_ERROR_ARGUMENT, "limits: nothing after the last ','");
        }
    }
    *limits = result;
    return WEFT_OK;
}

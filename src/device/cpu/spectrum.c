#include "device/cpu/spectrum.h"

int64_t spectrum_in_order(const struct pass *pass, struct pass_map *map)
{
    int64_t entries = pass->length;
    *map = (struct pass_map){.line = 1};
    for (int l = 0; l < pass->loops; l++) {
        if (pass->spectrum_map.loop[l] == 0) continue;
        map->loop[l] = entries;
        entries *= pass->loop[l].n;
    }
    return entries;
}

/* So much of every line after the other: lines are far apart in the one order, elements in the
 * other, and both sides are to be met in whole cache lines. */
#define REORDERED_BYTES 128

/* The elements that the line has in the next run lie where no processor expects them. */
static void reorder_line(const struct kernel *kernel, const void *from, int64_t from_step, void *to,
                         int64_t count)
{
    const int64_t next = REORDERED_BYTES / kernel->real_bytes * from_step;
    const float *single = from;
    const double *wide = from;
    float *single_to = to;
    double *wide_to = to;
    if (kernel->precision == WEFT_F32) {
        for (int64_t e = 0; e < count; e++) {
            __builtin_prefetch(single + e * from_step + next);
            single_to[e] = single[e * from_step];
        }
    } else {
        for (int64_t e = 0; e < count; e++) {
            __builtin_prefetch(wide + e * from_step + next);
            wide_to[e] = wide[e * from_step];
        }
    }
}

/* `count` elements of all lines. Loops without entries of their own run once. */
static void reorder_lines(const struct kernel *kernel, const struct pass_map *map, const char *from,
                          char *to, int64_t count)
{
    const struct pass *pass = kernel->pass;
    int64_t counter[PASS_MAX_LOOPS] = {0}, from_at = 0, to_at = 0;
    int l;
    do {
        reorder_line(kernel, from + from_at * kernel->real_bytes, pass->spectrum_map.line,
                     to + to_at * kernel->real_bytes, count);
        for (l = 0; l < pass->loops; l++) {
            if (map->loop[l] == 0) continue;
            from_at += pass->spectrum_map.loop[l];
            to_at += map->loop[l];
            if (++counter[l] < pass->loop[l].n) break;
            from_at -= counter[l] * pass->spectrum_map.loop[l];
            to_at -= counter[l] * map->loop[l];
            counter[l] = 0;
        }
    } while (l < pass->loops);
}

void spectrum_reorder(const struct kernel *kernel, const struct pass_map *map, const char *from,
                      char *to)
{
    const int64_t step = kernel->pass->spectrum_map.line, length = kernel->pass->length;
    const int64_t run = REORDERED_BYTES / kernel->real_bytes;
    for (int64_t e = 0; e < length; e += run) {
        const int64_t count = length - e < run ? length - e : run;
        reorder_lines(kernel, map, from + e * step * kernel->real_bytes,
                      to + e * kernel->real_bytes, count);
    }
}

void spectrum_part(const struct kernel *kernel, const char *from, char *to, int64_t entries)
{
    for (int parity = 0; parity < 2; parity++)
        reorder_line(kernel, from + parity * kernel->real_bytes, 2,
                     to + parity * (entries / 2) * kernel->real_bytes, entries / 2);
}

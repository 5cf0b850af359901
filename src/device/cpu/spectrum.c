#include "device/cpu/spectrum.h"

/* The only loop whose lines take neighbouring entries; -1: there is none, or there are others with
 * entries of their own. */
static int loop_of_lines(const struct pass *pass)
{
    int found = -1;
    for (int l = 0; l < pass->loops; l++) {
        const int64_t step = pass->spectrum_map.loop[l];
        if (step == 0) continue;
        if (found >= 0 || step != 1 || pass->loop[l].n != pass->spectrum_map.line) return -1;
        found = l;
    }
    return found;
}

struct spectrum_order spectrum_in_order(const struct pass *pass, bool even)
{
    const int halved = even ? loop_of_lines(pass) : -1;
    struct spectrum_order order = {.map.line = 1, .entries = pass->length};
    for (int l = 0; l < pass->loops; l++) {
        if (pass->spectrum_map.loop[l] == 0) continue;
        order.lines[l] = pass->loop[l].n;
        order.map.loop[l] = order.entries;
        if (l == halved) {
            order.mirrored = order.entries * pass->loop[l].n;
            order.lines[l] = pass->loop[l].n / 2 + 1;
        }
        order.entries *= order.lines[l];
    }
    return order;
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
static void reorder_lines(const struct kernel *kernel, const struct spectrum_order *order,
                          const char *from, char *to, int64_t count)
{
    const struct pass *pass = kernel->pass;
    int64_t counter[PASS_MAX_LOOPS] = {0}, from_at = 0, to_at = 0;
    int l;
    do {
        reorder_line(kernel, from + from_at * kernel->real_bytes, pass->spectrum_map.line,
                     to + to_at * kernel->real_bytes, count);
        for (l = 0; l < pass->loops; l++) {
            if (order->lines[l] == 0) continue;
            from_at += pass->spectrum_map.loop[l];
            to_at += order->map.loop[l];
            if (++counter[l] < order->lines[l]) break;
            from_at -= counter[l] * pass->spectrum_map.loop[l];
            to_at -= counter[l] * order->map.loop[l];
            counter[l] = 0;
        }
    } while (l < pass->loops);
}

void spectrum_reorder(const struct kernel *kernel, const struct spectrum_order *order,
                      const char *from, char *to)
{
    const int64_t step = kernel->pass->spectrum_map.line, length = kernel->pass->length;
    const int64_t run = REORDERED_BYTES / kernel->real_bytes;
    for (int64_t e = 0; e < length; e += run) {
        const int64_t count = length - e < run ? length - e : run;
        reorder_lines(kernel, order, from + e * step * kernel->real_bytes,
                      to + e * kernel->real_bytes, count);
    }
}

void spectrum_part(const struct kernel *kernel, const char *from, char *to, int64_t entries)
{
    for (int parity = 0; parity < 2; parity++)
        reorder_line(kernel, from + parity * kernel->real_bytes, 2,
                     to + parity * (entries / 2) * kernel->real_bytes, entries / 2);
}

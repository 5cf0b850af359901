#include "device/cpu/spectrum.h"

/* The elements that the line has in the next run lie where no processor expects them. */
static void reorder_line(const struct kernel *kernel, const void *from, int64_t from_step, void *to,
                         int64_t count)
{
    const int64_t next = SPECTRUM_RUN_BYTES / kernel->real_bytes * from_step;
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

/* `count` elements of all lines. */
static void reorder_lines(const struct kernel *kernel, const struct spectrum_order *order,
                          const char *from, char *to, int64_t count)
{
    const struct pass *pass = kernel->pass;
    struct spectrum_line line = {.from = 0};
    do
        reorder_line(kernel, from + line.from * kernel->real_bytes, pass->spectrum_map.line,
                     to + line.to * kernel->real_bytes, count);
    while (spectrum_next_line(pass, order, &line));
}

void spectrum_reorder(const struct kernel *kernel, const struct spectrum_order *order,
                      const char *from, char *to)
{
    const int64_t step = kernel->pass->spectrum_map.line, length = kernel->pass->length;
    const int64_t run = SPECTRUM_RUN_BYTES / kernel->real_bytes;
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

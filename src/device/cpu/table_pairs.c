/* Tables of lines that are steps between pairs. */
#include "device/cpu/table_maker.h"
#include "device/cpu/tables.h"
#include "math/roots.h"

/* Bytes of a vector of pairs. */
#define PAIRS_BYTES 32

const struct cpu_table *table_pairs(struct kernel *kernel, int64_t n, int legs)
{
    const struct cpu_table *old = table_find(kernel, TABLE_PAIRS, legs, n, 0);
    if (old) return old;
    const int64_t plane = 2 * n;
    struct cpu_table *t = table_add(kernel, TABLE_PAIRS, legs, n, 0, plane, 3 * plane);
    if (!t) return NULL;
    for (int64_t i = 0; i < 2 * n; i++) {
        double re, im;
        root_double(i / 2 / legs * (i / 2 % legs), n, &re, &im);
        table_store(kernel, t, i, re);
        table_store(kernel, t, plane + i, i % 2 ? im : -im);
        table_store(kernel, t, 2 * plane + i, i % 2 ? -im : im);
    }
    return t;
}

const struct cpu_table *table_pairs_beside(struct kernel *kernel, int64_t lanes, int radix)
{
    const struct cpu_table *old = table_find(kernel, TABLE_PAIRS_BESIDE, radix, lanes, 0);
    if (old) return old;
    const int64_t pairs = PAIRS_BYTES / 2 / kernel->real_bytes, last = lanes - pairs;
    const int64_t vectors = (lanes + pairs - 1) / pairs, plane = vectors * (radix - 1) * 4 * pairs;
    struct cpu_table *t = table_add(kernel, TABLE_PAIRS_BESIDE, radix, lanes, 0, plane, 2 * plane);
    for (int64_t i = 0; i < plane && t; i++) {
        const int64_t legs = i / (4 * pairs), vector = legs / (radix - 1);
        const int64_t leg = legs % (radix - 1) + 1;
        const int64_t lane = (pairs * vector < last ? pairs * vector : last) + i / 2 % pairs;
        const bool crossed = i / (2 * pairs) % 2 != 0, im = i % 2 != 0;
        for (int d = 0; d < 2; d++) {
            double x, y;
            root_double((d ? radix - leg : leg) * lane, radix * lanes, &x, &y);
            table_store(kernel, t, d * plane + i, !crossed ? x : im != (d == 1) ? y : -y);
        }
    }
    return t;
}

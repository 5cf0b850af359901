#include "math/roots.h"

typedef void root_getter(const struct root_table *table, int64_t k, double *re, double *im);

static inline bool fill(int64_t n, int64_t count, root_getter *get, double *re, double *im)
{
    int64_t order = 2 * n;
    struct root_table table;
    if (!root_table_init(&table, order)) return false;
    int64_t half = n / 2 + 1 < count ? n / 2 + 1 : count;
    int64_t square = 0, odd = 1; /* j^2 and (j + 1)^2 - j^2 modulo 2n */
    for (int64_t j = 0; j < half; j++) {
        get(&table, square, &re[j], &im[j]);
        square += odd;
        if (square >= order) square -= order;
        odd += 2;
        if (odd >= order) odd -= order;
    }
    root_table_free(&table);
    /* (n - j)^2 = (j - n)^2 = j^2 + n^2 modulo 2n: the rest repeats the first half, negated if n is
     * odd. */
    double sign = n % 2 == 0 ? 1.0 : -1.0;
    for (int64_t j = half; j < count; j++) {
        int64_t mirror = j <= n ? n - j : j - n;
        re[j] = sign * re[mirror];
        im[j] = sign * im[mirror];
    }
    return true;
}

bool chirp_fill(int64_t n, int64_t count, double *re, double *im)
{
    return fill(n, count, root_table_get, re, im);
}

bool chirp_fill_near(int64_t n, int64_t count, double *re, double *im)
{
    return fill(n, count, root_table_get_near, re, im);
}

bool chirp_fill_extended(int64_t n, int64_t count, struct extended *re, struct extended *im)
{
    const uint64_t order = 2 * (uint64_t)n;
    struct root_table table;
    if (!root_table_init(&table, (int64_t)order)) return false;
    uint64_t square = 0;
    for (int64_t j = 0; j < count; j++) {
        const struct extended_root root = root_table_get_extended(&table, (int64_t)square);
        re[j] = root.re;
        im[j] = root.im;
        square = (square + 2 * ((uint64_t)j % order) + 1) % order;
    }
    root_table_free(&table);
    return true;
}

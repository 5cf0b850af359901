#include "math/roots.h"

/* Roots are looked up so many at a time. */
enum { CHUNK = 256 };

typedef void root_lister(const struct root_table *table, const int64_t *k, int64_t count,
                         double *re, double *im);

static bool fill_half(int64_t order, int64_t half, root_lister *lister, double *re, double *im)
{
    struct root_table table;
    if (!root_table_init(&table, order)) return false;
    int64_t squares[CHUNK], square = 0, odd = 1; /* j^2 and (j + 1)^2 - j^2 modulo 2n */
    for (int64_t j = 0; j < half; j += CHUNK) {
        const int64_t count = half - j < CHUNK ? half - j : CHUNK;
        for (int64_t i = 0; i < count; i++) {
            squares[i] = square;
            square += odd;
            if (square >= order) square -= order;
            odd += 2;
            if (odd >= order) odd -= order;
        }
        lister(&table, squares, count, &re[j], &im[j]);
    }
    root_table_free(&table);
    return true;
}

static bool fill(int64_t n, int64_t count, root_lister *lister, double *re, double *im)
{
    const int64_t half = n / 2 + 1 < count ? n / 2 + 1 : count;
    if (!fill_half(2 * n, half, lister, re, im)) return false;
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
    return fill(n, count, root_table_list, re, im);
}

bool chirp_fill_near(int64_t n, int64_t count, double *re, double *im)
{
    return fill(n, count, root_table_list_near, re, im);
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

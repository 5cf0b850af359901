#include "math/roots.h"

bool chirp_fill(int64_t n, int64_t count, double *re, double *im)
{
    int64_t order = 2 * n;
    struct root_table table;
    if (!root_table_init(&table, order)) return false;
    int64_t square = 0, odd = 1; /* j^2 and (j + 1)^2 - j^2 modulo 2n */
    for (int64_t j = 0; j < count; j++) {
        root_table_get(&table, square, &re[j], &im[j]);
        square = (square + odd) % order;
        odd = (odd + 2) % order;
    }
    root_table_free(&table);
    return true;
}

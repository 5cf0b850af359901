#include "exchange.h"

static void print_rows(struct text *t, const struct c_exchange *exchange, int lanes, int direction)
{
    text_append(t, "{\n");
    for (int row = 0; row < exchange->rows; row++) {
        text_append(t, "{");
        for (int i = 0; i < lanes; i++) {
            const int lane = exchange->lane[row][direction][i];
            text_append(t, "%d, ", lane < 0 ? i : lane);
        }
        text_append(t, "},\n");
    }
    text_append(t, "},\n");
}

void exchange_print(struct text *t, const struct c_vector_target *target,
                    const struct c_exchange *all)
{
    for (int i = 0; i < CODELET_EXCHANGES; i++) {
        const int lanes = i == CODELET_PACK_EXCHANGE ? target->lanes : i;
        if (!all[i].rows) continue;
        text_append(t, "static _Alignas(64) const int%d_t exchange_%d[2][%d][%d] = {\n",
                    target->single ? 32 : 64, i, all[i].rows, lanes);
        for (int direction = 0; direction < 2; direction++)
            print_rows(t, &all[i], lanes, direction);
        text_append(t, "};\n");
    }
    text_append(t, "static const void *const exchange[CODELET_EXCHANGES][2] = {\n");
    for (int i = 0; i < CODELET_EXCHANGES; i++) {
        if (all[i].rows)
            text_append(t, "{exchange_%d[0], exchange_%d[1]},\n", i, i);
        else
            text_append(t, "{0, 0},\n");
    }
    text_append(t, "};\n");
}

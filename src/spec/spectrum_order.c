#include "spec/spectrum_order.h"

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

bool spectrum_next_line(const struct pass *pass, const struct spectrum_order *order,
                        struct spectrum_line *line)
{
    for (int l = 0; l < pass->loops; l++) {
        if (order->lines[l] == 0) continue;
        line->from += pass->spectrum_map.loop[l];
        line->to += order->map.loop[l];
        if (++line->counter[l] < order->lines[l]) return true;
        line->from -= line->counter[l] * pass->spectrum_map.loop[l];
        line->to -= line->counter[l] * order->map.loop[l];
        line->counter[l] = 0;
    }
    return false;
}

/* Ends of a kernel that have but a range of each line (struct pass_range). */
#include "kernel/block_state.h"

ir_value block_in_range(struct block *k, bool out, ir_value number)
{
    struct ir_builder *b = k->b;
    const struct pass_range *range = &k->pass->range[out];
    const int64_t first = range->range.first, end = first + range->range.count;
    if (end <= range->n) {
        return ir_and(b, ir_less(b, ir_int(b, first - 1), number),
                      ir_less(b, number, ir_int(b, end)));
    }
    const ir_value missing = ir_and(b, ir_less(b, ir_int(b, end - range->n - 1), number),
                                    ir_less(b, number, ir_int(b, first)));
    return ir_less(b, ir_int(b, 0), ir_select(b, missing, ir_int(b, 0), ir_int(b, 1)));
}

ir_value block_range_number(struct block *k, bool out, ir_value column, ir_value place)
{
    return block_map(k, &k->pass->range[out].map, column, place);
}

/* Whether a tile has but a part of each line, others counting along it too. */
static bool has_parts(const struct pass *pass)
{
    for (int l = 0; l < pass->loops; l++) {
        if (pass->range[0].map.loop[l] != 0) return true;
    }
    return false;
}

/* How often a step towards a number is taken, among those that go further than others: what is left
 * of the number after larger ones. */
static int64_t take(int64_t number, int64_t step, int64_t larger)
{
    if (larger > 0) number %= larger;
    return number / step;
}

/* The least step that is larger; 0: there is none. */
static int64_t next_larger(const struct pass *pass, int64_t step)
{
    const struct pass_range *range = &pass->range[0];
    int64_t larger = range->map.line > step ? range->map.line : 0;
    for (int l = -1; l < pass->loops; l++) {
        const int64_t other = l < 0 ? range->pair : range->map.loop[l];
        if (l >= 0 && pass->loop[l].n == 1) continue; /* counts nothing, by any step */
        if (other > step && (larger == 0 || other < larger)) larger = other;
    }
    return larger;
}

static int64_t first_address(const struct pass *pass)
{
    const struct pass_range *range = &pass->range[0];
    const int64_t first = range->range.first, line = range->map.line;
    int64_t address = pass->offset[0];
    address += take(first, line, next_larger(pass, line)) * pass->line.in_stride;
    if (range->pair)
        address += take(first, range->pair, next_larger(pass, range->pair)) * pass->pair;
    for (int l = 0; l < pass->loops; l++) {
        const int64_t step = range->map.loop[l];
        if (step == 0 || pass->loop[l].n == 1) continue;
        address += take(first, step, next_larger(pass, step)) * pass->loop[l].in_stride;
    }
    return address;
}

struct block_first block_range_first(struct block *k)
{
    const struct pass *pass = k->pass;
    const int64_t first = pass->range[0].range.first, line = pass->range[0].map.line;
    if (has_parts(pass)) return (struct block_first){.address = first_address(pass)};
    return (struct block_first){
        .in_tile = true, .place = first / line, .further = first % line * pass->pair};
}

#include "kernel/block_cluster.h"

/* ---- columns and rows ---- */

ir_value block_dealt_number(struct block *k, bool rows, ir_value i)
{
    struct ir_builder *b = k->b;
    const struct block_shape *shape = &k->shape;
    const int64_t all = shape->cluster * shape->run[rows];
    const ir_value run = ir_int(b, shape->mirrors[rows] ? shape->run[rows] / 2 : shape->run[rows]);
    const ir_value own = ir_int_add(b, ir_int_mul(b, k->at.rank, run), ir_int_mod(b, i, run));
    if (!shape->mirrors[rows]) return own;
    const ir_value mirror = ir_select(b, ir_equal(b, own, ir_int(b, 0)), ir_int(b, all / 2),
                                      ir_int_sub(b, ir_int(b, all), own));
    return ir_select(b, ir_less(b, i, run), own, mirror);
}

ir_value block_dealt_place(struct block *k, bool rows, ir_value place)
{
    struct ir_builder *b = k->b;
    const ir_value run = ir_int(b, k->shape.run[rows]);
    const ir_value all = ir_int(b, k->shape.cluster * k->shape.run[rows]);
    return ir_int_add(b, ir_int_mul(b, ir_int_div(b, place, run), all),
                      block_dealt_number(k, rows, ir_int_mod(b, place, run)));
}

/* ---- what is sent ---- */

ir_value block_sent_element(struct block *k, ir_value place, int j)
{
    struct ir_builder *b = k->b;
    const struct block_shape *shape = &k->shape;
    const ir_value columns = ir_int(b, shape->run[0]), zero = ir_int(b, 0);
    const ir_value before = ir_int(b, shape->step[shape->sending].before);
    ir_value row = ir_int_div(b, place, columns);
    if (block_sends_mirror(shape, j))
        row = ir_select(b, ir_equal(b, row, zero), zero, ir_int_sub(b, before, row));
    row = ir_int_add(b, row, ir_int(b, block_sent_row(shape, j)));
    const ir_value first = ir_int_mul(b, row, ir_int(b, shape->length / shape->run[1]));
    return ir_int_add(b, first, block_dealt_number(k, false, ir_int_mod(b, place, columns)));
}

ir_value block_received_element(struct block *k, ir_value place)
{
    struct ir_builder *b = k->b;
    const ir_value rows = ir_int(b, k->shape.run[1]);
    const ir_value length = ir_int(b, k->shape.length / k->shape.run[1]);
    return ir_int_add(b, ir_int_mul(b, ir_int_mod(b, place, rows), length),
                      ir_int_div(b, place, rows));
}

struct ir_complex block_sent_result(struct block *k, ir_value butterfly, int j,
                                    const struct ir_complex *x)
{
    const int step = k->shape.sending, radix = k->shape.step[step].radix;
    if (!block_sends_mirror(&k->shape, j)) return x[j];
    const ir_value i = block_axis_index(k, step, butterfly);
    return ir_complex_select(k->b, ir_equal(k->b, i, ir_int(k->b, 0)),
                             x[j + 1 < radix ? j + 1 : radix / 2], x[j]);
}

/* ---- mirrors ---- */

/* Of column or row 0. */
static ir_value other_of_zero(struct block *k, int64_t length, ir_value i)
{
    struct ir_builder *b = k->b;
    return ir_select(b, ir_equal(b, i, ir_int(b, 0)), ir_int(b, length / 2),
                     ir_int_sub(b, ir_int(b, length), i));
}

ir_value block_of_pair(struct block *k, const struct block_step *s, ir_value pair, bool other)
{
    struct ir_builder *b = k->b;
    const int64_t length = block_mirrors_length(s);
    const ir_value mirrors = ir_int(b, s->mirrors), all = ir_int(b, 2 * s->mirrors);
    const ir_value line = ir_int_mod(b, pair, mirrors), i = ir_int_div(b, pair, mirrors);
    const ir_value own = ir_equal(b, ir_int_add(b, line, k->at.rank), ir_int(b, 0));
    const ir_value lower = ir_less(b, i, ir_int(b, length / 2));
    const ir_value upper = ir_less(b, ir_int(b, length / 2 - 1), i);
    if (!other)
        return ir_int_add(b, ir_int_mul(b, i, all),
                          ir_select(b, ir_and(b, own, upper), mirrors, line));
    const ir_value back = ir_int_sub(b, ir_int(b, length - 1), i);
    return ir_select(b, ir_and(b, own, lower), ir_int_mul(b, other_of_zero(k, length, i), all),
                     ir_int_add(b, ir_int_mul(b, back, all), ir_int_add(b, line, mirrors)));
}

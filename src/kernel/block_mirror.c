/* Who takes what is mirrored: butterflies two by two, or elements. */
#include "kernel/block_cluster.h"
#include "kernel/block_corners.h"

ir_value block_paired_index(struct block *k, const struct block_step *s, ir_value pair, bool other)
{
    struct ir_builder *b = k->b;
    if (s->mirrors) return block_of_pair(k, s, pair, other);
    ir_value middle = ir_int(b, block_paired_butterfly(s, 0));
    ir_value mirror = ir_int_sub(b, ir_int(b, s->n / s->radix), pair);
    mirror = ir_select(b, ir_equal(b, pair, ir_int(b, 0)), middle, mirror);
    return other ? mirror : pair;
}

/* Of an image's butterfly. */
static ir_value image_element(struct block *k, ir_value index, int j)
{
    if (pass_reflects(k->pass)) return block_corner_element(k, index, j);
    const struct block_image_spot at = block_image_spot(k, index);
    return ir_int_add(k->b, j ? at.other : at.row, j ? at.mirror : at.number);
}

ir_value block_mirrored_element(struct block *k, const struct block_step *s, ir_value index, int j)
{
    struct ir_builder *b = k->b;
    if (s->image) return image_element(k, index, j);
    if (s->mirrors) return block_of_pair(k, s, index, j > 0);
    if (j == 0) return index;
    ir_value zero = ir_int(b, 0), middle = ir_int(b, block_mirrored_place(s, 0, 1));
    ir_value mirror = ir_int_sub(b, ir_int(b, s->n), index);
    return s->omits_zero ? mirror : ir_select(b, ir_equal(b, index, zero), middle, mirror);
}

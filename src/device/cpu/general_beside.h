/* Reals that stand for more, of lines that are neighbours (beside.h): a part of general_half.h. */
static bool lies_beside(const struct cpu_operation *op, const struct half *half,
                        const struct real_end *end, const struct side *line,
                        const struct side *tile)
{
    const int64_t lanes = BESIDE_BYTES / sizeof(REAL);
    return end->reals->parts && op->columns >= lanes && line->column == 1 && tile->column == 1 &&
           counts_numbers(half);
}

static struct beside_end beside_end(const struct cpu_operation *op, const struct real_end *end,
                                    REAL factor, const struct side *line, const struct side *tile)
{
    const int64_t lanes = op->joined ? beside_joined(op->columns) : op->columns;
    return (struct beside_end){.real_bytes = sizeof(REAL),
                               .reals = end->reals,
                               .lanes = lanes,
                               .second = op->columns - lanes,
                               .line = (char *)line->re,
                               .stride = end->stride,
                               .re = (char *)tile->re,
                               .im = (char *)tile->im,
                               .step = op->joined ? lanes : tile->line,
                               .turn = (const char *)end->turn,
                               .turn_step = end->turn_step,
                               .turn_plane = end->turn_plane,
                               .factor = factor};
}

static void gather_beside(const struct cpu_operation *op, const struct half *half,
                          const struct side *from, const struct side *to)
{
    const struct beside_end end = beside_end(op, &half->in, 1, from, to);
    if (half->kind == PASS_HALF_FOLD)
        beside_mirror(&end, half->h, (const char *)half->root, half->root_plane,
                      half->mirrors->fold_beside);
    else if (op->joined && half->in.reals->parts == 2)
        beside_carry(&end, op->elements, half->mirrors->join_beside);
    else
        beside_carry(&end, op->elements, half->mirrors->gather_beside);
}

static void scatter_beside(const struct cpu_operation *op, const struct half *half, REAL factor,
                           const struct side *from, const struct side *to)
{
    const bool parts = op->joined && half->in.reals->parts == 1; /* twice of each comes of it */
    const struct beside_end end =
        beside_end(op, &half->out, parts ? factor / 2 : factor, to, from);
    if (parts)
        beside_part(&end, op->elements, half->mirrors->part_beside);
    else
        beside_carry(&end, op->elements, half->mirrors->scatter_beside);
}

/* Twice what is to be comes of it. */
static void unfold_beside(const struct cpu_operation *op, const struct half *half, REAL factor,
                          const struct side *from, const struct side *to)
{
    const struct beside_end end = beside_end(op, &half->out, factor / 2, to, from);
    beside_mirror(&end, half->h, (const char *)half->root, half->root_plane,
                  half->mirrors->unfold_beside);
}

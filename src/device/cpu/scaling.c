#include "device/cpu/scaling.h"

#include <math.h>

#include "device/cpu/table_maker.h"

/* Roots times scales beyond would leave the range of normal singles. */
#define LARGEST_SCALE 0x1p+64
#define LEAST_SCALE   0x1p-64

bool scaling_joins_steps(const struct pipeline_builder *b)
{
    const struct kernel *kernel = b->kernel;
    if (!kernel->scales_apart || kernel->pass->body != PASS_TRANSFORM) return false;
    for (int d = 0; d < 2; d++) {
        const double size = fabs(kernel->scale[d]);
        if (!(size >= LEAST_SCALE && size <= LARGEST_SCALE)) return false;
    }
    return true;
}

/* ---- operations ---- */

/* The direction has no scale. */
static void leave_alone(const struct codelet_shape *shape, const void *in_re, const void *in_im,
                        void *out_re, void *out_im, const void *twiddles, const void *fine)
{
    (void)shape, (void)in_re, (void)in_im, (void)out_re, (void)out_im, (void)twiddles, (void)fine;
}

/* Of both directions. */
static const struct cpu_table *table_scales(struct kernel *kernel)
{
    const struct cpu_table *old = table_find(kernel, TABLE_SCALES, 0, 0, 0);
    struct cpu_table *t = old ? NULL : table_add(kernel, TABLE_SCALES, 0, 0, 0, 1, 2);
    for (int d = 0; t && d < 2; d++)
        table_store(kernel, t, d, kernel->scale[d]);
    return old ? old : t;
}

/* Rows and legs of lanes beside each other, as shapes count them at the end that is written. */
static void add(struct pipeline_builder *b, enum cpu_operand where, bool pair, int64_t legs,
                struct codelet_shape shape)
{
    struct kernel *kernel = b->kernel;
    const struct cpu_table *scales = table_scales(kernel);
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    op->from = op->to = where;
    op->from_pair = op->to_pair = pair;
    op->directed = kernel->pass->one_way;
    op->scales = true;
    shape.turn = legs;
    for (int d = 0; d < 2; d++) {
        op->shape[d] = shape;
        op->shape[d].twiddle_plane = d;
        op->shape[d].fine_plane = !pair;
        op->codelet[d] = kernel->scale[d] != 1 ? b->general->scale : leave_alone;
    }
    if (scales)
        op->twiddles = scales->data;
    else
        b->failed = true;
}

void scaling_at_end(struct pipeline_builder *b)
{
    const struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const int64_t line = pass->line.out_stride, columns = b->pipeline->columns, n = pass->line.n;
    const int64_t column = pass->loops ? pass->loop[0].out_stride : 0;
    const bool pair = kernel->format[CPU_TO] == WEFT_INTERLEAVED;
    if (!kernel->scales_apart || b->scaled) return;
    if (line == 1 && (column == n || columns == 1))
        add(b, CPU_TO, pair, 1, (struct codelet_shape){.rows = 1, .lanes = columns * n});
    else if (line == 1)
        add(b, CPU_TO, pair, 1,
            (struct codelet_shape){.rows = columns, .lanes = n, .out_row = column});
    else if (column == 1)
        add(b, CPU_TO, pair, 1,
            (struct codelet_shape){.rows = n, .lanes = columns, .out_row = line});
    else
        add(b, CPU_TO, pair, n,
            (struct codelet_shape){
                .rows = columns, .lanes = 1, .out_row = column, .out_leg = line});
}

bool scaling_does_nothing(const struct cpu_operation *op, weft_direction direction)
{
    return op->codelet[direction] == leave_alone;
}

/* ---- tables ---- */

/* So many of the other's reals from `at` on, times the direction's scale. */
static void scale_reals(const struct kernel *kernel, const struct cpu_table *t, int64_t to,
                        const struct cpu_table *other, int64_t at, int64_t count, int direction)
{
    const int64_t bytes = kernel->real_bytes;
    cpu_general_of(kernel)->scale_reals((char *)t->data + to * bytes,
                                        (const char *)other->data + at * bytes,
                                        kernel->scale[direction], count);
}

const struct cpu_table *scaling_of_pairs(struct kernel *kernel, const struct cpu_table *table)
{
    if (!table) return NULL;
    const int64_t plane = table->plane;
    struct cpu_table *t = table_add(kernel, TABLE_SCALED, table->radix, table->rows, table->columns,
                                    plane, 2 * plane);
    for (int d = 0; t && d < 2; d++)
        scale_reals(kernel, t, d * plane, table, d * plane, plane, d);
    return t;
}

/* Of a planar step, with conjugates; both directions take any of its planes. */
#define PLANES_OF_STEP 3

static const struct cpu_table *scaled_step(struct kernel *kernel, const struct cpu_table *table)
{
    const int64_t reals = PLANES_OF_STEP * table->plane;
    struct cpu_table *t = table_add(kernel, TABLE_SCALED, table->radix, table->rows, table->columns,
                                    table->plane, 2 * reals);
    for (int d = 0; t && d < 2; d++)
        scale_reals(kernel, t, d * reals, table, 0, reals, d);
    return t;
}

/* ---- steps ---- */

/* The results of the zeroth leg. */
static struct codelet_shape first_leg(const struct cpu_operation *op)
{
    const struct codelet_shape *shape = &op->shape[0];
    if (codelet_kinds[op->kind].out != CODELET_TRANSPOSED)
        return (struct codelet_shape){
            .rows = shape->rows, .lanes = shape->lanes, .out_row = shape->out_row};
    return (struct codelet_shape){.rows = shape->lanes, .lanes = 1, .out_row = op->radix};
}

/* The factors of the operation, which has nothing else; NULL: these are no factors of steps. */
static const struct cpu_table *table_of(const struct kernel *kernel, const struct cpu_operation *op)
{
    const struct cpu_table *t = kernel->table;
    while (t && t->data != op->twiddles)
        t = t->next;
    return t && (t->kind == TABLE_ROW || t->kind == TABLE_LANE) ? t : NULL;
}

void scaling_of_step(struct pipeline_builder *b, struct cpu_operation *op)
{
    const struct cpu_table *table = table_of(b->kernel, op);
    if (op->run != pipeline_run_codelet || op->to_pair || !table || b->failed) return;
    const struct cpu_table *scaled = scaled_step(b->kernel, table);
    if (!scaled) {
        b->failed = true;
        return;
    }
    op->twiddles = scaled->data;
    op->inverse_twiddle_bytes = PLANES_OF_STEP * scaled->plane * b->kernel->real_bytes;
    add(b, op->to, false, 1, first_leg(op));
    b->scaled = true;
}

void scaling_before_pairs(struct pipeline_builder *b, enum cpu_operand from,
                          const struct codelet_shape *shape)
{
    add(b, from, true, 1,
        (struct codelet_shape){
            .rows = shape->rows, .lanes = shape->lanes, .out_row = shape->in_row});
    b->scaled = true;
}

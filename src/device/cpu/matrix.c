#include "device/cpu/matrix.h"

#include "device/cpu/tables.h"
#include "device/cpu/turned.h"

/* Products of vectors of a line, beyond which other ways are faster: one line codelet between
 * mirrored halves, of one line or of a batch, or of a batch between codelets that turn; or one
 * butterfly.
 * (Experiments "matrices" and "turned together" in docs/experiments.) */
#define MOST_BESIDE_LINE_CODELET  90
#define MOST_BESIDE_LINE_CODELETS 45
#define MOST_BESIDE_BUTTERFLY     130
#define MOST_BESIDE_TURNED_LINES  120

/* ---- which passes they are ---- */

/* Cosines, sines and Hartley transforms, of lines that are not cut. */
static bool has_reflected_lines(const struct pass *pass)
{
    const bool whole = pass->half == PASS_NO_HALF || pass->half == PASS_HALF_SPREAD ||
                       pass->half == PASS_HALF_FOLD;
    return whole && pass->reals[0].parts && pass->reals[1].parts && pass->reals[1].stride == 1;
}

static bool has_lone_lines(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (!pass->lone || pass->half_n != pass->line.n || pass_reflects(pass)) return false;
    if (pass->half == PASS_HALF_CUT)
        return kernel->format[CPU_TO] == WEFT_INTERLEAVED && pass->line.out_stride == 1;
    return pass->half == PASS_HALF_EXTEND && kernel->format[CPU_FROM] == WEFT_INTERLEAVED &&
           pass->half_stride == 1 && pass->line.out_stride == 1;
}

static const struct cpu_matrices *matrices_of(const struct kernel *kernel)
{
    return &kernel->sets->matrices[kernel->precision];
}

static struct matrix_shape shape_of(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const int lanes = matrices_of(kernel)->lanes;
    if (!pass_reflects(pass))
        return matrix_shape_of_half(pass->half_n, pass_scatters_half(pass), lanes);
    return matrix_shape(pass->reals[0].n, pass->reals[0].n, lanes);
}

static int64_t most_products(const struct kernel *kernel)
{
    const bool one = tiles_shape(kernel->pass).columns == 1;
    if (tiles_mirrors(kernel) && tiles_line_set(kernel))
        return one ? MOST_BESIDE_LINE_CODELET : MOST_BESIDE_LINE_CODELETS;
    if (turned_suits(kernel) && tiles_line_set(kernel))
        return one ? MATRIX_MOST_PRODUCTS : MOST_BESIDE_TURNED_LINES;
    return tiles_mirrors(kernel) && tiles_whole(kernel) ? MOST_BESIDE_BUTTERFLY
                                                        : MATRIX_MOST_PRODUCTS;
}

bool matrix_suits(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (pass->body != PASS_TRANSFORM && pass->body != PASS_RADER) return false;
    if (pass->twiddle_order || pass->hook[0] || pass->hook[1] || kernel->own_pass) return false;
    if (!has_reflected_lines(pass) && !has_lone_lines(kernel) && !tiles_halves(kernel))
        return false;
    const struct matrix_shape shape = shape_of(kernel);
    if (pass_reflects(pass) && pass->reals[0].stride == 1 && !turned_suits(kernel))
        return matrix_shape_fits(&shape, MATRIX_MOST_REFLECTED);
    return matrix_shape_suits(&shape, most_products(kernel));
}

/* ---- the operation ---- */

/* In reals, whatever the end's numbers are. */
static int64_t row_stride(const struct kernel *kernel, enum cpu_operand end)
{
    const struct pass *pass = kernel->pass;
    const int64_t unit = kernel->format[end] == WEFT_INTERLEAVED ? 2 : 1;
    return pass->loops ? unit * pipeline_stride(&pass->loop[0], end) : 0;
}

static int64_t read_stride(const struct pass *pass)
{
    if (pass_reflects(pass)) return pass->reals[0].stride;
    return pass->half == PASS_HALF_CUT ? pass->line.in_stride : 1;
}

/* The pairs that the pass's matrix has, if any. */
static enum matrix_form form_of(const struct pass *pass)
{
    if (pass_reflects(pass)) return MATRIX_SINGLE;
    if (pass_scatters_half(pass)) return MATRIX_MIRRORED;
    return pass->half_n % 2 == 0 ? MATRIX_HALVED : MATRIX_SINGLE;
}

/* One of so many reals rather than of any, and of pairs rather than without: the last in the list.
 */
static const struct matrix_codelet *find_codelet(const struct kernel *kernel,
                                                 const struct matrix_shape *shape)
{
    const enum matrix_form form = form_of(kernel->pass);
    const struct cpu_matrices *matrices = matrices_of(kernel);
    const struct matrix_codelet *found = NULL;
    while (matrices->narrower && shape->lanes < matrices->lanes)
        matrices = matrices->narrower;
    for (size_t i = 0; i < matrices->codelets; i++) {
        const struct matrix_codelet *codelet = &matrices->codelet[i];
        const bool same = codelet->lanes == shape->lanes && codelet->vectors == shape->vectors;
        const bool exact = codelet->count == shape->count && read_stride(kernel->pass) == 1;
        const bool serves = codelet->form == MATRIX_SINGLE || codelet->form == form;
        if (same && serves && (exact || !codelet->count)) found = codelet;
    }
    return found;
}

void matrix_build(struct pipeline_builder *b)
{
    struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const struct matrix_shape shape = shape_of(kernel);
    const struct matrix_codelet *codelet = find_codelet(kernel, &shape);
    const struct cpu_table *table =
        table_matrix(kernel, &shape, codelet->form, b->program->problem.kind);
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    if (!table) {
        b->failed = true;
        return;
    }
    op->from = CPU_FROM;
    op->to = CPU_TO;
    op->from_pair = op->to_pair = op->directed = true;
    op->twiddles = table->data;
    for (int d = 0; d < 2; d++) {
        op->codelet[d] = codelet->run;
        op->shape[d] = (struct codelet_shape){.rows = op->columns,
                                              .lanes = shape.results,
                                              .in_count = shape.count,
                                              .in_row = row_stride(kernel, CPU_FROM),
                                              .out_row = row_stride(kernel, CPU_TO),
                                              .in_leg = read_stride(pass),
                                              .turn = pass->half == PASS_HALF_FOLD ||
                                                      pass->half == PASS_HALF_EXTEND,
                                              .twiddle_plane = d * table->plane};
        if (pass_reflects(pass)) op->shape[d].turn = 0;
    }
}

#include "device/cpu/matrix.h"

#include "device/cpu/abreast.h"
#include "device/cpu/paired.h"
#include "device/cpu/tables.h"
#include "device/cpu/turned.h"
#include "math/factor.h"

/* Products of vectors of a line, beyond which other ways are faster: one line codelet between
 * mirrored halves, of one line or of a batch, or between codelets that turn; or one butterfly, or
 * some of large primes; or, for each real of a lone line, steps, if not of very few reals, as far
 * as the factors of even lines leave the first level room.
 * (Experiments "matrices", "turned together", "folded products", "folded twice" and "products that
 * are far" in docs/experiments.) */
#define MOST_BESIDE_LINE_CODELET     90
#define MOST_BESIDE_LINE_CODELETS    45
#define MOST_BESIDE_BUTTERFLY        130
#define MOST_BESIDE_BUTTERFLIES      60
#define MOST_BESIDE_LONG_BUTTERFLIES 120
#define MOST_BESIDE_TURNED_LINE      190
#define MOST_BESIDE_TURNED_LINES     120
#define MOST_BESIDE_STEPS            200
#define MOST_A_REAL_BESIDE_STEPS     4
#define MOST_A_REAL_BESIDE_PRIMES    3
#define MOST_OF_EVEN                 530
/* Likewise of straight-line code. (Experiment "straight lines of reals".) */
#define MOST_STRAIGHT             70
#define MOST_STRAIGHT_BESIDE_FULL 50
#define MOST_STRAIGHT_FOLDED      75

/* ---- which passes they are ---- */

/* Cosines, sines and Hartley transforms, one by one, of lines that are not cut. */
static bool has_reflected_lines(const struct pass *pass)
{
    const bool whole = pass->half == PASS_NO_HALF || pass->half == PASS_HALF_SPREAD ||
                       pass->half == PASS_HALF_FOLD;
    const bool reals = pass->reals[0].parts && pass->reals[1].parts;
    return whole && reals && pass_reflects_one(pass) && pass->reals[1].stride == 1;
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
    return matrix_shape_of_reals(pass->reals, lanes);
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

static bool codelet_serves(const struct matrix_codelet *codelet, const struct matrix_shape *shape,
                           const struct pass *pass)
{
    const bool exact = codelet->count == shape->count && read_stride(pass) == 1;
    if (codelet->lanes != shape->lanes) return false;
    const bool folds = shape->folds.pairs > 0;
    if (folds || codelet->form == MATRIX_FOLDED) return folds && codelet->form == MATRIX_FOLDED;
    if (codelet->vectors != shape->vectors || !(exact || !codelet->count)) return false;
    return codelet->form == MATRIX_SINGLE || codelet->form == form_of(pass);
}

/* One of so many reals rather than of any, and of pairs rather than without: the last in the list.
 */
static const struct matrix_codelet *find_codelet(const struct kernel *kernel,
                                                 const struct matrix_shape *shape)
{
    const struct cpu_matrices *matrices = matrices_of(kernel);
    const struct matrix_codelet *found = NULL;
    while (matrices->narrower && shape->lanes < matrices->lanes)
        matrices = matrices->narrower;
    for (size_t i = 0; i < matrices->codelets; i++)
        if (codelet_serves(&matrices->codelet[i], shape, kernel->pass))
            found = &matrices->codelet[i];
    return found;
}

/* Straight-line code, which takes reals two by two, before a line codelet of half as many pairs,
 * those of which fill vectors that are multiples of 4; and where half a spectrum was folded. */
static bool is_straight(const struct kernel *kernel, const struct matrix_shape *shape)
{
    const struct matrix_codelet *codelet = find_codelet(kernel, shape);
    if (tiles_shape(kernel->pass).columns > 1 || !codelet || codelet->count == 0) return false;
    const int products = matrix_products(codelet->form, codelet->count) * shape->vectors;
    if (codelet->form == MATRIX_HALVED) return products <= MOST_STRAIGHT_FOLDED;
    return products <= (shape->count % 8 == 0 ? MOST_STRAIGHT_BESIDE_FULL : MOST_STRAIGHT);
}

/* Beside a transform of several steps, which take the longer the more reals there are. */
static int64_t most_beside_steps(int64_t reals, bool one)
{
    const int64_t most = reals * (one ? MOST_A_REAL_BESIDE_STEPS : MATRIX_MOST_A_REAL);
    return most > MOST_BESIDE_STEPS ? most : MOST_BESIDE_STEPS;
}

/* Units that take vectors in halves are no slower by codelets whose vectors are seldom full. */
static int64_t turns_of(const struct kernel *kernel)
{
    const struct limits *limits = &kernel->device->limits;
    return limits->vector_bytes / limits->unit_bytes;
}

/* Of lines that are transforms of half as many pairs. What folds takes longer to begin, but no
 * longer than some line codelets of singles that have primes above 7. */
static int64_t most_of_pairs(const struct kernel *kernel, const struct matrix_shape *shape)
{
    const bool one = tiles_shape(kernel->pass).columns == 1;
    const bool line = tiles_line_set(kernel) || paired_takes(kernel);
    const bool folds = shape->folds.pairs > 0, mirrors = tiles_mirrors(kernel);
    const bool singles = kernel->precision == WEFT_F32;
    const int64_t beside_steps = most_beside_steps(shape->count, one);
    if (abreast_suits(kernel)) return 0;
    if (mirrors && line && folds)
        return one && singles && !is_smooth(shape->count, 7) ? MOST_BESIDE_LONG_BUTTERFLIES : 0;
    const int64_t turns = turns_of(kernel);
    if (mirrors && line)
        return (one ? MOST_BESIDE_LINE_CODELET : MOST_BESIDE_LINE_CODELETS) / turns;
    if (mirrors && tiles_whole(kernel))
        return folds ? 0 : (one ? MOST_BESIDE_BUTTERFLY : MOST_BESIDE_BUTTERFLIES) / turns;
    return beside_steps < MOST_OF_EVEN ? beside_steps : MOST_OF_EVEN;
}

static int64_t most_reflected(const struct kernel *kernel, const struct matrix_shape *shape)
{
    const bool one = tiles_shape(kernel->pass).columns == 1, turned = turned_suits(kernel);
    if (!turned && kernel->pass->reals[0].stride == 1)
        return matrix_most_reflected(&kernel->device->limits, kernel->pass->reals);
    if (turned && (tiles_line_set(kernel) || paired_takes(kernel)))
        return one ? MOST_BESIDE_TURNED_LINE : MOST_BESIDE_TURNED_LINES / turns_of(kernel);
    if (turned && is_prime(kernel->pass->length)) return MOST_A_REAL_BESIDE_PRIMES * shape->count;
    return most_beside_steps(shape->count, false);
}

bool matrix_suits(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (pass->body != PASS_TRANSFORM && pass->body != PASS_RADER) return false;
    if (pass->twiddle_order || pass->hook[0] || pass->hook[1] || kernel->own_pass) return false;
    if (!has_reflected_lines(pass) && !has_lone_lines(kernel) && !tiles_halves(kernel))
        return false;
    const struct matrix_shape shape = shape_of(kernel);
    if (tiles_halves(kernel) && is_straight(kernel, &shape)) return true;
    int64_t most = matrix_most_products(&kernel->device->limits, shape.count, true);
    if (pass_reflects(pass)) most = most_reflected(kernel, &shape);
    else if (tiles_halves(kernel)) most = most_of_pairs(kernel, &shape);
    return matrix_shape_suits(&shape, &kernel->device->limits, most);
}

/* Reals that follow one another are pairs: lines do. */
static bool has_lines_beside(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const bool out = pass_scatters_half(pass);
    const bool even = (pass->half == PASS_HALF_SPREAD || pass->half == PASS_HALF_FOLD) &&
                      pass->half_n == 2 * pass->length;
    const bool odd = (pass->half == PASS_HALF_CUT || pass->half == PASS_HALF_EXTEND) &&
                     pass->lone && pass->half_n == pass->line.n;
    return (even || odd) && kernel->format[out] == WEFT_INTERLEAVED &&
           kernel->format[!out] == WEFT_PLANAR && pass->loops > 0 &&
           pass->loop[0].in_stride == 1 && pass->loop[0].out_stride == 1;
}

bool matrix_lies_beside(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    if (pass->body != PASS_TRANSFORM && pass->body != PASS_RADER) return false;
    if (pass->twiddle_order || pass->hook[0] || pass->hook[1] || kernel->own_pass) return false;
    if (pass_reflects(pass) || kernel->fill.runs || !has_lines_beside(kernel)) return false;
    const struct price_lines lines = {.limits = &kernel->device->limits,
                                      .precision = kernel->precision,
                                      .kind = pass_scatters_half(pass) ? PRICE_REALS_TO_HALVES
                                                                       : PRICE_HALVES_TO_REALS,
                                      .n = pass->half_n,
                                      .lines = pass->loop[0].n,
                                      .apart = {true, true},
                                      .beside = kernel->precision <= WEFT_F64 &&
                                                matrices_of(kernel)->beside[0],
                                      .lone = pass->lone};
    return price_way(&lines) == PRICE_PRODUCTS;
}

/* ---- the operation ---- */

/* In reals, whatever the end's numbers are. */
static int64_t row_stride(const struct kernel *kernel, enum cpu_operand end)
{
    const struct pass *pass = kernel->pass;
    const int64_t unit = kernel->format[end] == WEFT_INTERLEAVED ? 2 : 1;
    return pass->loops ? unit * pipeline_stride(&pass->loop[0], end) : 0;
}

static void build_beside(struct pipeline_builder *b)
{
    const struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const bool forward = pass_scatters_half(pass);
    const int64_t n = pass->half_n, results = forward ? n / 2 * 2 + 2 : n;
    const struct matrix_shape shape = {
        .count = n, .results = results, .lanes = 1, .vectors = (int)results};
    const struct dim line = pass->line;
    const struct cpu_table *table = table_matrix(b->kernel, &shape, MATRIX_SINGLE);
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    b->failed = b->failed || !table;
    if (b->failed) return;
    op->from = CPU_FROM;
    op->to = CPU_TO;
    op->from_pair = op->to_pair = op->directed = true;
    op->twiddles = table->data;
    for (int d = 0; d < 2; d++) {
        op->codelet[d] = matrices_of(kernel)->beside[!forward];
        op->shape[d] = (struct codelet_shape){
            .rows = 1,
            .lanes = op->columns,
            .in_count = n,
            .in_leg = !forward ? pass->half_stride : pass->lone ? line.in_stride : pass->pair,
            .out_leg = forward || pass->lone ? line.out_stride : pass->pair,
            .twiddle_plane = d * table->plane};
    }
}

void matrix_build(struct pipeline_builder *b)
{
    if (matrix_lies_beside(b->kernel)) {
        build_beside(b);
        return;
    }
    struct kernel *kernel = b->kernel;
    const struct pass *pass = kernel->pass;
    const struct matrix_shape shape = shape_of(kernel);
    const struct matrix_codelet *codelet = find_codelet(kernel, &shape);
    const struct cpu_table *table = table_matrix(kernel, &shape, codelet->form);
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    struct matrix_folds *folds = arena_alloc(kernel->arena, sizeof *folds);
    if (!table || !folds) {
        b->failed = true;
        return;
    }
    op->from = CPU_FROM;
    op->to = CPU_TO;
    op->from_pair = op->to_pair = op->directed = true;
    op->twiddles = table->data;
    *folds = shape.folds;
    op->fine = (const char *)folds;
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

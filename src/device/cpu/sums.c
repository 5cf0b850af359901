/* Lines of primes as sums of products (sum.h): butterflies of one line, what a plan would convolve,
 * and first steps of longer lines. */
#include "device/cpu/circulant.h"
#include "device/cpu/pipeline.h"
#include "device/cpu/sum.h"
#include "device/cpu/tiles.h"
#include "math/factor.h"
#include "spec/lone_sums.h"
#include "spec/opening_sums.h"

/* Not of a line that is laid for its sums. */
static bool is_lone_rader(const struct kernel *kernel)
{
    return !kernel->laid && kernel->format[CPU_FROM] == WEFT_INTERLEAVED &&
           kernel->format[CPU_TO] == WEFT_INTERLEAVED &&
           lone_rader(&kernel->device->limits, kernel->precision, kernel->pass);
}

bool tiles_sums(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    return pass->line.n >= SUM_LEAST && tiles_lines_of_pairs(kernel) && !is_lone_rader(kernel) &&
           lone_sums_of(&kernel->device->limits, kernel->precision, pass);
}

bool tiles_transforms_by_sums(const struct kernel *kernel)
{
    const struct pass *pass = kernel->pass;
    const int64_t n = pass->length;
    return pass->body == PASS_TRANSFORM && pass->radices == 1 && n >= SUM_LEAST && n <= SUM_MOST &&
           is_prime(n);
}

/* The codelets for lines of n, with what they take; false: no memory. */
static bool choose_sums(struct kernel *kernel, int n, struct cpu_operation *op)
{
    const struct cpu_sums *sums = &kernel->sets->sums[kernel->precision];
    const bool circulant = sums->circulant[0] && lone_circulants(n, sums->lanes, kernel->precision);
    const struct cpu_table *table = circulant ? NULL : table_sums(kernel, n, n);
    for (int d = 0; d < 2; d++)
        op->codelet[d] = circulant ? sums->circulant[d] : sums->sum[d];
    if (table) op->twiddles = table->data;
    if (circulant) op->fine = (const char *)circulant_make(kernel, n);
    return table || op->fine;
}

/* Of the tile's lines, so many pairs apart at the two ends. */
static void add_sums(struct pipeline_builder *b, int n, enum cpu_operand from, int64_t from_row,
                     enum cpu_operand to, int64_t to_row)
{
    struct cpu_operation *op = pipeline_add(b, pipeline_run_codelet);
    if (!choose_sums(b->kernel, n, op)) b->failed = true;
    op->from = from;
    op->to = to;
    op->from_pair = op->to_pair = true;
    for (int d = 0; d < 2; d++)
        op->shape[d] = (struct codelet_shape){
            .rows = op->columns, .lanes = n, .in_row = from_row, .out_row = to_row};
}

void pipeline_build_sums(struct pipeline_builder *b)
{
    const struct pass *pass = b->kernel->pass;
    const enum cpu_operand source = pipeline_source(b);
    const int64_t from_row = pass->loops ? pipeline_stride(&pass->loop[0], source) : 0;
    const int64_t to_row = pass->loops ? pass->loop[0].out_stride : 0;
    add_sums(b, (int)pass->line.n, source, from_row, CPU_TO, to_row);
}

bool pipeline_sums(struct pipeline_builder *b, struct transform_end from, int64_t from_row,
                   struct transform_end to, int64_t to_row)
{
    if (!tiles_transforms_by_sums(b->kernel)) return false;
    add_sums(b, (int)b->kernel->pass->length, from.operand, from_row, to.operand, to_row);
    return true;
}

bool sums_open(const struct kernel *kernel, enum codelet_kind kind, int radix,
               int64_t butterflies)
{
    const bool opens = kind == CODELET_OPEN || kind == CODELET_OPEN_PLANAR;
    const int64_t lanes = limits_lanes(&kernel->device->limits, kernel->precision);
    if (!opens || !opening_sums(radix, butterflies, lanes)) return false;
    return radix < OPENING_SUMS || !codelet_exists(kind, radix);
}

void pipeline_open_sums(struct pipeline_builder *b, struct cpu_operation *op,
                        enum codelet_kind kind, int radix)
{
    struct kernel *kernel = b->kernel;
    const struct cpu_table *sums = table_sums(kernel, radix, kernel->pass->length);
    const struct cpu_table *twiddles = table_results(kernel, radix, op->shape[0].lanes);
    if (!sums || !twiddles) {
        b->failed = true;
        return;
    }
    op->fine = sums->data;
    op->twiddles = twiddles->data;
    op->shape[0].twiddle_plane = twiddles->plane;
    op->shape[WEFT_INVERSE] = pipeline_turned(kind, radix, op->shape[WEFT_FORWARD]);
    op->mixed = op->from_pair != op->to_pair;
    for (int d = 0; d < 2; d++)
        op->codelet[d] = kernel->sets->sums[kernel->precision].open[op->from_pair];
}

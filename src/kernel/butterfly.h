/* The DFT of a few values held in registers, as IR: the one description of the butterflies, used by
 * the CPU's codelets and by the GPU's kernels alike. */
#ifndef WEFT_KERNEL_BUTTERFLY_H
#define WEFT_KERNEL_BUTTERFLY_H

#include "ir/ir.h"
#include "weft/weft.h"

/* A complex value in registers. */
struct ir_complex {
    ir_value re, im;
};

/* x[0..radix-1] becomes sum_j x_j exp(-2 pi i j k / radix), k in natural order. Any radix from 1 to
 * 97: a row of the table in butterfly.c where one was made for it, otherwise the mixed-radix or,
 * for primes, the direct symmetric form. The precision is that of the reals, for which some of the
 * constants are rounded. */
void butterfly(struct ir_builder *b, weft_precision precision, int radix, struct ir_complex *x);

struct ir_complex ir_complex_mul(struct ir_builder *b, struct ir_complex x, struct ir_complex y);
struct ir_complex ir_complex_select(struct ir_builder *b, ir_value condition,
                                    struct ir_complex yes, struct ir_complex no);
/* x times the constant exp(-2 pi i k / n), by the cheapest form (1, -1, +-i, eighths, general). */
struct ir_complex ir_complex_root(struct ir_builder *b, struct ir_complex x, int64_t k, int64_t n);

#endif

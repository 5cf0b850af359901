/* Short lines of reals as what they are by definition, products with a matrix: whatever the kind,
 * each real that is read times a column of factors, vectors of results side by side. Nothing is
 * gathered, shuffled or turned, and scales cost nothing. (Experiment "matrices" in
 * docs/experiments.) */
#ifndef WEFT_DEVICE_CPU_MATRIX_H
#define WEFT_DEVICE_CPU_MATRIX_H

#include "device/cpu/codelet.h"
#include "device/cpu/matrix_pairs.h"
#include "device/cpu/pipeline.h"
#include "spec/matrix_shape.h"
#include "spec/price_lines.h"

/* Codelets: lines are rows. shape: rows; lanes: results; in_row, out_row, in_leg: from a real that
 * is read to the next, and turn, from the first on to the others besides, all in reals; in_count
 * of them. Twiddles, from twiddle_plane on: if there are pairs (matrix_pairs.h), a vector of 1 for
 * even results and -1 for odd ones; for each product its factors of all vectors of results, of
 * which the last one overlaps the one before it. In place too. MATRIX_FOLDED: fine is the shape's
 * folds, and factors are those of each pair. */
struct matrix_codelet {
    int lanes, vectors; /* 0: of any */
    int count;          /* of reals side by side that it reads; 0: of any */
    enum matrix_form form;
    codelet_function *run;
};

struct cpu_matrices {
    const struct matrix_codelet *codelet;
    size_t codelets;
    int lanes;                           /* of the widest vector */
    const struct cpu_matrices *narrower; /* that has the others; NULL: it is all here */
    /* Of lines beside each other, which are `lanes`, of in_count reals, in_leg and out_leg elements
     * apart: to half spectra, and back. Factors are those of a matrix in vectors of one result.
     * NULL: there are none. */
    codelet_function *beside[2];
};

/* By weft_precision. */
extern const struct cpu_matrices matrices_basic[2];
#if defined(__x86_64__)
extern const struct cpu_matrices matrices_avx2[2], matrices_avx512[2];
#endif

/* Whether the kernel's pass is best done so, once its ends are described: kernel->products is the
 * answer for all who build it. */
bool matrix_suits(const struct kernel *kernel);

/* Whether its lines are short ones beside each other, of which one is a lane. */
bool matrix_lies_beside(const struct kernel *kernel);

/* Adds its only operation. */
void matrix_build(struct pipeline_builder *b);

#endif

/* The factors a kernel multiplies with, made once a kernel and kind, exact to the last bit. All are
 * planar: re at [i], im at [i + plane]. NULL: no memory. They go with the kernel. */
#ifndef WEFT_DEVICE_CPU_TABLES_H
#define WEFT_DEVICE_CPU_TABLES_H

#include "device/cpu/engine.h"
#include "device/cpu/matrix_pairs.h"
#include "kernel/line.h"

/* exp(-2 pi i p k / (radix * rows)) at [p * (radix - 1) + k - 1]: CODELET_TWIDDLE_ROW. This and
 * the next have -im at [i + 2 * plane], for their conjugates. */
const struct cpu_table *table_row(struct kernel *kernel, int radix, int64_t rows);
/* The same at [(k - 1) * table_lane_leg() + p]: CODELET_TWIDDLE_LANE. Blocks of more than one lane
 * are woven (print/c_vector.h). */
const struct cpu_table *table_lane(struct kernel *kernel, int radix, int64_t rows, int block);
static inline int64_t table_lane_leg(int64_t rows, int block)
{
    return (rows + block - 1) / block * block;
}
/* Likewise, with -im, at [p * radix + k], k from 0 on. */
const struct cpu_table *table_results(struct kernel *kernel, int radix, int64_t rows);
/* Roots of order n for any exponent, in two factors: exp(-2 pi i e / n) is entry e mod 2^shift
 * times entry 2^shift + (e >> shift). */
const struct cpu_table *table_roots(struct kernel *kernel, int64_t n, int shift);
/* The factors of CODELET_TWIDDLE_SPLIT, of rows or of legs `step` apart, for tiles t < count of so
 * many lanes: exp(-2 pi i r step (first + t lanes + c) / n) at [(t * 2 * rows + r) * lanes + c],
 * plane = rows * lanes. */
struct table_tiles {
    int64_t first, lanes, count;
};
const struct cpu_table *table_split(struct kernel *kernel, int64_t n, int64_t step, int64_t rows,
                                    struct table_tiles tiles);
/* Those of scatters:
 * coarse: exp(-2 pi i k (first + t step) / (rows columns)) at [t * 2 * rows + k], plane = rows, for
 * tiles t < count; fine: exp(-2 pi i k c / (rows columns)) at [k * lanes + c], c < lanes. */
const struct cpu_table *table_coarse(struct kernel *kernel, int64_t rows, int64_t columns,
                                     int64_t first, int64_t step, int64_t count);
const struct cpu_table *table_fine(struct kernel *kernel, int64_t rows, int64_t columns,
                                   int64_t lanes);
/* The factors of a line codelet (kernel/line.h). */
const struct cpu_table *table_line(struct kernel *kernel, const struct line *line);
/* exp(-2 pi i k / n), 0 <= k <= n / 2. */
const struct cpu_table *table_half(struct kernel *kernel, int64_t n);
/* What codelets of sum.h take; n: the order of the roots that the pass takes anyway, a multiple. */
const struct cpu_table *table_sums(struct kernel *kernel, int radix, int64_t n);
/* What codelets of mirror.h take: roots, and factors of both directions, of the kernel's pass. */
const struct cpu_table *table_mirror(struct kernel *kernel, int64_t n, bool folds);
const struct cpu_table *table_mirror_factors(struct kernel *kernel, bool folds);
/* Likewise: roots and turns of mirrored numbers at the end, `quarter` turns on or back where the
 * first part counts down; factors; and those of codelets that part reals, which have a sign, and
 * with `scaled` the scale. Of either direction so many. */
#define TABLE_FACTORS_A_DIRECTION 6
const struct cpu_table *table_turned(struct kernel *kernel, bool out, bool quarter);
const struct cpu_table *table_turned_factors(struct kernel *kernel, bool out, int up,
                                             const double weight[2]);
/* Likewise of numbers that are reals from both ends of a line (mirror.h: of_ends, to_ends). */
const struct cpu_table *table_ends(struct kernel *kernel, bool out, bool quarter);
const struct cpu_table *table_ends_factors(struct kernel *kernel, bool out, bool quarter);
/* Of a line in two passes that is reals at the end: the turns of the pass's lanes, numbers 0 and
 * on, and of its rows, numbers half_map.line apart, which times a lane's are a number's, with the
 * weight and at an output the scale. Rows' are planar for each direction, and then comes what
 * number 0 is multiplied by. */
const struct cpu_table *table_lane_turns(struct kernel *kernel, bool out, bool quarter);
const struct cpu_table *table_row_turns(struct kernel *kernel, bool out, int up,
                                        const double weight[2]);
#define TABLE_ROW_TURNS_REALS(rows) (2 * (rows) + 1)
const struct cpu_table *table_signs(struct kernel *kernel, bool scaled);
/* The factors of the numbers at an end of the pass (struct reals); one if they are all the same. */
const struct cpu_table *table_turn(struct kernel *kernel, bool out);
/* The program's spectrum, `plane` entries, in the order in which the pass's lines take it, so that
 * a line's factors are neighbours. */
struct spectrum_order;
const struct cpu_table *table_spectrum(struct kernel *kernel, const void *spectrum, int64_t plane,
                                       const struct spectrum_order *order);
/* A spectrum's entries of even numbers and then those of odd ones. */
const struct cpu_table *table_parities(struct kernel *kernel, const void *spectrum,
                                       int64_t entries);

/* exp(-2 pi i j k / n) of number j * legs + k, for products of pairs: its real part twice; `plane`
 * on the imaginary one negated and as it is, and again that of the conjugate. */
const struct cpu_table *table_pairs(struct kernel *kernel, int64_t n, int legs);
/* Twiddles of CODELET_PAIRS_LEAVE, by lane and leg, whose vectors have so many pairs; the inverse
 * direction's are a plane behind. */
const struct cpu_table *table_pairs_beside(struct kernel *kernel, int64_t lanes, int radix,
                                           int64_t pairs);
/* Likewise of a line's second step, behind a vector of signs (print/c_pairs_line.h). */
const struct cpu_table *table_line_of_pairs(struct kernel *kernel, const struct line *line);

/* What codelets of matrix.h take for the kernel's pass: the factors of each real that is read, in
 * the vectors of results. `plane` to the other direction's. */
struct matrix_shape;
const struct cpu_table *table_matrix(struct kernel *kernel, const struct matrix_shape *shape,
                                     enum matrix_form form);

/* Frees what was only needed to make tables. */
void tables_done(struct kernel *kernel);
void tables_free(struct kernel *kernel);

#endif

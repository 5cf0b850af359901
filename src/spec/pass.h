/* A pass: one sweep over memory, one kernel launch. Always the same shape:
 *
 *   gather     line.n elements, `line.in_stride` apart, from the place `from`
 *   before     chirp (elements beyond its n are zeros that are never read)
 *   body       transform of `length` by `radix`; or a convolution; or Rader's convolution
 *   after      chirp or twiddle, scale
 *   scatter    line.n elements, `line.out_stride` apart, to the place `to`
 *
 * for every combination of the loops' counters. A tile is the lines of several neighbouring counts
 * of loop[0]; passes whose from and to are one place with equal strides work in place, so whoever
 * runs a pass reads the whole of a tile before writing any of it.
 *
 * When the program runs in the inverse direction, every pass exchanges re and im as it gathers and
 * as it scatters and is otherwise the same: swap F(swap x) is the inverse transform. Passes along a
 * real axis (one_way) compute the same in both directions, but for half a spectrum being conjugated
 * as it is gathered or scattered. */
#ifndef WEFT_SPEC_PASS_H
#define WEFT_SPEC_PASS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "spec/plan.h"
#include "spec/problem.h"
#include "spec/reals.h"

#define PASS_MAX_LOOPS 16

/* PASS_WORK: what one stage leaves for the next, as large as the problem; scratch is a step's.
 * PASS_DRAFT: what is to be the output, element by element where the output has them, or packed,
 * until the last pass writes that: texels of an image keep too little of what lies between two
 * passes.
 * PASS_MIDDLE: what the forward transforms of a convolution leave for the inverse ones, in pairs;
 * or what a line's own passes leave each other, where PASS_WORK has what lies between axes;
 * PASS_PRODUCTS: what becomes of it with each of several kernels.
 * PASS_SPECTRUM: the kernels' spectra, pairs; read by products alone.
 * PASS_LAID: lines one behind the other that lie beside each other elsewhere, of reals or of half a
 * spectrum. */
enum pass_place {
    PASS_INPUT,
    PASS_OUTPUT,
    PASS_SCRATCH,
    PASS_WORK,
    PASS_DRAFT,
    PASS_MIDDLE,
    PASS_PRODUCTS,
    PASS_SPECTRUM,
    PASS_LAID,
    PASS_PLACES
};

enum pass_body {
    PASS_COPY,        /* nothing: line.n elements as they are, or times PASS_SPECTRUM */
    PASS_TRANSFORM,   /* length == line.n times the n of all folds */
    PASS_CONVOLUTION, /* forward of `length`, times spectrum, inverse of `length` (unscaled: the
                       * spectrum holds 1/m); line.n <= length, the rest of the tile is zero */
    PASS_SPREAD, /* line.n elements to two lines of `length`, `apart` from each other: numbers j > 0
                  * to place j, numbers j - line.n to the end, zeros between them, weighted, and in
                  * the second line times exp(-pi i j / length) (math/window.h) */
    PASS_RESAMPLE, /* line.n elements interpolated among those of two such lines, the numbers of
                    * either parity */
    PASS_OPEN, /* a line of line.n = r `length` reals, line.n odd, or its spectrum, to r / 2 + 1
                * lines of `length`, `apart` from each other: with w = exp(-2 pi i / n) number j of
                * line k is w^(j k) sum_i x[j + length i] w^(length i k), if the pass is `lone`,
                * whose reals may be numbers, or X[r j + k], of which half are read */
    PASS_CLOSE, /* such lines, of whose others each is a conjugate, to the spectrum, or half of it,
                 * or, if the pass is `lone`, the reals that are their sums, turned as above */
    PASS_RADER        /* n = line.n prime, length == n - 1 (Rader 1968), or, on a CPU, lines of such
                       * n (pass_cofactor()). With g the primitive root:
                       *   a_q = x[g^-q mod n], A = F a, y_0 = x_0 + A_0,
                       *   y[g^q mod n] = (unscaled inverse of (A * spectrum + [q == 0] x_0))_q,
                       * spectrum = F(exp(-2 pi i g^q / n)) / (n - 1) */
};

/* A number made of the line's index and the loops' counters: line * i + sum loop[l] * i_l. */
struct pass_map {
    int64_t line;
    int64_t loop[PASS_MAX_LOOPS];
};

/* Half a spectrum X[0..n/2] of n reals, X[n-k] = conj X[k], as one end of a pass along a real axis
 * has it. h = n / 2, w = exp(-2 pi i / n), z[j] = x[2 j] + i x[2 j + 1] for even n. */
enum pass_half {
    PASS_NO_HALF,
    PASS_HALF_CUT,    /* scattered: of n results those above h are not written */
    PASS_HALF_UNFOLD, /* gathered by a copy of h + 1 elements, n even: from Z = F_h z, as long as h,
                       * X[k] = ((Z[k] + conj Z[h-k]) - i w^k (Z[k] - conj Z[h-k])) / 2 */
    PASS_HALF_SPREAD, /* scattered by a transform that has the whole line, n even: its results are
                       * Z, h + 1 elements X are written */
    PASS_HALF_PART,   /* scattered by a transform that has the whole line, whose results Z are those
                       * of two lines of reals, one being the imaginary part: of the one
                       * X[k] = (Z[k] + conj Z[n-k]) / 2, and `half_pair` further on of the other
                       * X[k] = (Z[k] - conj Z[n-k]) / 2 i are written, k <= h */
    PASS_HALF_REFLECT, /* scattered, n even, of every half_rows-th number of a line: X[k] and, where
                        * conj X[n-k] is of other numbers, for k > h that in its place */
    PASS_HALF_EXTEND, /* gathered: element k is X[k], for k > h conj X[n-k] */
    PASS_HALF_FOLD,   /* gathered, n even: element k < h is
                       * (X[k] + conj X[h-k]) + i w^k (X[k] - conj X[h-k]), whose F_h is z */
    PASS_HALF_JOIN    /* gathered: element k is X[k], for k > h conj X[n-k], and i times the same of
                       * the line whose half is `half_pair` further on */
};

/* A further axis of the tile of a PASS_TRANSFORM: a small image or volume is one line, folded. */
#define PASS_MAX_FOLDS 7
struct pass_fold {
    struct dim dim;
    int radices; /* their product is dim.n */
    int radix[PLAN_MAX_RADICES];
};

/* Which of a line's elements an end has. Element e is number map(e) along the axis, its imaginary
 * part, if they are two reals, `pair` numbers further on. Ends with half a spectrum or with reals
 * that stand for more count X[k], or reals, instead. */
struct pass_range {
    struct range range; /* count 0: all; others are read as zeros, and not written */
    int64_t n;          /* of the axis, on that side */
    int64_t pair;
    struct pass_map map;
};

/* Which of the program's host tables a pass multiplies with. */
#define PASS_NO_TABLE (-1)

struct pass {
    enum pass_place from, to;
    weft_kind kind; /* of the axis that it is of, which says what both ends of reals stand for */
    struct dim line;
    int loops;
    struct dim loop[PASS_MAX_LOOPS]; /* loop[0]: the columns of a tile, the fastest in memory */
    enum pass_body body;
    int64_t length;
    int radices; /* their product is `length`; of a transform, line.n */
    int radix[PLAN_MAX_RADICES];
    int columns; /* of a tile, on a GPU; 0: as the kernel finds right (struct plan_node) */
    int cluster; /* PASS_TRANSFORM without folds, on a GPU: blocks that share a line; 0: none do */
    /* Axes slower than the line, the fastest first, that are transformed too: element e of a tile
     * is number e % line.n of the line, e / line.n % fold[0].dim.n of fold[0], and so on. */
    int folds;
    struct pass_fold fold[PASS_MAX_FOLDS];
    int64_t apart; /* PASS_SPREAD, PASS_RESAMPLE, PASS_OPEN, PASS_CLOSE */
    bool backward; /* PASS_TRANSFORM: the inverse transform (unscaled) in a forward program */

    /* Bluestein: element e is multiplied by chirp[m], m = chirp_map(e); elements with m >= chirp_n
     * are zero where they would be read and are not written. chirp[m] = exp(-pi i m^2 / chirp_n),
     * the program's table[chirp_table]. chirp_n == 0: none. */
    int64_t chirp_n;
    int chirp_table;
    bool chirp_before, chirp_after;
    struct pass_map chirp_map;

    /* PASS_CONVOLUTION: result q of the forward transform is multiplied by
     * table[spectrum_table][spectrum_map(q)]. PASS_RADER: by its q-th entry. */
    int spectrum_table;
    struct pass_map spectrum_map;
    /* PASS_CONVOLUTION, PASS_COPY: instead of a table's, by that element of PASS_SPECTRUM, or by
     * its conjugate. */
    bool spectrum_given, spectrum_conjugate;
    int64_t spectrum_half_n; /* ... of which there is half, n / 2 + 1 elements, as each is that of
                              * n reals: the map counts as if all were there. 0: all are */

    /* Split: result k is multiplied by exp(-+ 2 pi i k c / twiddle_order), c the counter of
     * loop[twiddle_loop]; + if twiddle_conjugate. twiddle_order == 0: none. The two lines that
     * PASS_HALF_PART makes of one are numbers 2 c and 2 c + 1; or, if twiddle_group > 0,
     * c + 2 twiddle_group g and so many further on, g being the counter of loop[group_loop]. */
    int64_t twiddle_order;
    int twiddle_loop;
    int64_t twiddle_group;
    int group_loop;
    bool twiddle_conjugate;
    /* Of columns that are more than memory holds: a run has those of one slice, loop[0] counts them
     * in it, and the last loop, whose strides are 0, counts the slices; c is
     * slice_columns * slice + the counter of loop[0], and may reach the order. 0: a run has all. */
    int64_t slice_columns;

    /* An end whose place is real (strides count reals): element e is the real at its address and,
     * `pair` further on, its imaginary part; `lone`: that is read as 0 and not written. */
    bool real_in, real_out, lone;
    int64_t pair;
    int64_t offset[2]; /* by end: from its place's element 0 to element 0 of the first line */

    bool goes_on; /* with what the pass before it does, for another line */

    bool one_way; /* along a real axis */
    enum pass_half half;
    int64_t half_n;            /* reals */
    struct pass_map half_map;  /* which k an element has (pass_number_map()), */
    int64_t half_stride;       /* from X[k] to X[k+1], or Z, where it is gathered */
    int64_t half_pair;         /* PASS_HALF_PART and PASS_HALF_JOIN */
    int64_t half_rows;         /* PASS_HALF_REFLECT */
    /* Ends of reals that stand for more, by whether it is the output's: real_in, or real_out, is
     * true with it, and lone, but where there are two lines, `pair` apart at both ends: numbers are
     * those of the one and i times those of the other, and results the same if they are reals;
     * otherwise PASS_HALF_PART has X[n-k] scattered, too, or, on a CPU, two parts of X[k]. Element
     * e is number half_map(e); its own address is where its real number k is or would be. With
     * PASS_HALF_FOLD numbers are X, with PASS_HALF_UNFOLD and PASS_HALF_SPREAD what is scattered is
     * X; in the inverse direction it is not conjugated. With PASS_HALF_REFLECT numbers k and n - k
     * go to the same reals, and one of them is written. */
    struct reals reals[2];

    /* Which of the problem's elements an element is (spec/hook.h), by whether the end is the
     * output's: from first_position on the line's index, or the folds', and the loops' counters
     * lead to its position. A real's imaginary part is pair_position further on. */
    bool hook[2]; /* the end has an expression to apply; where not, positions say nothing */
    int64_t first_position[2];
    struct pass_map position[2];
    int64_t fold_position[2][PASS_MAX_FOLDS];
    int64_t pair_position;

    struct pass_range range[2]; /* by whether the end is the output's */

    bool scaled; /* results are multiplied by the problem's scale for the direction; of a
                  * convolution those of the pass that has the product */

    bool shared;           /* CPU: by all threads, for which it is long enough */
    double bytes, seconds; /* read and written; expected */
};

/* In a word: "scratch", "rader". */
const char *pass_place_name(enum pass_place place);
const char *pass_body_name(enum pass_body body);
/* One line that says everything: the kernel's name, its cache key and its wisdom key. */
void pass_print(struct text *t, const struct pass *pass);

/* How many elements of a line as a whole are read, or written, at the end where half a spectrum is,
 * or reals are that stand for more; 0: neither is there. */
int64_t pass_half_elements(const struct pass *pass, bool out);

/* Whether a tile is transformed there and back, with a product between. */
bool pass_convolves(const struct pass *pass);

/* Of PASS_RADER: how many lines of a prime, length + 1, the line is, whose numbers are so far from
 * one another (spec/joined_lines.h); 1: it is a prime's. */
int64_t pass_cofactor(const struct pass *pass);
/* Whether it is of PASS_RADER, and of several. */
bool pass_joins_lines(const struct pass *pass);

/* Which numbers of it the elements are there: half_map, but two halves are of whole lines. */
const struct pass_map *pass_number_map(const struct pass *pass, bool out);

/* Whether numbers of half a spectrum, two by two, are multiplied by roots of order half_n. */
bool pass_half_turns(const struct pass *pass);

/* Whether that is all there is to do, to numbers that stay where they are, or on their way to where
 * they will be transformed, or from there, of which the output wants some: on a CPU. */
bool pass_sweeps_half(const struct pass *pass);

/* Whether it leads to lines among whose numbers others are interpolated, or from them. */
bool pass_resamples(const struct pass *pass);

/* Whether it opens an odd line of reals to lines of which there is half, or closes it. */
bool pass_opens(const struct pass *pass);

/* Whether it makes a contiguous line's numbers of its reals, from end to end, or reals of its
 * numbers, and nothing else: reals that stand for more, two a number. */
bool pass_sweeps_line(const struct pass *pass);

/* Whether two halves are at an end of the pass, those of two lines. */
bool pass_half_pairs(const struct pass *pass);

/* Whether two results at a time become what is scattered: PASS_HALF_SPREAD, PASS_HALF_PART. */
bool pass_half_mirrors(const struct pass *pass);

/* Whether two numbers at a time may be folded: a tile has the whole line, all of which is there. */
bool pass_folds_line(const struct pass *pass);

/* Whether the inverse direction conjugates numbers of the halves: they are the caller's, or are in
 * their order, and not on their way through scratch. */
bool pass_half_directed(const struct pass *pass);

/* How far apart two reals, or two numbers of two halves, that are the parts of an element at that
 * end lie; 0: an element has no such parts. */
int64_t pass_pair_distance(const struct pass *pass, bool out);

/* How far apart elements lie along the dimension at that end, where two reals, or numbers of two
 * halves, that lie side by side count as one. */
int64_t pass_stride(const struct pass *pass, const struct dim *dim, bool out);

/* Whether half a spectrum is at the end where the pass writes. */
bool pass_scatters_half(const struct pass *pass);

/* Whether numbers of the lines are made of reals that stand for more, or make such. Such passes are
 * the same in both directions; the inverse one may have passes of its own. */
bool pass_reflects(const struct pass *pass);

/* Whether such numbers are made of one line's reals, or make these, and not of two lines' at once,
 * the second times i. */
bool pass_reflects_one(const struct pass *pass);

/* Elements of a line that a block has at once: all of them, or a cluster's block its share. */
int64_t pass_block_length(const struct pass *pass);

/* What of a cluster's line may be beside its mirrors in a block. */
enum plan_mirrors pass_cluster_mirrors(const struct pass *pass);

/* After how many of a line's steps the blocks of a cluster exchange what they have. */
int pass_cluster_cut(const struct pass *pass);

/* How many columns of that split a cluster's block has, which follow one another where it reads
 * them, or rows, where it writes them; of those with mirrors either half does. */
int64_t pass_cluster_run(const struct pass *pass, bool out);

/* How many slices a pass has, of which a run does one; 1: a run does it all. */
int64_t pass_slices(const struct pass *pass);

/* Lines the pass transforms: the product of the loops. */
int64_t pass_lines(const struct pass *pass);

/* Elements from the first of those lines to the line-th, counted by the first loop fastest, on
 * that side. */
int64_t pass_line_start(const struct pass *pass, int64_t line, bool out);

/* Elements of a line with all its folds. */
int64_t pass_line_elements(const struct pass *pass);

/* Whether a CPU does Bluestein's convolution of length 2 h as two of length h, of the frequencies
 * of either parity (device/cpu/parity.h). */
bool pass_parts_parities(const struct pass *pass);

/* Whether the end has a range that counts its own elements. */
bool pass_range_counts_elements(const struct pass *pass, bool out);

#endif

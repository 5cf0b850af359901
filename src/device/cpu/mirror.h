/* Half a spectrum and the complex numbers that two reals each make, out of one another where a line
 * of either lies as pairs: what is left of a real axis of even length n, h = n / 2, around a
 * transform of h numbers. Numbers k and h - k make numbers k and h - k, so it is done in place
 * too. With e = a[k] + conj a[h-k], d = a[k] - conj a[h-k] both ways are
 *     b[k] = e + t_k d,  b[h-k] = conj (e - t_k d).
 * (enum pass_half: SPREAD and FOLD.) Codelets: the lines are rows, all distances in complex
 * numbers. */
#ifndef WEFT_DEVICE_CPU_MIRROR_H
#define WEFT_DEVICE_CPU_MIRROR_H

#include "device/cpu/beside.h"
#include "device/cpu/codelet.h"

/* shape: rows; lanes: h; in_row, out_row; fine_row: where the two factors of the direction are in
 * `fine`. twiddles: t_k, interleaved, 1 <= k <= h / 2. */
struct cpu_mirrors {
    /* From Z, h numbers, to X, h + 1: t_k = -i exp(-2 pi i k / n). Real and imaginary parts of
     * e + t_k d and e - t_k d are multiplied by the factors. */
    codelet_function *unfold;
    /* From X to Z: t_k = i exp(-2 pi i k / n). Real and imaginary parts of X are multiplied. */
    codelet_function *fold;

    /* The same of reals x that X is, turned: u_k X[k] = x[k+o] - i x[n-k+o] but for signs, where
     * struct reals has one part count up and the other one down. h is at least `lanes`; rows are
     * in_row and out_row reals apart; o is shape.turn, 0 or -1. conj u_{h-k} is c u_k. Vectors
     * begin at number 1, the last one goes up to number h / 2. twiddles of h that is listed
     * (mirrors_turns_listed()): a_k = u_k + u_k t_k, b_k = u_k - u_k t_k, c b_k and c a_k, of each
     * vector of mirrors_listed_width() lanes eight planes of reals. Of others: u_k and u_k t_k of
     * numbers 0 to `lanes` - 1 over those of number 0, in planes of `lanes`; then, four reals each,
     * those of the numbers that vectors begin with. fine: the factors of the reals that count up,
     * of those that count down, of the one that X[0] is, and of x[h+o], which X[h] is; and c. */
    codelet_function *unfold_turned, *fold_turned;
    int lanes; /* a power of two */

    /* Lines z of n = 2 h reals, which h pairs are, from x and to x, likewise: of part z[i] = x[2 i]
     * and z[n-1-i] = +-x[2 i + 1], of join the other way. fine: a factor and that with the sign. */
    codelet_function *part, *join;

    /* Lines of h numbers from n = 2 h reals and to them, from both ends, likewise: number k is
     * u_k (x[2 k] + i s x[n-1-2 k]), and the parts of u_k times it, times a factor each, are those
     * reals. u_{h-1-k} is c conj u_k. twiddles of h that is listed: u_k, in planes of h. Of others:
     * u_k of numbers 0 to `lanes` - 1 over that of number 0, in planes of `lanes`; then, two reals
     * each, those that vectors begin with, from number 0 on, the last one up to h - 1. fine: s; or
     * the factor of the real parts, the parts of c times that of the imaginary ones, and that. */
    codelet_function *of_ends, *to_ends;
    /* unfold_turned, join and to_ends write past the caches where out_leg is not 0 and places are
     * aligned to vectors: of numbers a multiple of twice `lanes`, o being 0. */

    /* The ends of a line of reals in two passes. Shape: lanes, neighbours in planes; in_row.
     * columns: the columns' results, `rows` numbers of each lane, which are two columns' at once,
     * apart and times the split's twiddles: numbers 0 to rows / 2 of neighbouring columns, to
     * planes, at out_row. twiddles and fine: those of CODELET_TWIDDLE_SPLIT, fine_row reals of
     * fine ones to a number.
     * numbers: the planes' numbers as pairs, whose parts are multiplied by the factors, at out_row;
     * mirrored: their conjugates, the last lane's first. */
    codelet_function *columns, *numbers, *mirrored;

    /* Numbers 0 to rows / 2 of lines of reals in planes, and from in_re and in_im those of other
     * lines: `rows` numbers of both become those of the ones and i times the others. */
    codelet_function *joined;

    /* The other way: pairs, `in_row` apart, times the factors to planes; and conjugates, of which
     * in_re is the first lane's, the next one's before it. */
    codelet_function *of_numbers, *of_mirrored;

    /* Numbers of planes, turned, as two reals each, the real and the imaginary part. Lane c of row
     * r, turned by root r of `twiddles` (at twiddle_plane) times root c of `fine` (at fine_plane),
     * is the real at c + out_row r from out_re and, times the sign shape.turn, the one at
     * -c - out_row r from out_im; of_reals: the other way, from in_re and in_im. */
    codelet_function *to_reals, *of_reals;

    /* The parts of number c of planes are the reals 4 c and 4 c + 2 from out_re on, rows out_row
     * apart, times the first of `fine`; where shape.turn is -1, downwards from there. of_others:
     * the other way, from in_re. */
    codelet_function *to_others, *of_others;

    /* The same past the caches, NULL: there are none. Lanes are a multiple of `lanes`, places
     * aligned to vectors. Of numbers, upright and mirrored, lane i + in_leg is taken for lane i;
     * those of lanes behind the last one are the first of `twiddles`, a row for each, twiddle_row
     * apart and planar at twiddle_plane, before which there is room for a vector. After the last
     * of both comes `fence`, for whoever reads what they wrote. */
    codelet_function *columns_streamed, *numbers_streamed, *mirrored_streamed;
    void (*fence)(void);
    /* Whole lines of a cache as they are, between two places that are aligned to them. */
    void (*lines_streamed)(char *to, const char *from, size_t bytes);
    /* Rows of `lanes` pairs, which are whole lines of a cache, in_row apart, to rows that begin
     * anywhere in a line, out_row apart. Numbers before the first line's edge are left to the next
     * tile, in a line behind the row, where those are that go with the last ones; in_leg is not 0:
     * there are none; out_leg is not 0: none are left. */
    codelet_function *rows_streamed;
    /* to_reals likewise: out_re is the lane 0's real that counts up, the one that counts down is
     * out_leg reals further on, and those of the two that are not aligned (in_leg 0: the ones
     * that count down) go one lane later: a row's last lane takes its real from out_im, one a row,
     * and leaves the first lane's there. */
    codelet_function *reals_streamed;

    /* Rows of lines beside each other (beside.h), from the reals that numbers are to numbers of the
     * tile, and back: each as it is, or own and other ones folded, and unfolded to twice what they
     * are. */
    beside_function *gather_beside, *scatter_beside, *fold_beside, *unfold_beside;
    /* Of two lines at once: numbers of both to those of the one and i times the other; and back,
     * own and other ones, of which there is the first part, to twice what they are. They take
     * `lanes` lanes at least. */
    beside_function *join_beside, *part_beside;

    /* Halves of spectra of lines of reals, two of which are the real and the imaginary parts of a
     * lane of planes: from Z, `rows` numbers, in_row reals apart, to X, rows / 2 + 1 of
     * them; parts of twice X are multiplied by the factors. join: the other way, from X to Z; fine:
     * the sign of imaginary parts. Lanes fill BESIDE_BYTES.
     * halves: numbers of X are out_row (in_row) reals apart, and those of both lines, four reals,
     * follow the ones of the lane before. along: numbers of a line, 3 at least, follow one another,
     * out_row is from a lane to the next and out_leg (in_leg) from one line of both to the other.
     */
    codelet_function *part_halves, *join_halves, *part_along, *join_along;
    const struct cpu_mirrors *narrower; /* by weft_precision, that have the last two; NULL: they are
                                         * here */
};

/* Whether the turns of so many numbers are listed: their list leaves room in the first-level cache.
 * (Experiment "listed turns" in docs/experiments.) */
#define MIRRORS_LIST_BYTES 8192
static inline bool mirrors_turns_listed(int64_t h, int64_t real_bytes)
{
    return 4 * h * real_bytes <= MIRRORS_LIST_BYTES;
}

/* Likewise of from and to both ends, whose lists are half as long. */
static inline bool mirrors_ends_listed(int64_t h, int64_t real_bytes)
{
    return 2 * h * real_bytes <= MIRRORS_LIST_BYTES;
}

/* Lanes of the vectors that listed numbers 1 to h / 2 are taken by: all, or half as many where
 * these fill no more. */
static inline int64_t mirrors_listed_width(int64_t lanes, int64_t h)
{
    return h / 2 >= lanes ? lanes : lanes / 2;
}

/* By weft_precision. */
extern const struct cpu_mirrors mirrors_basic[2];
#if defined(__x86_64__)
extern const struct cpu_mirrors mirrors_avx2[2], mirrors_avx512[2];
#endif

/* Those of the kernel's set and precision (mirror_tables.c). */
struct kernel;
const struct cpu_mirrors *mirrors_of(const struct kernel *kernel);

#endif

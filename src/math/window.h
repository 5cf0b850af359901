/* The window by which numbers between those of a transform are interpolated: a discrete transform
 * of n numbers from one of 2 h (Dutt and Rokhlin 1993; Fourmont 2003). With F the transform of
 * x[j] factor(j), -n/2 < j < n/2, among zeros,
 *
 *     X[k] = sum_l psi(2 h k / n - l) F[l],
 *     psi(x) = I0(beta sqrt(1 - (2 x / width)^2)) / I0(beta),
 *
 * over the l at most width / 2 away, and factor(j) is one over psi's own transform. F of even and
 * of odd l are transforms of length h. For k = first + lane their l - 2 k hardly differ, so all
 * lanes take the same ones: `taps` of either parity. What psi is at those is a polynomial, one for
 * each tap, of where in its step of two the first one lies. */
#ifndef WEFT_MATH_WINDOW_H
#define WEFT_MATH_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#define WINDOW_BLOCK_BYTES   64 /* of the lanes' reals */
#define WINDOW_FLOAT_DEGREE  16
#define WINDOW_DOUBLE_DEGREE 20
#define WINDOW_FIT           (WINDOW_DOUBLE_DEGREE + 2)
#define WINDOW_FLOAT_TAPS    5
#define WINDOW_DOUBLE_TAPS   9
#define WINDOW_MOST_TAPS     WINDOW_DOUBLE_TAPS

/* Polynomials of taps in so many cells of their variable's range. */
#define WINDOW_CELLS 256

struct window {
    int64_t n, h;
    int lanes, taps, degree;
    double width, lag; /* lag: of the last lane behind the first one, in steps of two */
    double step;       /* from a lane's variable of the polynomials to that of the one before it */
    long double beta, turn, inner; /* 1 / n, 1 / (1 + lag) */
};

/* For floats or doubles. h is at most n / 16 more than n, or n / 43 less. */
struct window window_make(int64_t n, int64_t h, int real_bytes);

/* From numbers of one parity of half of a spectrum of 2 h reals, and what wraps around at either
 * end, to those of the other. */
int64_t window_half_pitch(int64_t h, int64_t lanes);

/* Where the taps of lanes k, k + 1, ... begin, of either parity: F's number 2 tap + odd. The
 * variable of the polynomials at lane k is y, less by the window's step at each further lane. */
struct window_firsts {
    int64_t *tap[2];
    double *y[2];
};

/* Those of `count` blocks, one behind the other. */
void window_first_taps(const struct window *window, int64_t k, int64_t count,
                       const struct window_firsts *firsts);

/* The coefficients of taps' polynomials, the constant first, and at last what rounding that
 * leaves. Of tap taps - 1 - t they are those of t, of odd powers with the other sign. */
void window_fit_taps(const struct window *window, double fit[WINDOW_MOST_TAPS][WINDOW_FIT]);

/* Whether the weights of a line of doubles are rather made as they are used than kept: where the
 * last cache, of so many bytes, has no room for them, and the lanes' variables differ so little
 * that one cell's polynomials serve all of them. */
bool window_has_cells(const struct window *window, int64_t cache_bytes);

/* Where lanes are whose first one's variable is y: in which cell, and the first one's variable of
 * its polynomials, less by window_cell_step() at each further lane. */
struct window_place {
    int64_t cell;
    double u;
};

/* How many times as long as n, or as short, h may be for that. */
double window_cells_excess(const struct window *window);

/* How many coefficients they have. */
int window_powers(const struct window *window);
void window_place_lanes(const struct window *window, const double *y, int64_t count,
                        struct window_place *place);
double window_cell_step(const struct window *window);

/* The taps' coefficients of a power of u, from -1 to 1, by cell and from the highest one down, from
 * what window_fit_taps() has. */
void window_fit_cells(const struct window *window, const double fit[WINDOW_MOST_TAPS][WINDOW_FIT],
                      double *cell);

/* Likewise of factor(j), 0 <= j <= n / 2, the variable being 8 j^2 / n^2: terms that count are
 * positive. */
void window_fit_factor(const struct window *window, double fit[WINDOW_FIT]);

#endif

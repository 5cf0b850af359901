#include "math/window.h"

#include <math.h>
#include <string.h>

static const long double pi = 3.141592653589793238462643383279502884L;

enum { NODES = WINDOW_DOUBLE_DEGREE + 1, HALF_NODES = (NODES + 1) / 2 };

/* Wider windows are no more exact, and lose digits; of what is left out, some exp(-2.2 width), half
 * of that is less than what is rounded. (Experiment "resampled" in docs/experiments.) */
#define MOST_FLOAT_WIDTH  8.8
#define MOST_DOUBLE_WIDTH 17.6

/* Of the series, which has the rounded sum of doubles long before. */
#define LEAST_TERMS 16
#define MORE_TERMS  2.4L /* for each unit of sqrt(z), */
#define MOST_TERMS  88   /* so many of the widest */

struct window window_make(int64_t n, int64_t h, int real_bytes)
{
    struct window w = {.n = n, .h = h, .lanes = WINDOW_BLOCK_BYTES / real_bytes};
    const bool single = real_bytes == sizeof(float);
    w.lag = (w.lanes - 1) * fabs((double)(h - n)) / (double)n;
    w.taps = single ? WINDOW_FLOAT_TAPS : WINDOW_DOUBLE_TAPS;
    w.width = fmin(2 * (w.taps - w.lag), single ? MOST_FLOAT_WIDTH : MOST_DOUBLE_WIDTH);
    w.degree = single ? WINDOW_FLOAT_DEGREE : WINDOW_DOUBLE_DEGREE;
    w.beta = pi * w.width * (1 - (long double)n / (4 * (long double)h));
    w.turn = 1 / (long double)n;
    w.inner = 1 / (1 + (long double)w.lag);
    w.step = (double)(2 * (long double)(h - n) * w.turn * w.inner);
    return w;
}

int64_t window_half_pitch(int64_t h, int64_t lanes)
{
    return (h / 2 + 3 * lanes) / lanes * lanes;
}

/* Where the first lane is, 2 h k / n = 2 (k + ahead / n), or the last one if lanes fall back, which
 * is in front of the others by the lag: ahead = whole n + rest. */
void window_first_taps(const struct window *w, int64_t k, int64_t count,
                       const struct window_firsts *firsts)
{
    const int64_t n = w->n, ahead = k * (w->h - n), further = w->lanes * (w->h - n);
    int64_t whole = ahead / n - (ahead % n < 0), rest = ahead - whole * n;
    const long double back = w->h < n ? w->lag : 0, lag = w->lag, turn = w->turn, inner = w->inner;
    for (int64_t i = 0; i < count; i++, k += w->lanes) {
        for (int odd = 0; odd < 2; odd++) {
            const long double from = (long double)rest * turn - back - (w->taps - lag + odd) / 2;
            const int64_t above = (int64_t)(double)from; /* it is negative */
            firsts->tap[odd][i] = k + whole + above;
            const long double y = 2 * ((long double)above - from - back) - 1 + lag;
            firsts->y[odd][i] = (double)(y * inner);
        }
        rest += further;
        for (; rest >= n; rest -= n) whole++;
        for (; rest < 0; rest += n) whole--;
    }
}

/* ---- polynomials ---- */

/* Chebyshev's polynomials: at the first half of their nodes, the middle one at last, and as powers,
 * which are whole numbers. Those of even degree are even, and those of odd degree odd. */
struct chebyshev {
    long double node[NODES];
    long double at[NODES][HALF_NODES];
    double power[NODES][NODES];
};

static void make_powers(struct chebyshev *c)
{
    memset(c->power, 0, sizeof c->power);
    c->power[0][0] = c->power[1][1] = 1;
    for (int j = 2; j < NODES; j++) {
        c->power[j][0] = -c->power[j - 2][0];
        for (int p = 1; p <= j; p++)
            c->power[j][p] = 2 * c->power[j - 1][p - 1] - c->power[j - 2][p];
    }
}

static void make_chebyshev(struct chebyshev *c)
{
    make_powers(c);
    for (int i = 0; i < HALF_NODES; i++) {
        const long double x = i == NODES / 2 ? 0 : cosl(pi * (i + 0.5L) / NODES);
        c->node[i] = x;
        c->node[NODES - 1 - i] = -x;
        c->at[0][i] = 1;
        c->at[1][i] = x;
        for (int j = 2; j < NODES; j++)
            c->at[j][i] = 2 * x * c->at[j - 1][i] - c->at[j - 2][i];
    }
}

/* Sums and differences of values at nodes that mirror each other, the middle one by itself. */
static void fold_values(const long double *value, long double folded[2][HALF_NODES])
{
    for (int i = 0; i < NODES / 2; i++) {
        folded[0][i] = value[i] + value[NODES - 1 - i];
        folded[1][i] = value[i] - value[NODES - 1 - i];
    }
    folded[0][NODES / 2] = value[NODES / 2];
    folded[1][NODES / 2] = 0;
}

/* The polynomial, as powers, that has these values at the nodes, without what is above `degree`. */
static void fit_values(const struct chebyshev *c, const long double *value, int degree,
                       long double *sum)
{
    long double folded[2][HALF_NODES], share[NODES];
    fold_values(value, folded);
    for (int j = 0; j <= degree; j++) {
        long double all = 0;
        for (int i = 0; i < HALF_NODES; i++)
            all += folded[j % 2][i] * c->at[j][i];
        share[j] = (j ? 2 : 1) * all / NODES;
    }
    for (int p = 0; p < NODES; p++) {
        sum[p] = 0;
        for (int j = p; j <= degree; j += 2)
            sum[p] += share[j] * c->power[j][p];
    }
}

/* 1 / k^2 */
struct series {
    long double share[MOST_TERMS + 1];
};

static void make_series(struct series *series)
{
    for (int k = 1; k <= MOST_TERMS; k++)
        series->share[k] = 1 / ((long double)k * k);
}

/* I0(2 sqrt(z)), by its series. */
static void bessel(const struct series *series, int count, const long double *z,
                   long double *value)
{
    long double most = 0;
    for (int i = 0; i < count; i++)
        most = fmaxl(most, z[i]);
    const int terms = LEAST_TERMS + (int)(MORE_TERMS * sqrtl(most));
    for (int i = 0; i < count; i += 3) {
        const int second = i + 1 < count ? i + 1 : i, third = i + 2 < count ? i + 2 : i;
        long double a = 1, b = 1, c = 1; /* in registers, and none waits for another */
        for (int k = terms; k > 0; k--) {
            a = 1 + a * (z[i] * series->share[k]);
            b = 1 + b * (z[second] * series->share[k]);
            c = 1 + c * (z[third] * series->share[k]);
        }
        value[third] = c;
        value[second] = b;
        value[i] = a;
    }
}

static long double bessel_of_beta(const struct window *w, const struct series *series)
{
    const long double z = w->beta * w->beta / 4;
    long double value;
    bessel(series, 1, &z, &value);
    return value;
}

static void round_fit(const long double *sum, double fit[WINDOW_FIT])
{
    for (int p = 0; p < NODES; p++)
        fit[p] = (double)sum[p];
    fit[NODES] = (double)(sum[0] - fit[0]);
}

void window_fit_taps(const struct window *w, double fit[WINDOW_MOST_TAPS][WINDOW_FIT])
{
    struct chebyshev chebyshev;
    struct series series;
    make_chebyshev(&chebyshev);
    make_series(&series);
    const long double all = bessel_of_beta(w, &series);
    for (int t = 0; 2 * t < w->taps; t++) {
        long double z[NODES], value[NODES], sum[NODES];
        for (int i = 0; i < NODES; i++) {
            const long double x = 2 * t + 1 - w->taps + (1 + w->lag) * chebyshev.node[i];
            const long double u = 2 * x / w->width;
            z[i] = w->beta * w->beta / 4 * (1 - u * u);
        }
        bessel(&series, NODES, z, value);
        for (int i = 0; i < NODES; i++)
            value[i] /= all;
        fit_values(&chebyshev, value, w->degree, sum);
        round_fit(sum, fit[t]);
        double *mirrored = fit[w->taps - 1 - t];
        for (int p = 0; p < WINDOW_FIT; p++)
            mirrored[p] = p % 2 && p < NODES ? -fit[t][p] : fit[t][p];
    }
}

/* ---- cells ---- */

/* The farthest that the lanes of cells are apart. (Experiment "weights" in docs/experiments.) */
#define MOST_CELL_LAG 0.08

/* Of a cache, for weights, beside all else that an execution touches. */
#define KEPT 0.25

bool window_has_cells(const struct window *w, int64_t cache_bytes)
{
    if (w->taps < WINDOW_DOUBLE_TAPS) return false;
    const int64_t bytes = w->n * w->taps * WINDOW_BLOCK_BYTES / w->lanes;
    return (double)bytes > KEPT * (double)cache_bytes && w->lag <= MOST_CELL_LAG;
}

double window_cells_excess(const struct window *w)
{
    return 1 + MOST_CELL_LAG / (w->lanes - 1);
}

/* Of polynomials in cells; powers that are known before; the share of psi that is left out. */
enum { MOST_POWERS = 13, SPARE_POWERS = 4, MOST_SHIFTED = MOST_POWERS + SPARE_POWERS };
#define LEAST_SHARE 2e-17

/* Half of the variable's range in a cell: its own, and what lanes are ahead of or behind the middle
 * one. */
static double cell_reach(const struct window *w)
{
    return 1.0 / WINDOW_CELLS + w->lag;
}

static double cell_middle(int64_t cell)
{
    return (double)(2 * cell + 1) / WINDOW_CELLS - 1;
}

double window_cell_step(const struct window *w)
{
    return w->step / cell_reach(w);
}

void window_place_lanes(const struct window *w, const double *y, int64_t count,
                        struct window_place *place)
{
    const double half = (w->lanes - 1) / 2.0 * w->step, reach = cell_reach(w);
    for (int64_t i = 0; i < count; i++) {
        const int64_t above = (int64_t)((y[i] - half + 1) * (WINDOW_CELLS / 2));
        const int64_t cell = above < WINDOW_CELLS ? above : WINDOW_CELLS - 1;
        place[i] = (struct window_place){cell, (y[i] - cell_middle(cell)) / reach};
    }
}

/* What power p of a cell's variable is without those that Chebyshev's polynomial has in its place
 * counts 2 (bend reach / 2)^p / p!, where psi bends as exp(bend x) at most. */
int window_powers(const struct window *w)
{
    const double half = (double)(w->beta / w->width) * cell_reach(w);
    double share = 2;
    int powers = 0;
    while (share > LEAST_SHARE && powers < MOST_POWERS) {
        powers++;
        share *= half / powers;
    }
    return powers;
}

/* By powers, the taps' side by side: none waits for another. */
struct shifted {
    long double power[MOST_SHIFTED][WINDOW_MOST_TAPS];
};

/* The polynomials' coefficients about `middle`, of powers of what is `reach` times u. */
static void shift_fits(const double fit[WINDOW_MOST_TAPS][WINDOW_FIT], double middle, double reach,
                       int powers, struct shifted *shifted)
{
    double rest[NODES][WINDOW_MOST_TAPS], scale = 1;
    long double value[WINDOW_MOST_TAPS] = {0};
    for (int p = NODES - 1; p >= 0; p--) {
        for (int t = 0; t < WINDOW_MOST_TAPS; t++) {
            rest[p][t] = fit[t][p];
            value[t] = value[t] * middle + fit[t][p];
        }
    }
    for (int power = 0; power < powers; power++, scale *= reach) {
        for (int p = NODES - 2; p >= power; p--) {
            for (int t = 0; t < WINDOW_MOST_TAPS; t++)
                rest[p][t] += middle * rest[p + 1][t];
        }
        for (int t = 0; t < WINDOW_MOST_TAPS; t++)
            shifted->power[power][t] = rest[power][t] * scale;
    }
    for (int t = 0; t < WINDOW_MOST_TAPS; t++)
        shifted->power[0][t] = value[t] + fit[t][NODES];
}

/* Those above the lowest `powers` are made lower ones by the rest of Chebyshev's polynomials. */
static void lower_powers(const struct chebyshev *c, int powers, struct shifted *shifted)
{
    for (int power = powers + SPARE_POWERS - 1; power >= powers; power--) {
        for (int t = 0; t < WINDOW_MOST_TAPS; t++) {
            const long double share = shifted->power[power][t] / c->power[power][power];
            for (int p = power - 2; p >= 0; p -= 2)
                shifted->power[p][t] -= share * c->power[power][p];
        }
    }
}

/* Of tap taps - 1 - t what tap t is in the cell as far on the other side of the middle. */
static void mirror_cell(int powers, const double *cell, double *mirrored)
{
    for (int p = 0; p < powers; p++) {
        const double sign = p % 2 ? -1 : 1;
        for (int t = 0; t < WINDOW_MOST_TAPS; t++)
            mirrored[(powers - 1 - p) * WINDOW_MOST_TAPS + WINDOW_MOST_TAPS - 1 - t] =
                sign * cell[(powers - 1 - p) * WINDOW_MOST_TAPS + t];
    }
}

void window_fit_cells(const struct window *w, const double fit[WINDOW_MOST_TAPS][WINDOW_FIT],
                      double *cell)
{
    struct chebyshev chebyshev;
    const int powers = window_powers(w), reals = powers * WINDOW_MOST_TAPS;
    double *mirrored = cell + (WINDOW_CELLS - 1) * reals;
    make_powers(&chebyshev);
    for (int i = 0; i < WINDOW_CELLS / 2; i++, cell += reals, mirrored -= reals) {
        struct shifted shifted;
        shift_fits(fit, cell_middle(i), cell_reach(w), powers + SPARE_POWERS, &shifted);
        lower_powers(&chebyshev, powers, &shifted);
        for (int p = 0; p < powers; p++) {
            for (int t = 0; t < WINDOW_MOST_TAPS; t++)
                cell[(powers - 1 - p) * WINDOW_MOST_TAPS + t] = (double)shifted.power[p][t];
        }
        mirror_cell(powers, cell, mirrored);
    }
}

/* One over psi's transform, sinh(s) / s width / I0(beta), at j = n / 2 sqrt((1 + y) / 2): by a
 * polynomial of y, which becomes one of 1 + y. */
void window_fit_factor(const struct window *w, double fit[WINDOW_FIT])
{
    const long double edge = pi * w->width * w->n / (4 * (long double)w->h);
    struct chebyshev chebyshev;
    struct series series;
    make_chebyshev(&chebyshev);
    make_series(&series);
    const long double all = bessel_of_beta(w, &series) / w->width;
    long double value[NODES], sum[NODES];
    for (int i = 0; i < NODES; i++) {
        const long double s = sqrtl(w->beta * w->beta - edge * edge * (1 + chebyshev.node[i]) / 2);
        value[i] = all * s / sinhl(s);
    }
    fit_values(&chebyshev, value, w->degree, sum);
    for (int from = 0; from < w->degree; from++) {
        for (int p = w->degree - 1; p >= from; p--)
            sum[p] -= sum[p + 1];
    }
    round_fit(sum, fit);
}

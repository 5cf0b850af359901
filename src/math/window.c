#include "math/window.h"

#include <math.h>

static const long double pi = 3.141592653589793238462643383279502884L;

enum { NODES = WINDOW_DEGREE + 1 };

/* What else there is of the factors' polynomial is below 1e-19. */
#define FACTOR_DEGREE      18
#define NEAR_FACTOR_DEGREE 12 /* likewise 1e-10 */

/* Wider windows are no more exact, and lose digits; of what is left out, some exp(-2.2 width), half
 * of that is less than what is rounded. (Experiment "resampled" in docs/performance.md.) */
#define MOST_FLOAT_WIDTH  8.8
#define MOST_DOUBLE_WIDTH 18

/* Of the series, which has the rounded sum of doubles long before. */
#define LEAST_TERMS 16

struct window window_make(int64_t n, int64_t h, int real_bytes)
{
    struct window w = {.n = n, .h = h, .lanes = WINDOW_BLOCK_BYTES / real_bytes};
    const bool single = real_bytes == sizeof(float);
    w.lag = (w.lanes - 1) * (double)(h - n) / (double)n;
    w.taps = single ? WINDOW_FLOAT_TAPS : WINDOW_DOUBLE_TAPS;
    w.width = fmin(2 * (w.taps - w.lag), single ? MOST_FLOAT_WIDTH : MOST_DOUBLE_WIDTH);
    w.beta = pi * w.width * (1 - (long double)n / (4 * (long double)h));
    return w;
}

struct window_at window_first_tap(const struct window *w, int64_t k, bool odd, int64_t *tap)
{
    /* 2 h k / n = 2 (k + ahead / n) */
    const int64_t ahead = k * (w->h - w->n), whole = ahead / w->n;
    const long double rest = (long double)(ahead % w->n) / (long double)w->n;
    const long double from = rest - w->width / 4 - (odd ? 0.5L : 0);
    const int64_t above = (int64_t)from; /* it is negative */
    *tap = whole + above;
    const long double y = (2 * (above - from) - 1 + w->lag) / (1 + w->lag);
    return (struct window_at){(double)y, (double)(y - (double)y)};
}

/* The first part has as few digits that lanes times it are exact. */
struct window_at window_step(const struct window *w)
{
    const long double step = 2 * (long double)(w->h - w->n) / w->n / (1 + w->lag);
    const double high = (float)step;
    return (struct window_at){high, (double)(step - high)};
}

/* ---- polynomials ---- */

/* Chebyshev's. */
static void find_nodes(long double *node)
{
    for (int i = 0; i < NODES; i++)
        node[i] = cosl(pi * (i + 0.5L) / NODES);
}

/* The share of Chebyshev's polynomials, of degree j at the nodes now[], before[] being j - 1. */
static long double share_of(int j, const long double *node, const long double *value,
                            long double *before, long double *now)
{
    long double share = 0;
    for (int i = 0; i < NODES; i++) {
        share += value[i] * now[i];
        const long double next = (j ? 2 : 1) * node[i] * now[i] - before[i];
        before[i] = now[i];
        now[i] = next;
    }
    return (j ? 2 : 1) * share / NODES;
}

/* The polynomial, as powers, that has these values at the nodes, without what is above `degree`. */
static void fit_values(const long double *node, const long double *value, int degree,
                       long double *sum)
{
    long double at_before[NODES] = {0}, at[NODES];
    long double before[NODES] = {0}, now[NODES] = {1};
    for (int i = 0; i < NODES; i++) {
        at[i] = 1;
        sum[i] = 0;
    }
    for (int j = 0; j <= degree; j++) {
        const long double share = share_of(j, node, value, at_before, at);
        for (int p = 0; p <= j; p++)
            sum[p] += share * now[p];
        for (int p = j + 1; p >= 0 && j + 1 < NODES; p--) {
            const long double next = (j ? 2 : 1) * (p ? now[p - 1] : 0) - before[p];
            before[p] = now[p];
            now[p] = next;
        }
    }
}

/* I0(2 sqrt(z)), by its series. */
static void bessel(int count, const long double *z, long double *value)
{
    for (int i = 0; i < count; i++)
        value[i] = 1;
    long double most = 0;
    for (int i = 0; i < count; i++)
        most = fmaxl(most, z[i]);
    for (int k = LEAST_TERMS + (int)(2.4L * sqrtl(most)); k > 0; k--) {
        const long double share = 1 / ((long double)k * k);
        for (int i = 0; i < count; i++)
            value[i] = 1 + value[i] * (z[i] * share);
    }
}

static long double bessel_of_beta(const struct window *w)
{
    const long double z = w->beta * w->beta / 4;
    long double value;
    bessel(1, &z, &value);
    return value;
}

void window_fit_taps(const struct window *w, double fit[WINDOW_MOST_TAPS][WINDOW_FIT])
{
    const long double all = bessel_of_beta(w);
    long double node[NODES];
    find_nodes(node);
    for (int t = 0; t < w->taps; t++) {
        const long double centre = 2 * t + 1 - (long double)w->width / 2 - w->lag;
        long double z[NODES], value[NODES], sum[NODES];
        for (int i = 0; i < NODES; i++) {
            const long double u = 2 * (centre + (1 + w->lag) * node[i]) / w->width;
            z[i] = w->beta * w->beta / 4 * (1 - u * u);
        }
        bessel(NODES, z, value);
        for (int i = 0; i < NODES; i++)
            value[i] /= all;
        fit_values(node, value, WINDOW_DEGREE, sum);
        for (int p = 0; p < NODES; p++)
            fit[t][p] = (double)sum[p];
        fit[t][NODES] = (double)(sum[0] - fit[t][0]);
    }
}

/* One over psi's transform, sinh(s) / s width / I0(beta), at j = n / 2 sqrt(v). */
static void fit_factor(const struct window *w, long double *fit)
{
    const long double edge = pi * w->width * w->n / (4 * (long double)w->h);
    const long double all = bessel_of_beta(w) / w->width;
    long double node[NODES], value[NODES];
    find_nodes(node);
    for (int i = 0; i < NODES; i++) {
        const long double s = sqrtl(w->beta * w->beta - edge * edge * (1 + node[i]) / 2);
        value[i] = all * s / sinhl(s);
    }
    fit_values(node, value, FACTOR_DEGREE, fit);
}

static double exact_factor(const struct window *w, const long double *fit, int64_t j)
{
    const long double q = 2 * (long double)j / w->n, y = 2 * q * q - 1;
    long double sum = fit[FACTOR_DEGREE];
    for (int p = FACTOR_DEGREE - 1; p >= 0; p--)
        sum = sum * y + fit[p];
    return (double)sum;
}

/* For floats. */
static double near_factor(const struct window *w, const long double *fit, int64_t j)
{
    const double q = 2 * (double)j / (double)w->n, y = 2 * q * q - 1;
    double sum = (double)fit[NEAR_FACTOR_DEGREE];
    for (int p = NEAR_FACTOR_DEGREE - 1; p >= 0; p--)
        sum = sum * y + (double)fit[p];
    return sum;
}

void window_factors(const struct window *w, int64_t count, double *factor)
{
    long double fit[NODES];
    fit_factor(w, fit);
    const bool single = w->lanes == WINDOW_BLOCK_BYTES / (int)sizeof(float);
    for (int64_t j = 0; j < count; j++)
        factor[j] = single ? near_factor(w, fit, j) : exact_factor(w, fit, j);
}

#include "math/window.h"

#include <math.h>

static const long double pi = 3.141592653589793238462643383279502884L;

enum { NODES = WINDOW_DOUBLE_DEGREE + 1 };

/* Wider windows are no more exact, and lose digits; of what is left out, some exp(-2.2 width), half
 * of that is less than what is rounded. (Experiment "resampled" in docs/experiments.) */
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
    w.degree = single ? WINDOW_FLOAT_DEGREE : WINDOW_DOUBLE_DEGREE;
    w.beta = pi * w.width * (1 - (long double)n / (4 * (long double)h));
    w.turn = 1 / (long double)n;
    w.inner = 1 / (1 + (long double)w.lag);
    return w;
}

struct window_first window_first_taps(const struct window *w, int64_t k)
{
    /* 2 h k / n = 2 (k + ahead / n) */
    const int64_t ahead = k * (w->h - w->n), whole = ahead / w->n;
    struct window_first first;
    for (int odd = 0; odd < 2; odd++) {
        const long double from = (long double)(ahead - whole * w->n) * w->turn -
                                 (w->taps - (long double)w->lag + odd) / 2;
        const int64_t above = (int64_t)(double)from; /* it is negative */
        first.tap[odd] = whole + above;
        first.y[odd] = (double)((2 * ((long double)above - from) - 1 + w->lag) * w->inner);
    }
    return first;
}

double window_step(const struct window *w)
{
    return (double)(2 * (long double)(w->h - w->n) * w->turn * w->inner);
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

static void round_fit(const long double *sum, double fit[WINDOW_FIT])
{
    for (int p = 0; p < NODES; p++)
        fit[p] = (double)sum[p];
    fit[NODES] = (double)(sum[0] - fit[0]);
}

void window_fit_taps(const struct window *w, double fit[WINDOW_MOST_TAPS][WINDOW_FIT])
{
    const long double all = bessel_of_beta(w);
    long double node[NODES];
    find_nodes(node);
    for (int t = 0; 2 * t < w->taps; t++) {
        long double z[NODES], value[NODES], sum[NODES];
        for (int i = 0; i < NODES; i++) {
            const long double x = 2 * t + 1 - w->taps + (1 + w->lag) * node[i];
            const long double u = 2 * x / w->width;
            z[i] = w->beta * w->beta / 4 * (1 - u * u);
        }
        bessel(NODES, z, value);
        for (int i = 0; i < NODES; i++)
            value[i] /= all;
        fit_values(node, value, w->degree, sum);
        round_fit(sum, fit[t]);
        double *mirrored = fit[w->taps - 1 - t];
        for (int p = 0; p < WINDOW_FIT; p++)
            mirrored[p] = p % 2 && p < NODES ? -fit[t][p] : fit[t][p];
    }
}

/* One over psi's transform, sinh(s) / s width / I0(beta), at j = n / 2 sqrt((1 + y) / 2): by a
 * polynomial of y, which becomes one of 1 + y. */
void window_fit_factor(const struct window *w, double fit[WINDOW_FIT])
{
    const long double edge = pi * w->width * w->n / (4 * (long double)w->h);
    const long double all = bessel_of_beta(w) / w->width;
    long double node[NODES], value[NODES], sum[NODES];
    find_nodes(node);
    for (int i = 0; i < NODES; i++) {
        const long double s = sqrtl(w->beta * w->beta - edge * edge * (1 + node[i]) / 2);
        value[i] = all * s / sinhl(s);
    }
    fit_values(node, value, w->degree, sum);
    for (int from = 0; from < w->degree; from++) {
        for (int p = w->degree - 1; p >= from; p--)
            sum[p] -= sum[p + 1];
    }
    round_fit(sum, fit);
}

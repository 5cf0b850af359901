#include "support/hook_twin.h"

#include <complex.h>
#include <math.h>
#include <stddef.h>

/* An expression, and the same in C. */
struct twin {
    const char *source;
    double complex (*apply)(const struct hook_place *at, double complex x);
};

static double complex turn(const struct hook_place *at, double complex x)
{
    const double k = (double)at->k[at->last], k0 = (double)at->k[1];
    const double angle = 0.3 * fmod(k, 50) + (double)(at->k[0] - at->kernel);
    const double complex factor = cos(angle) + I * sin(0.7 * fmod(k0, 9));
    return x * factor + (at->inverse ? 0.5 * I : 0.25);
}

static double complex ramp(const struct hook_place *at, double complex x)
{
    const double k = (double)at->k[at->last], n = (double)at->n[at->last];
    return conj(x) / (2 + fmod(k, 3)) - k / n;
}

static double complex magnitude(const struct hook_place *at, double complex x)
{
    (void)at;
    return cabs(x);
}

static double complex window(const struct hook_place *at, double complex x)
{
    const double k = (double)at->k[at->last], n = (double)at->n[at->last];
    const double pi = 3.14159265358979323846;
    return x * (1.25 - cos(2 * pi * k / n)) / 2 + (double)(at->inverse ? at->k[0] : at->kernel);
}

static double complex steps(const struct hook_place *at, double complex x)
{
    const double weights[] = {1, 0.5, 0.25};
    const int64_t k = at->k[1];
    return (2 * k < at->n[1] ? x : -x / 3) * weights[k < 2 ? k : 2];
}

static const struct twin complex_twins[] = {
    {"x * complex(cos(0.3 * mod(k, 50) + batch - kernel), sin(0.7 * mod(k0, 9)))\n"
     "+ (inverse ? 0.5 * i : 0.25)", turn},
    {"# slower and slower\nconj(x) / (2 + mod(k, 3)) - k / n;", ramp},
    {"abs(x)", magnitude},
};
static const struct twin real_twins[] = {
    {"let w = (1.25 - cos(2 * pi * k / n)) / 2; x * w + (inverse ? batch : kernel)", window},
    {"(k0 < n0 / 2 ? x : -x / 3) * pick(k0, 1, 0.5, 0.25)", steps},
};

const char *hook_twin_random(struct random *random, bool real)
{
    if (real) return real_twins[random_between(random, 0, 1)].source;
    return complex_twins[random_between(random, 0, 2)].source;
}

static const struct twin *find_twin(const char *source, bool real)
{
    const struct twin *twin = real ? real_twins : complex_twins;
    while (twin->source != source) twin++;
    return twin;
}

void hook_twin_apply(const char *source, const struct hook_place *at, bool real, double *re,
                     double *im)
{
    if (!source) return;
    const double complex x = *re + I * (real ? 0 : *im);
    const double complex y = find_twin(source, real)->apply(at, x);
    *re = creal(y);
    if (!real) *im = cimag(y);
}

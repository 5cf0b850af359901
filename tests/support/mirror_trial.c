#include "support/mirror_trial.h"

#include <stdlib.h>

#include "math/roots.h"
#include "support/numbers.h"

double mirror_random(void)
{
    return (double)(float)((double)rand() / RAND_MAX - 0.5);
}

complex double mirror_complex(double re, double im)
{
    return re + I * im;
}

complex double mirror_root(int64_t k, int64_t n)
{
    double re, im;
    root_double(k, n, &re, &im);
    return mirror_complex(re, im);
}

complex double mirror_scaled(const struct mirror_trial *t, complex double x)
{
    return mirror_complex(t->factor[0] * creal(x), t->factor[1] * cimag(x));
}

complex double mirror_number(const struct mirror_trial *t, const void *from, int64_t at)
{
    return mirror_complex(number_at(t->precision, from, 2 * at),
                          number_at(t->precision, from, 2 * at + 1));
}

void mirror_put_pair(const struct mirror_trial *t, void *to, int64_t re, int64_t apart,
                     complex double x)
{
    number_put(t->precision, to, re, creal(x));
    number_put(t->precision, to, re + apart, cimag(x));
}

void mirror_on_every_width(void (*all)(const struct cpu_mirrors *))
{
    all(mirrors_basic);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all(mirrors_avx2);
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        all(mirrors_avx512);
#endif
}

#include "support/mirror_trial.h"

#include <stdlib.h>

#include "math/roots.h"

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

void mirror_put(const struct mirror_trial *t, void *to, int64_t at, double x)
{
    if (t->precision == WEFT_F32)
        ((float *)to)[at] = (float)x;
    else
        ((double *)to)[at] = x;
}

complex double mirror_number(const struct mirror_trial *t, const void *from, int64_t at)
{
    if (t->precision == WEFT_F64)
        return mirror_complex(((const double *)from)[2 * at], ((const double *)from)[2 * at + 1]);
    const float *single = from;
    return mirror_complex((double)single[2 * at], (double)single[2 * at + 1]);
}

void mirror_put_pair(const struct mirror_trial *t, void *to, int64_t re, int64_t apart,
                     complex double x)
{
    mirror_put(t, to, re, creal(x));
    mirror_put(t, to, re + apart, cimag(x));
}

/* A number's turn, and what it is times t_k but for a quarter of a turn. */
double mirror_real(const struct mirror_trial *t, const void *from, int64_t at)
{
    return t->precision == WEFT_F32 ? (double)((const float *)from)[at]
                                    : ((const double *)from)[at];
}

/* All rows are the same line. */
void mirror_on_every_width(void (*all)(const struct cpu_mirrors *))
{
    all(mirrors_basic);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all(mirrors_avx2);
    if (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        all(mirrors_avx512);
#endif
}

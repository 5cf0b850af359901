/* The reference transform in doubles. */
#include "extended.h"

typedef double number;

static number number_add(number a, number b)
{
    return a + b;
}

static number number_subtract(number a, number b)
{
    return a - b;
}

static number number_multiply(number a, number b)
{
    return a * b;
}

static number number_from_double(double a)
{
    return a;
}

/* hi is the sum rounded to nearest. */
static number number_from_extended(struct reference_extended a)
{
    return a.hi;
}

#include "transform.h"

static bool take_doubles(struct complex_number *data, int64_t count, double *out)
{
    if (!data) return false;
    for (int64_t i = 0; i < count; i++) {
        out[2 * i] = data[i].re;
        out[2 * i + 1] = data[i].im;
    }
    free(data);
    return true;
}

bool reference_dft_axes_double(int rank, const int64_t *size, uint32_t axes, int sign,
                               const double *in, double *out)
{
    struct complex_number *data = transform_axes(rank, size, axes, sign, NULL, in);
    return take_doubles(data, count_elements(rank, size), out);
}

bool reference_real_axes_double(int rank, const int64_t *size, uint32_t axes,
                                struct reference_real real, const double *in, double *out)
{
    struct complex_number *data = transform_axes(rank, size, axes, -1, &real, in);
    return take_doubles(data, count_elements(rank, size), out);
}

bool reference_dft_double(int64_t n, int sign, const double *in, double *out)
{
    return reference_dft_axes_double(1, &n, 0, sign, in, out);
}

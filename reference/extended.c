/* The reference transform in sums of two doubles. */
#include "extended.h"

typedef struct reference_extended number;

static number number_add(number a, number b)
{
    return extended_add(a, b);
}

static number number_subtract(number a, number b)
{
    return extended_subtract(a, b);
}

static number number_multiply(number a, number b)
{
    return extended_multiply(a, b);
}

static number number_from_double(double a)
{
    return (number){a, 0.0};
}

static number number_from_extended(struct reference_extended a)
{
    return a;
}

#include "transform.h"

static bool take_extended(struct complex_number *data, int64_t count,
                          struct reference_extended *out)
{
    if (!data) return false;
    for (int64_t i = 0; i < count; i++) {
        out[2 * i] = data[i].re;
        out[2 * i + 1] = data[i].im;
    }
    free(data);
    return true;
}

bool reference_dft_axes_extended(int rank, const int64_t *size, uint32_t axes, int sign,
                                 const double *in, struct reference_extended *out)
{
    struct complex_number *data = transform_axes(rank, size, axes, sign, NULL, in);
    return take_extended(data, count_elements(rank, size), out);
}

bool reference_real_axes_extended(int rank, const int64_t *size, uint32_t axes,
                                  struct reference_real real, const double *in,
                                  struct reference_extended *out)
{
    struct complex_number *data = transform_axes(rank, size, axes, -1, &real, in);
    return take_extended(data, count_elements(rank, size), out);
}

bool reference_dft_extended(int64_t n, int sign, const double *in, struct reference_extended *out)
{
    return reference_dft_axes_extended(1, &n, 0, sign, in, out);
}

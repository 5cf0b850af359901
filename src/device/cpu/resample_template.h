/* Lines that others are interpolated among, of both precisions (resample.h): included with
 * RESAMPLE, the table that is defined, and VECTOR_BYTES. */
#include "device/cpu/resample.h"

#define TABLE_OF(precision)                                                                        \
    {                                                                                              \
        spread_##precision, sum_##precision, weigh_##precision, factors_##precision,               \
            open_##precision, unfold_##precision, close_##precision                                \
    }

/* Weights are made in double precision. */
typedef double doubles __attribute__((vector_size(VECTOR_BYTES)));
#define DOUBLES (VECTOR_BYTES / 8)

/* first, first + 1, ... */
static inline doubles lanes_from(double first)
{
    doubles lanes;
    for (int i = 0; i < DOUBLES; i++)
        lanes[i] = first + i;
    return lanes;
}

/* A polynomial is fit[0] + y (odd + y even), and that of -y is fit[0] + y (y even - odd). */
struct polynomial_halves {
    doubles even, odd;
};

static inline struct polynomial_halves polynomial_halves(const double *fit, int degree, doubles y)
{
    const doubles square = y * y;
    struct polynomial_halves sum = {{0}, {0}};
    for (int p = degree; p > 0; p -= 2) {
        sum.even = sum.even * square + fit[p];
        sum.odd = sum.odd * square + fit[p - 1];
    }
    return sum;
}

/* fit[0] + y slope; exact: rounded once, or nearly so, as what is rounded before counts by y. */
static inline doubles polynomial_end(const double *fit, doubles slope, doubles y, bool exact)
{
    const doubles rounded = slope * y + fit[0];
    if (!exact) return rounded;
    return rounded + ((slope * y + (fit[0] - rounded)) + fit[WINDOW_FIT - 1]);
}

#define LINES_FILE "device/cpu/resample_lines.h"
#include "device/cpu/each_precision.h"

const struct cpu_resample RESAMPLE[2] = {
    [WEFT_F32] = TABLE_OF(f32),
    [WEFT_F64] = TABLE_OF(f64),
};

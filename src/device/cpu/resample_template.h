/* Lines that others are interpolated among, of both precisions (resample.h): included with
 * RESAMPLE, the table that is defined, and VECTOR_BYTES. */
#include "device/cpu/resample.h"

#define TABLE_OF(precision) {spread_##precision, sum_##precision, weigh_##precision}

/* Weights are made in double precision. */
typedef double doubles __attribute__((vector_size(VECTOR_BYTES)));
#define DOUBLES (VECTOR_BYTES / 8)

/* The variable of lanes from `lane` on, and what rounding it leaves. */
static inline doubles variable(const struct resample_weigh *w, int lane, doubles *low)
{
    doubles lanes, from = {0};
    for (int i = 0; i < DOUBLES; i++)
        lanes[i] = lane + i;
    from += w->y.high;
    const doubles less = lanes * w->step.high, y = from - less, lost = (from - y) - less;
    *low = lost + (w->y.low - lanes * w->step.low);
    return y;
}

static inline doubles polynomial(const double *fit, doubles y)
{
    doubles sum = {0};
    for (int p = WINDOW_DEGREE; p >= 0; p--)
        sum = sum * y + fit[p];
    return sum;
}

/* Rounded once, or nearly so: of all but the last sum errors count by y, and y's by the slope. */
static inline doubles exact_polynomial(const double *fit, doubles y, doubles low)
{
    doubles sum = {0}, slope = {0};
    for (int p = WINDOW_DEGREE; p > 0; p--) {
        slope = slope * y + sum;
        sum = sum * y + fit[p];
    }
    slope = slope * y + sum;
    const doubles rounded = sum * y + fit[0], rest = fit[0] - rounded;
    return rounded + ((sum * y + rest) + (low * slope + fit[WINDOW_DEGREE + 1]));
}

#define LINES_FILE "device/cpu/resample_lines.h"
#include "device/cpu/each_precision.h"

const struct cpu_resample RESAMPLE[2] = {
    [WEFT_F32] = TABLE_OF(f32),
    [WEFT_F64] = TABLE_OF(f64),
};

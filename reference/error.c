#include "reference.h"

#include <math.h>

static double relative(double difference, double norm)
{
    if (norm == 0.0 && difference == 0.0) return 0.0;
    return sqrt(difference / norm);
}

double reference_error_f32(int64_t elements, const float *x, const double *reference)
{
    double difference = 0.0, norm = 0.0;
    for (int64_t i = 0; i < 2 * elements; i++) {
        double off = (double)x[i] - reference[i];
        difference += off * off;
        norm += reference[i] * reference[i];
    }
    return relative(difference, norm);
}

double reference_error_f64(int64_t elements, const double *x,
                           const struct reference_extended *reference)
{
    double difference = 0.0, norm = 0.0;
    for (int64_t i = 0; i < 2 * elements; i++) {
        double off = (x[i] - reference[i].hi) - reference[i].lo;
        difference += off * off;
        norm += reference[i].hi * reference[i].hi;
    }
    return relative(difference, norm);
}

#include "band.h"

#include <math.h>
#include <stdlib.h>

#define HALF_PI 1.57079632679489661923

/* Reads a number that is not negative up to `end`; an empty text stands for `absent`. */
static bool read_frequency(const char *text, char end, double absent, const char **behind,
                           double *frequency)
{
    *frequency = absent;
    *behind = text;
    if (*text != end) {
        char *stop;
        *frequency = strtod(text, &stop);
        if (stop == text) return false;
        *behind = stop;
    }
    return **behind == end && isfinite(*frequency) && *frequency >= 0;
}

bool band_read(const char *text, band *b)
{
    const char *at;
    const double highest = sqrt(0.5); /* in a corner of the plane of frequencies */
    if (!read_frequency(text, ':', 0, &at, &b->low)) return false;
    if (!read_frequency(at + 1, 0, highest, &at, &b->high)) return false;
    return b->low <= b->high;
}

double band_gain(const band *b, double frequency)
{
    const double beyond = fmax(b->low - frequency, frequency - b->high);
    if (beyond <= 0) return 1;
    if (beyond >= b->falloff) return 0;
    const double edge = cos(HALF_PI * beyond / b->falloff);
    return edge * edge;
}

void band_apply(const band *b, array *half, int64_t width)
{
    const int64_t rows = half->size[0], columns = half->size[1];
    for (int64_t y = 0; y < rows; y++) {
        const double vertical = (double)(y <= rows / 2 ? y : y - rows) / (double)rows;
        for (int64_t x = 0; x < columns; x++) {
            const double horizontal = (double)x / (double)width;
            array_scale(half, y * columns + x, band_gain(b, hypot(vertical, horizontal)));
        }
    }
}

#include "picture_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TEN_DECIBELS    10.0
#define LEAST_RANGE     20.0      /* decibels */
#define NO_POWER        (-1000.0) /* decibels */
#define LOWEST_DECIBELS (-400.0)  /* below what double precision can tell from nothing */

bool picture_is_possible(int rank, const int64_t *size, uint32_t axes)
{
    int longer = 0;
    for (int i = 0; i < rank; i++) {
        if (axes & 1u << i && size[i] > 1) longer++;
    }
    return longer == 1 || longer == 2;
}

double picture_decibels(double power, double reference)
{
    if (!(power > 0) || !(reference > 0)) return NO_POWER;
    return fmax(10 * log10(power / reference), NO_POWER);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

frame_axis picture_decibel_range(double *values, size_t count, double low_share, double high_share)
{
    qsort(values, count, sizeof *values, compare);
    double low = values[(size_t)(low_share * (double)(count - 1))];
    double high = values[(size_t)((1 - high_share) * (double)(count - 1))];
    high = TEN_DECIBELS * ceil(fmax(high, LOWEST_DECIBELS) / TEN_DECIBELS);
    low = TEN_DECIBELS * floor(fmax(low, LOWEST_DECIBELS) / TEN_DECIBELS);
    return (frame_axis){fmin(low, high - LEAST_RANGE), high, "dB below the strongest"};
}

double picture_reference(const spectrum *s)
{
    double strongest = 0;
    for (int64_t i = 1; i < s->count; i++)
        strongest = fmax(strongest, s->power[i]);
    return strongest > 0 ? strongest : s->power[0];
}

bool picture_of_spectrum(frame *f, const spectrum *s, array_origin origin, const char *name,
                         failure *why)
{
    int64_t size[WEFT_MAX_RANK] = {1};
    int longer = 0;
    for (int i = 0; i < s->rank; i++) {
        if (s->size[i] > 1) size[longer++] = s->size[i];
    }
    char title[PICTURE_TEXT];
    snprintf(title, sizeof title, "Spectrum of %s", name);
    if (longer == 1) return picture_of_line(f, s, size[0], title, why);
    return picture_of_plane(f, s, size, origin == ARRAY_IMAGE, title, why);
}

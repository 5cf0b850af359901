/* The strength of every frequency over time. */
#include "picture_parts.h"

#include "colour_map.h"

#include <math.h>

enum { HEIGHT = 420 };

#define RANGE_DECIBELS    80.0
#define KILO              1000.0
#define IN_KILOHERTZ_FROM 2000.0 /* Hz */

static double strongest(const spectrogram *s)
{
    double most = 0;
    for (int64_t i = 0; i < (int64_t)s->columns * s->bins; i++)
        most = fmax(most, s->power[i]);
    return most;
}

/* The highest frequency worth showing: above it, nothing reaches the colours' range. */
static double highest_shown(const spectrogram *s, double reference)
{
    int top = 0;
    for (int column = 0; column < s->columns; column++) {
        const double *power = s->power + (int64_t)column * s->bins;
        for (int bin = s->bins - 1; bin > top; bin--) {
            if (picture_decibels(power[bin], reference) > -RANGE_DECIBELS) top = bin;
        }
    }
    if (s->bins < 2) return fmax(s->highest, 1);
    double highest = s->highest * (top + 1) / (s->bins - 1);
    return fmin(fmax(highest, s->highest / 8), s->highest);
}

static double between(double a, double b, double t)
{
    return a + t * (b - a);
}

/* The power at a place between columns and bins, each counted from the middle of the first. */
static double power_at(const spectrogram *s, double column, double bin)
{
    column = fmin(fmax(column, 0), s->columns - 1);
    bin = fmin(fmax(bin, 0), s->bins - 1);
    int64_t left = (int64_t)column, low = (int64_t)bin;
    int64_t right = left + (left < s->columns - 1), high = low + (low < s->bins - 1);
    const double *a = s->power + left * s->bins, *b = s->power + right * s->bins;
    double t = bin - (double)low;
    return between(between(a[low], a[high], t), between(b[low], b[high], t), column - (double)left);
}

static void draw_colours(frame *f, const spectrogram *s, double highest, const frame_axis *range,
                         double reference)
{
    for (int x = 0; x < f->width; x++) {
        double time = (x + 0.5) / f->width * s->duration;
        for (int y = 0; y < f->height; y++) {
            double frequency = (f->height - y - 0.5) / f->height * highest;
            double power = power_at(s, (time - s->first) / s->step,
                                    frequency / fmax(s->highest, 1) * (s->bins - 1));
            double value = (picture_decibels(power, reference) - range->low) / -range->low;
            canvas_blend(&f->canvas, f->left + x, f->top + y, colour_map(value), 1);
        }
    }
}

bool picture_of_spectrogram(frame *f, const spectrogram *s, double sample_rate, const char *name,
                            failure *why)
{
    char title[PICTURE_TEXT], subtitle[PICTURE_TEXT];
    double reference = strongest(s);
    double highest = highest_shown(s, reference);
    bool kilo = highest >= IN_KILOHERTZ_FROM;
    const frame_axis range = {-RANGE_DECIBELS, 0, "power, dB below the strongest"};
    if (!frame_create(f, PICTURE_COLUMNS, HEIGHT, true, why)) return false;
    snprintf(title, sizeof title, "Spectrogram of %s", name);
    snprintf(subtitle, sizeof subtitle, "%.4g s at %.6g samples a second; Hann window of %.3g ms",
             s->duration, sample_rate, 2 * (s->bins - 1) / sample_rate * KILO);
    f->x = (frame_axis){0, s->duration, "time, s"};
    f->y =
        (frame_axis){0, kilo ? highest / KILO : highest, kilo ? "frequency, kHz" : "frequency, Hz"};
    draw_colours(f, s, highest, &range, reference);
    frame_draw(f, title, subtitle);
    frame_draw_bar(f, &range);
    return true;
}

#include "kernel/sines.h"

#include <math.h>

#include "math/roots.h"

/* Above this radix every number is rounded to nearest: there are 2^(radix/2) choices, and too few
 * steps of a large radix in a transform for their errors to build up. */
#define MAX_CHOSEN_RADIX 13

/* The weight of the squared errors in which sines differ, beside that of the error that they have
 * in common. The latter grows as the number of steps, as the same part of the data meets it again
 * and again, the former as its square root. For about four steps: */
static const double scattered_weight = 0.25;

static void exact_sines(int radix, int k, struct sines *sines)
{
    struct extended sine[MAX_SINES] = {{0}};
    sines->count = radix / 2;
    sines->largest = 1;
    for (int j = 1; j <= sines->count; j++) {
        sine[j] = root_extended(-(int64_t)j * k, radix).im;
        if (fabs(sine[j].hi) > fabs(sine[sines->largest].hi)) sines->largest = j;
    }
    sines->scale = sine[sines->largest];
    for (int j = 1; j <= sines->count; j++)
        sines->ratio[j] = extended_divide(sine[j], sines->scale);
}

static double next_toward(double value, double toward, weft_precision precision)
{
    if (precision == WEFT_F32) return nextafterf((float)value, (float)toward);
    return nextafter(value, toward);
}

/* To nearest, or to the neighbour on the other side of the value. */
static struct extended rounded(struct extended exact, bool other, weft_precision precision)
{
    double value = precision == WEFT_F32 ? (float)exact.hi : exact.hi;
    double rest = (exact.hi - value) + exact.lo;
    if (other && rest != 0) value = next_toward(value, copysign(INFINITY, rest), precision);
    return (struct extended){value, 0};
}

static double relative_error(struct extended is, struct extended exact)
{
    return ((is.hi - exact.hi) - exact.lo) / exact.hi;
}

/* Rounds the scale (bit 0 of the choice) and the ratios (a bit each). */
static struct sines with_choice(const struct sines *exact, weft_precision precision, int choice)
{
    struct sines chosen = *exact;
    chosen.scale = rounded(exact->scale, choice & 1, precision);
    int bit = 1;
    for (int j = 1; j <= exact->count; j++) {
        if (j == exact->largest) continue;
        chosen.ratio[j] = rounded(exact->ratio[j], choice >> bit++ & 1, precision);
    }
    return chosen;
}

/* The error that all sines have in common: the scale's, and of the ratios' as much as they
 * contribute to a sum of squares. *scattered: the squares of the ratios' errors, weighted so. */
static double common_error(const struct sines *chosen, const struct sines *exact, double *scattered)
{
    double squares = 0, common = 0;
    *scattered = 0;
    for (int j = 1; j <= exact->count; j++) {
        double weight = exact->ratio[j].hi * exact->ratio[j].hi;
        double error = relative_error(chosen->ratio[j], exact->ratio[j]);
        squares += weight;
        common += weight * error;
        *scattered += weight * error * error;
    }
    *scattered /= squares;
    return relative_error(chosen->scale, exact->scale) + common / squares;
}

/* Makes the best choice on top of *error, the common error so far, and adds its own. */
static struct sines choose(const struct sines *exact, int choices, weft_precision precision,
                           double *error)
{
    struct sines best = {0};
    double least = INFINITY, error_of_best = 0;
    for (int choice = 0; choice < choices; choice++) {
        double scattered;
        struct sines chosen = with_choice(exact, precision, choice);
        double common = *error + common_error(&chosen, exact, &scattered);
        double badness = common * common + scattered_weight * scattered;
        if (badness >= least) continue;
        least = badness;
        best = chosen;
        error_of_best = common;
    }
    *error = error_of_best;
    return best;
}

void sines_rounded(int radix, int k, weft_precision precision, int turn, struct sines *sines)
{
    struct sines exact;
    exact_sines(radix, k, &exact);
    if (precision == WEFT_DD) {
        *sines = exact;
        return;
    }
    int choices = radix <= MAX_CHOSEN_RADIX ? 1 << exact.count : 1;
    double error = 0;
    for (int i = 0; i <= turn; i++) *sines = choose(&exact, choices, precision, &error);
}

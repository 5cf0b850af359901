#include "stream/numbers.h"

#include "spec/reals.h"

/* ---- memory ---- */

void numbers_load(const struct numbers *numbers, const void *array, int step, int count,
                  struct numbers_part *part, int first)
{
    const float *floats = array;
    const double *doubles = array;
    double *hi = part->hi + first, *lo = part->lo + first;
    if (numbers->precision == WEFT_F32) {
        for (int i = 0; i < count; i++) hi[i] = (double)floats[step * i];
    } else if (numbers->precision == WEFT_F64) {
        for (int i = 0; i < count; i++) hi[i] = doubles[step * i];
    } else {
        for (int i = 0; i < count; i++) {
            hi[i] = doubles[2 * step * i];
            lo[i] = doubles[2 * step * i + 1];
        }
    }
}

void numbers_store(const struct numbers *numbers, void *array, int step, int count,
                   const struct numbers_part *part, int first)
{
    float *floats = array;
    double *doubles = array;
    const double *hi = part->hi + first, *lo = part->lo + first;
    if (numbers->precision == WEFT_F32) {
        for (int i = 0; i < count; i++) floats[step * i] = (float)hi[i];
    } else if (numbers->precision == WEFT_F64) {
        for (int i = 0; i < count; i++) doubles[step * i] = hi[i];
    } else {
        for (int i = 0; i < count; i++) {
            doubles[2 * step * i] = hi[i];
            doubles[2 * step * i + 1] = lo[i];
        }
    }
}

/* ---- products ---- */

static struct extended number_at(const struct numbers_part *part, int i)
{
    return (struct extended){part->hi[i], part->lo[i]};
}

static void set_number(struct numbers_part *part, int i, struct extended number)
{
    part->hi[i] = number.hi;
    part->lo[i] = number.lo;
}

/* With all its digits. */
static struct extended exact_factor(double factor)
{
    const struct extended size = reals_extended_factor(fabs(factor));
    return factor < 0 ? extended_negate(size) : size;
}

void numbers_weigh(const struct numbers *numbers, double weight, struct numbers_part *part,
                   int first, int count)
{
    if (weight == 1) return;
    if (numbers->precision != WEFT_DD) {
        for (int i = first; i < first + count; i++) part->hi[i] *= weight;
        return;
    }
    const struct extended factor = exact_factor(weight);
    for (int i = first; i < first + count; i++)
        set_number(part, i, extended_multiply(factor, number_at(part, i)));
}

static bool turn_doubles(struct numbers *numbers, double factor, int64_t order, int64_t first,
                         int64_t step)
{
    double re[NUMBERS_MOST], im[NUMBERS_MOST];
    if (!roots_fill_double(order, first, step, numbers->count, re, im)) return false;
    double *x = numbers->re.hi, *y = numbers->im.hi;
    for (int i = 0; i < numbers->count; i++) {
        const double a = x[i] * factor, b = y[i] * factor;
        x[i] = a * re[i] - b * im[i];
        y[i] = a * im[i] + b * re[i];
    }
    return true;
}

static void multiply(struct numbers *numbers, int i, struct extended_root by)
{
    const struct extended x = number_at(&numbers->re, i), y = number_at(&numbers->im, i);
    set_number(&numbers->re, i,
               extended_add(extended_multiply(x, by.re),
                            extended_negate(extended_multiply(y, by.im))));
    set_number(&numbers->im, i,
               extended_add(extended_multiply(x, by.im), extended_multiply(y, by.re)));
}

bool numbers_turn(struct numbers *numbers, double factor, int64_t order, int64_t first,
                  int64_t step)
{
    if (numbers->precision != WEFT_DD) return turn_doubles(numbers, factor, order, first, step);
    struct extended re[NUMBERS_MOST], im[NUMBERS_MOST];
    if (!roots_fill_extended(order, first, step, numbers->count, re, im)) return false;
    numbers_weigh(numbers, factor, &numbers->re, 0, numbers->count);
    numbers_weigh(numbers, factor, &numbers->im, 0, numbers->count);
    for (int i = 0; i < numbers->count; i++)
        multiply(numbers, i, (struct extended_root){re[i], im[i]});
    return true;
}

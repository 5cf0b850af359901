#include "stream/numbers.h"

#include "math/factor.h"
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

/* ---- complex products ---- */

static void multiply_double(struct numbers *numbers, int i, double re, double im)
{
    const double x = numbers->re.hi[i], y = numbers->im.hi[i];
    numbers->re.hi[i] = x * re - y * im;
    numbers->im.hi[i] = x * im + y * re;
}

static void multiply_extended(struct numbers *numbers, int i, struct extended_root by)
{
    const struct extended x = number_at(&numbers->re, i), y = number_at(&numbers->im, i);
    set_number(&numbers->re, i,
               extended_add(extended_multiply(x, by.re),
                            extended_negate(extended_multiply(y, by.im))));
    set_number(&numbers->im, i,
               extended_add(extended_multiply(x, by.im), extended_multiply(y, by.re)));
}

void numbers_multiply(struct numbers *numbers, const struct numbers *by)
{
    for (int i = 0; i < numbers->count; i++) {
        const struct extended_root factor = {number_at(&by->re, i), number_at(&by->im, i)};
        if (numbers->precision == WEFT_DD) multiply_extended(numbers, i, factor);
        else multiply_double(numbers, i, factor.re.hi, factor.im.hi);
    }
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

bool numbers_turn(struct numbers *numbers, double factor, int64_t order, int64_t first,
                  int64_t step)
{
    if (numbers->count == 0) return true;
    if (numbers->precision != WEFT_DD) return turn_doubles(numbers, factor, order, first, step);
    struct extended re[NUMBERS_MOST], im[NUMBERS_MOST];
    if (!roots_fill_extended(order, first, step, numbers->count, re, im)) return false;
    numbers_weigh(numbers, factor, &numbers->re, 0, numbers->count);
    numbers_weigh(numbers, factor, &numbers->im, 0, numbers->count);
    for (int i = 0; i < numbers->count; i++)
        multiply_extended(numbers, i, (struct extended_root){re[i], im[i]});
    return true;
}

void numbers_chirp(struct numbers *numbers, const struct root_table *roots, int64_t circle)
{
    for (int i = 0; i < numbers->count; i++) {
        const int64_t k = numbers->k + i;
        const uint64_t size = (uint64_t)(k > circle / 2 ? circle - k : k);
        const uint64_t order = (uint64_t)roots->n;
        const int64_t square = (int64_t)multiply_mod(size % order, size % order, order);
        if (numbers->precision == WEFT_DD) {
            multiply_extended(numbers, i, root_table_get_extended(roots, square));
        } else {
            double re, im;
            root_table_get(roots, square, &re, &im);
            multiply_double(numbers, i, re, im);
        }
    }
}

/* ---- others ---- */

static void divide_part(const struct numbers *numbers, double by, struct numbers_part *part)
{
    for (int i = 0; i < numbers->count; i++) {
        if (numbers->precision == WEFT_DD)
            set_number(part, i, extended_divide(number_at(part, i), (struct extended){by, 0}));
        else
            part->hi[i] /= by;
    }
}

void numbers_divide(struct numbers *numbers, double by)
{
    divide_part(numbers, by, &numbers->re);
    divide_part(numbers, by, &numbers->im);
}

void numbers_exchange(struct numbers *numbers)
{
    const struct numbers_part re = numbers->re;
    numbers->re = numbers->im;
    numbers->im = re;
}

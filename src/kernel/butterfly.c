#include "kernel/butterfly.h"

#include <math.h>
#include <stdlib.h>

#include "kernel/sines.h"
#include "math/extended.h"
#include "math/roots.h"
#include "spec/limits.h"

/* What is being built, and the butterflies that the data went through before. */
struct stage {
    struct ir_builder *b;
    weft_precision precision;
    int turn;
};

static void build(const struct stage *s, int radix, struct ir_complex *x);

static struct ir_complex complex_add(struct ir_builder *b, struct ir_complex x, struct ir_complex y)
{
    return (struct ir_complex){ir_add_scaled(b, x.re, y.re), ir_add_scaled(b, x.im, y.im)};
}

static struct ir_complex complex_sub(struct ir_builder *b, struct ir_complex x, struct ir_complex y)
{
    return (struct ir_complex){ir_sub_scaled(b, x.re, y.re), ir_sub_scaled(b, x.im, y.im)};
}

/* x + i y */
static struct ir_complex complex_add_turned(struct ir_builder *b, struct ir_complex x,
                                            struct ir_complex y)
{
    return (struct ir_complex){ir_sub_scaled(b, x.re, y.im), ir_add_scaled(b, x.im, y.re)};
}

/* x - i y */
static struct ir_complex complex_sub_turned(struct ir_builder *b, struct ir_complex x,
                                            struct ir_complex y)
{
    return (struct ir_complex){ir_add_scaled(b, x.re, y.im), ir_sub_scaled(b, x.im, y.re)};
}

static struct ir_complex complex_scale(struct ir_builder *b, ir_value factor, struct ir_complex x)
{
    return (struct ir_complex){ir_mul(b, factor, x.re), ir_mul(b, factor, x.im)};
}

static ir_value real_of(struct ir_builder *b, struct extended value)
{
    return ir_real(b, value.hi, value.lo);
}

struct ir_complex ir_complex_mul(struct ir_builder *b, struct ir_complex x, struct ir_complex y)
{
    return (struct ir_complex){
        ir_sub(b, ir_mul(b, x.re, y.re), ir_mul(b, x.im, y.im)),
        ir_add(b, ir_mul(b, x.re, y.im), ir_mul(b, x.im, y.re)),
    };
}

struct ir_complex ir_complex_select(struct ir_builder *b, ir_value condition, struct ir_complex yes,
                                    struct ir_complex no)
{
    return (struct ir_complex){ir_select(b, condition, yes.re, no.re),
                               ir_select(b, condition, yes.im, no.im)};
}

/* x times exp(-2 pi i octant / 8) */
static struct ir_complex complex_octant(struct ir_builder *b, struct ir_complex x, int octant)
{
    if (octant >= 4) {
        struct ir_complex opposite = complex_octant(b, x, octant - 4);
        return (struct ir_complex){ir_neg(b, opposite.re), ir_neg(b, opposite.im)};
    }
    if (octant == 0) return x;
    if (octant == 2) return (struct ir_complex){x.im, ir_neg(b, x.re)};
    ir_value half = real_of(b, root_extended(1, 8).re);
    ir_value sum = ir_mul(b, half, ir_add(b, x.re, x.im));
    ir_value difference = ir_mul(b, half, ir_sub(b, x.im, x.re));
    if (octant == 1) return (struct ir_complex){sum, difference};
    return (struct ir_complex){difference, ir_neg(b, sum)};
}

/* One part of a root of unity in units of the other, which is the larger: the product with the
 * root then is two fused operations and a scaling that merges with the additions that follow
 * (Linzer and Feig 1993). */
struct ir_complex ir_complex_root(struct ir_builder *b, struct ir_complex x, int64_t k, int64_t n)
{
    k %= n;
    if (k < 0) k += n;
    if (n % 8 == 0 && k % (n / 8) == 0) return complex_octant(b, x, (int)(k / (n / 8)));
    if (8 * k % n == 0) return complex_octant(b, x, (int)(8 * k / n));
    struct extended_root root = root_extended(k, n);
    bool steep = fabs(root.im.hi) > fabs(root.re.hi);
    struct extended scale = steep ? root.im : root.re, other = steep ? root.re : root.im;
    ir_value ratio = real_of(b, extended_divide(other, scale));
    ir_value re = ir_mul(b, ratio, steep ? x.re : x.im), im = ir_mul(b, ratio, steep ? x.im : x.re);
    struct ir_complex turned = {ir_sub(b, steep ? re : x.re, steep ? x.im : re),
                                ir_add(b, im, steep ? x.re : x.im)};
    return complex_scale(b, real_of(b, scale), turned);
}

static void butterfly_two(const struct stage *s, int radix, struct ir_complex *x)
{
    (void)radix;
    struct ir_builder *b = s->b;
    struct ir_complex sum = complex_add(b, x[0], x[1]);
    x[1] = complex_sub(b, x[0], x[1]);
    x[0] = sum;
}

static void butterfly_four(const struct stage *s, int radix, struct ir_complex *x)
{
    (void)radix;
    struct ir_builder *b = s->b;
    struct ir_complex even_sum = complex_add(b, x[0], x[2]);
    struct ir_complex even_difference = complex_sub(b, x[0], x[2]);
    struct ir_complex odd_sum = complex_add(b, x[1], x[3]);
    struct ir_complex odd_difference = complex_sub(b, x[1], x[3]);
    x[0] = complex_add(b, even_sum, odd_sum);
    x[2] = complex_sub(b, even_sum, odd_sum);
    x[1] = complex_sub_turned(b, even_difference, odd_difference);
    x[3] = complex_add_turned(b, even_difference, odd_difference);
}

/* The sum over j = 1 .. half of sin(2 pi j k / radix) d_j, as a factor (returned in *scale) times a
 * sum in which the largest sine is 1: the factor merges with the addition that follows it into an
 * fma, and no ratio exceeds 1. */
static struct ir_complex sine_sum(const struct stage *s, int radix, int k,
                                  const struct ir_complex *differences, ir_value *scale)
{
    struct sines sines;
    sines_rounded(radix, k, s->precision, s->turn, &sines);
    struct ir_complex sum = differences[sines.largest];
    for (int j = 1; j <= sines.count; j++) {
        if (j == sines.largest) continue;
        ir_value ratio = real_of(s->b, sines.ratio[j]);
        sum = complex_add(s->b, sum, complex_scale(s->b, ratio, differences[j]));
    }
    *scale = real_of(s->b, sines.scale);
    return sum;
}

/* y_k and y_(radix-k) from their even part and the sine sum. */
static void finish_pair(const struct stage *s, int radix, int k, struct ir_complex even,
                        const struct ir_complex *differences, struct ir_complex *y)
{
    struct ir_builder *b = s->b;
    ir_value scale;
    struct ir_complex odd = sine_sum(s, radix, k, differences, &scale);
    odd = complex_scale(b, scale, odd);
    y[k] = complex_sub_turned(b, even, odd);
    y[radix - k] = complex_add_turned(b, even, odd);
}

/* Sums x_j + x_(radix-j) and differences, for odd radix; x[0] becomes y_0 and the old x[0] is
 * returned. */
static struct ir_complex fold_pairs(struct ir_builder *b, int radix, struct ir_complex *x,
                                    struct ir_complex *sums, struct ir_complex *differences)
{
    struct ir_complex first = x[0];
    for (int j = 1; j <= radix / 2; j++) {
        sums[j] = complex_add(b, x[j], x[radix - j]);
        differences[j] = complex_sub(b, x[j], x[radix - j]);
        x[0] = complex_add(b, x[0], sums[j]);
    }
    return first;
}

/* Any odd radix: the symmetric direct form, (radix-1)^2 multiplications of reals. */
static void butterfly_odd(const struct stage *s, int radix, struct ir_complex *x)
{
    struct ir_complex sums[LIMITS_MAX_RADIX / 2], differences[LIMITS_MAX_RADIX / 2];
    struct ir_builder *b = s->b;
    struct ir_complex first = fold_pairs(b, radix, x, sums, differences);
    for (int k = 1; k <= radix / 2; k++) {
        struct ir_complex even = first;
        for (int j = 1; j <= radix / 2; j++) {
            ir_value cosine = real_of(b, root_extended((int64_t)j * k, radix).re);
            even = complex_add(b, even, complex_scale(b, cosine, sums[j]));
        }
        finish_pair(s, radix, k, even, differences, x);
    }
}

/* radix = rows * columns: transforms over the rows one column after the other, each loaded only
 * when its turn comes, then over the columns. Those of the second half begin before number 0, so
 * that their factors are conjugates of the first half's (Kamar and Elcherif 1989): what the
 * columns' sums and differences take has the same scale, which waits for the sums after these. */
static void cooley_tukey(const struct stage *s, int rows, int columns, struct ir_complex *x)
{
    int radix = rows * columns;
    const struct stage later = {s->b, s->precision, s->turn + 1};
    struct ir_complex grid[LIMITS_MAX_RADIX], part[LIMITS_MAX_RADIX];
    for (int column = 0; column < columns; column++) {
        const bool before = columns % 2 == 0 && 2 * column > columns;
        const int first = before ? column - columns : column;
        for (int row = 0; row < rows; row++)
            part[row] = x[(row * columns + first + radix) % radix];
        build(s, rows, part);
        for (int row = 0; row < rows; row++)
            grid[row * columns + column] =
                ir_complex_root(s->b, part[row], (int64_t)row * first, radix);
    }
    for (int row = 0; row < rows; row++) {
        build(&later, columns, grid + row * columns);
        for (int column = 0; column < columns; column++) {
            x[row + rows * column] = grid[row * columns + column];
        }
    }
}

/* radix = rows * columns, coprime: no twiddles (Good 1958). */
static void prime_factor(const struct stage *s, int rows, int columns, struct ir_complex *x)
{
    int radix = rows * columns;
    struct ir_complex grid[LIMITS_MAX_RADIX], part[LIMITS_MAX_RADIX];
    for (int column = 0; column < columns; column++) {
        for (int row = 0; row < rows; row++) {
            part[row] = x[(row * columns + column * rows) % radix];
        }
        build(s, rows, part);
        for (int row = 0; row < rows; row++)
            grid[row * columns + column] = part[row];
    }
    for (int row = 0; row < rows; row++)
        build(s, columns, grid + row * columns);
    for (int k = 0; k < radix; k++)
        x[k] = grid[k % rows * columns + k % columns];
}

/* The even half first: then the last stage gives its outputs in pairs, ready to be stored. */
static void butterfly_eight(const struct stage *s, int radix, struct ir_complex *x)
{
    (void)radix;
    cooley_tukey(s, 4, 2, x);
}

static void butterfly_one(const struct stage *s, int radix, struct ir_complex *x)
{
    (void)s;
    (void)radix;
    (void)x;
}

/* Radices with a form of their own; others are cut by butterfly_mixed. */
static const struct {
    int radix;
    void (*function)(const struct stage *s, int radix, struct ir_complex *x);
} table[] = {
    {1, butterfly_one},
    {2, butterfly_two},
    {4, butterfly_four},
    {8, butterfly_eight},
};

/* Cuts off the power of the smallest prime if another prime remains, otherwise cuts the power of a
 * prime in the middle: 12 = 4 x 3, 16 = 4 x 4, 32 = 8 x 4, 25 = 5 x 5. */
static void butterfly_mixed(const struct stage *s, int radix, struct ir_complex *x)
{
    int prime = 2, power = 1, exponent = 0;
    while (radix % prime != 0)
        prime++;
    while (radix / power % prime == 0) {
        power *= prime;
        exponent++;
    }
    if (power < radix) {
        prime_factor(s, power, radix / power, x);
        return;
    }
    if (exponent == 1) {
        butterfly_odd(s, radix, x);
        return;
    }
    int rows = 1;
    for (int i = 0; i < (prime == 2 ? exponent + 1 : exponent) / 2; i++)
        rows *= prime;
    cooley_tukey(s, rows, radix / rows, x);
}

static void build(const struct stage *s, int radix, struct ir_complex *x)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        if (table[i].radix == radix) {
            table[i].function(s, radix, x);
            return;
        }
    }
    butterfly_mixed(s, radix, x);
}

void butterfly(struct ir_builder *b, weft_precision precision, int radix, struct ir_complex *x)
{
    const struct stage first = {b, precision, 0};
    build(&first, radix, x);
}

#include "roots.h"

#include <stdlib.h>

/* So many terms leave less than 2^-110 of the sine or cosine of an angle up to pi / 4. */
enum { SERIES_TERMS = 14 };

/* 1 - x / (a (a + 1)) (1 - x / ((a + 2) (a + 3)) (1 - ...)): the cosine of sqrt(x) for a = 1, the
 * sine over its angle for a = 2. */
static struct reference_extended series(struct reference_extended x, int a)
{
    const struct reference_extended one = {1.0, 0.0};
    struct reference_extended sum = one;
    for (int term = SERIES_TERMS - 1; term >= 0; term--) {
        double divisor = (double)(a + 2 * term) * (a + 2 * term + 1);
        sum = extended_subtract(one, extended_divide(extended_multiply(x, sum), divisor));
    }
    return sum;
}

/* The root at a / n of an eighth of the circle, 0 <= a <= n. */
static struct extended_complex first_octant(int64_t a, int64_t n)
{
    const struct reference_extended quarter_pi = {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55};
    struct reference_extended fraction =
        extended_divide((struct reference_extended){(double)a, 0.0}, (double)n);
    struct reference_extended angle = extended_multiply(quarter_pi, fraction);
    struct reference_extended square = extended_multiply(angle, angle);
    return (struct extended_complex){series(square, 1),
                                     extended_multiply(angle, series(square, 2))};
}

struct extended_complex reference_root(int64_t k, int64_t n)
{
    /* In eighths of a step the circle is 8n long and its octants end at whole numbers, so that
     * the folding is exact and only the last angle, at most pi / 4, is rounded. */
    int64_t a = 8 * k;
    bool below = a > 4 * n;
    if (below) a = 8 * n - a;
    bool left = a > 2 * n;
    if (left) a = 4 * n - a;
    bool steep = a > n;
    if (steep) a = 2 * n - a;

    struct extended_complex root = first_octant(a, n);
    if (steep) root = (struct extended_complex){root.im, root.re};
    if (left) root.re = extended_negate(root.re);
    if (below) root.im = extended_negate(root.im);
    return root;
}

static struct extended_complex signed_root(int64_t k, int64_t n, int sign)
{
    struct extended_complex root = reference_root(k, n);
    if (sign < 0) root.im = extended_negate(root.im);
    return root;
}

static int64_t square_root_above(int64_t n)
{
    int64_t root = 1;
    while (root * root < n)
        root++;
    return root;
}

bool reference_roots_create(int64_t n, int sign, struct reference_roots *roots)
{
    int64_t step = square_root_above(n);
    int64_t coarse_count = (n + step - 1) / step;
    struct extended_complex *coarse = malloc((size_t)coarse_count * sizeof *coarse);
    struct extended_complex *fine = malloc((size_t)step * sizeof *fine);
    if (!coarse || !fine) {
        free(coarse);
        free(fine);
        return false;
    }
    for (int64_t a = 0; a < coarse_count; a++)
        coarse[a] = signed_root(a * step, n, sign);
    for (int64_t b = 0; b < step; b++)
        fine[b] = signed_root(b, n, sign);
    *roots = (struct reference_roots){n, step, sign, coarse, fine};
    return true;
}

struct extended_complex reference_roots_at(const struct reference_roots *roots, int64_t k)
{
    return extended_complex_multiply(roots->coarse[k / roots->step], roots->fine[k % roots->step]);
}

void reference_roots_destroy(struct reference_roots *roots)
{
    free(roots->coarse);
    free(roots->fine);
    *roots = (struct reference_roots){0};
}

/* Cooley, Lewis and Welch 1970 (J. Sound Vib. 12, 315), for real and imaginary parts at once.
 *
 * With h = m / 2 and w = exp(-2 pi i / m), the transform of x is X[k] = E[k] + G[k] where E is that
 * of the even elements, of length h, and G[k] = w^k times that of the odd ones. x is even, so E and
 * G are, and G[h - k] = -G[k]. The differences x[2j + 1] - x[2j - 1] have the transform
 * 2i sin(2 pi k / m) G[k], which is odd. So
 *
 *     z[j] = x[2j] + i (x[2j + 1] - x[2j - 1])    has    Z[k] = E[k] - 2 sin(2 pi k / m) G[k],
 *
 * and Z[k] and Z[h - k] give E[k] and G[k], but for G[0], which is the sum of the odd elements. */
#include "run/even.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/roots.h"

/* ---- folding ---- */

static double at(const struct even_sequence *x, const double *plane, int64_t p)
{
    return p < x->n ? plane[p] : 0;
}

void even_fold(const struct even_sequence *x, double *re, double *im)
{
    const int64_t h = x->m / 2, middle = (h + 1) / 2, beyond = x->n / 2 + 1;
    const int64_t ends = beyond < middle ? beyond : middle; /* the rest is made of zeros */
    re[0] = x->re[0];
    im[0] = x->im[0];
    for (int64_t j = 1; j < ends; j++) {
        const double even_re = at(x, x->re, 2 * j), even_im = at(x, x->im, 2 * j);
        const double odd_re = at(x, x->re, 2 * j + 1) - at(x, x->re, 2 * j - 1);
        const double odd_im = at(x, x->im, 2 * j + 1) - at(x, x->im, 2 * j - 1);
        re[j] = even_re - odd_im;
        im[j] = even_im + odd_re;
        re[h - j] = even_re + odd_im;
        im[h - j] = even_im - odd_re;
    }
    for (int64_t j = ends; j <= h - ends; j++)
        re[j] = im[j] = 0;
}

/* ---- unfolding ---- */

/* sin(2 pi k / m) for the k of a row, from the roots that the row begins with and its columns. */
#define COLUMNS 64

struct sines {
    double cosine[COLUMNS], sine[COLUMNS]; /* of the columns */
    double *row_cosine, *row_sine;
};

static weft_status sines_make(struct sines *sines, int64_t m, int64_t rows)
{
    double *row = memory_alloc(2 * (size_t)rows * sizeof *row);
    if (!row) return error_memory("sines");
    sines->row_cosine = row;
    sines->row_sine = row + rows;
    if (roots_fill_double(m, 0, -1, COLUMNS, sines->cosine, sines->sine) &&
        roots_fill_double(m, 0, -COLUMNS, rows, sines->row_cosine, sines->row_sine)) {
        return WEFT_OK;
    }
    memory_free(row);
    return error_memory("sines");
}

/* Where results go: X[k] is X[m - k]. */
struct result {
    int64_t m;
    float *re, *im;
};

static inline void put(const struct result *to, int64_t k, double even, double odd, float *plane)
{
    const int64_t h = to->m / 2;
    plane[k] = plane[to->m - k] = (float)(even + odd);
    plane[h - k] = plane[h + k] = (float)(even - odd);
}

static void unfold_row(const struct result *to, const struct sines *sines, int64_t row,
                       const double *re, const double *im, double scale)
{
    const int64_t h = to->m / 2, first = row * COLUMNS;
    const int64_t last = h / 2 - first < COLUMNS - 1 ? h / 2 - first : COLUMNS - 1;
    for (int64_t c = first > 0 ? 0 : 1; c <= last; c++) {
        const int64_t k = first + c;
        const double sine = sines->row_cosine[row] * sines->sine[c] +
                            sines->row_sine[row] * sines->cosine[c];
        const double share = 0.25 * scale / sine;
        put(to, k, 0.5 * scale * (re[k] + re[h - k]), share * (re[h - k] - re[k]), to->re);
        put(to, k, -0.5 * scale * (im[k] + im[h - k]), share * (im[k] - im[h - k]), to->im);
    }
}

/* The sum of the odd elements on both sides. */
static double odd_sum(const struct even_sequence *x, const double *plane)
{
    double sum = 0;
    for (int64_t p = 1; p < x->n; p += 2)
        sum += plane[p];
    return 2 * sum;
}

static void unfold_ends(const struct even_sequence *x, const struct result *to, double re,
                        double im, double scale)
{
    const double odd_re = odd_sum(x, x->re), odd_im = odd_sum(x, x->im);
    to->re[0] = (float)(scale * (re + odd_re));
    to->im[0] = (float)(-scale * (im + odd_im));
    to->re[x->m / 2] = (float)(scale * (re - odd_re));
    to->im[x->m / 2] = (float)(-scale * (im - odd_im));
}

weft_status even_unfold(const struct even_sequence *x, const double *re, const double *im,
                        double scale, float *result)
{
    const struct result to = {x->m, result, result + x->m};
    const int64_t rows = x->m / 4 / COLUMNS + 1;
    struct sines sines;
    weft_status status = sines_make(&sines, x->m, rows);
    if (status) return status;
    for (int64_t row = 0; row < rows; row++)
        unfold_row(&to, &sines, row, re, im, scale);
    unfold_ends(x, &to, re[0], im[0], scale);
    memory_free(sines.row_cosine);
    return WEFT_OK;
}

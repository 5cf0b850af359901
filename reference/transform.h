/* The reference transform as a template: the two sources that include it define first
 *     number                                  the type of a real number
 *     number_add, _subtract, _multiply        its arithmetic
 *     number_from_double, number_from_extended
 * and get transform_axes() in that arithmetic. One text for both precisions, because two would have
 * to be checked twice.
 *
 * Decimation in time for any factors (Cooley, Tukey 1965): n = radix * m interleaved transforms of
 * length m, twiddled and combined by transforms of length radix. Those are the sum itself for small
 * primes, and Bluestein's convolution for the others.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "cosines.h"
#include "roots.h"

/* Above this a convolution takes fewer operations than the sum. */
enum { LARGEST_DIRECT_PRIME = 53 };

enum { MAX_STAGES = 64 };

static const int64_t largest_size = (int64_t)1 << 40;

struct complex_number {
    number re;
    number im;
};

struct transform;

/* A transform of length `radix`, applied m times in its level of the recursion. */
struct stage {
    int64_t radix;
    struct complex_number *values;  /* radix values to transform, then to be read */
    struct complex_number *spare;   /* as many for the algorithm */
    struct complex_number *factors; /* direct: the roots of unity; Bluestein: the chirp */
    struct transform *convolution;  /* Bluestein: the transform to convolve by; else NULL */
    struct complex_number
        *kernel; /* Bluestein: transform of the conjugate chirp, over its length */
};

struct transform {
    int64_t n;
    int sign;
    int stages;
    struct stage stage[MAX_STAGES];
    struct complex_number *roots; /* exp(sign 2 pi i k / n) */
};

static struct transform *transform_create(int64_t n, int sign);
static void transform_destroy(struct transform *transform);
static void transform_run(const struct transform *transform, const struct complex_number *in,
                          int64_t stride, struct complex_number *out);

static struct complex_number complex_add(struct complex_number a, struct complex_number b)
{
    return (struct complex_number){number_add(a.re, b.re), number_add(a.im, b.im)};
}

static struct complex_number complex_subtract(struct complex_number a, struct complex_number b)
{
    return (struct complex_number){number_subtract(a.re, b.re), number_subtract(a.im, b.im)};
}

static struct complex_number complex_multiply(struct complex_number a, struct complex_number b)
{
    return (struct complex_number){
        number_subtract(number_multiply(a.re, b.re), number_multiply(a.im, b.im)),
        number_add(number_multiply(a.re, b.im), number_multiply(a.im, b.re)),
    };
}

static struct complex_number complex_conjugate(struct complex_number a)
{
    return (struct complex_number){a.re, number_subtract(number_from_double(0.0), a.im)};
}

/* a times i. */
static struct complex_number complex_turn(struct complex_number a)
{
    return (struct complex_number){number_subtract(number_from_double(0.0), a.im), a.re};
}

static struct complex_number complex_scale(struct complex_number a, number factor)
{
    return (struct complex_number){number_multiply(a.re, factor), number_multiply(a.im, factor)};
}

static struct complex_number *complex_allocate(int64_t count)
{
    return calloc((size_t)count, sizeof(struct complex_number));
}

static struct complex_number root_at(const struct reference_roots *roots, int64_t k)
{
    struct extended_complex root = reference_roots_at(roots, k);
    return (struct complex_number){number_from_extended(root.re), number_from_extended(root.im)};
}

/* All n-th roots, or NULL. */
static struct complex_number *root_table(int64_t n, int sign)
{
    struct reference_roots roots;
    if (!reference_roots_create(n, sign, &roots)) return NULL;
    struct complex_number *table = complex_allocate(n);
    for (int64_t k = 0; table && k < n; k++)
        table[k] = root_at(&roots, k);
    reference_roots_destroy(&roots);
    return table;
}

/* --- the transforms of prime length (and of length 4) --- */

static void butterfly_2(struct complex_number *x)
{
    struct complex_number first = x[0];
    x[0] = complex_add(first, x[1]);
    x[1] = complex_subtract(first, x[1]);
}

static void butterfly_4(struct complex_number *x, int sign)
{
    struct complex_number even = complex_add(x[0], x[2]),
                          even_turned = complex_subtract(x[0], x[2]);
    struct complex_number odd = complex_add(x[1], x[3]);
    struct complex_number odd_turned = complex_turn(complex_subtract(x[1], x[3]));
    x[0] = complex_add(even, odd);
    x[2] = complex_subtract(even, odd);
    x[sign > 0 ? 1 : 3] = complex_add(even_turned, odd_turned);
    x[sign > 0 ? 3 : 1] = complex_subtract(even_turned, odd_turned);
}

/* The sum for an odd length, with x[j] and x[radix - j] taken together: sum and difference meet
 * only the cosine and only the sine, and X[k] and X[radix - k] share all products. */
static void butterfly_odd(const struct stage *stage)
{
    int64_t radix = stage->radix, half = radix / 2;
    struct complex_number *x = stage->values, *pair = stage->spare;
    struct complex_number first = x[0];
    for (int64_t j = 1; j <= half; j++) {
        pair[j] = complex_add(x[j], x[radix - j]);
        pair[radix - j] = complex_subtract(x[j], x[radix - j]);
        x[0] = complex_add(x[0], pair[j]);
    }
    for (int64_t k = 1; k <= half; k++) {
        struct complex_number cosines = first,
                              sines = {number_from_double(0), number_from_double(0)};
        for (int64_t j = 1; j <= half; j++) {
            struct complex_number root = stage->factors[j * k % radix];
            cosines = complex_add(cosines, complex_scale(pair[j], root.re));
            sines = complex_add(sines, complex_scale(pair[radix - j], root.im));
        }
        x[k] = complex_add(cosines, complex_turn(sines));
        x[radix - k] = complex_subtract(cosines, complex_turn(sines));
    }
}

/* L. Bluestein, "A linear filtering approach to the computation of the discrete Fourier transform"
 * (1970): jk = (j^2 + k^2 - (k - j)^2) / 2 makes the sum a convolution with a chirp. The inverse
 * transform is the conjugate of the forward one of the conjugate. */
static void butterfly_bluestein(const struct stage *stage)
{
    int64_t radix = stage->radix, length = stage->convolution->n;
    struct complex_number *x = stage->values, *spectrum = stage->spare;
    for (int64_t j = 0; j < radix; j++)
        x[j] = complex_multiply(x[j], stage->factors[j]);
    for (int64_t j = radix; j < length; j++)
        x[j] = (struct complex_number){0};
    transform_run(stage->convolution, x, 1, spectrum);
    for (int64_t j = 0; j < length; j++)
        spectrum[j] = complex_conjugate(complex_multiply(spectrum[j], stage->kernel[j]));
    transform_run(stage->convolution, spectrum, 1, x);
    for (int64_t k = 0; k < radix; k++)
        x[k] = complex_multiply(complex_conjugate(x[k]), stage->factors[k]);
}

static void stage_run(const struct stage *stage, int sign)
{
    if (stage->convolution)
        butterfly_bluestein(stage);
    else if (stage->radix == 2)
        butterfly_2(stage->values);
    else if (stage->radix == 4)
        butterfly_4(stage->values, sign);
    else
        butterfly_odd(stage);
}

/* --- making them --- */

/* exp(sign pi i j^2 / radix), with j^2 reduced exactly. */
static bool stage_chirp(struct stage *stage, int sign)
{
    struct reference_roots roots;
    if (!reference_roots_create(2 * stage->radix, sign, &roots)) return false;
    int64_t square = 0;
    for (int64_t j = 0; j < stage->radix; j++) {
        stage->factors[j] = root_at(&roots, square);
        square = (square + 2 * j + 1) % (2 * stage->radix);
    }
    reference_roots_destroy(&roots);
    return true;
}

/* The conjugate chirp, even around 0, transformed and scaled for the inverse transform. */
static void stage_kernel(struct stage *stage)
{
    int64_t radix = stage->radix, length = stage->convolution->n;
    const number scale = number_from_double(1.0 / (double)length); /* exact: a power of two */
    struct complex_number *chirp = stage->values;
    for (int64_t j = 0; j < radix; j++) {
        chirp[j] = complex_scale(complex_conjugate(stage->factors[j]), scale);
        if (j > 0) chirp[length - j] = chirp[j];
    }
    transform_run(stage->convolution, chirp, 1, stage->kernel);
}

static bool stage_create_bluestein(struct stage *stage, int sign)
{
    int64_t length = 1;
    while (length < 2 * stage->radix - 1)
        length *= 2;
    stage->convolution = transform_create(length, -1);
    stage->values = complex_allocate(length);
    stage->spare = complex_allocate(length);
    stage->factors = complex_allocate(stage->radix);
    stage->kernel = complex_allocate(length);
    bool allocated =
        stage->convolution && stage->values && stage->spare && stage->factors && stage->kernel;
    if (!allocated || !stage_chirp(stage, sign)) return false;
    stage_kernel(stage);
    return true;
}

/* On failure stage_destroy() frees what there is. */
static bool stage_create(struct stage *stage, int64_t radix, int sign)
{
    stage->radix = radix;
    if (radix > LARGEST_DIRECT_PRIME) return stage_create_bluestein(stage, sign);
    stage->values = complex_allocate(radix);
    stage->spare = complex_allocate(radix);
    stage->factors = root_table(radix, sign);
    return stage->values && stage->spare && stage->factors;
}

static void stage_destroy(struct stage *stage)
{
    transform_destroy(stage->convolution);
    free(stage->values);
    free(stage->spare);
    free(stage->factors);
    free(stage->kernel);
}

/* 4 as long as it divides, else the smallest prime factor of n > 1. */
static int64_t next_radix(int64_t n)
{
    if (n % 4 == 0) return 4;
    for (int64_t divisor = 2; divisor * divisor <= n; divisor++)
        if (n % divisor == 0) return divisor;
    return n;
}

static struct transform *transform_create(int64_t n, int sign)
{
    struct transform *transform = calloc(1, sizeof *transform);
    if (!transform) return NULL;
    transform->n = n;
    transform->sign = sign;
    transform->roots = root_table(n, sign);
    bool made = transform->roots != NULL;
    while (made && n > 1) {
        int64_t radix = next_radix(n);
        made = stage_create(&transform->stage[transform->stages++], radix, sign);
        n /= radix;
    }
    if (made) return transform;
    transform_destroy(transform);
    return NULL;
}

static void transform_destroy(struct transform *transform)
{
    if (!transform) return;
    for (int i = 0; i < transform->stages; i++)
        stage_destroy(&transform->stage[i]);
    free(transform->roots);
    free(transform);
}

/* --- running them --- */

/* out holds `radix` transforms of length m, one after the other; afterwards the whole. */
static void combine(const struct transform *transform, const struct stage *stage, int64_t m,
                    struct complex_number *out)
{
    int64_t radix = stage->radix, root_step = transform->n / (radix * m);
    struct complex_number *x = stage->values;
    for (int64_t k = 0; k < m; k++) {
        x[0] = out[k];
        for (int64_t r = 1; r < radix; r++)
            x[r] = complex_multiply(out[r * m + k], transform->roots[r * k * root_step]);
        stage_run(stage, transform->sign);
        for (int64_t q = 0; q < radix; q++)
            out[q * m + k] = x[q];
    }
}

static void recurse(const struct transform *transform, int level, int64_t n,
                    const struct complex_number *in, int64_t stride, struct complex_number *out)
{
    if (n == 1) {
        out[0] = in[0];
        return;
    }
    const struct stage *stage = &transform->stage[level];
    int64_t m = n / stage->radix;
    for (int64_t r = 0; r < stage->radix; r++)
        recurse(transform, level + 1, m, in + r * stride, stride * stage->radix, out + r * m);
    combine(transform, stage, m, out);
}

/* Not from two threads at once with one transform: its stages hold the scratch. */
static void transform_run(const struct transform *transform, const struct complex_number *in,
                          int64_t stride, struct complex_number *out)
{
    recurse(transform, 0, transform->n, in, stride, out);
}

/* Every line of one axis of a packed array: `outer` blocks of n rows of `stride` elements. */
static bool transform_axis(struct complex_number *data, int64_t outer, int64_t n, int64_t stride,
                           int sign)
{
    struct transform *transform = transform_create(n, sign);
    struct complex_number *line = complex_allocate(n);
    bool allocated = transform && line;
    for (int64_t i = 0; allocated && i < outer * stride; i++) {
        struct complex_number *start = data + i / stride * n * stride + i % stride;
        transform_run(transform, start, stride, line);
        for (int64_t k = 0; k < n; k++)
            start[k * stride] = line[k];
    }
    transform_destroy(transform);
    free(line);
    return allocated;
}

/* The elements of the array, or 0 if a size or their product is out of range. */
static int64_t count_elements(int rank, const int64_t *size)
{
    int64_t count = 1;
    for (int i = 0; i < rank; i++) {
        if (size[i] < 1 || size[i] > largest_size / count) return 0;
        count *= size[i];
    }
    return count;
}

static number cosine_number(const struct cosine_terms *terms, struct complex_number x)
{
    const number minus_im = number_subtract(number_from_double(0), x.im);
    if (terms->part == COSINE_MINUS_IM) return minus_im;
    return terms->part == COSINE_RE ? x.re : number_add(x.re, minus_im);
}

/* A line of n real parts in place; `line` and `spectrum` have room for a period. */
static void cosine_line(const struct transform *transform, const struct cosine_terms *terms,
                        bool orthonormal, struct complex_number *start, int64_t stride,
                        struct complex_number *line, struct complex_number *spectrum)
{
    const number zero = number_from_double(0);
    for (int64_t i = 0; i < terms->period; i++)
        line[i] = (struct complex_number){zero, zero};
    for (int64_t j = 0; j < terms->n; j++) {
        const number weight = number_from_extended(cosine_in_weight(terms, j, orthonormal));
        line[terms->in_first + j * terms->in_step].re =
            number_multiply(start[j * stride].re, weight);
    }
    transform_run(transform, line, 1, spectrum);
    for (int64_t k = 0; k < terms->n; k++) {
        const number weight = number_from_extended(cosine_out_weight(terms, k, orthonormal));
        const struct complex_number x = spectrum[terms->out_first + k * terms->out_step];
        start[k * stride].re = number_multiply(cosine_number(terms, x), weight);
        start[k * stride].im = zero;
    }
}

static bool cosine_axis(struct complex_number *data, int64_t outer, int64_t n, int64_t stride,
                        enum reference_kind kind, bool orthonormal)
{
    const struct cosine_terms terms = cosine_terms_of(kind, n);
    struct transform *transform = transform_create(terms.period, -1);
    struct complex_number *line = complex_allocate(2 * terms.period);
    bool allocated = transform && line;
    for (int64_t i = 0; allocated && i < outer * stride; i++) {
        struct complex_number *start = data + i / stride * n * stride + i % stride;
        cosine_line(transform, &terms, orthonormal, start, stride, line, line + terms.period);
    }
    transform_destroy(transform);
    free(line);
    return allocated;
}

/* The transform of the packed array, to be freed, or NULL. real: NULL, or which transforms they
 * are instead of Fourier's. */
static struct complex_number *transform_axes(int rank, const int64_t *size, uint32_t axes, int sign,
                                             const struct reference_real *real, const double *in)
{
    int64_t count = count_elements(rank, size);
    struct complex_number *data = count ? complex_allocate(count) : NULL;
    if (!data) return NULL;
    for (int64_t i = 0; i < count; i++)
        data[i] = (struct complex_number){number_from_double(in[2 * i]),
                                          number_from_double(in[2 * i + 1])};
    int64_t outer = 1, stride = count;
    for (int i = 0; i < rank; i++) {
        stride /= size[i];
        const bool wanted = axes == 0 || (axes >> i & 1);
        const bool done = !wanted || (real ? cosine_axis(data, outer, size[i], stride,
                                                         real->kind[i], real->orthonormal)
                                           : transform_axis(data, outer, size[i], stride, sign));
        if (!done) {
            free(data);
            return NULL;
        }
        outer *= size[i];
    }
    return data;
}

/* Spectra in extended precision, and doubles that are such numbers rounded. */
#include "base/error.h"
#include "base/memory.h"
#include "math/factor.h"
#include "math/roots.h"
#include "run/compensated.h"
#include "run/host_transform.h"
#include "run/spectrum.h"

static struct extended share(int64_t m)
{
    return extended_divide((struct extended){1, 0}, extended_from_integer(m));
}

/* As its twin in spectrum.c. */
static void wrap(const struct extended *plane, int64_t n, int64_t m, struct extended scale,
                 struct extended *wrapped)
{
    for (int64_t j = 0; j < n; j++)
        wrapped[j] = extended_multiply(plane[j], scale);
    for (int64_t j = n; j <= m - n; j++)
        wrapped[j] = (struct extended){0, 0};
    for (int64_t j = 1; j < n; j++)
        wrapped[m - j] = wrapped[j];
}

static void fill_bluestein(const struct program_table *t, const struct extended *chirp,
                           struct extended *spectrum)
{
    const struct extended scale = share(t->m);
    wrap(chirp, t->n, t->m, scale, spectrum);
    wrap(chirp + t->n, t->n, t->m, extended_negate(scale), spectrum + t->m);
}

/* exp(-2 pi i g^q / n) / (n - 1); the second half is the conjugate of the first. */
static bool fill_rader(const struct program_table *t, struct extended *re, struct extended *im)
{
    const struct multiplier next = multiplier_of((uint64_t)primitive_root(t->n), (uint64_t)t->n);
    const int64_t half = t->m / 2;
    const struct extended scale = share(t->m);
    struct root_table roots;
    if (!root_table_init(&roots, t->n)) return false;
    uint64_t power = 1;
    for (int64_t q = 0; q < half; q++) {
        const struct extended_root root = root_table_get_extended(&roots, (int64_t)power);
        re[half + q] = re[q] = extended_multiply(root.re, scale);
        im[q] = extended_multiply(root.im, scale);
        im[half + q] = extended_negate(im[q]);
        power = multiplier_apply(&next, power);
    }
    root_table_free(&roots);
    return true;
}

/* What the spectrum is of. */
static weft_status fill(const struct program_table *t, const struct extended *chirp,
                        struct extended *re, struct extended *im)
{
    if (t->kind != TABLE_RADER_SPECTRUM)
        fill_bluestein(t, chirp, re);
    else if (!fill_rader(t, re, im))
        return error_memory("roots of unity");
    return WEFT_OK;
}

weft_status spectrum_fill_extended(struct device *device, const struct program *program, int index,
                                   void *const *table)
{
    const struct program_table *t = &program->table[index];
    struct extended *re = table[index], *im = re + t->m;
    const bool chirped = t->kind != TABLE_RADER_SPECTRUM;
    weft_status status = fill(t, chirped ? spectrum_chirp(program, t->n, table) : NULL, re, im);
    if (status) return status;
    return host_transform_extended(device, spectrum_threads(device, program), t->m, re, im);
}

weft_status spectrum_fill_rounded(const struct program_table *t, double *spectrum)
{
    const size_t numbers = (size_t)(t->m + t->n) * 2 * sizeof(struct extended);
    char *memory = memory_alloc_large(compensated_bytes(t->m) + numbers);
    if (!memory) return error_memory("a spectrum");
    struct extended *re = (struct extended *)(void *)(memory + compensated_bytes(t->m));
    struct extended *im = re + t->m, *chirp = im + t->m;
    weft_status status = WEFT_OK;
    if (t->kind != TABLE_RADER_SPECTRUM && !chirp_fill_extended(t->n, t->n, chirp, chirp + t->n))
        status = error_memory("a chirp");
    if (!status) status = fill(t, chirp, re, im);
    if (!status) compensated_transform(t->m, re, im, spectrum, spectrum + t->m, memory);
    memory_free(memory);
    return status;
}

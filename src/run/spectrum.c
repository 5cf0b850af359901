#include "run/spectrum.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/threads.h"
#include "math/factor.h"
#include "math/roots.h"
#include "run/compensated.h"
#include "run/even.h"
#include "run/host_transform.h"

/* A caller who asks for the CPU says how much of it; elsewhere planning takes what there is. */
int spectrum_threads(const struct device *device, const struct program *program)
{
    return device->limits.vector_bytes > 0 ? program->problem.threads : threads_available();
}

/* ---- Bluestein ---- */

const void *spectrum_chirp(const struct program *program, int64_t n, void *const *table)
{
    int t = 0;
    while (program->table[t].kind != TABLE_CHIRP || program->table[t].n != n)
        t++;
    return table[t];
}

/* conj(chirp), symmetric around 0, wrapped modulo m, over m (Lloyd 4.3). */
static void wrap(const double *plane, int64_t n, int64_t m, double scale, double *wrapped)
{
    for (int64_t j = 0; j < n; j++)
        wrapped[j] = plane[j] * scale;
    for (int64_t j = n; j <= m - n; j++)
        wrapped[j] = 0;
    for (int64_t j = 1; j < n; j++)
        wrapped[m - j] = wrapped[j];
}

static weft_status fill_bluestein(struct device *device, const struct program *program,
                                  const struct program_table *t, const double *chirp,
                                  double *spectrum)
{
    const double scale = 1 / (double)t->m;
    wrap(chirp, t->n, t->m, scale, spectrum);
    wrap(chirp + t->n, t->n, t->m, -scale, spectrum + t->m);
    return host_transform(device, spectrum_threads(device, program), t->m, spectrum,
                          spectrum + t->m, NO_SPARE);
}

static weft_status fill_even(struct device *device, const struct program *program,
                             const struct program_table *t, const double *chirp, float *spectrum)
{
    const struct even_sequence sequence = {t->n, t->m, chirp, chirp + t->n};
    const int64_t half = t->m / 2;
    double *re = memory_alloc_large((size_t)t->m * sizeof *re);
    if (!re) return error_memory("a spectrum");
    double *im = re + half;
    even_fold(&sequence, re, im);
    weft_status status = host_transform(device, spectrum_threads(device, program), half, re, im,
                                        (struct spare){spectrum, (size_t)t->m * sizeof(double)});
    if (!status) status = even_unfold(&sequence, re, im, 1 / (double)t->m, spectrum);
    memory_free(re);
    return status;
}

/* ---- Rader ---- */

/* Roots are looked up so many at a time. */
enum { CHUNK = 256 };

/* Those of `count` powers of g from *power on, which becomes the next one. */
static void rader_roots(const struct root_table *roots, weft_precision precision,
                        const struct multiplier *next, uint64_t *power, int64_t count, double *re,
                        double *im)
{
    int64_t k[CHUNK];
    for (int64_t q = 0; q < count; q++) {
        k[q] = (int64_t)*power;
        *power = multiplier_apply(next, *power);
    }
    if (precision == WEFT_F32)
        root_table_list_near(roots, k, count, re, im);
    else
        root_table_list(roots, k, count, re, im);
}

/* exp(-2 pi i g^q / n) / (n - 1). g^q is -1 half way, so the other half is the conjugate. */
static weft_status rader_sequence(const struct program_table *t, weft_precision precision,
                                  double *re, double *im)
{
    const struct multiplier next = multiplier_of((uint64_t)primitive_root(t->n), (uint64_t)t->n);
    const int64_t half = t->m / 2;
    const double scale = 1 / (double)t->m;
    struct root_table roots;
    if (!root_table_init(&roots, t->n)) return error_memory("roots of unity");
    uint64_t power = 1;
    for (int64_t q = 0; q < half; q += CHUNK) {
        const int64_t count = half - q < CHUNK ? half - q : CHUNK;
        rader_roots(&roots, precision, &next, &power, count, &re[q], &im[q]);
    }
    root_table_free(&roots);
    for (int64_t q = 0; q < half; q++) {
        re[half + q] = re[q] *= scale;
        im[half + q] = -(im[q] *= scale);
    }
    return WEFT_OK;
}

static weft_status fill_rader(struct device *device, const struct program *program,
                              const struct program_table *t, double *spectrum)
{
    double *re = spectrum, *im = re + t->m;
    weft_status status = rader_sequence(t, program->problem.precision, re, im);
    if (status) return status;
    return host_transform(device, spectrum_threads(device, program), t->m, re, im, NO_SPARE);
}

/* ---- both ---- */

bool spectrum_is_single(const struct program *program, int index)
{
    const struct program_table *t = &program->table[index];
    return program->problem.precision == WEFT_F32 && t->kind == TABLE_BLUESTEIN_SPECTRUM &&
           t->m % 2 == 0;
}

weft_status spectrum_fill(struct device *device, const struct program *program, int index,
                          void *const *table)
{
    const struct program_table *t = &program->table[index];
    if (program->problem.precision == WEFT_DD)
        return spectrum_fill_extended(device, program, index, table);
    if (program->problem.precision == WEFT_F64 && compensated_suits(t->m))
        return spectrum_fill_rounded(t, table[index]);
    if (t->kind == TABLE_RADER_SPECTRUM) return fill_rader(device, program, t, table[index]);
    const double *chirp = spectrum_chirp(program, t->n, table);
    if (spectrum_is_single(program, index))
        return fill_even(device, program, t, chirp, table[index]);
    return fill_bluestein(device, program, t, chirp, table[index]);
}

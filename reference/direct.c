#include "roots.h"

#include <stdlib.h>

enum { MAX_AXES = 64 };

struct direct {
    int rank;
    const struct reference_axis *axis;
    struct extended_complex *roots[MAX_AXES]; /* of the transformed axes: all n of them */
};

static void direct_destroy(struct direct *direct)
{
    for (int i = 0; i < direct->rank; i++)
        free(direct->roots[i]);
}

static bool direct_roots(struct direct *direct, int i, int sign)
{
    int64_t n = direct->axis[i].n;
    direct->roots[i] = calloc((size_t)n, sizeof *direct->roots[i]);
    for (int64_t k = 0; direct->roots[i] && k < n; k++) {
        direct->roots[i][k] = reference_root(k, n);
        if (sign < 0) direct->roots[i][k].im = extended_negate(direct->roots[i][k].im);
    }
    return direct->roots[i] != NULL;
}

static bool direct_create(struct direct *direct, int rank, const struct reference_axis *axis,
                          int sign)
{
    *direct = (struct direct){.rank = rank, .axis = axis};
    for (int i = 0; i < rank; i++) {
        if (!axis[i].transform || direct_roots(direct, i, sign)) continue;
        direct_destroy(direct);
        return false;
    }
    return true;
}

/* Adds weight * x[j] for all indices j of the axes from `level` on, for the output element k. */
static void add_terms(const struct direct *direct, int level, const int64_t *k, const double *in,
                      struct extended_complex weight, struct extended_complex *sum)
{
    if (level == direct->rank) {
        struct extended_complex x = {{in[0], 0.0}, {in[1], 0.0}};
        struct extended_complex term = extended_complex_multiply(weight, x);
        sum->re = extended_add(sum->re, term.re);
        sum->im = extended_add(sum->im, term.im);
        return;
    }
    const struct reference_axis *axis = &direct->axis[level];
    if (!axis->transform) {
        in += 2 * axis->in_stride * k[level];
        add_terms(direct, level + 1, k, in, weight, sum);
        return;
    }
    for (int64_t j = 0; j < axis->n; j++) {
        struct extended_complex root = direct->roots[level][j * k[level] % axis->n];
        add_terms(direct, level + 1, k, in + 2 * axis->in_stride * j,
                  extended_complex_multiply(weight, root), sum);
    }
}

/* Every output element k, its first `level` indices given. */
static void write_elements(const struct direct *direct, int level, int64_t *k, const double *in,
                           struct reference_extended *out)
{
    if (level == direct->rank) {
        const struct extended_complex one = {{1.0, 0.0}, {0.0, 0.0}};
        struct extended_complex sum = {{0.0, 0.0}, {0.0, 0.0}};
        add_terms(direct, 0, k, in, one, &sum);
        out[0] = sum.re;
        out[1] = sum.im;
        return;
    }
    const struct reference_axis *axis = &direct->axis[level];
    for (k[level] = 0; k[level] < axis->n; k[level]++)
        write_elements(direct, level + 1, k, in, out + 2 * axis->out_stride * k[level]);
}

bool reference_direct(int rank, const struct reference_axis *axis, int sign, const double *in,
                      struct reference_extended *out)
{
    struct direct direct;
    int64_t k[MAX_AXES];
    if (rank > MAX_AXES || !direct_create(&direct, rank, axis, sign)) return false;
    write_elements(&direct, 0, k, in, out);
    direct_destroy(&direct);
    return true;
}

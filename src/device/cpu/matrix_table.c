/* The matrices that transforms of reals are. */
#include <string.h>

#include "device/cpu/handed.h"
#include "device/cpu/matrix.h"
#include "device/cpu/table_maker.h"
#include "device/cpu/tables.h"
#include "math/roots.h"

/* Which factors they have. */
struct matrix {
    const struct pass *pass;
    const struct root_table *roots;
    bool sine, hartley;
    bool conjugate; /* half a spectrum is the inverse direction's */
};

struct root {
    double re, im;
};

static struct root root_at(const struct matrix *m, int64_t turn)
{
    struct root root;
    root_table_get(m->roots, turn % m->roots->n, &root.re, &root.im);
    return root;
}

/* Number k of half a spectrum and a real j, 0 <= k <= n / 2. */
static double half_factor(const struct matrix *m, int64_t k, bool imaginary, int64_t j)
{
    const struct root root = root_at(m, j * k);
    if (!imaginary) return root.re;
    return m->conjugate ? -root.im : root.im;
}

/* Of c2r, which takes the real part of each product, and of all but the ends of a half its
 * conjugate too. */
static double backward_factor(const struct matrix *m, int64_t in, int64_t out)
{
    const int64_t k = (in + 1) / 2;
    const bool imaginary = in > 0 && in % 2 == 0;
    const double factor = half_factor(m, k, imaginary, out);
    const double real = imaginary ? -factor : factor;
    return k == 0 || 2 * k == m->pass->half_n ? real : 2 * real;
}

static bool is_on_mirror(const struct reals *reals, int64_t at)
{
    return at == 0 || at == reals->mirror;
}

static double hartley_factor(const struct matrix *m, int64_t turn)
{
    const struct extended_root root = root_table_get_extended(m->roots, turn % m->roots->n);
    return extended_add(root.re, extended_negate(root.im)).hi;
}

/* Reals are reflected at their mirrors, so all count twice but those that lie on one. */
static double reflected_factor(const struct matrix *m, int64_t in, int64_t out)
{
    const struct reals *from = &m->pass->reals[0], *to = &m->pass->reals[1];
    const int64_t a = 2 * in + from->first, b = 2 * out + to->first;
    if (m->hartley) return hartley_factor(m, 2 * a * b);
    const struct root root = root_at(m, a * b);
    double factor = m->sine ? -root.im : root.re;
    factor *= is_on_mirror(from, a) ? from->on_mirror : 2;
    return is_on_mirror(to, b) ? factor * to->on_mirror : factor;
}

/* Of a pair of a Hartley transform's reals, the sum's or the difference's. */
static double folded_factor(const struct matrix *m, int64_t in, int64_t out, bool difference)
{
    const struct root root = root_at(m, 8 * in * out);
    return difference ? -root.im : root.re;
}

static double factor_of(const struct matrix *m, int64_t in, int64_t out)
{
    if (pass_reflects(m->pass)) return reflected_factor(m, in, out);
    if (pass_scatters_half(m->pass)) return half_factor(m, out / 2, out % 2 == 1, in);
    return backward_factor(m, in, out);
}

/* ---- the table ---- */

/* A table while it is filled, from `place` on. */
struct filling {
    const struct matrix_shape *shape;
    weft_precision precision;
    void *data;
    int64_t place;
};

static void put(struct filling *f, double factor)
{
    if (f->precision == WEFT_F32)
        ((float *)f->data)[f->place++] = (float)factor;
    else
        ((double *)f->data)[f->place++] = factor;
}

/* In vectors, the last of which overlaps the one before it. */
static void put_column(struct filling *f, const struct matrix *m, int64_t in, double scale)
{
    const struct matrix_shape *shape = f->shape;
    const int64_t reals = shape->lanes * shape->vectors;
    for (int64_t i = 0; i < reals; i++) {
        const int64_t out = i < reals - shape->lanes ? i : shape->results - (reals - i);
        put(f, scale * factor_of(m, in, out));
    }
}

/* Of a pair, the factors of either part in turns. */
static double apart_factor(const struct filling *f, const struct matrix *m, int64_t pair,
                           int64_t place)
{
    const struct matrix_folds *folds = &f->shape->folds;
    const int64_t out = place / 2, part = place % 2;
    if (!folds->opened) return place < f->shape->results ? factor_of(m, pair, place) : 0;
    if (folds->mirrors.in) return folded_factor(m, pair, out, part > 0);
    const int64_t in = 2 * pair + part - folds->first_out;
    const bool alone = folds->first_out && pair == 0;
    if (alone ? part > 0 : in >= f->shape->count) return 0;
    return factor_of(m, alone ? 0 : in, out);
}

static void put_folds(struct filling *f, const struct matrix *m, double scale)
{
    const struct matrix_folds *folds = &f->shape->folds;
    for (int64_t pair = 0; pair < folds->pairs; pair++) {
        if (!folds->apart) {
            put_column(f, m, pair, scale);
            continue;
        }
        for (int64_t i = 0; i < (int64_t)folds->vectors * f->shape->lanes; i++)
            put(f, scale * apart_factor(f, m, pair, i));
    }
}

static void put_matrix(struct filling *f, const struct matrix *m, enum matrix_form form,
                       double scale)
{
    const int count = (int)f->shape->count;
    if (form == MATRIX_FOLDED) {
        put_folds(f, m, scale);
        return;
    }
    for (int lane = 0; form != MATRIX_SINGLE && lane < f->shape->lanes; lane++)
        put(f, lane % 2 == 0 ? 1 : -1);
    for (int i = 0; i < matrix_products(form, count); i++)
        put_column(f, m, matrix_pair(form, count, i).first, scale);
}

static int64_t reals_of(const struct matrix_shape *shape, enum matrix_form form)
{
    if (form == MATRIX_FOLDED) return matrix_shape_products(shape) * shape->lanes;
    const int64_t products = matrix_products(form, (int)shape->count);
    const int64_t signs = form == MATRIX_SINGLE ? 0 : shape->lanes;
    return products * shape->lanes * shape->vectors + signs;
}

const struct cpu_table *table_matrix(struct kernel *kernel, const struct matrix_shape *shape,
                                     enum matrix_form form)
{
    const struct pass *pass = kernel->pass;
    const struct cpu_table *old = table_find(kernel, TABLE_MATRIX, 0, 0, 0);
    if (old) return old;
    const int64_t order = pass_reflects(pass) ? 4 * pass->reals[0].mirror : pass->half_n;
    const int64_t plane = reals_of(shape, form);
    struct cpu_table *t = table_add(kernel, TABLE_MATRIX, 0, 0, 0, plane, 2 * plane);
    struct matrix m = {.pass = pass, .hartley = pass->kind == WEFT_DHT};
    m.sine = pass->kind >= WEFT_DST1 && pass->kind <= WEFT_DST4;
    m.roots = t ? handed_roots(kernel, order) : NULL;
    if (!m.roots) return NULL;
    struct filling f = {.shape = shape, .precision = kernel->precision, .data = t->data};
    put_matrix(&f, &m, form, kernel->scale[WEFT_FORWARD]);
    m.conjugate = pass_half_directed(pass);
    if (m.conjugate || kernel->scale[WEFT_FORWARD] != kernel->scale[WEFT_INVERSE])
        put_matrix(&f, &m, form, kernel->scale[WEFT_INVERSE]);
    else
        memcpy((char *)t->data + plane * kernel->real_bytes, t->data,
               (size_t)(plane * kernel->real_bytes));
    return t;
}

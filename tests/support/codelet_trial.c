#include "support/codelet_trial.h"

#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernel/line.h"
#include "math/roots.h"
#include "print/c_vector.h"

#define ALIGNMENT 64
#define SENTINEL  1234.5

static double random_real(void)
{
    return (double)rand() / RAND_MAX - 0.5;
}

double *codelet_reals(int64_t count, bool random)
{
    double *values = malloc((size_t)count * sizeof *values);
    assert_non_null(values);
    for (int64_t i = 0; i < count; i++) {
        values[i] = random ? (double)(float)random_real() : SENTINEL;
    }
    return values;
}

struct codelet_array codelet_array(const double *values, int64_t count, bool single)
{
    struct codelet_array array = {NULL, count, single};
    const size_t bytes = (size_t)count * (single ? 4 : 8);
    array.data = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    assert_non_null(array.data);
    for (int64_t i = 0; i < count; i++) {
        if (single) {
            ((float *)array.data)[i] = (float)values[i];
        } else {
            ((double *)array.data)[i] = values[i];
        }
    }
    return array;
}

static double codelet_real(const struct codelet_array *array, int64_t i)
{
    return array->single ? (double)((float *)array->data)[i] : ((double *)array->data)[i];
}

void *codelet_half(const struct codelet_array *array)
{
    return (char *)array->data + array->count / 2 * (array->single ? 4 : 8);
}

/* Where re (part 0) or im (part 1) of a leg stands. */
static int64_t place(const struct codelet_trial *t, bool input, int64_t row, int64_t lane, int leg,
                     int part)
{
    const struct codelet_shape *s = &t->shape;
    enum codelet_end end = input ? codelet_kinds[t->kind].in : codelet_kinds[t->kind].out;
    int64_t row_stride = input ? s->in_row : s->out_row, plane = part * (t->count / 2);
    int64_t leg_stride = input ? s->in_leg : s->out_leg, turn = 0;
    int swapped = codelet_kinds[t->kind].inverse ? 1 - part : part;
    if (leg > 0 && input == (codelet_kinds[t->kind].in == CODELET_INTERLEAVED)) turn = s->turn;
    switch (end) {
    case CODELET_REFLECTED:
        if (leg >= t->radix / 2) {
            return (1 - part) * (t->count / 2) + s->turn - row * row_stride +
                   (t->radix - 1 - leg) * leg_stride + lane;
        }
        /* fallthrough */
    case CODELET_PLANAR:
        return plane + row * row_stride + leg * leg_stride + lane;
    case CODELET_INTERLEAVED:
        return 2 * (row * row_stride + turn + leg * leg_stride + lane) + swapped;
    case CODELET_TRANSPOSED:
        return plane + row * row_stride + lane * t->radix + leg;
    case CODELET_PARTED:
        if (leg >= t->radix / 2) {
            const int64_t of_pairs = 4 * (leg_stride + s->turn - 1);
            const int64_t last = codelet_takes_pairs(t->kind) ? of_pairs : t->count / 2;
            return last + 4 * (t->radix - 1 - leg) * leg_stride -
                   4 * (row * row_stride + lane) + 3 - 2 * part;
        }
        return 4 * (row * row_stride + leg * leg_stride + lane) + 2 * part;
    case CODELET_PACKED:
        break;
    }
    return 2 * (row * row_stride + lane * t->radix + leg) + swapped;
}

static double complex entry(const double *table, int64_t index, int64_t plane)
{
    return table[index] + I * table[index + plane];
}

/* Of woven lanes, the place in the last block that has them: as they lie in a vector. */
static int64_t lane_place(const struct codelet_trial *t, int64_t lane)
{
    const int block = codelet_block(t->set, t->kind, t->radix), small = t->single ? 4 : 2;
    const int64_t over = t->shape.lanes - block, last = over > 0 ? over : 0;
    const int64_t end = (last + block - 1) / block * block;
    if (block == 1) return lane;
    const int64_t start = lane >= last ? last : lane / block * block;
    int place = 0;
    while (c_vector_woven_lane(place, block, small) != lane - start)
        place++;
    return (lane >= last ? end : start) + place;
}

static double complex twiddle(const struct codelet_trial *t, int64_t row, int64_t lane, int leg)
{
    const struct codelet_shape *s = &t->shape;
    int64_t index = 0;
    switch (codelet_kinds[t->kind].twiddle) {
    case CODELET_TWIDDLE_NONE:
    case CODELET_TWIDDLE_PAIR:
        return 1;
    case CODELET_TWIDDLE_ROW:
        index = row * s->twiddle_row + leg - 1;
        break;
    case CODELET_TWIDDLE_LANE:
        index = (leg - 1) * s->twiddle_leg + lane_place(t, lane);
        break;
    case CODELET_TWIDDLE_SPLIT:
        index = row * s->twiddle_row + lane;
        return entry(t->twiddles, index, s->twiddle_plane) *
               entry(t->fine, leg * s->fine_leg + lane, s->fine_plane);
    }
    return leg == 0 ? 1 : entry(t->twiddles, index, s->twiddle_plane);
}

/* x times what stands for both of its parts: the products with itself, and those with the parts
 * exchanged, vector by vector and leg by leg; the last vector overlaps the one before. */
static double complex turned_pair(const struct codelet_trial *t, int64_t lane, int leg,
                                  double complex x)
{
    const int64_t pairs = t->set->lanes / 2, last = t->shape.lanes - pairs;
    const int64_t vectors = (t->shape.lanes + pairs - 1) / pairs;
    const bool over = lane >= last;
    const int64_t vector = over ? vectors - 1 : lane / pairs;
    const int64_t place = over ? lane - last : lane % pairs;
    const double *own =
        t->twiddles + t->shape.twiddle_plane +
        2 * pairs * (2 * (vector * (t->radix - 1) + leg - 1)) + 2 * place;
    const double *other = own + 2 * pairs;
    return creal(x) * own[0] + cimag(x) * other[0] +
           I * (cimag(x) * own[1] + creal(x) * other[1]);
}

static double complex root(int k, int n)
{
    double re, im;
    root_double(k, n, &re, &im);
    return re + I * im;
}

static double complex leg_sum(const struct codelet_trial *t, const double complex *x, int k)
{
    double complex sum = 0;
    if (codelet_kinds[t->kind].identity) return x[k];
    for (int j = 0; j < t->radix; j++)
        sum += x[j] * root(j * k, t->radix);
    return sum;
}

void codelet_direct_sum(struct codelet_trial *t, int64_t row, int64_t lane)
{
    double complex x[LINE_MAX_LENGTH];
    const enum codelet_end in = codelet_kinds[t->kind].in;
    const bool reflects = in == CODELET_REFLECTED || in == CODELET_PARTED;
    for (int j = 0; j < t->radix; j++) {
        x[j] = t->in[place(t, true, row, lane, j, 0)] + I * t->in[place(t, true, row, lane, j, 1)];
        if (reflects && j >= t->radix / 2) x[j] *= t->fine[0];
        if (j > 0 && codelet_kinds[t->kind].twiddle == CODELET_TWIDDLE_PAIR)
            x[j] = turned_pair(t, lane, j, x[j]);
    }
    for (int k = 0; k < t->radix; k++) {
        double complex y = twiddle(t, row, lane, k) * leg_sum(t, x, k);
        t->out[place(t, false, row, lane, k, 0)] = creal(y);
        t->out[place(t, false, row, lane, k, 1)] = cimag(y);
    }
}

void codelet_turn_legs(struct codelet_trial *t)
{
    struct codelet_shape *s = &t->shape;
    int64_t *leg = codelet_kinds[t->kind].in == CODELET_INTERLEAVED ? &s->in_leg : &s->out_leg;
    s->turn = t->radix * *leg;
    *leg = -*leg;
}

bool codelet_goes_in_turn(const struct codelet_trial *t, int64_t lanes)
{
    return t->set && lanes < t->set->lanes && codelet_in_turn(t->set, t->kind);
}

/* What lanes that are absent leave behind a transposed row, or behind the last one. */
static bool is_spilled(const struct codelet_trial *t, int64_t i)
{
    const int64_t at = i % (t->count / 2), radix = t->radix;
    if (codelet_goes_in_turn(t, t->shape.lanes)) return at >= CODELET_ROWS * t->shape.out_row;
    return t->shape.absent && codelet_kinds[t->kind].out == CODELET_TRANSPOSED &&
           at >= t->shape.lanes * radix && at < t->set->lanes * radix;
}

double codelet_difference(const struct codelet_trial *t, const struct codelet_array *got)
{
    double error = 0, norm = 0;
    for (int64_t i = 0; i < t->count; i++) {
        if (is_spilled(t, i)) continue;
        double distance = codelet_real(got, i) - t->out[i];
        error += distance * distance;
        norm += t->out[i] == SENTINEL ? 0 : t->out[i] * t->out[i];
    }
    return sqrt(error / norm);
}

#if defined(__x86_64__)

static bool has_avx2(void)
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}

static bool has_avx512(void)
{
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw");
}

#endif

struct listed_set {
    const struct codelet_set *f32, *f64;
    bool there;
};

void codelet_each_set(void (*check)(const struct codelet_set *set, bool single))
{
    const struct listed_set sets[] = {
        {&codelets_scalar_f32, &codelets_scalar_f64, true},
#if defined(__x86_64__)
        {&codelets_sse2_f32, &codelets_sse2_f64, true},
        {&codelets_avx2_f32, &codelets_avx2_f64, has_avx2()},
        {&codelets_fma_f32, &codelets_fma_f64, has_avx2()},
        {&codelets_avx512_f32, &codelets_avx512_f64, has_avx512()},
        {&codelets_avx512vl_f32, &codelets_avx512vl_f64, has_avx512()},
#elif defined(__aarch64__)
        {&codelets_neon_f32, &codelets_neon_f64, true},
#endif
    };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        print_message("%s%s\n", sets[i].f32->isa, sets[i].there ? "" : ": not on this machine");
        if (!sets[i].there) continue;
        check(sets[i].f32, true);
        check(sets[i].f64, false);
    }
}

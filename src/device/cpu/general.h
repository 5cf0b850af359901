/* The operations of a pipeline that are not codelets: gathering and scattering lines of any
 * strides, products with tables, Rader's middle. They are the general form; codelets take their
 * place where the strides allow it. Each precision has a table of them (general_f32.c,
 * general_f64.c), on x86 another one for AVX2. */
#ifndef WEFT_DEVICE_CPU_GENERAL_H
#define WEFT_DEVICE_CPU_GENERAL_H

#include "device/cpu/engine.h"
#include "math/roots.h"

/* Some roots of unity of order n. */
struct root_range {
    int64_t n, first, step, count, stride;
};

/* Lanes of a leg, in vectors of so many pairs, each `step` reals behind the one before; sign: -1
 * for conjugates. */
struct turn_lanes {
    int64_t count, pairs, step;
    double sign;
};

/* count numbers that lie side by side, at both ends. */
typedef void cpu_convert_function(void *restrict to, const void *restrict from, int64_t count);

struct cpu_general {
    /* Numbers as they are stored, to and from what is computed with; by weft_storage, NULL where
     * both are the same. */
    cpu_convert_function *load[STORAGE_COUNT], *store[STORAGE_COUNT];
    /* from -> tile: element e of the tile is element permutation[e] of the line, times table. */
    cpu_operation_function *gather;
    /* tile -> to: likewise. */
    cpu_operation_function *scatter;
    /* tile *= table */
    cpu_operation_function *multiply;
    /* The second half of a tile, of the first times the table, and back (parity.h). */
    cpu_operation_function *part, *join;
    /* tile *= PASS_SPECTRUM */
    cpu_operation_function *product;
    /* tile *= the split's twiddle, where no step does it */
    cpu_operation_function *twiddle;
    /* See PASS_RADER: reads x_0, writes y_0, multiplies the tile by the spectrum. */
    cpu_operation_function *rader;
    /* What lies at the end that is written, in place, times the factor number twiddle_plane: turn
     * legs, out_leg apart, of rows of lanes; fine_plane: of planes, otherwise of pairs. */
    codelet_function *scale;
    /* from -> to, no tile; times PASS_SPECTRUM if the pass says so */
    cpu_operation_function *copy;
    /* exp(-2 pi i (first + j step) / n) for j < count to re and im at [j * stride]; with a stride
     * above 1, at most 2048 of them. roots: a table of order n. False: no memory. */
    bool (*fill_roots)(const struct root_range *range, const struct root_table *roots, void *re,
                       void *im);
    /* All n roots of unity of order n: some are computed, the others are their reflections. False:
     * no memory. */
    bool (*fill_circle)(int64_t n, void *re, void *im);
    /* table[j * stride] = circle[(j * step) mod n] for j < count, 0 <= step < n; re and im. */
    void (*pick_roots)(const struct root_range *range, const void *circle, void *re, void *im);
    /* A leg's factors of CODELET_TWIDDLE_PAIR (kernel/codelet.h): of each vector (re, re) of its
     * lanes and then (-im, im); the last one ends with the last lane. */
    void (*lay_turns)(const struct turn_lanes *lanes, const double *re, const double *im, void *to);
    /* to[i] = factor from[i], rounded once */
    void (*scale_reals)(void *restrict to, const void *restrict from, double factor,
                        int64_t count);
};

extern const struct cpu_general cpu_general_f32, cpu_general_f64;
#if defined(__x86_64__)
extern const struct cpu_general cpu_general_avx2_f32, cpu_general_avx2_f64;
#endif

/* The table that serves the kernel: of its precision, for the processor. */
const struct cpu_general *cpu_general_of(const struct kernel *kernel);

#endif

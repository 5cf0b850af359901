/* The exact transform that tests and `weft check` compare with.
 *
 * It shares no line with the library: its own roots, its own factoring, its own algorithm
 * (recursive decimation in time, Bluestein for the large primes), so that a mistake cannot be on
 * both sides. It is written to be read and to be right; it only has to be fast enough for a million
 * points.
 *
 * Complex arrays are interleaved: 2n numbers for n elements. `sign` is that of the exponent: -1 for
 * the forward transform, +1 for the inverse. Nothing is scaled. A function that returns bool
 * returns false when there is no memory or a size is out of range (1 to 2^40, the product too), and
 * then writes nothing.
 */
#ifndef REFERENCE_REFERENCE_H
#define REFERENCE_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

/* The unevaluated sum hi + lo with |lo| at most half a unit in the last place of hi: some 106
 * bits. */
struct reference_extended {
    double hi;
    double lo;
};

/* One axis of a problem that may lie in memory in any way. Strides count complex elements. */
struct reference_axis {
    int64_t n;
    int64_t in_stride;
    int64_t out_stride;
    bool transform; /* false: the axis is only repeated over */
};

/* X[k] = sum_j x[j] exp(sign 2 pi i j k / n), relative error some 1e-16 sqrt(log2 n): exact enough
 * to judge single precision. in and out may be the same. */
bool reference_dft_double(int64_t n, int sign, const double *in, double *out);

/* Likewise with a relative error some 1e-31 sqrt(log2 n), to judge double precision. */
bool reference_dft_extended(int64_t n, int sign, const double *in, struct reference_extended *out);

/* Over packed row-major arrays. Bit i of axes: transform along axis i; 0: along all. An axis left
 * out serves as a batch. */
bool reference_dft_axes_double(int rank, const int64_t *size, uint32_t axes, int sign,
                               const double *in, double *out);
bool reference_dft_axes_extended(int rank, const int64_t *size, uint32_t axes, int sign,
                                 const double *in, struct reference_extended *out);

/* Real transforms, as FFTW has them: REDFT00, 10, 01, 11, RODFT00, 10, 01, 11, and Hartley's. */
enum reference_kind {
    REFERENCE_DCT1,
    REFERENCE_DCT2,
    REFERENCE_DCT3,
    REFERENCE_DCT4,
    REFERENCE_DST1,
    REFERENCE_DST2,
    REFERENCE_DST3,
    REFERENCE_DST4,
    REFERENCE_DHT
};

/* Of the real parts of `in`, over packed row-major arrays as above; imaginary parts become 0.
 * orthonormal: with the weights that make the matrix so. A DCT1 has n >= 2. */
struct reference_real {
    const enum reference_kind *kind; /* of each axis of the array that is transformed */
    bool orthonormal;
};
bool reference_real_axes_double(int rank, const int64_t *size, uint32_t axes,
                                struct reference_real real, const double *in, double *out);
bool reference_real_axes_extended(int rank, const int64_t *size, uint32_t axes,
                                  struct reference_real real, const double *in,
                                  struct reference_extended *out);

/* The defining sum itself, in extended precision and O(points^2), for small problems of any layout.
 * in and out point at the elements (0, ..., 0); out must not overlap in. Only the elements that the
 * layout names are read and written. */
bool reference_direct(int rank, const struct reference_axis *axis, int sign, const double *in,
                      struct reference_extended *out);

/* ||x - reference|| / ||reference|| over `elements` complex elements. Where the reference is all
 * zero: 0 if x is too, else infinity. Not a number if x holds one, so test with
 * !(error <= limit). */
double reference_error_f32(int64_t elements, const float *x, const double *reference);
double reference_error_f64(int64_t elements, const double *x,
                           const struct reference_extended *reference);

#endif

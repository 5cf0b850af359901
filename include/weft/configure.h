/* Transforms of the data in a rectangle, in two calls: configure once, compute any number of times.
 *
 * This is the interface of Lloyd, Boyd and Govindaraju, "Fast Computation of General Fourier
 * Transforms on GPUs" (2008), section 4.7, for buffers in place of textures and with a device and a
 * handle in place of a global state. It is a translation into weft_params: what it does not offer
 * (double precision, more axes, other strides, wisdom) weft/weft.h does.
 *
 *     weft_configuration *configuration;
 *     weft_configure(device, WEFT_REAL, WEFT_HALF_COMPLEX, (int64_t[]){640, 480}, 640, 321,
 *                    WEFT_ROWS | WEFT_COLUMNS, &configuration);
 *     weft_compute(configuration, 0, picture, spectrum);
 *     weft_compute(configuration, 1, spectrum, picture);
 *
 * A rectangle is rows of texels, one behind the other; a texel is a real or a complex number, or
 * more channels of which such a one is used. Everything is in single precision. The forward
 * transform is not scaled, the inverse is divided by the number of points, so that one after the
 * other gives what was there.
 *
 * Conventions of errors, handles and threads are those of weft/weft.h.
 */
#ifndef WEFT_CONFIGURE_H
#define WEFT_CONFIGURE_H

#include <weft/weft.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a domain holds. */
typedef enum weft_domain_format {
    WEFT_REAL = 0,        /* the spatial domain only */
    WEFT_COMPLEX = 1,     /* interleaved */
    WEFT_HALF_COMPLEX = 2 /* the frequency domain of real data only: of the first transformed
                           * dimension, of n, just the elements 0 to n / 2, for X[-k] = conj X[k] */
} weft_domain_format;

/* Bits of dim_mask: what is transformed. The other dimension is a batch. */
enum {
    WEFT_ROWS = 1,   /* along rows, which are data_size[0] long */
    WEFT_COLUMNS = 2 /* along columns, which are data_size[1] long */
};

typedef struct weft_configuration weft_configuration;

/* Where the data lie in one domain's buffer; all zero: the first texel of the buffer is the first
 * of the data, and texels have no other channels. */
typedef struct weft_rectangle {
    int64_t origin[2]; /* column and row of the first element */
    int channels;      /* reals of a texel: 1 or more of real data, an even number of complex data;
                        * 0: as many as the format needs */
    int channel;       /* which one holds the data: of complex data an even one, the imaginary part
                        * is in the next */
} weft_rectangle;

/* What a computation may be given beyond its buffers. All zero is the default. */
typedef struct weft_computation {
    weft_rectangle spatial, frequency;
    weft_buffer *temporary; /* device memory of at least weft_configuration_temporary_bytes(), used
                             * by nothing else meanwhile; NULL: the library has its own */
} weft_computation;

/* Makes plans for both directions. data_size: columns and rows of the data. The widths are those of
 * the rectangles in texels, at least as many as the data take in that domain: data_size[0], or
 * data_size[0] / 2 + 1 of half-complex data transformed along rows. dim_mask: WEFT_ROWS,
 * WEFT_COLUMNS or both. *configuration is the caller's to destroy, before the device is closed.
 *
 * Real data with a complex spectrum: the forward transform writes all of the spectrum; the inverse
 * reads of it what half-complex data would hold, since the rest says nothing else. Complex data
 * have no half-complex spectrum.
 * Errors: ARGUMENT (formats or a mask that mean nothing), SIZE, LAYOUT (a rectangle narrower than
 * its data), UNSUPPORTED, MEMORY. */
WEFT_API weft_status weft_configure(weft_device *device, weft_domain_format spatial_format,
                                    weft_domain_format frequency_format,
                                    const int64_t data_size[2], int64_t spatial_rect_width,
                                    int64_t frequency_rect_width, unsigned dim_mask,
                                    weft_configuration **configuration);

/* Transforms `in` to `out` and returns when the result is there. inverse: 0, from the spatial
 * domain to the frequency domain; 1, back. Which buffers may overlap, and errors: as of
 * weft_execute(); real data with a complex spectrum are not transformed forward in place. */
WEFT_API weft_status weft_compute(const weft_configuration *configuration, int inverse,
                                  const weft_buffer *in, weft_buffer *out);

/* Likewise, with the data anywhere in their rectangles. A placement that was used lately takes a
 * microsecond to plan. Errors also: ARGUMENT (a channel that texels have not), LAYOUT (the data
 * reach beyond the right edge of their rectangle, or the buffer). */
WEFT_API weft_status weft_compute_with(const weft_configuration *configuration, int inverse,
                                       const weft_buffer *in, weft_buffer *out,
                                       const weft_computation *computation);

/* Bytes of the temporary that any computation of this configuration can do with; 0 for NULL. */
WEFT_API size_t weft_configuration_temporary_bytes(const weft_configuration *configuration);

/* Frees the configuration with its plans. *configuration becomes NULL, and may be. */
WEFT_API void weft_configuration_destroy(weft_configuration **configuration);

#ifdef __cplusplus
}
#endif

#endif

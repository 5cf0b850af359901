/* Products of one precision: a part of matrix_template.h, included with REAL, PRECISION and
 * MOST_LANES. */
#define ALL_INLINE inline __attribute__((always_inline))
#define WIDTH_FILE "device/cpu/matrix_width.h"
#include "device/cpu/each_width.h"

#include "device/cpu/matrix_folds.h"

/* Lines of a shape. A count of 0 is any. */
#define PRODUCT(form, count, vectors, lanes)                                                       \
    static void NAME_OF(product_##form##_##count##_##vectors##_, lanes,                            \
                        PRECISION)(CODELET_PARAMETERS)                                             \
    {                                                                                              \
        const struct codelet_shape s = *shape;                                                     \
        const REAL *x = in, *columns = (const REAL *)factors + s.twiddle_plane;                    \
        REAL *y = out;                                                                             \
        (void)in_im;                                                                               \
        (void)out_im;                                                                              \
        (void)fine;                                                                                \
        for (int64_t row = s.rows; row > 0; row--, x += s.in_row, y += s.out_row) {                \
            if (count > 0)                                                                         \
                NAME_OF(product_few_, lanes, PRECISION)                                            \
                (&s, x, y, columns, MATRIX_##form, count, vectors);                                \
            else                                                                                   \
                NAME_OF(product_any_, lanes, PRECISION)(&s, x, y, columns, vectors);               \
        }                                                                                          \
    }
NAME_OF(ROWS_, OF, PRECISION)
(PRODUCT)
#undef PRODUCT

#define ENTRY(form, count, vectors, lanes)                                                         \
    {lanes, vectors, count, MATRIX_##form,                                                         \
     NAME_OF(product_##form##_##count##_##vectors##_, lanes, PRECISION)},
    static const struct matrix_codelet NAME_OF(all_, products, PRECISION)[] = {
        {MOST_LANES, 0, 0, MATRIX_FOLDED, NAME_OF(folded_, rows, PRECISION)},
        NAME_OF(ROWS_, OF, PRECISION)(ENTRY)};
#undef ENTRY
#undef ALL_INLINE

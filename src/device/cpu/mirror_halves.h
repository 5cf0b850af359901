/* Halves of spectra of lines of reals that lie beside each other, two of which are one line of the
 * tile, LANES of those at a time: a part of mirror_lines.h, included with LANES as mirror_pairs.h
 * is. The numbers of two lines are four reals that follow one another. The last vector overlaps the
 * one before. */

static inline __attribute__((always_inline)) void
NAME_OF(part_two_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *re,
                                     const REAL *im, REAL *to, const REAL *factor)
{
    const int64_t lanes = shape->lanes;
    for (int64_t k = 0; k <= shape->rows / 2; k++) {
        const int64_t mirrored = k == 0 ? 0 : shape->rows - k;
        const int64_t own = k * shape->in_row, other = mirrored * shape->in_row;
        for (int64_t c = 0; c < lanes; c = NEXT_LANE(c, lanes)) {
            const VECTOR xr = AT(re + own + c), xi = AT(im + own + c);
            const VECTOR yr = AT(re + other + c), yi = AT(im + other + c);
            PUT_FOURS(to + 4 * c, (xr + yr) * factor[0], (xi - yi) * factor[1],
                      (xi + yi) * factor[0], (yr - xr) * factor[1]);
        }
        to += shape->out_row;
    }
}

/* The other way. Number 0, and of an even line the middle one, mirror themselves: only in spectra
 * of complex data have they imaginary parts. */
static inline __attribute__((always_inline)) void
NAME_OF(join_two_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *from, REAL *re,
                                     REAL *im, REAL sign)
{
    const int64_t lanes = shape->lanes;
    for (int64_t k = 0; k <= shape->rows / 2; k++) {
        const int64_t mirrored = k == 0 ? 0 : shape->rows - k;
        const int64_t own = k * shape->out_row, other = mirrored * shape->out_row;
        const REAL kept = k == mirrored ? 0 : sign;
        for (int64_t c = 0; c < lanes; c = NEXT_LANE(c, lanes)) {
            FOURS_AT(from + 4 * c, one_re, one_im, two_re, two_im);
            const VECTOR a = one_im * kept, b = two_im * kept;
            PUT(re + other + c, one_re + b);
            PUT(im + other + c, two_re - a);
            PUT(re + own + c, one_re - b);
            PUT(im + own + c, two_re + a);
        }
        from += shape->in_row;
    }
}

/* Halves of spectra of lines of reals two of which are one line of the tile, LANES of those at a
 * time: a part of mirror_lines.h, included with LANES as mirror_pairs.h is. The last vector, and
 * the last two numbers, overlap the ones before. */
#define TWO   NAME_OF(two_lines_, LANES, PRECISION)
#define PLANE NAME_OF(two_lines_plane_, LANES, PRECISION)

/* A number of each line. */
struct TWO {
    VECTOR one_re, one_im, two_re, two_im;
};

/* The tile's numbers, of which k and rows - k are X[k] of both lines. */
struct PLANE {
    REAL *re, *im;
    int64_t rows, step;
};

static inline int64_t NAME_OF(mirror_of_, LANES, PRECISION)(const struct PLANE *p, int64_t k)
{
    return k == 0 ? 0 : p->rows - k;
}

static inline __attribute__((always_inline)) struct TWO
NAME_OF(part_number_, LANES, PRECISION)(const struct PLANE *p, int64_t k, int64_t c,
                                        const REAL *factor)
{
    const int64_t own = k * p->step + c;
    const int64_t other = NAME_OF(mirror_of_, LANES, PRECISION)(p, k) * p->step + c;
    const VECTOR xr = AT(p->re + own), xi = AT(p->im + own);
    const VECTOR yr = AT(p->re + other), yi = AT(p->im + other);
    return (struct TWO){(xr + yr) * factor[0], (xi - yi) * factor[1], (xi + yi) * factor[0],
                        (yr - xr) * factor[1]};
}

/* Number 0, and of an even line the middle one, mirror themselves: only in spectra of complex data
 * have they imaginary parts, which count as 0 whatever they are. */
static inline __attribute__((always_inline)) void
NAME_OF(join_number_, LANES, PRECISION)(const struct PLANE *p, int64_t k, int64_t c,
                                        const struct TWO *x, REAL sign)
{
    const int64_t mirrored = NAME_OF(mirror_of_, LANES, PRECISION)(p, k);
    const int64_t own = k * p->step + c, other = mirrored * p->step + c;
    const VECTOR none = {0};
    const VECTOR a = k == mirrored ? none : x->one_im * sign;
    const VECTOR b = k == mirrored ? none : x->two_im * sign;
    PUT(p->re + other, x->one_re + b);
    PUT(p->im + other, x->two_re - a);
    PUT(p->re + own, x->one_re - b);
    PUT(p->im + own, x->two_re + a);
}

/* Lines beside each other: the numbers of two are four reals that follow one another. */
static inline __attribute__((always_inline)) void
NAME_OF(part_beside_, LANES, PRECISION)(const struct codelet_shape *shape, struct PLANE p, REAL *to,
                                        const REAL *factor)
{
    for (int64_t k = 0; k <= p.rows / 2; k++) {
        for (int64_t c = 0; c < shape->lanes; c = NEXT_LANE(c, shape->lanes)) {
            const struct TWO x = NAME_OF(part_number_, LANES, PRECISION)(&p, k, c, factor);
            PUT_FOURS(to + 4 * c, 4, x.one_re, x.one_im, x.two_re, x.two_im);
        }
        to += shape->out_row;
    }
}

static inline __attribute__((always_inline)) void
NAME_OF(join_beside_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *from,
                                        struct PLANE p, REAL sign)
{
    for (int64_t k = 0; k <= p.rows / 2; k++) {
        for (int64_t c = 0; c < shape->lanes; c = NEXT_LANE(c, shape->lanes)) {
            FOURS_AT(from + 4 * c, 4, one_re, one_im, two_re, two_im);
            const struct TWO x = {one_re, one_im, two_re, two_im};
            NAME_OF(join_number_, LANES, PRECISION)(&p, k, c, &x, sign);
        }
        from += shape->in_row;
    }
}

#if LANES <= 4 && VECTOR_BYTES < 64
/* Lines one behind the other: two numbers of each are. */
#define NEXT_TWO(k, last) ((k) + 2 == (last) ? (k) + 1 : (k) + 2)

static inline __attribute__((always_inline)) void
NAME_OF(part_along_, LANES, PRECISION)(const struct codelet_shape *shape, struct PLANE p, REAL *to,
                                       const REAL *factor)
{
    const int64_t last = p.rows / 2, step = shape->out_row;
    for (int64_t k = 0; k < last; k = NEXT_TWO(k, last)) {
        for (int64_t c = 0; c < shape->lanes; c = NEXT_LANE(c, shape->lanes)) {
            const struct TWO x = NAME_OF(part_number_, LANES, PRECISION)(&p, k, c, factor);
            const struct TWO y = NAME_OF(part_number_, LANES, PRECISION)(&p, k + 1, c, factor);
            REAL *one = to + c * step + 2 * k, *two = one + shape->out_leg;
            PUT_FOURS(one, step, x.one_re, x.one_im, y.one_re, y.one_im);
            PUT_FOURS(two, step, x.two_re, x.two_im, y.two_re, y.two_im);
        }
    }
}

static inline __attribute__((always_inline)) void
NAME_OF(join_along_, LANES, PRECISION)(const struct codelet_shape *shape, const REAL *from,
                                       struct PLANE p, REAL sign)
{
    const int64_t last = p.rows / 2, step = shape->in_row;
    for (int64_t k = 0; k < last; k = NEXT_TWO(k, last)) {
        for (int64_t c = 0; c < shape->lanes; c = NEXT_LANE(c, shape->lanes)) {
            const REAL *one = from + c * step + 2 * k, *two = one + shape->in_leg;
            FOURS_AT(one, step, one_re, one_im, next_one_re, next_one_im);
            FOURS_AT(two, step, two_re, two_im, next_two_re, next_two_im);
            const struct TWO x = {one_re, one_im, two_re, two_im};
            const struct TWO y = {next_one_re, next_one_im, next_two_re, next_two_im};
            NAME_OF(join_number_, LANES, PRECISION)(&p, k, c, &x, sign);
            NAME_OF(join_number_, LANES, PRECISION)(&p, k + 1, c, &y, sign);
        }
    }
}
#undef NEXT_TWO
#endif

#undef TWO
#undef PLANE

/* LANES numbers and their mirrors at a time, turned, of which one part counts up along reals and
 * the other one down: a part of mirror_lines.h, included with LANES as mirror_pairs.h is. Real and
 * imaginary parts are apart meanwhile: three products of each number take no shuffle then. */
#define VECTOR NAME_OF(plane_, LANES, PRECISION)
#define MEMORY NAME_OF(plane_memory_, LANES, PRECISION)

#if LANES == 16
#define REALS       0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30
#define OTHERS      1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31
#define REALS_BACK  30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0
#define OTHERS_BACK 31, 29, 27, 25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1
#define BACK        15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
#define LOW         0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23
#define HIGH        8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31
#elif LANES == 8
#define REALS       0, 2, 4, 6, 8, 10, 12, 14
#define OTHERS      1, 3, 5, 7, 9, 11, 13, 15
#define REALS_BACK  14, 12, 10, 8, 6, 4, 2, 0
#define OTHERS_BACK 15, 13, 11, 9, 7, 5, 3, 1
#define BACK        7, 6, 5, 4, 3, 2, 1, 0
#define LOW         0, 8, 1, 9, 2, 10, 3, 11
#define HIGH        4, 12, 5, 13, 6, 14, 7, 15
#elif LANES == 4
#define REALS       0, 2, 4, 6
#define OTHERS      1, 3, 5, 7
#define REALS_BACK  6, 4, 2, 0
#define OTHERS_BACK 7, 5, 3, 1
#define BACK        3, 2, 1, 0
#define LOW         0, 4, 1, 5
#define HIGH        2, 6, 3, 7
#elif LANES == 2
#define REALS       0, 2
#define OTHERS      1, 3
#define REALS_BACK  2, 0
#define OTHERS_BACK 3, 1
#define BACK        1, 0
#define LOW         0, 2
#define HIGH        1, 3
#else
#define REALS       0
#define OTHERS      1
#define REALS_BACK  0
#define OTHERS_BACK 1
#define BACK        0
#define LOW         0
#define HIGH        1
#endif

#if LANES > 1
#define SHUFFLED(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
typedef REAL VECTOR __attribute__((vector_size(LANES * sizeof(REAL))));
typedef REAL MEMORY
    __attribute__((vector_size(LANES * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));
#else
#define SHUFFLED(a, b, index) ((index) == 0 ? (a) : (b))
typedef REAL VECTOR, MEMORY;
#endif
#define AT(place)     (*(const MEMORY *)(place))
#define PUT(place, v) (*(MEMORY *)(place) = (v))

/* As the function pairs_; line->to is x[o]. */
static inline __attribute__((always_inline)) int64_t
NAME_OF(unfold_turned_, LANES, PRECISION)(const struct LINE *line, REAL up, REAL down, int64_t k)
{
    const int64_t h = line->h;
    for (; 2 * (k + LANES - 1) <= h; k += LANES) {
        const int64_t last = k + LANES - 1;
        const REAL *own = line->from + 2 * k, *other = line->from + 2 * (h - last);
        const REAL *root = line->roots + 6 * (k - 1);
        const VECTOR a = AT(own), b = AT(own + LANES), c = AT(other), d = AT(other + LANES);
        const VECTOR xr = SHUFFLED(a, b, REALS), xi = SHUFFLED(a, b, OTHERS);
        const VECTOR yr = SHUFFLED(c, d, REALS_BACK), yi = SHUFFLED(c, d, OTHERS_BACK);
        const VECTOR tr = AT(root), ti = AT(root + LANES);
        const VECTOR ur = AT(root + 2 * LANES), ui = AT(root + 3 * LANES);
        const VECTOR vr = AT(root + 4 * LANES), vi = AT(root + 5 * LANES);
        const VECTOR even_re = xr + yr, even_im = xi - yi, rest_re = xr - yr, rest_im = xi + yi;
        const VECTOR odd_re = rest_re * tr - rest_im * ti, odd_im = rest_re * ti + rest_im * tr;
        const VECTOR sr = even_re + odd_re, si = even_im + odd_im;
        const VECTOR dr = even_re - odd_re, di = even_im - odd_im;
        const VECTOR mirrored_re = (dr * vr - di * vi) * up;
        const VECTOR own_im = (sr * ui + si * ur) * down;
        PUT(line->to + k, (sr * ur - si * ui) * up);
        PUT(line->to + 2 * h - last, SHUFFLED(own_im, own_im, BACK));
        PUT(line->to + h - last, SHUFFLED(mirrored_re, mirrored_re, BACK));
        PUT(line->to + h + k, (dr * vi + di * vr) * -down);
    }
    return k;
}

/* The other way; line->from is x[o]. */
static inline __attribute__((always_inline)) int64_t
NAME_OF(fold_turned_, LANES, PRECISION)(const struct LINE *line, REAL up, REAL down, int64_t k)
{
    const int64_t h = line->h;
    for (; 2 * (k + LANES - 1) <= h; k += LANES) {
        const int64_t last = k + LANES - 1;
        const REAL *root = line->roots + 6 * (k - 1);
        const VECTOR own_im = AT(line->from + 2 * h - last), own_re = AT(line->from + h - last);
        const VECTOR a = AT(line->from + k) * up, b = SHUFFLED(own_im, own_im, BACK) * down;
        const VECTOR c = SHUFFLED(own_re, own_re, BACK) * up, d = AT(line->from + h + k) * -down;
        const VECTOR tr = AT(root), ti = AT(root + LANES);
        const VECTOR ur = AT(root + 2 * LANES), ui = AT(root + 3 * LANES);
        const VECTOR vr = AT(root + 4 * LANES), vi = AT(root + 5 * LANES);
        const VECTOR xr = a * ur - b * ui, xi = a * ui + b * ur;
        const VECTOR yr = c * vr - d * vi, yi = c * vi + d * vr; /* the conjugate's */
        const VECTOR even_re = xr + yr, even_im = xi + yi, rest_re = xr - yr, rest_im = xi - yi;
        const VECTOR odd_re = rest_re * tr - rest_im * ti, odd_im = rest_re * ti + rest_im * tr;
        const VECTOR sr = even_re + odd_re, si = even_im + odd_im;
        const VECTOR dr = even_re - odd_re, di = odd_im - even_im;
        const VECTOR er = SHUFFLED(dr, dr, BACK), ei = SHUFFLED(di, di, BACK);
        PUT(line->to + 2 * k, SHUFFLED(sr, si, LOW));
        PUT(line->to + 2 * k + LANES, SHUFFLED(sr, si, HIGH));
        PUT(line->to + 2 * (h - last), SHUFFLED(er, ei, LOW));
        PUT(line->to + 2 * (h - last) + LANES, SHUFFLED(er, ei, HIGH));
    }
    return k;
}

#undef VECTOR
#undef MEMORY
#undef REALS
#undef OTHERS
#undef REALS_BACK
#undef OTHERS_BACK
#undef BACK
#undef LOW
#undef HIGH
#undef SHUFFLED
#undef AT
#undef PUT

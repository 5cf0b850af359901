/* A part of abreast_template.h: lines of REAL. */
#include "device/cpu/widest_lanes.h"

/* The first half of all rows among the second one, by halves of vectors: as often as LANES can be
 * halved this transposes LANES vectors. */
#define DEAL(to, from)                                                                             \
    EACH(i, LANES / 2)                                                                             \
    {                                                                                              \
        to[2 * i] = SHUFFLED(from[i], from[i + LANES / 2], LOW);                                   \
        to[2 * i + 1] = SHUFFLED(from[i], from[i + LANES / 2], HIGH);                              \
    }

static inline __attribute__((always_inline)) void NAME_OF(transpose_, vectors,
                                                          PRECISION)(VECTOR v[LANES])
{
    VECTOR w[LANES];
#if LANES == 2
    DEAL(w, v)
    EACH(i, LANES) v[i] = w[i];
#else
    DEAL(w, v)
    DEAL(v, w)
#if LANES == 8
    DEAL(w, v)
    EACH(i, LANES) v[i] = w[i];
#elif LANES == 16
    DEAL(w, v)
    DEAL(v, w)
#endif
#endif
}

#define CODELET(verb)                                                                              \
    static void NAME_OF(verb, abreast, PRECISION)(                                                 \
        const struct codelet_shape *shape, const void *in_re, const void *in_im, void *out_re,     \
        void *out_im, const void *twiddles, const void *fine)

/* Half as many pairs as lanes are as many reals. */
CODELET(gather_)
{
    (void)in_im;
    (void)twiddles;
    (void)fine;
    const int64_t apart = 2 * shape->in_leg, row = shape->out_row;
    EACH_BLOCK(c, shape->lanes, LANES)
    {
        const REAL *line = (const REAL *)in_re + c * apart;
        REAL *re = (REAL *)out_re + c, *im = (REAL *)out_im + c;
        EACH_BLOCK(e, shape->rows, LANES / 2)
        {
            VECTOR v[LANES];
            EACH(i, LANES) v[i] = AT(line + i * apart + 2 * e);
            NAME_OF(transpose_, vectors, PRECISION)(v);
            EACH(i, LANES / 2)
            {
                PUT(re + (e + i) * row, v[2 * i]);
                PUT(im + (e + i) * row, v[2 * i + 1]);
            }
        }
    }
}

CODELET(scatter_)
{
    (void)out_im;
    (void)twiddles;
    (void)fine;
    const int64_t apart = 2 * shape->out_leg, row = shape->in_row;
    EACH_BLOCK(c, shape->lanes, LANES)
    {
        const REAL *re = (const REAL *)in_re + c, *im = (const REAL *)in_im + c;
        REAL *line = (REAL *)out_re + c * apart;
        EACH_BLOCK(e, shape->rows, LANES / 2)
        {
            VECTOR v[LANES];
            EACH(i, LANES / 2)
            {
                v[2 * i] = AT(re + (e + i) * row);
                v[2 * i + 1] = AT(im + (e + i) * row);
            }
            NAME_OF(transpose_, vectors, PRECISION)(v);
            EACH(i, LANES) PUT(line + i * apart + 2 * e, v[i]);
        }
    }
}

#undef OTHER_PARTS
#if LANES == 16
#define OTHER_PARTS 1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14
#elif LANES == 8
#define OTHER_PARTS 1, 0, 3, 2, 5, 4, 7, 6
#elif LANES == 4
#define OTHER_PARTS 1, 0, 3, 2
#else
#define OTHER_PARTS 1, 0
#endif

CODELET(turn_)
{
    (void)in_im;
    (void)out_im;
    (void)fine;
    const REAL *from = in_re, *own = twiddles, *other = own + shape->twiddle_plane;
    REAL *to = out_re;
    EACH_BLOCK(i, 2 * shape->lanes, LANES)
    {
        const VECTOR x = AT(from + i);
        PUT(to + i, x * AT(own + i) + SHUFFLED(x, x, OTHER_PARTS) * AT(other + i));
    }
}

#undef DEAL
#undef CODELET

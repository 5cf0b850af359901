/* Tables of factors as codelets read them, made of roots. A part of general_template.h. */

static inline __attribute__((always_inline)) void
lay_vectors(const struct turn_lanes *lanes, const double *restrict re, const double *restrict im,
            REAL *restrict to, int64_t pairs)
{
    const int64_t last = lanes->count - pairs;
    for (int64_t v = 0; v * pairs < lanes->count; v++, to += lanes->step) {
        const int64_t lane = pairs * v < last ? pairs * v : last;
        for (int64_t i = 0; i < pairs; i++) {
            const REAL x = (REAL)re[lane + i], y = (REAL)(lanes->sign * im[lane + i]);
            to[2 * i] = to[2 * i + 1] = x;
            to[2 * (pairs + i)] = -y;
            to[2 * (pairs + i) + 1] = y;
        }
    }
}

/* Vectors of few numbers are straight-line code. */
static void lay_turns(const struct turn_lanes *lanes, const double *re, const double *im, void *to)
{
    if (lanes->pairs == 2) lay_vectors(lanes, re, im, to, 2);
    else if (lanes->pairs == 4) lay_vectors(lanes, re, im, to, 4);
    else lay_vectors(lanes, re, im, to, lanes->pairs);
}

static void scale_reals(void *restrict to, const void *restrict from, double factor, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        ((REAL *)to)[i] = (REAL)(factor * (double)((const REAL *)from)[i]);
}

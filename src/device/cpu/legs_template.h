/* Any codelet, leg by leg: what its kind says around the butterfly, on one lane after the other.
 * Slow and short; for the few lanes that are left over by vectors. Defines the function LEGS for
 * numbers of type REAL. */
#include "device/cpu/legs.h"

/* One end of a codelet in reals. A leg's re lies `part` reals before its im where both are behind
 * one pointer; 0: they have a pointer each. */
struct end {
    int64_t row, lane, leg, turn;
    int part;
};

static struct end end_of(enum codelet_end layout, int radix, int64_t row, int64_t leg, int64_t turn)
{
    switch (layout) {
    case CODELET_PLANAR:
        return (struct end){row, 1, leg, 0, 0};
    case CODELET_INTERLEAVED:
        return (struct end){2 * row, 2, 2 * leg, 2 * turn, 1};
    case CODELET_TRANSPOSED:
        return (struct end){row, radix, 1, 0, 0};
    case CODELET_PACKED:
    case CODELET_REFLECTED: /* of wide vectors alone, */
    case CODELET_PARTED:    /* ... as these */
        break;
    }
    return (struct end){0, 2 * radix, 2, 0, 1};
}

static int64_t place_of(const struct end *end, int64_t row, int64_t lane, int leg)
{
    return row * end->row + lane * end->lane + leg * end->leg + (leg > 0 ? end->turn : 0);
}

/* y times the factor at re and im. */
static void multiply(REAL *y, const REAL *re, const REAL *im)
{
    const REAL a = y[0] * *re - y[1] * *im, b = y[0] * *im + y[1] * *re;
    y[0] = a;
    y[1] = b;
}

/* What leg k of a row and lane is multiplied with. */
static void twiddle(enum codelet_twiddle kind, const struct codelet_shape *s, int64_t row,
                    int64_t lane, int k, const REAL *twiddles, const REAL *fine, REAL *y)
{
    const int64_t by_row = row * s->twiddle_row + k - 1, by_lane = (k - 1) * s->twiddle_leg + lane;
    const int64_t at = kind == CODELET_TWIDDLE_ROW ? by_row : by_lane;
    if (kind == CODELET_TWIDDLE_SPLIT) {
        const REAL *of_row = twiddles + row * s->twiddle_row + lane;
        const REAL *of_leg = fine + k * s->fine_leg + lane;
        REAL factor[2] = {*of_row, of_row[s->twiddle_plane]};
        multiply(factor, of_leg, of_leg + s->fine_plane);
        multiply(y, &factor[0], &factor[1]);
    } else if (kind != CODELET_TWIDDLE_NONE && k > 0) {
        multiply(y, twiddles + at, twiddles + at + s->twiddle_plane);
    }
}

void LEGS(const struct codelet_shape *s, const void *in_re, const void *in_im, void *out_re,
          void *out_im, const void *twiddles, const void *fine)
{
    const struct codelet_shape_of_kind *kind = &codelet_kinds[s->kind];
    codelet_function *const butterfly = s->set->function[CODELET_STEP_PLAIN][s->radix];
    const struct codelet_shape legs = {.rows = 1, .lanes = 1, .in_leg = 1, .out_leg = 1};
    const bool turns_in = kind->in == CODELET_INTERLEAVED;
    const int radix = s->radix, swapped = kind->inverse ? 1 : 0;
    const struct end in = end_of(kind->in, radix, s->in_row, s->in_leg, s->turn);
    const struct end out = end_of(kind->out, radix, s->out_row, s->out_leg, turns_in ? 0 : s->turn);
    const REAL *from[2] = {in_re, in.part ? (const REAL *)in_re + in.part : in_im};
    REAL *to[2] = {out_re, out.part ? (REAL *)out_re + out.part : out_im};
    REAL x[2][CODELET_MAX_RADIX], y[2][CODELET_MAX_RADIX];
    for (int64_t i = 0; i < s->rows * s->lanes; i++) {
        const int64_t row = i / s->lanes, lane = i % s->lanes;
        for (int j = 0; j < radix; j++) {
            const int64_t at = place_of(&in, row, lane, j);
            x[swapped][j] = from[0][at];
            x[1 - swapped][j] = from[1][at];
        }
        REAL(*result)[CODELET_MAX_RADIX] = kind->identity ? x : y;
        if (!kind->identity) butterfly(&legs, x[0], x[1], y[0], y[1], NULL, NULL);
        for (int k = 0; k < radix; k++) {
            const int64_t at = place_of(&out, row, lane, k);
            REAL value[2] = {result[swapped][k], result[1 - swapped][k]};
            twiddle(kind->twiddle, s, row, lane, k, twiddles, fine, value);
            to[0][at] = value[0];
            to[1][at] = value[1];
        }
    }
}

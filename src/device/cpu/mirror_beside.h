/* Numbers of lines that lie beside each other, LANES lines at a time (beside.h): a part of
 * mirror_lines.h, included with LANES as mirror_pairs.h is. The last vector overlaps the one
 * before. */
#define NEXT_LANE(c) ((c) + LANES < lanes && (c) + 2 * LANES > lanes ? lanes - LANES : (c) + LANES)

#define PAIR NAME_OF(beside_pair_, LANES, PRECISION)
struct PAIR {
    VECTOR re, im;
};

/* A row's reals as turned numbers. */
static inline __attribute__((always_inline)) struct PAIR
NAME_OF(take_, LANES, PRECISION)(const struct NUMBERS *n, const struct TURN *t, int64_t row,
                                 int64_t c)
{
    const VECTOR x = AT(n->part[0] + row * n->part_step[0] + c);
    const VECTOR y = AT(n->part[1] + row * n->part_step[1] + c);
    return (struct PAIR){x * t->re[0] - y * t->im[1], x * t->im[0] + y * t->re[1]};
}

/* A turned number to its reals. */
static inline __attribute__((always_inline)) void
NAME_OF(leave_, LANES, PRECISION)(const struct NUMBERS *n, const struct TURN *t, int64_t row,
                                  int64_t c, struct PAIR x)
{
    if (n->has[0])
        PUT(n->part[0] + row * n->part_step[0] + c, x.re * t->re[0] - x.im * t->im[0]);
    if (n->has[1])
        PUT(n->part[1] + row * n->part_step[1] + c, x.re * t->im[1] + x.im * t->re[1]);
}

/* From the tile, and to it. */
static inline __attribute__((always_inline)) struct PAIR
NAME_OF(get_, LANES, PRECISION)(const struct NUMBERS *n, int64_t row, int64_t c)
{
    const int64_t at = row * n->step + c;
    return (struct PAIR){AT(n->re + at), AT(n->im + at)};
}

static inline __attribute__((always_inline)) void
NAME_OF(put_, LANES, PRECISION)(const struct NUMBERS *n, int64_t row, int64_t c, struct PAIR x)
{
    const int64_t at = row * n->step + c;
    PUT(n->re + at, x.re);
    PUT(n->im + at, x.im);
}

static inline __attribute__((always_inline)) void
NAME_OF(of_rows_, LANES, PRECISION)(const struct beside_rows *rows,
                                    const struct beside_place *place, int64_t lanes)
{
    const struct NUMBERS n = NAME_OF(numbers, at, PRECISION)(&rows->own, place);
    const struct NUMBERS m = NAME_OF(numbers, at, PRECISION)(&rows->other, place);
    for (int64_t r = 0; r < rows->rows; r++) {
        const struct TURN t = NAME_OF(turn, at, PRECISION)(&n, r);
        const struct TURN u = NAME_OF(turn, at, PRECISION)(&m, r);
        for (int64_t c = 0; c < lanes; c = NEXT_LANE(c)) {
            const struct PAIR x = NAME_OF(take_, LANES, PRECISION)(&n, &t, r, c);
            const struct PAIR y = NAME_OF(take_, LANES, PRECISION)(&m, &u, r, c);
            NAME_OF(put_, LANES, PRECISION)(&n, r, c, x);
            NAME_OF(put_, LANES, PRECISION)(&m, r, c, y);
        }
    }
}

static inline __attribute__((always_inline)) void
NAME_OF(to_rows_, LANES, PRECISION)(const struct beside_rows *rows,
                                    const struct beside_place *place, int64_t lanes)
{
    const struct NUMBERS n = NAME_OF(numbers, at, PRECISION)(&rows->own, place);
    const struct NUMBERS m = NAME_OF(numbers, at, PRECISION)(&rows->other, place);
    for (int64_t r = 0; r < rows->rows; r++) {
        const struct TURN t = NAME_OF(turn, at, PRECISION)(&n, r);
        const struct TURN u = NAME_OF(turn, at, PRECISION)(&m, r);
        for (int64_t c = 0; c < lanes; c = NEXT_LANE(c)) {
            const struct PAIR x = NAME_OF(get_, LANES, PRECISION)(&n, r, c);
            const struct PAIR y = NAME_OF(get_, LANES, PRECISION)(&m, r, c);
            NAME_OF(leave_, LANES, PRECISION)(&n, &t, r, c, x);
            NAME_OF(leave_, LANES, PRECISION)(&m, &u, r, c, y);
        }
    }
}

/* The numbers of two lines as one. */
static inline __attribute__((always_inline)) struct PAIR
NAME_OF(take_both_, LANES, PRECISION)(const struct NUMBERS *n, const struct TURN *t, int64_t row,
                                      int64_t c)
{
    const struct PAIR x = NAME_OF(take_, LANES, PRECISION)(n, t, row, c);
    const struct PAIR y = NAME_OF(take_, LANES, PRECISION)(n, t, row, c + n->second);
    return (struct PAIR){x.re - y.im, x.im + y.re};
}

static inline __attribute__((always_inline)) void
NAME_OF(join_rows_, LANES, PRECISION)(const struct beside_rows *rows,
                                      const struct beside_place *place, int64_t lanes)
{
    const struct NUMBERS n = NAME_OF(numbers, at, PRECISION)(&rows->own, place);
    const struct NUMBERS m = NAME_OF(numbers, at, PRECISION)(&rows->other, place);
    for (int64_t r = 0; r < rows->rows; r++) {
        const struct TURN t = NAME_OF(turn, at, PRECISION)(&n, r);
        const struct TURN u = NAME_OF(turn, at, PRECISION)(&m, r);
        for (int64_t c = 0; c < lanes; c = NEXT_LANE(c)) {
            const struct PAIR x = NAME_OF(take_both_, LANES, PRECISION)(&n, &t, r, c);
            const struct PAIR y = NAME_OF(take_both_, LANES, PRECISION)(&m, &u, r, c);
            NAME_OF(put_, LANES, PRECISION)(&n, r, c, x);
            NAME_OF(put_, LANES, PRECISION)(&m, r, c, y);
        }
    }
}

/* A number of either line to its real. */
static inline __attribute__((always_inline)) void
NAME_OF(leave_both_, LANES, PRECISION)(const struct NUMBERS *n, const struct TURN *t, int64_t row,
                                       int64_t c, struct PAIR x, struct PAIR y)
{
    if (!n->has[0]) return;
    REAL *to = n->part[0] + row * n->part_step[0] + c;
    PUT(to, x.re * t->re[0] - x.im * t->im[0]);
    PUT(to + n->second, y.re * t->re[0] - y.im * t->im[0]);
}

static inline __attribute__((always_inline)) void
NAME_OF(part_rows_, LANES, PRECISION)(const struct beside_rows *rows,
                                      const struct beside_place *place, int64_t lanes)
{
    const struct NUMBERS n = NAME_OF(numbers, at, PRECISION)(&rows->own, place);
    const struct NUMBERS m = NAME_OF(numbers, at, PRECISION)(&rows->other, place);
    for (int64_t r = 0; r < rows->rows; r++) {
        const struct TURN t = NAME_OF(turn, at, PRECISION)(&n, r);
        const struct TURN u = NAME_OF(turn, at, PRECISION)(&m, r);
        for (int64_t c = 0; c < lanes; c = NEXT_LANE(c)) {
            const struct PAIR x = NAME_OF(get_, LANES, PRECISION)(&n, r, c);
            const struct PAIR y = NAME_OF(get_, LANES, PRECISION)(&m, r, c);
            const struct PAIR a = {x.re + y.re, x.im - y.im}, b = {x.im + y.im, y.re - x.re};
            const struct PAIR a_mirrored = {a.re, -a.im}, b_mirrored = {b.re, -b.im};
            NAME_OF(leave_both_, LANES, PRECISION)(&n, &t, r, c, a, b);
            NAME_OF(leave_both_, LANES, PRECISION)(&m, &u, r, c, a_mirrored, b_mirrored);
        }
    }
}

/* Of Z what comes to twice X: own X[k], other X[h-k]. */
static inline __attribute__((always_inline)) void
NAME_OF(unfold_rows_, LANES, PRECISION)(const struct beside_rows *rows,
                                        const struct beside_place *place, int64_t lanes)
{
    const struct NUMBERS n = NAME_OF(numbers, at, PRECISION)(&rows->own, place);
    const struct NUMBERS m = NAME_OF(numbers, at, PRECISION)(&rows->other, place);
    const REAL *root_re = rows->root_re, *root_im = rows->root_im;
    for (int64_t r = 0; r < rows->rows; r++) {
        const struct TURN t = NAME_OF(turn, at, PRECISION)(&n, r);
        const struct TURN u = NAME_OF(turn, at, PRECISION)(&m, r);
        const REAL a = root_re[r], b = root_im[r];
        for (int64_t c = 0; c < lanes; c = NEXT_LANE(c)) {
            const struct PAIR x = NAME_OF(get_, LANES, PRECISION)(&n, r, c);
            const struct PAIR y = NAME_OF(get_, LANES, PRECISION)(&m, r, c);
            const struct PAIR even = {x.re + y.re, x.im - y.im}, d = {x.re - y.re, x.im + y.im};
            const struct PAIR odd = {d.re * a - d.im * b, d.re * b + d.im * a};
            const struct PAIR own = {even.re + odd.im, even.im - odd.re};
            const struct PAIR other = {even.re - odd.im, -even.im - odd.re};
            NAME_OF(leave_, LANES, PRECISION)(&n, &t, r, c, own);
            NAME_OF(leave_, LANES, PRECISION)(&m, &u, r, c, other);
        }
    }
}

/* The other way. The own number is the one that stays, where it is the other one too. */
static inline __attribute__((always_inline)) void
NAME_OF(fold_rows_, LANES, PRECISION)(const struct beside_rows *rows,
                                      const struct beside_place *place, int64_t lanes)
{
    const struct NUMBERS n = NAME_OF(numbers, at, PRECISION)(&rows->own, place);
    const struct NUMBERS m = NAME_OF(numbers, at, PRECISION)(&rows->other, place);
    const REAL *root_re = rows->root_re, *root_im = rows->root_im;
    for (int64_t r = 0; r < rows->rows; r++) {
        const struct TURN t = NAME_OF(turn, at, PRECISION)(&n, r);
        const struct TURN u = NAME_OF(turn, at, PRECISION)(&m, r);
        const REAL a = root_re[r], b = root_im[r];
        for (int64_t c = 0; c < lanes; c = NEXT_LANE(c)) {
            const struct PAIR x = NAME_OF(take_, LANES, PRECISION)(&n, &t, r, c);
            const struct PAIR y = NAME_OF(take_, LANES, PRECISION)(&m, &u, r, c);
            const struct PAIR even = {x.re + y.re, x.im - y.im}, d = {x.re - y.re, x.im + y.im};
            const struct PAIR odd = {d.re * a - d.im * b, d.re * b + d.im * a};
            const struct PAIR own = {even.re - odd.im, even.im + odd.re};
            const struct PAIR other = {even.re + odd.im, odd.re - even.im};
            NAME_OF(put_, LANES, PRECISION)(&m, r, c, other);
            NAME_OF(put_, LANES, PRECISION)(&n, r, c, own);
        }
    }
}

#undef PAIR
#undef NEXT_LANE

/* Numbers of lines that lie beside each other, LANES lines at a time (beside.h): a part of
 * mirror_lines.h, included with LANES as mirror_pairs.h is. The last vector overlaps the one
 * before. */
#define PAIR NAME_OF(beside_pair_, LANES, PRECISION)
#define ROW  NAME_OF(beside_row_, LANES, PRECISION)
#define BOTH NAME_OF(beside_both_, LANES, PRECISION)

struct PAIR {
    VECTOR re, im;
};

/* A number of each line, and what it is turned by. */
struct ROW {
    struct NUMBERS numbers;
    struct TURN turn;
    int64_t number;
};

/* Numbers k and h - k of each line, and the root of k, if there are any. */
struct BOTH {
    struct ROW own, other;
    REAL root_re, root_im;
};

/* From reals to turned numbers. */
static inline __attribute__((always_inline)) struct PAIR
NAME_OF(take_, LANES, PRECISION)(const struct ROW *row, int64_t c)
{
    const struct NUMBERS *n = &row->numbers;
    const struct TURN *t = &row->turn;
    const VECTOR x = AT(n->part[0] + row->number * n->part_step[0] + c);
    const VECTOR y = AT(n->part[1] + row->number * n->part_step[1] + c);
    return (struct PAIR){x * t->re[0] - y * t->im[1], x * t->im[0] + y * t->re[1]};
}

/* From turned numbers to reals. */
static inline __attribute__((always_inline)) void
NAME_OF(leave_, LANES, PRECISION)(const struct ROW *row, int64_t c, struct PAIR x)
{
    const struct NUMBERS *n = &row->numbers;
    const struct TURN *t = &row->turn;
    if (n->has[0])
        PUT(n->part[0] + row->number * n->part_step[0] + c, x.re * t->re[0] - x.im * t->im[0]);
    if (n->has[1])
        PUT(n->part[1] + row->number * n->part_step[1] + c, x.re * t->im[1] + x.im * t->re[1]);
}

/* The numbers of two lines as one. */
static inline __attribute__((always_inline)) struct PAIR
NAME_OF(take_both_, LANES, PRECISION)(const struct ROW *row, int64_t c)
{
    const struct PAIR x = NAME_OF(take_, LANES, PRECISION)(row, c);
    const struct PAIR y = NAME_OF(take_, LANES, PRECISION)(row, c + row->numbers.second);
    return (struct PAIR){x.re - y.im, x.im + y.re};
}

/* A number of either line to its real. */
static inline __attribute__((always_inline)) void
NAME_OF(leave_both_, LANES, PRECISION)(const struct ROW *row, int64_t c, struct PAIR x,
                                       struct PAIR y)
{
    const struct NUMBERS *n = &row->numbers;
    const struct TURN *t = &row->turn;
    if (!n->has[0]) return;
    REAL *to = n->part[0] + row->number * n->part_step[0] + c;
    PUT(to, x.re * t->re[0] - x.im * t->im[0]);
    PUT(to + n->second, y.re * t->re[0] - y.im * t->im[0]);
}

/* From the tile, and to it. */
static inline __attribute__((always_inline)) struct PAIR
NAME_OF(get_, LANES, PRECISION)(const struct ROW *row, int64_t c)
{
    const int64_t at = row->number * row->numbers.step + c;
    return (struct PAIR){AT(row->numbers.re + at), AT(row->numbers.im + at)};
}

static inline __attribute__((always_inline)) void
NAME_OF(put_, LANES, PRECISION)(const struct ROW *row, int64_t c, struct PAIR x)
{
    const int64_t at = row->number * row->numbers.step + c;
    PUT(row->numbers.re + at, x.re);
    PUT(row->numbers.im + at, x.im);
}

/* Rows of vectors of 32 bytes are pointers that are moved on, hidden from the compiler, as are the
 * flags: it has few registers then, and would find places anew for each vector. Wider ones count
 * rows. (Experiment "held rows" in docs/experiments.) */
#undef HELD
#if VECTOR_BYTES == 32 && defined(__x86_64__)
#define HELD(value) __asm__("" : "+r"(value))
#endif

static inline __attribute__((always_inline)) void NAME_OF(next_row_, LANES,
                                                          PRECISION)(struct ROW *row)
{
#ifdef HELD
    struct NUMBERS *n = &row->numbers;
    n->re += n->step;
    n->im += n->step;
    n->part[0] += n->part_step[0];
    n->part[1] += n->part_step[1];
#else
    row->number++;
#endif
}

static inline __attribute__((always_inline)) void NAME_OF(hold_row_, LANES,
                                                          PRECISION)(struct ROW *row, int64_t r)
{
    struct NUMBERS *n = &row->numbers;
    row->turn = NAME_OF(turn, at, PRECISION)(n, r);
#ifdef HELD
    HELD(n->re);
    HELD(n->im);
    HELD(n->part[0]);
    HELD(n->part[1]);
#endif
}

static inline __attribute__((always_inline)) struct ROW
NAME_OF(first_row_, LANES, PRECISION)(const struct beside_numbers *numbers,
                                      const struct beside_place *place)
{
    struct ROW row = {.numbers = NAME_OF(numbers, at, PRECISION)(numbers, place)};
#ifdef HELD
    HELD(row.numbers.has[0]);
    HELD(row.numbers.has[1]);
#endif
    return row;
}

/* Does the same with all numbers and their mirrors: `work` with those of LANES lines, the first of
 * which is line c. */
static inline __attribute__((always_inline)) void
NAME_OF(all_rows_, LANES, PRECISION)(const struct beside_rows *rows,
                                     const struct beside_place *place, int64_t lanes,
                                     void (*work)(const struct BOTH *m, int64_t c))
{
    struct BOTH m = {.own = NAME_OF(first_row_, LANES, PRECISION)(&rows->own, place),
                     .other = NAME_OF(first_row_, LANES, PRECISION)(&rows->other, place)};
    for (int64_t r = 0; r < rows->rows; r++) {
        NAME_OF(hold_row_, LANES, PRECISION)(&m.own, r);
        NAME_OF(hold_row_, LANES, PRECISION)(&m.other, r);
        m.root_re = rows->root_re ? ((const REAL *)rows->root_re)[r] : 0;
        m.root_im = rows->root_im ? ((const REAL *)rows->root_im)[r] : 0;
        for (int64_t c = 0; c < lanes; c = NEXT_LANE(c, lanes)) work(&m, c);
        NAME_OF(next_row_, LANES, PRECISION)(&m.own);
        NAME_OF(next_row_, LANES, PRECISION)(&m.other);
    }
}

/* ---- what is done with numbers and their mirrors ---- */

static inline __attribute__((always_inline)) void
NAME_OF(gather_mirrors_, LANES, PRECISION)(const struct BOTH *m, int64_t c)
{
    const struct PAIR x = NAME_OF(take_, LANES, PRECISION)(&m->own, c);
    const struct PAIR y = NAME_OF(take_, LANES, PRECISION)(&m->other, c);
    NAME_OF(put_, LANES, PRECISION)(&m->own, c, x);
    NAME_OF(put_, LANES, PRECISION)(&m->other, c, y);
}

static inline __attribute__((always_inline)) void
NAME_OF(scatter_mirrors_, LANES, PRECISION)(const struct BOTH *m, int64_t c)
{
    const struct PAIR x = NAME_OF(get_, LANES, PRECISION)(&m->own, c);
    const struct PAIR y = NAME_OF(get_, LANES, PRECISION)(&m->other, c);
    NAME_OF(leave_, LANES, PRECISION)(&m->own, c, x);
    NAME_OF(leave_, LANES, PRECISION)(&m->other, c, y);
}

static inline __attribute__((always_inline)) void
NAME_OF(join_mirrors_, LANES, PRECISION)(const struct BOTH *m, int64_t c)
{
    const struct PAIR x = NAME_OF(take_both_, LANES, PRECISION)(&m->own, c);
    const struct PAIR y = NAME_OF(take_both_, LANES, PRECISION)(&m->other, c);
    NAME_OF(put_, LANES, PRECISION)(&m->own, c, x);
    NAME_OF(put_, LANES, PRECISION)(&m->other, c, y);
}

static inline __attribute__((always_inline)) void
NAME_OF(part_mirrors_, LANES, PRECISION)(const struct BOTH *m, int64_t c)
{
    const struct PAIR x = NAME_OF(get_, LANES, PRECISION)(&m->own, c);
    const struct PAIR y = NAME_OF(get_, LANES, PRECISION)(&m->other, c);
    const struct PAIR a = {x.re + y.re, x.im - y.im}, b = {x.im + y.im, y.re - x.re};
    const struct PAIR a_mirrored = {a.re, -a.im}, b_mirrored = {b.re, -b.im};
    NAME_OF(leave_both_, LANES, PRECISION)(&m->own, c, a, b);
    NAME_OF(leave_both_, LANES, PRECISION)(&m->other, c, a_mirrored, b_mirrored);
}

/* Of Z what comes to twice X: own X[k], other X[h-k]. */
static inline __attribute__((always_inline)) void
NAME_OF(unfold_mirrors_, LANES, PRECISION)(const struct BOTH *m, int64_t c)
{
    const REAL a = m->root_re, b = m->root_im;
    const struct PAIR x = NAME_OF(get_, LANES, PRECISION)(&m->own, c);
    const struct PAIR y = NAME_OF(get_, LANES, PRECISION)(&m->other, c);
    const struct PAIR even = {x.re + y.re, x.im - y.im}, d = {x.re - y.re, x.im + y.im};
    const struct PAIR odd = {d.re * a - d.im * b, d.re * b + d.im * a};
    const struct PAIR own = {even.re + odd.im, even.im - odd.re};
    const struct PAIR other = {even.re - odd.im, -even.im - odd.re};
    NAME_OF(leave_, LANES, PRECISION)(&m->own, c, own);
    NAME_OF(leave_, LANES, PRECISION)(&m->other, c, other);
}

/* The other way. The own number is the one that stays, where it is the other one too. */
static inline __attribute__((always_inline)) void
NAME_OF(fold_mirrors_, LANES, PRECISION)(const struct BOTH *m, int64_t c)
{
    const REAL a = m->root_re, b = m->root_im;
    const struct PAIR x = NAME_OF(take_, LANES, PRECISION)(&m->own, c);
    const struct PAIR y = NAME_OF(take_, LANES, PRECISION)(&m->other, c);
    const struct PAIR even = {x.re + y.re, x.im - y.im}, d = {x.re - y.re, x.im + y.im};
    const struct PAIR odd = {d.re * a - d.im * b, d.re * b + d.im * a};
    const struct PAIR own = {even.re - odd.im, even.im + odd.re};
    const struct PAIR other = {even.re + odd.im, odd.re - even.im};
    NAME_OF(put_, LANES, PRECISION)(&m->other, c, other);
    NAME_OF(put_, LANES, PRECISION)(&m->own, c, own);
}

#undef PAIR
#undef ROW
#undef BOTH

/* A part of odd_half_template.h: lines of REAL. */
#include "device/cpu/widest_lanes.h"

#undef PAIR
#define PAIR NAME_OF(odd_, pair, PRECISION)

/* One number. */
typedef REAL PAIR __attribute__((vector_size(2 * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));

/* Strands of numbers: number i of strand s is at s + r i of the line, and at i of its row, or -i,
 * rows `step` numbers from each other. */
#undef STRANDS
#define STRANDS NAME_OF(odd_, strands, PRECISION)
struct STRANDS {
    PAIR factor;
    PAIR *line, *row;
    int64_t r, step, count;
    bool back, opens; /* counted backwards; from the line to rows */
};

static void NAME_OF(move_, one, PRECISION)(const struct STRANDS *s, int64_t strand, int64_t begin,
                                           int64_t end)
{
    PAIR *const row = s->row + strand * s->step, *const line = s->line + strand;
    const int64_t r = s->r, step = s->back ? -1 : 1;
    const PAIR factor = s->factor;
    if (s->opens) {
        for (int64_t i = begin; i < end; i++)
            row[step * i] = factor * line[r * i];
    } else {
        for (int64_t i = begin; i < end; i++)
            line[r * i] = factor * row[step * i];
    }
}

/* Four at a time of singles, whose pairs are short. */
#if LANES == 8
#include "device/cpu/odd_strands.h"
#endif

static __attribute__((noinline)) void
NAME_OF(move_, strands, PRECISION)(const struct STRANDS *s, int64_t begin, int64_t end)
{
#if LANES == 8
    for (int64_t strand = 0; s->count >= 4 && end - begin >= 4; strand += 4) {
        if (strand + 4 > s->count) strand = s->count - 4;
        move_four(s, strand, begin, end);
        if (strand + 4 == s->count) return;
    }
#endif
    for (int64_t strand = 0; strand < s->count; strand++)
        NAME_OF(move_, one, PRECISION)(s, strand, begin, end);
}

/* Numbers of so many of each row at a time, which are neighbours in the line. */
#undef SHEET
#define SHEET 64

/* X[r i + k] is number i of row k, and X[r i + r - k] the conjugate of number m - 1 - i of it: of
 * row 0, which lines are opened to, number m - i. */
static void NAME_OF(odd_, half, PRECISION)(const struct odd_numbers *run, bool opens)
{
    const int64_t rows = run->rows, r = 2 * rows + 1, m = run->m;
    PAIR *const line = run->line, *const row = run->rows_begin;
    const REAL re = (REAL)run->factor[0], im = (REAL)run->factor[1];
    const struct STRANDS up = {{re, im}, line, row, r, run->apart, rows + 1, false, opens};
    const struct STRANDS down = {{re, -im}, line + rows + 1, row + rows * run->apart + m - 1,
                                 r, -run->apart, rows, true, opens};
    const struct STRANDS first = {{re, -im}, line, row + m, r, 0, 1, true, opens};
    for (int64_t i = run->begin; i < run->end; i += SHEET) {
        const int64_t end = i + SHEET < run->end ? i + SHEET : run->end;
        NAME_OF(move_, strands, PRECISION)(&up, i, end);
        NAME_OF(move_, strands, PRECISION)(&down, i, end < run->last ? end : run->last);
        if (opens) NAME_OF(move_, one, PRECISION)(&first, 0, i ? i : 1, end);
    }
    /* Only spectra of complex data have this part. */
    if (opens && run->begin == 0) ((REAL *)row)[1] = 0;
}

static void NAME_OF(open_, half, PRECISION)(const struct odd_numbers *run)
{
    NAME_OF(odd_, half, PRECISION)(run, true);
}

static void NAME_OF(close_, half, PRECISION)(const struct odd_numbers *run)
{
    NAME_OF(odd_, half, PRECISION)(run, false);
}

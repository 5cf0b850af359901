#include "spec/laid_lines.h"

#include "math/factor.h"

/* Reals of all lines side by side, in bytes, as many as which vectors of lines two by two are
 * fuller than products: of lines whose ends are both apart; and of short ones that are contiguous
 * where they are read. (Experiment "laid" in docs/experiments, with all numbers here.) */
#define ROW_FORWARD    128
#define ROW_BACKWARD   256
#define ROW_CONTIGUOUS 1024
#define SHORT_LINE     20

/* Longer lines are laid if they are so few, and of a prime, whose transform takes long, or more
 * than one of two; and those of half spectra to contiguous reals up to so many. */
#define LONG_LINE    33
#define LONGEST_LINE 65
#define LONG_LINES   8
#define SPECTRA      64

/* Lines that are lanes: the longest of doubles; from this length on no fewer than so many; most of
 * singles; products of one with all others; and more are for doubles up to this length, or to reals
 * so many lines.
 * (Experiment "lanes of reals" in docs/experiments.) */
#define MOST_DOUBLES     15
#define LONG_LANE        13
#define LEAST_LONG_LANES 4
#define MOST_SINGLES     512
#define LANE_PRODUCTS    12300
#define SHORT_LANE       8
#define MOST_LANES_BACK  256

bool lanes_of_reals(const struct laid_reals *reals)
{
    const int64_t n = reals->n, lines = reals->lines;
    const bool doubles = reals->real_bytes == 8;
    if (!reals->beside || n < 2 || n > (doubles ? MOST_DOUBLES : LANES_MOST_REALS)) return false;
    if (lines < 2 || (n >= LONG_LANE && lines < LEAST_LONG_LANES)) return false;
    if (!doubles && lines > MOST_SINGLES) return false;
    if (n * n * lines <= LANE_PRODUCTS) return true;
    return reals->forward ? doubles && n <= SHORT_LANE : doubles || lines <= MOST_LANES_BACK;
}

static bool is_long_laid(const struct laid_reals *reals)
{
    const int64_t n = reals->n, lines = reals->lines;
    if (reals->contiguous[1] && n < LONGEST_LINE && lines < SPECTRA) return true;
    return lines <= LONG_LINES && (is_prime(n) || (lines > 2 && n <= LONGEST_LINE));
}

bool laid_lone_line(int64_t n)
{
    return n <= LONGEST_LINE || is_prime(n);
}

bool laid_odd_lines(const struct laid_reals *reals)
{
    const int64_t row = reals->lines * reals->real_bytes;
    const bool in = reals->contiguous[0], out = reals->contiguous[1];
    if (lanes_of_reals(reals)) return true;
    if (out && (in || reals->forward)) return true; /* products read reals wherever they are */
    if (reals->n > LONG_LINE) return is_long_laid(reals);
    if (out) return true;
    if (in && reals->n < SHORT_LINE && (reals->forward || row < ROW_CONTIGUOUS)) return true;
    return row < (reals->forward ? ROW_FORWARD : ROW_BACKWARD);
}

/* Line codelets: a whole short transform of neighbouring elements as one kernel, for the CPU.
 *
 * A row (IR_BLOCK) is one transform of n complex numbers, interleaved, at in + row * in_row and
 * out + row * out_row. Its threads are dealt along the butterflies of each Stockham step, as in
 * codelet.h, and exchange what they computed through shared memory: where the vectors of a CPU are
 * as long as the threads are many, that is a matter of shuffles (print/c_line.h).
 *
 * Parameters and buffers are those of codelet.h, of which in_row, out_row, in_re, out_re and the
 * twiddles are used. Those of step t, with o = line_order(t) unless that is r_t, multiply the k-th
 * result (k >= 1) of the butterfly of thread i by exp(-2 pi i p k / o), p = i / (n / o): at
 * [line_twiddles(t) + (k - 1) * line_padded(n / r_t) + i], re and im line_twiddles(steps - 1)
 * apart. Lines of LINE_PAIRS are none of that: see print/c_pairs_line.h. */
#ifndef WEFT_KERNEL_LINE_H
#define WEFT_KERNEL_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/ir.h"
#include "weft/weft.h"

#define LINE_MAX_LENGTH 256
#define LINE_MAX_STEPS  3

/* Tables of what codelets that serve both directions shuffle by: of CODELET_PACK, and by their
 * width of lines. */
#define CODELET_PACK_EXCHANGE 0
#define CODELET_EXCHANGES     17

enum line_kind {
    LINE_FORWARD,
    LINE_INVERSE, /* exchanges re and im at both ends; some forward ones serve both directions, by a
                   * table of what they shuffle (print/c_shuffle.h) or, of pairs, by signs */
    LINE_KINDS
};

enum line_form {
    LINE_STEPS,   /* of Stockham */
    LINE_COPRIME, /* likewise, with no twiddles between factors of n that are coprime, the first of
                   * which is the product of the first radices; both ends are permuted for it */
    LINE_PAIRS    /* two steps between vectors of pairs (print/c_pairs_line.h), no kernel of
                   * line_build() */
};

/* How sets whose vectors have `lanes` lanes do one length. */
struct line {
    int lanes, n;
    int width; /* lanes that are used; 1: none for threads, of which there is one, but two for the
                * parts of a complex number (print/c_pair.h) */
    int steps;
    int radix[LINE_MAX_STEPS];
    enum line_form form;
};

/* NULL: such sets have no codelet of that length. */
const struct line *line_find(int lanes, weft_precision precision, int n);
/* Whether they have one, which is of LINE_PAIRS. */
bool line_is_of_pairs(int lanes, weft_precision precision, int n);
/* Their names but for the length. */
const char *line_name(enum line_kind kind);

/* Where the factors of step t begin, from 0; t == steps - 1 is the end, which is their plane. */
int64_t line_twiddles(const struct line *line, int t);
/* What step t and those behind it transform, of the line or of its coprime factor. */
int64_t line_order(const struct line *line, int t);
/* Threads are padded to whole vectors of any width. */
int64_t line_padded(int64_t threads);

/* Builds the codelet's IR in the arena. NULL: no memory. */
const struct ir *line_build(arena *a, const struct line *line, enum line_kind kind,
                            weft_precision precision);

#endif

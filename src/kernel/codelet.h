/* Codelets: the butterflies of one Stockham step as kernels, for the CPU.
 *
 * A codelet computes, for every row and lane of a rectangle, one DFT of length `radix`:
 *
 *     y_k = t_k * sum_j x_j exp(-2 pi i j k / radix)
 *
 * row = IR_BLOCK, lane = IR_THREAD. All strides are in complex elements:
 *
 *     x_j  at  in  + row * in_row  + j * in_leg  + lane      (planar)
 *     y_k  at  out + row * out_row + k * out_leg + lane      (planar)
 *     the same, and for j, k >= 1  + turn                    (interleaved; if both, in alone)
 *     y_k  at  out + row * out_row + lane * radix + k        (transposed: planar, out_leg unused)
 *     x_j, y_k at  in/out + lane * radix + j, k              (packed: interleaved; rows unused, but
 *                                                            of y_k of pairs_open + row * out_row)
 *     x_j  at  in  + row * in_row + j * in_leg + lane, j < radix / 2, and from radix / 2 on the
 *              parts, exchanged, at  in + turn - row * in_row + (radix - 1 - j) * in_leg + lane,
 *              times the first of `fine`                     (reflected: planar, even radices)
 *     x_j  at  in + 4 (row * in_row + j * in_leg + lane), j < radix / 2, im 2 reals behind re, and
 *              from radix / 2 on re 3 reals and im 1 behind the place  in_im +
 *              4 ((radix - 1 - j) * in_leg - row * in_row - lane), times the first of `fine`
 *                                                            (parted: reals, even radices;
 *              of pairs in_im is in + 4 (in_leg + turn - 1), and rows are in_row reals apart)
 *     t_k  as the twiddle kind says; planar pairs, re at +0 and im at +twiddle_plane
 *
 * Interleaved arrays take part of one pointer (re; im = re + 1 real).
 *
 * Inverse transforms take the same codelets. Between planar ends the caller exchanges the pointers
 * (swap F(swap x) is the inverse transform). Where one end is interleaved, the legs there are
 * counted backwards, which makes the butterfly the inverse one: leg j at the place of radix - j, by
 * a stride of -leg and a turn of radix * leg. Twiddles are then the conjugate ones, and the planes
 * of the other end are exchanged. Packed ends cannot be turned: `inverse` codelets have them and
 * exchange re and im at both, or codelets serve both directions (print/c_shuffle.h). */
#ifndef WEFT_KERNEL_CODELET_H
#define WEFT_KERNEL_CODELET_H

#include <stdbool.h>
#include <stdint.h>

#include "ir/ir.h"
#include "weft/weft.h"

enum codelet_end {
    CODELET_PLANAR,
    CODELET_INTERLEAVED,
    CODELET_TRANSPOSED,
    CODELET_PACKED,
    CODELET_REFLECTED,
    CODELET_PARTED
};

enum codelet_twiddle {
    CODELET_TWIDDLE_NONE,
    /* t_0 = 1; t_k (k >= 1) = table[row * twiddle_row + k - 1], all lanes alike */
    CODELET_TWIDDLE_ROW,
    CODELET_TWIDDLE_LANE, /* t_0 = 1; t_k (k >= 1) = table[(k - 1) * twiddle_leg + lane] */
    /* t_k (k >= 0) = table[row * twiddle_row + lane] * fine[k * fine_leg + lane]: a split's
     * exp(-2 pi i (row + k rows) column / n), rows and legs apart, so that no table is as long as
     * the data, and a tile's stay in the first-level cache */
    CODELET_TWIDDLE_SPLIT,
    /* x_j (j >= 1) is multiplied, not y_k, by a factor of each lane. For each vector of lanes and
     * each leg the table has (re, re) of these lanes and then (-im, im), from twiddle_plane on. The
     * last vector's lanes end with the last. */
    CODELET_TWIDDLE_PAIR
};

/* The parts of two numbers, of which one half of a parted line has one. */
#define CODELET_PARTED_REALS 4

/* A factor's in a table of CODELET_TWIDDLE_PAIR. */
#define CODELET_PAIR_REALS 4

/* The kinds of codelet there are, a row each in codelet_kinds[] (codelet.c). */
enum codelet_kind {
    CODELET_STEP_PLAIN,  /* planar -> planar, no twiddle */
    CODELET_STEP,        /* planar -> planar, row twiddle: a middle step */
    CODELET_STEP_SPLIT,  /* planar -> planar, split twiddle: last step of split columns */
    CODELET_TRANSPOSE,   /* planar -> transposed, no butterfly: a tile is turned */
    CODELET_OPEN_PLANAR, /* planar -> transposed, lane twiddle: first step of a line */
    CODELET_OPEN,        /* interleaved -> transposed, lane twiddle */
    CODELET_ENTER,       /* interleaved -> planar, row twiddle: first step of a tile */
    CODELET_REFLECT,     /* reflected -> planar, row twiddle: likewise of reals there and back */
    CODELET_OPEN_PARTED, /* parted -> transposed, lane twiddle: first step of such a line */
    CODELET_ENTER_PARTED, /* parted -> planar, row twiddle: likewise of a tile of its columns */
    CODELET_LEAVE,       /* planar -> interleaved, no twiddle: last step */
    CODELET_STREAM,      /* the same, past the caches: vectors must be aligned */
    CODELET_STREAM_SPLIT, /* so of CODELET_STEP_SPLIT */
    CODELET_WHOLE,       /* interleaved -> interleaved, no twiddle: all in one step */
    CODELET_PAIRS,       /* the same of rows of one lane, some of which fill vectors of pairs */
    CODELET_PAIRS_OPEN,  /* interleaved -> packed, vectors of pairs: first step of a line */
    CODELET_PAIRS_PARTED, /* parted -> packed, likewise */
    CODELET_PAIRS_LEAVE, /* interleaved -> interleaved, likewise, pair twiddle: the other steps */
    CODELET_PACK,        /* packed -> packed: small contiguous transforms, a lane each */
    CODELET_PACK_INVERSE,
    CODELET_KIND_COUNT
};

struct codelet_shape_of_kind {
    const char *name; /* "step_plain", ...: part of the function's name */
    enum codelet_end in, out;
    enum codelet_twiddle twiddle;
    bool inverse;
    bool identity; /* y_k = t_k x_k: no butterfly */
    bool streams;  /* results go past the caches */
    bool fetches;  /* rows further on are asked for as one is read */
    bool onward;   /* lines of the next tile are asked for, where the set is a wide one */
    bool narrow;   /* lanes may be half a vector's to all, where the set has masks */
    bool seldom;   /* larger butterflies are cores (print/c_vector.h) than in other kinds */
    bool woven;    /* so may lanes be: see print/c_vector.h */
    bool in_turn;  /* there, legs are written one after the other: lanes may be any, if results lie
                    * so, too, and both ends have room for a vector more */
};
extern const struct codelet_shape_of_kind codelet_kinds[CODELET_KIND_COUNT];

/* True if the library has a codelet of this kind and radix: steps and whole transforms for 2..13,
 * 15, 16 and 25; the primes 17 to 97 of all kinds with planar or interleaved ends; of pairs 2..16,
 * 18, 20, 24 and 25, beside each other 4..16, 18, 20, 24, 25, 27, 28, 30, 32, 36 and 40 and, to
 * leave, 2 and 3; packed
 * 2..13 and 16; transposing 4, 8, 16, 32; streaming 2..16 but for 11, 13 and 14, with a split's
 * twiddle 2 to 10 and 16; reflected 6, 8, 10, 12 and 16; parted 8 and 16, pairs 6, 8, 10, 12, 16
 * and 20. */
bool codelet_exists(enum codelet_kind kind, int radix);

/* Whether its vectors are of pairs. */
bool codelet_takes_pairs(enum codelet_kind kind);

/* Whether lines one behind the other are faster a lane each than in pairs, in sets of both. */
bool codelet_packs(weft_precision precision, int radix);

/* Sets need not have codelets of this kind: others do as well, only slower. */
bool codelet_is_optional(enum codelet_kind kind);

/* The parameters of every codelet's IR, in this order; the printer turns them into the fields of
 * struct codelet_shape (src/device/cpu/codelet.h). */
enum codelet_param {
    CODELET_IN_ROW,
    CODELET_IN_LEG,
    CODELET_OUT_ROW,
    CODELET_OUT_LEG,
    CODELET_TURN,
    CODELET_TWIDDLE_ROW_STRIDE,
    CODELET_TWIDDLE_LEG,
    CODELET_TWIDDLE_PLANE,
    CODELET_FINE_LEG,
    CODELET_FINE_PLANE,
    CODELET_PARAM_COUNT
};
/* The buffers, in this order; im buffers of interleaved ends exist but are unused. */
enum codelet_buffer {
    CODELET_IN_RE,
    CODELET_IN_IM,
    CODELET_OUT_RE,
    CODELET_OUT_IM,
    CODELET_TWIDDLES,
    CODELET_FINE_TWIDDLES,
    CODELET_BUFFER_COUNT
};

/* Declares the parameters and the buffers of any codelet. */
void codelet_declare(struct ir_builder *b, ir_value param[CODELET_PARAM_COUNT],
                     int buffer[CODELET_BUFFER_COUNT]);

/* Builds the codelet's IR in the arena. NULL: no memory, or !codelet_exists(), but for steps
 * between pairs of radices 2 to 20, which lines have. */
const struct ir *codelet_build(arena *a, enum codelet_kind kind, int radix,
                               weft_precision precision);

#endif

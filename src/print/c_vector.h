/* Prints codelets as C with vector types (gcc and clang extensions).
 * The threads of a kernel become the lanes of vectors; addresses affine in IR_THREAD become vector
 * loads and stores, those with a lane stride above 1 become groups of contiguous vectors and the
 * shuffles that take them apart or interleave them. */
#ifndef WEFT_PRINT_C_VECTOR_H
#define WEFT_PRINT_C_VECTOR_H

#include <stdbool.h>

#include "base/text.h"
#include "ir/ir.h"
#include "print/c_shuffle.h"

struct c_vector_target {
    const char *isa; /* part of every function's name: "avx2" */
    bool single;     /* float or double */
    int lanes;       /* of a vector; 1: scalar C */
    bool fma;        /* the instruction set has fma; otherwise IR_FMA is a multiply and an add */
    bool small;      /* short text counts for more than speed */
    bool seldom;     /* it does a little more than otherwise */
    bool streams;    /* values are stored past the caches; they must be aligned (x86) */
    bool onward;     /* lines of the next tile are asked for with each vector of lanes */
    bool masks;      /* lanes may be fewer than a vector's: see c_vector_print() */
    bool woven;      /* lanes of pairs are those of two vectors in turns: likewise */
    bool in_turn;    /* stores keep the kernel's order: likewise */
    bool lean;       /* pointers move from vector to vector, what is used twice is kept (x86) */
    const char *fetches; /* arguments of codelet_fetch(), the planes that it asks for; NULL: none */
    struct c_exchange *exchange; /* of codelets that serve both directions, whose ends are pairs;
                                  * NULL: they serve one */
};

/* Appends what a file of codelets starts with: includes, types, helpers. */
void c_vector_prologue(struct text *t, const struct c_vector_target *target);

/* Appends the function `codelet_<isa>_<f32|f64>_<kernel's name>` of type codelet_function, see
 * src/device/cpu/codelet.h: the kernel's buffers are its arguments, the kernel's params fields of
 * its shape. Lane counts that are not a multiple of the vector's are finished by a last vector that
 * overlaps the one before: so lanes >= target->lanes, and in-place calls need a multiple. With
 * masks there may be fewer, half of target->lanes at least: the shape's `absent` has a bit for each
 * real that the second vector of a leg's pairs has not. These are not written, nor read behind the
 * last leg. With woven lanes pairs are parted within 128 bits: of two vectors these have first what
 * the same 128 bits of the first one hold, then of the second, and transposed lanes go where they
 * belong. Tables of a lane's reals have each vector's reals in this order (c_vector_woven_lane()),
 * those of a last vector that overlaps the one before as one more. With stores in turn there may be
 * any number of lanes where each leg's lanes end where those of the next begin, and rows likewise,
 * and both ends have room for a vector behind the last: what is written too much is overwritten by
 * what comes next. In a row the loads that come before the first store in the kernel are done
 * before it; the other loads may come at any time: what they read must not be written. A kernel the
 * printer has no words for makes the text fail. */
void c_vector_print(struct text *t, const struct c_vector_target *target, const struct ir *kernel);

/* Which lane is at a place of a woven vector; `small` lanes have 128 bits. */
static inline int c_vector_woven_lane(int place, int lanes, int small)
{
    const int half = small / 2;
    return place % small / half * (lanes / 2) + place / small * half + place % half;
}

/* Whether a codelet whose lanes have `radix` reals each at its end can be woven: pieces that it
 * stores have to be of lanes that follow each other. */
bool c_vector_weaves(const struct c_vector_target *target, int radix);

/* True if the arithmetic of the kernel is so long that it becomes a function of its own, which
 * codelets share (their core). False also where there is no memory. */
bool c_vector_outlines(const struct c_vector_target *target, const struct ir *kernel);

/* Appends that function and its description, a struct codelet_core (src/device/cpu/codelet.h)
 * called `codelet_<isa>_<f32|f64>_<name>`, of a kernel that loads and stores complex numbers. */
void c_vector_print_core(struct text *t, const struct c_vector_target *target,
                         const struct ir *kernel, const char *name);

/* Appends the head of such a function up to its brace; of the kernel's buffers the shared ones are
 * left out. */
void c_vector_print_head(struct text *t, const struct c_vector_target *target,
                         const struct ir *kernel);

/* Appends that name. */
void c_vector_name(struct text *t, const struct c_vector_target *target, const char *kernel_name);

#endif

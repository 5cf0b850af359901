/* A problem: what is to be computed, without a pointer to any data. It can be hashed, printed and
 * stored. Checked once, where it is made (src/api/); everything below assumes it valid. */
#ifndef WEFT_SPEC_PROBLEM_H
#define WEFT_SPEC_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/storage.h"
#include "base/texels.h"
#include "base/text.h"
#include "spec/hook.h"
#include "spec/range.h"
#include "weft/weft.h"

/* n places, `in_stride` elements apart where it is read and `out_stride` where it is written:
 * complex ones, or reals where the side is real. Any sign; in_stride may be 0. */
struct dim {
    int64_t n, in_stride, out_stride;
};

/* What the elements of the input, or of the output, are in memory. */
struct problem_side {
    weft_storage storage; /* of their real numbers; 0: the precision's, which no other value says */
    struct texels texels; /* where it is an image */
};

/* Axes of a rank-8 array and the batch count. */
#define PROBLEM_MAX_DIMS (WEFT_MAX_RANK + 1)

struct problem {
    weft_kind kind;                    /* of reals to reals: axis 0's, and that of the others */
    weft_kind axis_kind[PROBLEM_MAX_DIMS]; /* ... for which this is 0: it is another one's there */
    weft_precision precision;          /* of the arithmetic: WEFT_F32, WEFT_F64 or WEFT_DD */
    weft_format format;                /* of the complex sides */
    bool orthonormal;                  /* reals on a mirror are weighted so (spec/reals.h); what
                                        * multiplies all results is in the scales */
    int axes;                          /* dimensions to transform, slowest first; those of */
    struct dim axis[PROBLEM_MAX_DIMS]; /* length 1 are left out. May be 0: a copy. Of WEFT_R2C and
                                        * WEFT_C2R the last one is always there: n reals on one
                                        * side, n / 2 + 1 complex elements on the other. */
    int loops;                         /* dimensions to repeat over (the batch), */
    struct dim loop[PROBLEM_MAX_DIMS]; /* those of length 1 left out */
    struct problem_side side[2];       /* the input and the output */
    struct range range[2][PROBLEM_MAX_DIMS]; /* of these, by axis: which elements there are */
    struct range repeated[PROBLEM_MAX_DIMS]; /* of loops: which of their counts there are. Only
                                              * parts of a problem repeat over less than all. */
    weft_operation operation;          /* of the others than WEFT_TRANSFORM the kind is WEFT_C2C, or
                                        * WEFT_R2C: reals on both sides */
    struct dim kernel;                 /* of a convolution's results: n kernels, in_stride 0 */
    weft_order order;                  /* of WEFT_C2C: what plans may leave; else WEFT_NATURAL */
    double scale[2];                   /* by weft_direction, */
    double scale_rest[2];              /* ... and what to add to it, in WEFT_DD */
    int threads;                       /* CPU threads, at least 1 */
    struct hooks hooks;
};

/* Elements of the whole array, batch included. 0: empty batch. Of real kinds: reals. */
int64_t problem_elements(const struct problem *p);
/* Whether an output's range leaves out what lies there between two axes, or, of a convolution, is
 * anything at all. */
bool problem_output_cuts(const struct problem *problem);
/* Whether what is written to the output cannot be read from it as it was, or what lies between
 * two axes would be written where no output is wanted. */
bool problem_output_loses(const struct problem *p);
/* Whether an axis has a range on that side, or on any. */
bool problem_has_range(const struct problem *p, bool out);
bool problem_has_ranges(const struct problem *p);
/* True if both sides' elements lie as they are computed with: pairs, or reals, which no hook
 * changes. */
bool problem_is_plain(const struct problem *p);
/* Whether some range goes on at 0 behind the end of its axis. */
bool problem_wraps(const struct problem *p);
/* The share of a side's elements that its ranges have. */
double problem_side_share(const struct problem *p, bool out);
/* Whether forward transforms, a product and inverse transforms are one program. */
bool problem_convolves(const struct problem *p);
/* Complex elements of a convolution's spectrum, those of one kernel; and bytes of all of them. */
int64_t problem_spectrum_elements(const struct problem *p);
size_t problem_spectrum_bytes(const struct problem *p);
/* Whether the input, or the output, is real. */
bool problem_is_real(const struct problem *p, bool out);
/* The kind of axis i. */
weft_kind problem_axis_kind(const struct problem *p, int i);
/* Gives it to the last axis that there is so far, axis i. */
void problem_set_axis_kind(struct problem *p, int i, weft_kind kind);
/* Whether axes are of different kinds. */
bool problem_mixes_kinds(const struct problem *p);
/* Makes of all kinds those that lead back. False: these are the same. */
bool problem_turn_kinds(struct problem *p);
/* The problem with one axis alone, as it will be met: the other axes are repeated over, and all but
 * the last lie in the output, or on the complex side. */
struct problem problem_of_axis(const struct problem *problem, int axis);
/* Elements along axis i on that side: fewer than axis[i].n where there is half a spectrum. */
int64_t problem_side_length(const struct problem *p, bool out, int i);
/* Arrays of that side: of the output of a convolution one for each kernel. */
int64_t problem_side_arrays(const struct problem *p, bool out);
/* Whether results are multiplied by other than 1 in some direction. */
bool problem_scales(const struct problem *p);
/* What is computed with where numbers are stored so: WEFT_F32, WEFT_F64 or WEFT_DD. */
weft_precision precision_computed(weft_precision precision);
/* Bytes of a real number as it is computed with. */
int precision_bytes(weft_precision precision);
/* Bytes of a real number of that side in memory. */
int problem_side_bytes(const struct problem *p, bool out);
/* "c2c f32 interleaved 1000:1009:1009x1009:1:1 batch 8:... threads 1": all that a plan depends on,
 * which is all but the scales and hooks. Of several kinds those of all axes, "dct2+dht".
 * Convolutions add "convolution 3:1009000", the stride from one kernel's result to the next, sides
 * of another storage "input f16", images "input image FORMAT:CHANNEL:WIDTH", ranges
 * "input range 0+500x20+500" with "all" of whole axes, and where the order may be another
 * "transposed". */
void problem_print_shape(struct text *t, const struct problem *p);
/* Likewise with the scales and hooks: all that distinguishes problems. */
void problem_print(struct text *t, const struct problem *p);

/* Reads what problem_print_shape() writes of arrays into a problem with scales of 1, and moves
 * *text behind it. Whether the numbers make sense is for the reader to check. False, with all as it
 * was: the text is something else. */
bool problem_parse_shape(const char **text, struct problem *p);

bool problem_same_shape(const struct problem *a, const struct problem *b);
bool problem_equal(const struct problem *a, const struct problem *b);

#endif

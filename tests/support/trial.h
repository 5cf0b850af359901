/* Random problems in random layouts, run on guarded memory. */
#ifndef TESTS_SUPPORT_TRIAL_H
#define TESTS_SUPPORT_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "support/guarded.h"
#include "support/random.h"
#include "weft/weft.h"

#define TRIAL_MAX_DIMS (WEFT_MAX_RANK + 1)

/* Where the elements of one side lie; dimension 0 is the batch. */
struct trial_side {
    int64_t n[TRIAL_MAX_DIMS]; /* the trial's, but where there is half a spectrum */
    bool real;
    int64_t stride[TRIAL_MAX_DIMS];
    int64_t offset;
    int64_t elements; /* that its buffer holds */
    bool packed;      /* the parameters leave the strides out */
    bool ranged;      /* the parameters say which elements there are: along a dimension */
    int64_t first[TRIAL_MAX_DIMS], count[TRIAL_MAX_DIMS]; /* count from first on, in a circle */
};

struct trial {
    weft_params params; /* as the library gets them, but for the strides; see trial_params() */
    int dims;           /* rank and 1 */
    int64_t n[TRIAL_MAX_DIMS];
    bool transformed[TRIAL_MAX_DIMS];
    struct trial_side in, out;
    bool in_place;
    int in_shift, out_shift; /* of the memory, in real numbers off a cache line */
};

/* What random problems may be. */
struct trial_range {
    int64_t points;   /* most elements of one array of the batch */
    int64_t elements; /* most elements of them all */
    int rank;         /* most axes */
    int threads;      /* most threads */
    bool real;        /* most of them real kinds */
    bool stored;      /* with storages that are not the precision's */
    bool ranged;      /* with ranges at the input, the output, or both */
};

void trial_random(struct random *random, const struct trial_range *range, struct trial *trial);

/* Packed arrays of complex numbers, every axis but the batch transformed, out of place. */
struct trial trial_packed(int rank, const int64_t *size, int64_t batch);

/* Gives both sides the strides of packed arrays of all elements. */
void trial_pack(struct trial *trial);

/* The parameters, their pointers into the trial. */
weft_params trial_params(const struct trial *trial);

/* Elements of the whole problem, and of one of its sides; 2 numbers each in the packed arrays
 * below, of which the second is left alone where the side is real. */
int64_t trial_elements(const struct trial *trial);
int64_t trial_side_elements(const struct trial *trial, const struct trial_side *side);

/* Whether one side is real and the other half a spectrum. */
bool trial_is_half(const struct trial *trial);

/* What dimension i is transformed by; the batch's is the kind of all. */
weft_kind trial_kind(const struct trial *trial, int i);
/* Gives both sides their lengths, by the kind. */
void trial_set_sides(struct trial *trial);

/* Elements that one transform combines: the product of the transformed sizes. */
int64_t trial_points(const struct trial *trial);

/* The place in its buffer of the index-th element, counted row by row with the batch slowest. */
int64_t trial_place(const struct trial *trial, const struct trial_side *side, int64_t index);

/* The places of all elements of a side, those that are out of its ranges last; the caller's to
 * free. */
int64_t *trial_places(const struct trial *trial, const struct trial_side *side);

/* Gives a side ranges of all elements, for the caller to narrow. */
void trial_range_whole(const struct trial *trial, struct trial_side *side);

/* Gives it random ones. */
void trial_range_random(struct random *random, const struct trial *trial, struct trial_side *side);
/* Moves ranges that go on at 0 behind the end to that end: others do not stream. */
void trial_straighten(struct trial *trial);

/* Whether the index-th element of a side is in its ranges, and how many are. */
bool trial_has(const struct trial *trial, const struct trial_side *side, int64_t index);
int64_t trial_had_elements(const struct trial *trial, const struct trial_side *side);

/* What the side's numbers are in memory. */
weft_storage trial_storage(const struct trial *trial, const struct trial_side *side);

/* How large its numbers should be: 1, or what is many units of a whole number. */
double trial_unit(const struct trial *trial, const struct trial_side *side);

/* Guarded memory for a side. */
void trial_create_memory(const struct trial *trial, const struct trial_side *side, int shift,
                         struct guarded *guarded);

/* In words, for messages; in a buffer of the thread's. */
const char *trial_text(const struct trial *trial);

/* Puts the input's elements (packed pairs) times its unit into its memory, and in place of those
 * that are out of its ranges what is no number. What the memory really holds is written back to
 * `in`: numbers rounded as they are stored, equal ones where the layout repeats an element, and 0
 * for what is out of range. */
void trial_put(const struct trial *trial, double *in, struct guarded *memory);
/* Fetches the output's elements, 0 for those that are out of its ranges. */
void trial_get(const struct trial *trial, const struct guarded *memory, double *out);

/* Puts `in` into guarded memory, executes, and fetches the result to `out`. Returns NULL, or what
 * was wrong: a status, a byte changed beside the output's elements or in the input. */
const char *trial_run(const struct trial *trial, const weft_plan *plan, weft_device *device,
                      weft_direction direction, double *in, double *out);

#endif

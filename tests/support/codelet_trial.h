/* Calls of codelets beside the direct sum: their shapes, and what they read and write. */
#ifndef TESTS_SUPPORT_CODELET_TRIAL_H
#define TESTS_SUPPORT_CODELET_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "device/cpu/codelet.h"
#include "kernel/codelet.h"

enum { CODELET_ROWS = 3, CODELET_GAP = 2 /* complex elements left free behind a row of lanes */ };

/* One call: its shape, and arrays of both precisions' values as doubles. */
struct codelet_trial {
    const struct codelet_set *set;
    bool single;
    enum codelet_kind kind;
    int radix;
    struct codelet_shape shape;
    int64_t count;                      /* reals of each array */
    double *in, *out, *twiddles, *fine; /* re and im of a planar end: the halves of an array */
};

struct codelet_array {
    void *data;
    int64_t count;
    bool single;
};

/* Random numbers that are exact in single precision, or what nobody may touch. To be freed. */
double *codelet_reals(int64_t count, bool random);

/* The same in the precision of a codelet, on a cache line; its data is to be freed. */
struct codelet_array codelet_array(const double *values, int64_t count, bool single);

/* Where the imaginary parts of a planar end begin. */
void *codelet_half(const struct codelet_array *array);

/* Whether lanes that there are not are overwritten by the next leg's, or lie behind all rows. */
bool codelet_goes_in_turn(const struct codelet_trial *t, int64_t lanes);

/* Legs in the opposite order, as for the inverse transform: leg 0 stays. */
void codelet_turn_legs(struct codelet_trial *t);

/* Writes what the codelet should into t->out. */
void codelet_direct_sum(struct codelet_trial *t, int64_t row, int64_t lane);

/* The relative error, L2; places that no leg stands at must hold what they held before. */
double codelet_difference(const struct codelet_trial *t, const struct codelet_array *got);

/* Calls it with the set of every instruction set that this machine has, and says which it tries. */
void codelet_each_set(void (*check)(const struct codelet_set *set, bool single));

#endif

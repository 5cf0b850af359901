/* Cosine, sine and Hartley transforms as parts of a longer Fourier transform: of x[j] at in_first +
 * j in_step of a line of `period` elements otherwise 0, elements out_first + k out_step. That is
 * the definition of each kind, read off its formula; no algorithm is behind it. */
#ifndef REFERENCE_COSINES_H
#define REFERENCE_COSINES_H

#include "reference.h"

enum cosine_part { COSINE_RE, COSINE_MINUS_IM, COSINE_RE_MINUS_IM };

struct cosine_terms {
    int64_t n, period;
    int64_t in_first, in_step, out_first, out_step;
    enum cosine_part part;
    double factor;                /* of all terms but */
    bool in_once[2], out_once[2]; /* by first and last: those that are counted once */
    int64_t round_trip;           /* what the kind and its inverse multiply by */
};

struct cosine_terms cosine_terms_of(enum reference_kind kind, int64_t n);

/* Weights of x[j] and of the result k. */
struct reference_extended cosine_in_weight(const struct cosine_terms *terms, int64_t j,
                                           bool orthonormal);
struct reference_extended cosine_out_weight(const struct cosine_terms *terms, int64_t k,
                                            bool orthonormal);

#endif

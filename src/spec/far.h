/* Whether caches keep what ranges leave of a problem. */
#ifndef WEFT_SPEC_FAR_H
#define WEFT_SPEC_FAR_H

#include "spec/limits.h"
#include "spec/problem.h"

/* Of what a CPU has of its third level, input and output take more than one part in so many:
 * results can go past the caches; a step's last results alone are written where they belong.
 * (Experiment "packed drafts" in docs/experiments.) */
#define FAR_RANGES  2
#define NEAR_RANGES 4
/* ... half spectra are taken back in steps that write to memory of their own, not in sweeps over
 * all of them. (Experiment "ranges of half spectra" in docs/experiments.) */
#define HALF_RANGES 2.5

static inline bool ranges_are_far(const struct limits *limits, const struct problem *p,
                                  double parts)
{
    const double share = problem_side_share(p, false) + problem_side_share(p, true);
    const double elements = share * (double)problem_elements(p);
    return elements * 2 * precision_bytes(p->precision) > (double)limits->cache_bytes[2] / parts;
}

#endif

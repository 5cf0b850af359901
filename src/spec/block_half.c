#include "spec/block_half.h"

#include <math.h>
#include <stdlib.h>

/* Fitted to the experiments "rows of halves" and "folds" in docs/experiments. */
static const struct {
    double unfolding; /* how many times longer a pass takes that reads each number twice */
    double folding;   /* ... to unfold, or to fold; */
    double line;      /* what folding adds where the second time is from the cache, over the
                       * blocks that there are to go on with meanwhile, */
    double line_of_reals; /* ... where numbers are reals that stand for more, */
    double most_line;     /* ... at most; */
    double paired;        /* what either adds where a thread has the mirrors, */
    double mirrored;      /* ... and the exchange that brings them there where it has not, over
                           * the blocks, */
    double most_mirrored; /* ... at most */
} constants = {
    .unfolding = 1.6,
    .folding = 1.6,
    .line = 2.2,
    .line_of_reals = 6,
    .most_line = 0.6,
    .paired = 0.08,
    .mirrored = 0.45,
    .most_mirrored = 0.3,
};

bool block_half_pairs(const struct block_half_step *step, weft_precision precision,
                      const struct limits *limits)
{
    const int64_t count = step->length / step->radix;
    const int64_t coalesced = limits->coalescing_bytes / (2 * precision_bytes(precision));
    if (step->radix % 2 != 0 || count % 2 != 0) return false;
    if (step->along && count / 2 < coalesced) return false;
    return step->columns * count % (2 * (int64_t)step->threads) == 0;
}

/* As its kernel will be built. */
static bool has_mirrors(const struct block_tile *tile, const struct pass *pass, bool out,
                        weft_precision precision, const struct limits *limits)
{
    if (pass->radices < 2) return false;
    const bool columns = pass->loops && llabs(pass_stride(pass, &pass->loop[0], out)) <
                                            llabs(pass_stride(pass, &pass->line, out));
    const struct block_half_step step = {tile->columns, tile->length,
                                         pass->radix[out ? pass->radices - 1 : 0], tile->threads,
                                         !columns};
    return block_half_pairs(&step, precision, limits);
}

static double folded(const struct block_tile *tile, const struct pass *pass,
                     weft_precision precision, const struct limits *limits)
{
    const double again = pass->reals[0].parts ? constants.line_of_reals : constants.line;
    if (!pass_folds_line(pass)) return constants.folding;
    if (has_mirrors(tile, pass, false, precision, limits)) return 1 + constants.paired;
    return 1 + fmin(again / tile->resident, constants.most_line);
}

double block_half_slowness(const struct block_tile *tile, const struct pass *pass,
                           weft_precision precision, const struct limits *limits)
{
    const bool image = pass->half != PASS_NO_HALF && pass->folds > 0;
    if (pass->half == PASS_HALF_UNFOLD) return constants.unfolding;
    if (pass->half == PASS_HALF_FOLD && !image) return folded(tile, pass, precision, limits);
    if (!pass_half_mirrors(pass) && !image) return 1;
    if (!image && has_mirrors(tile, pass, true, precision, limits)) return 1 + constants.paired;
    return 1 + fmin(constants.mirrored / tile->resident, constants.most_mirrored);
}

#include "spec/block_half.h"

#include <math.h>
#include <stdlib.h>

#include "spec/block_issue.h"

/* Fitted to the experiments "rows of halves", "folds", "kernels of reals" and "mirrors in
 * clusters" in docs/experiments. */
static const struct {
    double unfolding;      /* how many times longer a pass takes that reads each number twice */
    double folding;        /* ... to unfold, or to fold, where a tile has not the whole line; */
    double paired;         /* what either adds where a thread has the mirrors, */
    double mirrored;       /* ... and the exchange that brings them there where it has not, over
                            * the blocks, */
    double priced_mirrored; /* ... to its price, */
    double most_mirrored;  /* ... at most. Of whole lines, instead: */
    double mirrored_issue; /* instructions of two mirrored numbers that are exchanged, */
    double paired_issue;   /* ... of a number that is unfolded without an exchange; */
    double shared_mirrored_issue; /* ... the same of lines that blocks share, */
    double shared_paired_issue;   /* ... */
    double arithmetic;     /* so much of them is arithmetic; */
    double reals_in;       /* what unfolding adds of reals that stand for more, */
    double shared_reals_in; /* ... where blocks share the line; */
    double line;           /* what folding adds where the second time is from the cache, over the
                            * blocks that there are to go on with meanwhile, */
    double line_of_reals;  /* ... where numbers are reals that stand for more, */
    double most_line;      /* ... at most; */
    double lone;           /* ... with no block beside it where a thread has the mirrors, */
    double shared;         /* ... where blocks share the line and a thread has the mirrors, */
    double shared_reals;   /* ... of reals that stand for more, over those blocks again */
} constants = {
    .unfolding = 1.6,
    .folding = 1.6,
    .paired = 0.08,
    .mirrored = 0.45,
    .priced_mirrored = 0.2,
    .most_mirrored = 0.3,
    .mirrored_issue = 48,
    .paired_issue = 40,
    .shared_mirrored_issue = 64,
    .shared_paired_issue = 24,
    .arithmetic = 0.5,
    .reals_in = 0.06,
    .shared_reals_in = 0.12,
    .line = 2.2,
    .line_of_reals = 6,
    .most_line = 0.6,
    .lone = 0.2,
    .shared = 0.5,
    .shared_reals = 1.2,
};

bool block_half_pairs(const struct block_half_step *step, weft_precision precision,
                      const struct limits *limits)
{
    const int64_t lines = step->shared > 0 ? step->shared : 1;
    const int64_t count = step->length / lines / step->radix;
    const int64_t coalesced = limits->coalescing_bytes / (2 * precision_bytes(precision));
    if (step->radix % 2 != 0 || count % 2 != 0) return false;
    if (step->along && step->shared == 0 && count / 2 < coalesced) return false;
    return step->columns * lines * count % (2 * (int64_t)step->threads) == 0;
}

/* As its kernel will be built. */
static bool has_mirrors(const struct block_tile *tile, const struct pass *pass, bool out,
                        weft_precision precision, const struct limits *limits)
{
    if (pass->radices < 2 || pass->body != PASS_TRANSFORM) return false;
    const bool shares = pass->cluster > 0;
    if (shares && pass_cluster_mirrors(pass) == PLAN_NO_MIRRORS) return false;
    const bool columns = pass->loops && llabs(pass_stride(pass, &pass->loop[0], out)) <
                                            llabs(pass_stride(pass, &pass->line, out));
    const struct block_half_step step = {tile->columns,
                                         tile->length,
                                         pass->radix[out ? pass->radices - 1 : 0],
                                         tile->threads,
                                         shares ? pass_cluster_run(pass, out) : 0,
                                         !columns};
    return block_half_pairs(&step, precision, limits);
}

bool block_half_is_paired(const struct block_tile *tile, const struct pass *pass,
                          weft_precision precision, const struct limits *limits)
{
    if (pass_half_mirrors(pass)) return has_mirrors(tile, pass, true, precision, limits);
    return pass_folds_line(pass) && has_mirrors(tile, pass, false, precision, limits);
}

static bool unfolds_line(const struct pass *pass)
{
    return pass->half == PASS_HALF_SPREAD && pass->folds == 0;
}

static double rounds_of(double butterflies, int threads)
{
    return ceil(butterflies / threads);
}

/* Instructions of a thread. */
static double unfolding_issue(const struct block_tile *tile, const struct pass *pass, bool paired)
{
    const bool shares = pass->cluster > 0;
    const double pairs = (double)(tile->columns * (tile->length / 2 + !shares));
    const double exchanged = shares ? constants.shared_mirrored_issue : constants.mirrored_issue;
    const double each = shares ? constants.shared_paired_issue : constants.paired_issue;
    if (!paired) return exchanged * rounds_of(pairs, tile->threads);
    const int radix = pass->radix[pass->radices - 1];
    const double butterflies = (double)(tile->columns * tile->length) / radix;
    return each * radix * rounds_of(butterflies, tile->threads);
}

double block_half_seconds(const struct block_tile *tile, const struct pass *pass,
                          weft_precision precision, const struct limits *limits)
{
    if (!unfolds_line(pass)) return 0;
    const double lanes = rounds_of(tile->threads, limits->simd_width) * limits->simd_width;
    const bool paired = has_mirrors(tile, pass, true, precision, limits);
    const double all = lanes * unfolding_issue(tile, pass, paired);
    return block_issue_seconds_of(constants.arithmetic * all, (1 - constants.arithmetic) * all,
                                  precision, limits);
}

static double folded(const struct block_tile *tile, const struct pass *pass,
                     weft_precision precision, const struct limits *limits)
{
    const double again = pass->reals[0].parts ? constants.line_of_reals : constants.line;
    const bool shares = pass->cluster > 0;
    const double shared = pass->reals[0].parts ? constants.shared_reals : constants.shared;
    if (!pass_folds_line(pass)) return constants.folding;
    const double paired = tile->resident == 1 ? constants.lone : constants.paired;
    if (has_mirrors(tile, pass, false, precision, limits))
        return 1 + (shares ? shared / tile->resident : paired);
    if (shares) return constants.folding;
    return 1 + fmin(again / tile->resident, constants.most_line);
}

double block_half_slowness(const struct block_tile *tile, const struct pass *pass,
                           weft_precision precision, const struct limits *limits)
{
    const bool image = pass->half != PASS_NO_HALF && pass->folds > 0;
    if (pass->half == PASS_HALF_UNFOLD) return constants.unfolding;
    const double reals_in = pass->cluster > 0 ? constants.shared_reals_in : constants.reals_in;
    if (unfolds_line(pass)) return 1 + (pass->reals[0].parts ? reals_in : 0);
    if (pass->half == PASS_HALF_FOLD && !image) return folded(tile, pass, precision, limits);
    if (!pass_half_mirrors(pass) && !image) return 1;
    if (!image && has_mirrors(tile, pass, true, precision, limits)) return 1 + constants.paired;
    const double mirrored = tile->priced ? constants.priced_mirrored : constants.mirrored;
    return 1 + fmin(mirrored / tile->resident, constants.most_mirrored);
}

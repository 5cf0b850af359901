#include "spec/block_issue.h"

#include "spec/block_counts.h"

/* Counted in the machine code of kernels for sm_90, see the experiment "instructions" in
 * docs/experiments. */
static const struct {
    double product;  /* arithmetic of a complex product */
    double address;  /* integer operations of an address, */
    double permuted; /* ... and of one that a table says */
    double slot;     /* ... of a round of butterflies on both sides of an exchange */
    double ends;     /* arithmetic of an element's direction, as it comes and goes */
    double flops;    /* limits->flops over the instructions a second that are issued at best */
} constants = {
    .product = 4,
    .address = 2,
    .permuted = 10,
    .slot = 10,
    .ends = 1.5,
    .flops = 0.72,
};

/* Arithmetic of a butterfly with fused operations; 0: not by itself. Counted in its IR. */
static const short butterfly_arithmetic[LIMITS_MAX_RADIX + 1] = {
    0,   0,   4,   12,   16,  32,  36,  60,   52,  84,  84,  140,  96,  192, 148,  156,  150,
    320, 204, 396, 208,  264, 324, 572, 252,  368, 436, 412, 352,  896, 372, 1020, 394,  552,
    708, 524, 480, 0,    868, 732, 516, 0,    612, 0,   736, 708,  1236, 0,  642,  948,  836,
    1164, 976, 0,  932, 1052, 844, 1416, 1908, 0,  864, 0,   2164, 1128, 970,
};

static int steps_once(const struct pass *pass)
{
    int steps = pass->radices;
    for (int i = 0; i < pass->folds; i++)
        steps += pass->fold[i].radices;
    return steps;
}

int block_issue_steps(const struct pass *pass)
{
    return pass_convolves(pass) ? 2 * steps_once(pass) : steps_once(pass);
}

static int next_radix(int radices, const int *radix, int below, int best)
{
    for (int i = 0; i < radices; i++) {
        if (radix[i] > best && (below == 0 || radix[i] < below)) best = radix[i];
    }
    return best;
}

int block_issue_next_radix(const struct pass *pass, int below)
{
    int best = next_radix(pass->radices, pass->radix, below, 0);
    for (int i = 0; i < pass->folds; i++)
        best = next_radix(pass->fold[i].radices, pass->fold[i].radix, below, best);
    return best == 0 && below == 0 ? 1 : best;
}

bool block_issue_is_late(const struct pass *pass, const struct limits *limits)
{
    if (steps_once(pass) > 2 && !pass_folds_line(pass)) return false;
    for (int radix = 0; (radix = block_issue_next_radix(pass, radix)) > 0;) {
        if (limits->late[radix]) return true;
    }
    return false;
}

int64_t block_issue_held(const struct pass *pass, int64_t elements, int threads)
{
    int64_t held = 0;
    for (int radix = 0; (radix = block_issue_next_radix(pass, radix)) > 0;) {
        int64_t holds = quotient_up(elements, (int64_t)radix * threads) * radix;
        if (holds > held) held = holds;
    }
    return held;
}

/* Instructions of a thread, or of many. */
struct issue {
    double arithmetic, others;
};

static struct issue butterfly_issue(int radix, bool first, bool apart)
{
    int twiddles = first ? 0 : radix - 1;
    double exchanges = 2.0 * radix * (apart ? 2 : 1);
    return (struct issue){butterfly_arithmetic[radix] + twiddles * constants.product,
                          twiddles + exchanges + constants.slot};
}

double block_issue_seconds_of(double arithmetic, double others, weft_precision precision,
                              const struct limits *limits)
{
    return constants.flops *
           (arithmetic / limits->flops[precision] + others / limits->flops[WEFT_F32]);
}

static double seconds_of(struct issue issue, weft_precision precision, const struct limits *limits)
{
    return block_issue_seconds_of(issue.arithmetic, issue.others, precision, limits);
}

double block_issue_butterfly(int radix, bool first, weft_precision precision,
                             const struct limits *limits)
{
    return seconds_of(butterfly_issue(radix, first, false), precision, limits);
}

static struct issue axis_issue(int64_t elements, int threads, int radices, const int *radix,
                               bool apart)
{
    struct issue sum = {0, 0};
    for (int i = 0; i < radices; i++) {
        struct issue step = butterfly_issue(radix[i], i == 0, apart);
        double rounds = (double)quotient_up(elements, (int64_t)radix[i] * threads) * threads;
        sum.arithmetic += rounds * step.arithmetic;
        sum.others += rounds * step.others;
    }
    return sum;
}

static struct issue steps_issue(const struct pass *pass, int64_t elements, int threads, bool apart)
{
    struct issue sum = axis_issue(elements, threads, pass->radices, pass->radix, apart);
    for (int i = 0; i < pass->folds; i++) {
        const struct pass_fold *fold = &pass->fold[i];
        struct issue axis = axis_issue(elements, threads, fold->radices, fold->radix, apart);
        sum.arithmetic += axis.arithmetic;
        sum.others += axis.others;
    }
    return sum;
}

/* An element's way in and out, and all that it is multiplied by. There is an exchange fewer than
 * there are steps, and two more where Rader's permutations are. */
static struct issue element_issue(const struct pass *pass, bool apart)
{
    bool rader = pass->body == PASS_RADER;
    int factors = (pass->chirp_n && pass->chirp_before) + (pass->chirp_n && pass->chirp_after) +
                  (pass_convolves(pass) ? 1 : 0) + (pass->twiddle_order > 0 ? 2 : 0);
    double loads = 2 + factors + (rader ? 2 : 0);
    double exchanges = (rader ? 2 : 0) - (block_issue_steps(pass) > 0 ? 1 : 0);
    return (struct issue){
        constants.ends + factors * constants.product,
        loads + exchanges * 2 * (apart ? 2 : 1) + factors * constants.address +
            (rader ? 2 : 0) * constants.permuted,
    };
}

double block_issue_seconds(const struct pass *pass, weft_precision precision,
                           const struct limits *limits, int64_t elements, int threads, bool apart)
{
    struct issue steps = steps_issue(pass, elements, threads, apart);
    struct issue ends = element_issue(pass, apart);
    double twice = pass_convolves(pass) ? 2 : 1, each = (double)elements;
    struct issue all = {twice * steps.arithmetic + each * ends.arithmetic,
                        twice * steps.others + each * ends.others};
    double lanes = (double)quotient_up(threads, limits->simd_width) * limits->simd_width;
    return lanes / threads * seconds_of(all, precision, limits);
}

#include "spec/block_registers.h"

#include <math.h>

/* Registers are given out by so many. */
#define UNIT 8

/* By the words of a real, where there are several: of an element, and what is there besides.
 * Fitted to the experiment "kernels of reals" in docs/experiments. */
static const struct {
    double element;          /* its parts, and what butterflies take, by the words of a real */
    double wide;             /* ... more of reals of several words */
    double convolved;        /* ... and with factors to be read ahead, */
    double chirped;          /* ... or a chirp; */
    double paired;           /* two butterflies at a time that wait for one another, of one word */
    double others[2];        /* addresses and temporaries, with one word and with two, */
    double word;             /* ... and for each beyond these; */
    double paired_others;    /* ... beside paired ones of one word; */
    double chirp;            /* ... with a chirp */
    double folding[2];       /* what folds half a spectrum takes more, */
    double least_folding[2]; /* ... and in all at least */
} constants = {
    .element = 2,
    .wide = 0.3,
    .convolved = 1,
    .chirped = 0.5,
    .paired = 1,
    .others = {20, 24},
    .word = 8,
    .paired_others = 12,
    .chirp = 8,
    .folding = {0, 8},
    .least_folding = {56, 64},
};

static double of_element(const struct pass *pass, int words, bool paired, bool ahead)
{
    double each = constants.element;
    if (ahead && pass_convolves(pass))
        each += constants.convolved;
    else if (words > 1)
        each += constants.wide;
    if (pass->chirp_n > 0) each += constants.chirped;
    if (words == 1 && paired) each += constants.paired;
    return each * words;
}

static double besides(const struct pass *pass, int words, bool paired)
{
    double others = constants.others[words > 1];
    if (words > 2) others += constants.word * (words - 2);
    if (words == 1 && paired) others = constants.paired_others;
    return others + (pass->chirp_n > 0 ? constants.chirp : 0);
}

static int64_t registers_of(const struct pass *pass, int64_t elements, int words, bool paired,
                            bool ahead)
{
    double all = of_element(pass, words, paired, ahead) * (double)elements;
    all += besides(pass, words, paired);
    if (pass->half == PASS_HALF_FOLD)
        all = fmax(all + constants.folding[words > 1], constants.least_folding[words > 1]);
    return (int64_t)ceil(all / UNIT) * UNIT;
}

int64_t block_registers(const struct pass *pass, int64_t elements, int words, bool paired)
{
    return registers_of(pass, elements, words, paired, true);
}

int64_t block_registers_scarce(const struct pass *pass, int64_t elements, int words, bool paired)
{
    return registers_of(pass, elements, words, paired, false);
}

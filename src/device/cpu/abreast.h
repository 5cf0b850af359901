/* Contiguous lines that no vector fits, taken abreast: as many of them as a tile has columns are
 * transposed on their way to it and back, so that the lanes of all steps between are lines. */
#ifndef WEFT_DEVICE_CPU_ABREAST_H
#define WEFT_DEVICE_CPU_ABREAST_H

#include "device/cpu/laid.h"
#include "device/cpu/pipeline.h"

/* Both transpose `lanes` contiguous lines of `rows` pairs, no fewer than a vector has lanes and
 * half as many pairs: from where they lie, in_leg pairs apart, to planes with out_row numbers from
 * an element to the next; and back, from in_row to out_leg. */
struct cpu_abreast {
    codelet_function *gather, *scatter;
    /* As many pairs as lanes, no fewer than a vector has, times table_pairs(). */
    codelet_function *turn;
    laid_mover *move, *move_pairs; /* of reals, and of pairs */
    laid_joiner *join;
    laid_parter *part;
    int lanes;
};

/* By weft_precision. */
extern const struct cpu_abreast abreast_basic[2];
#if defined(__x86_64__)
extern const struct cpu_abreast abreast_avx2[2], abreast_avx512[2];
#endif

/* Whether the lines of the pass are taken so. */
bool abreast_suits(const struct kernel *kernel);

/* Adds what brings the tile's lines from their place, their transform, and what takes them to
 * theirs. */
void abreast_build(struct pipeline_builder *b);

#endif

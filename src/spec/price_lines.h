/* What lines that lie apart cost a CPU by each of the ways that it has for them: planner and device
 * choose by the same prices. (Experiment "prices of lines" in docs/experiments.) */
#ifndef WEFT_SPEC_PRICE_LINES_H
#define WEFT_SPEC_PRICE_LINES_H

#include "spec/limits.h"

/* Columns: lanes are lines, of a tile where they do not go from place to place; odd lines of reals
 * are two by two one of pairs. Laid: one behind the other, in a worker's memory
 * (device/cpu/laid.h), odd lines of reals as products with a matrix, each by itself. Products:
 * lanes are lines that are multiplied with a matrix (device/cpu/matrix.h). */
enum price_way { PRICE_COLUMNS, PRICE_LAID, PRICE_PRODUCTS };

enum price_kind { PRICE_PAIRS, PRICE_REALS_TO_HALVES, PRICE_HALVES_TO_REALS };

/* `lines` of n elements each: of pairs, or of reals at one end. */
struct price_lines {
    const struct limits *limits;
    weft_precision precision;
    enum price_kind kind;
    int64_t n, lines;
    bool apart[2];  /* by end, whether elements do not follow one another; */
    bool scattered[2]; /* ... and lines do not either; */
    bool planes[2]; /* whether the parts of numbers are apart */
    bool beside;    /* lines do at both */
    bool lone;      /* the plan has lines of reals by themselves: no two are one of pairs */
    bool two_steps; /* a line is steps of pairs (device/cpu/paired.h), */
    bool any_ends;  /* ... which read and write any ends (device/cpu/pairs.h) */
};

/* The longest lines that are lanes of products. */
#define PRICE_MOST_PRODUCTS 16

/* The cheapest. Laid, where nothing is apart that products do not read wherever it is, is nothing
 * but by itself. */
enum price_way price_way(const struct price_lines *lines);

#endif

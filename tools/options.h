/* What the codelet generator is asked for. */
#ifndef WEFT_TOOLS_OPTIONS_H
#define WEFT_TOOLS_OPTIONS_H

#include <stdbool.h>

#include "kernel/line.h"
#include "print/c_vector.h"
#include "spec/limits.h"

#define MAX_PARTS 64

struct isa {
    const char *name;
    int bytes;   /* of a vector; 0: scalar */
    bool fma;    /* has fused operations */
    bool wide;   /* large transforms are left to it: speed counts for more than size */
    bool wholes; /* only for lone short transforms: it has CODELET_WHOLE alone */
    bool turns;  /* lines and packs serve both directions by what they shuffle */
    bool pairs;  /* it has CODELET_PAIRS, and lines' steps between pairs, */
    bool steps;  /* ... and of these the steps alone, beside a set of wider vectors */
    bool masks;  /* for fewer lanes than a vector's */
    bool lines;  /* it has line codelets */
    bool lean;   /* so are its codelets between planes and pairs (print/c_vector.h) */
    int most; /* the largest radix whose butterflies it has; 0: any. What it has not, others do */
};

struct options {
    const struct isa *isa;
    const char *precision, *output;
    int part, parts, lines;
    bool table, pairs, counts;
    bool beside; /* of pairs, those of lanes beside each other */
    bool legs; /* few codelets; the others do their work leg by leg (src/device/cpu/legs.h) */
    /* Whose butterflies are functions of their own, [1]: in kinds that are seldom called. */
    bool outlined[2][LIMITS_MAX_RADIX + 1];
    struct c_exchange exchange[CODELET_EXCHANGES]; /* of what was printed; of sets that turn */
};

/* Says why on stderr; false. */
bool options_fail(const char *what, const char *why);
/* NULL: there is none of that name. */
const struct isa *options_isa(const char *name);
/* False if it failed. */
bool options_parse(int argc, char **argv, struct options *o);

weft_precision options_precision(const struct options *o);
struct c_vector_target options_target(const struct options *o);

#endif

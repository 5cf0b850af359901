/* What printers of vectors of pairs share: a leg's pairs, of several rows or lanes, are loaded and
 * stored by macros of a file, LOAD_PAIR(in, distance) and STORE_PAIR(out, distance, vector), from
 * pointers in_first0 to the first leg, and in0, which MOVE_ON(in) takes on. Of parted lines, whose
 * numbers are four reals each, LOAD_PARTED(in, distance), and LOAD_BACK(far, distance) of the other
 * half, times a vector `sign`. */
#ifndef WEFT_PRINT_C_PAIRS_ACCESS_H
#define WEFT_PRINT_C_PAIRS_ACCESS_H

#include "print/c_pair_form.h"

/* Of a parted line's number. */
#define C_PAIRS_PARTED_REALS 4

enum c_pairs_end { C_PAIRS_IN, C_PAIRS_OUT, C_PAIRS_FAR, C_PAIRS_ENDS };

struct c_pairs_printer {
    struct c_pair_printer pairs;
    struct text *text;
    int64_t rows;    /* of a vector, or lanes */
    int64_t reach;   /* legs that are reached from one that has pointers: 4 or 8 */
    int64_t base[C_PAIRS_ENDS]; /* the leg that the pointers of an end are at */
    int64_t parted; /* of a parted line's legs the first one of the second half, which is the first
                     * one of the end FAR; 0: it is none */
};

/* Of the legs of an end, as variables. */
void c_pairs_print_distances(struct c_pairs_printer *p, enum c_pairs_end end);

void c_pairs_print_loads(struct c_pairs_printer *p);
void c_pairs_print_stores(struct c_pairs_printer *p);

/* What a store stores has a name then. IR_NONE: the text failed. */
struct c_pair c_pairs_stored(struct c_pairs_printer *p, ir_value n);

/* Whether it is the access of this kind to the first of two neighbours. */
bool c_pairs_is_first(const struct c_pairs_printer *p, ir_value n, enum ir_op op);
/* How many there are, of factors or of numbers. */
int64_t c_pairs_count(const struct c_pairs_printer *p, enum ir_op op, bool factors);

#endif

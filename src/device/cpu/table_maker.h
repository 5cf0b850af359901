/* What makers of tables share (tables.h): finding one that is there, and adding one. */
#ifndef WEFT_DEVICE_CPU_TABLE_MAKER_H
#define WEFT_DEVICE_CPU_TABLE_MAKER_H

#include "device/cpu/engine.h"
#include "device/cpu/general.h"

enum table_kind {
    TABLE_ROW,
    TABLE_LANE,
    TABLE_ROOTS,
    TABLE_SPLIT,
    TABLE_COARSE,
    TABLE_FINE,
    TABLE_HALF,
    TABLE_LINE,
    TABLE_SUMS,
    TABLE_RESULTS,
    TABLE_PAIRS,
    TABLE_PAIRS_BESIDE,
    TABLE_MATRIX,
    TABLE_MIRROR,
    TABLE_FACTORS,
    TABLE_MIRRORED_TURNS,
    TABLE_ENDS,
    TABLE_LANE_TURNS,
    TABLE_ROW_TURNS,
    TABLE_TURN,
    TABLE_SPECTRUM,
    TABLE_PARITIES,
    TABLE_SCALES,
    TABLE_SCALED
};

/* Roots go out in chunks of so many, where they do not go straight to their places. */
#define ROOT_CHUNK 2048

/* The kernel's table of that kind and those numbers; NULL: there is none yet. */
const struct cpu_table *table_find(struct kernel *kernel, enum table_kind kind, int radix,
                                   int64_t rows, int64_t columns);
/* So many bytes, of one. NULL: no memory. */
void *table_data(size_t bytes);
/* The other's data as one of the kernel's. NULL: no memory. */
const struct cpu_table *table_share(struct kernel *kernel, const struct cpu_table *other);
/* Its data is one more's; no longer one's, and goes with the last. */
void table_keep(const struct cpu_table *table);
void table_let_go(const struct cpu_table *table);
/* Adds one of `reals` reals, to be filled. NULL: no memory. */
struct cpu_table *table_add(struct kernel *kernel, enum table_kind kind, int radix, int64_t rows,
                            int64_t columns, int64_t plane, int64_t reals);
/* `factor` times roots of the table's order (root_table_fill_turns()): reals of the kernel's, one
 * behind the other. */
bool table_fill_turns(const struct kernel *kernel, const struct root_table *roots,
                      struct extended factor, const struct root_range *range, void *re, void *im);
void table_store(const struct kernel *kernel, const struct cpu_table *t, int64_t at, double x);
double table_load(const struct kernel *kernel, const struct cpu_table *t, int64_t at);

#endif

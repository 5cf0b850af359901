/* How a pass is cut into tiles, by its strides and the caches. */
#ifndef WEFT_DEVICE_CPU_TILES_H
#define WEFT_DEVICE_CPU_TILES_H

#include "device/cpu/engine.h"

/* Numbers of lines that reals stand for, up to which contiguous lines are taken as columns. */
#define TILES_SHORT_LINE 32

/* Tiles in flight for every thread, so that the last ones to finish leave nobody waiting long. */
#define TILES_A_THREAD 4

struct shape_of_pass {
    bool column_in, column_out; /* loop[0] has the unit stride */
    bool line_in, line_out;     /* the line has */
    int64_t columns;            /* counts of loop[0]; 1 without loops */
};

struct shape_of_pass tiles_shape(const struct pass *pass);

/* Whether the lanes of the vectors shall be columns. */
bool tiles_go_across(const struct kernel *kernel, const struct shape_of_pass *shape);

/* Whether only the general gather does what there is to do where the lines are read. */
bool tiles_gathers_general(const struct pass *pass);
/* Likewise the scatter, which then does the scaling too: not all complex elements are written. */
bool tiles_scatters_some(const struct pass *pass);

/* Whether lines are pairs that follow one another, as codelets take them; */
bool tiles_lines_of_pairs(const struct kernel *kernel);
/* ... and, being of a prime that the plan convolves, sooner done as sums (sums.c). */
bool tiles_sums(const struct kernel *kernel);
/* Whether sums do the transform of a pass that makes its ends pairs in the tile. */
bool tiles_transforms_by_sums(const struct kernel *kernel);

/* ... and there is nothing to do but to transform them, and their halves as is said below; */
bool tiles_transforms_pairs(const struct kernel *kernel);
/* ... wherever they lie, and whatever the formats. */
bool tiles_direct(const struct kernel *kernel);

/* Whether lines of pairs that follow one another are half a spectrum at one end. */
bool tiles_halves(const struct kernel *kernel);
/* Whether that is folded or unfolded where the lines lie (mirror.h), so that what is left is a
 * transform from place to place like any other; of one number nothing would be left. */
bool tiles_mirrors(const struct kernel *kernel);

/* Whether lines lie one behind the other, as CODELET_PACK takes them, a lane each. */
bool tiles_packed(const struct kernel *kernel, const struct shape_of_pass *shape);
/* ... and there are so many that this is the fastest way. */
bool tiles_fill_packs(const struct kernel *kernel, const struct shape_of_pass *shape);
/* How many lines fill a pack at least. */
int64_t tiles_pack_lanes(const struct kernel *kernel);

/* Whether the pass is one butterfly a line, from place to place without a tile; */
bool tiles_whole(const struct kernel *kernel);
/* ... which this kind of codelet computes; */
enum codelet_kind tiles_whole_kind(const struct kernel *kernel);
/* ... or by a line codelet (kernel/line.h): NULL if not; */
const struct codelet_set *tiles_line(const struct kernel *kernel);
/* The set whose line codelet of the pass's length is the fastest: the widest one's, but where that
 * is not of LINE_PAIRS that of one lane, if there is one; */
const struct codelet_set *tiles_line_set(const struct kernel *kernel);
/* Whether that is of LINE_PAIRS and so long that it is faster than codelets of several lines; */
bool tiles_prefer_line_of_pairs(const struct kernel *kernel);
/* ... or a split's columns in one step; */
bool tiles_whole_split(const struct kernel *kernel, const struct shape_of_pass *shape);
/* ... or a copy without a twiddle. */
bool tiles_bare_copy(const struct pass *pass);

/* Columns of a tile whose lanes are columns, of so many (widths.c). */
int64_t tiles_across_columns(const struct kernel *kernel, int64_t columns);

/* Whether the pass is of columns from input to output of which no cache keeps anything for the axes
 * that come after it: results go past the caches. */
bool tiles_stream_columns(const struct kernel *kernel);

/* Fills in the kernel's tile counts, the columns of its pipelines and its workspace. */
void tiles_choose(struct kernel *kernel);

#endif

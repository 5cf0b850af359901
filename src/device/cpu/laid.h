/* Lines that lie beside each other, too few or too long to be the lanes of vectors, or of reals
 * that a tile of columns would find one by one, or of planes for which there are no codelets, or of
 * a prime that is a sum only where its elements follow one another: they are laid one behind the
 * other, in a worker's memory, and the pass does what it does with lines that come so. Reals of
 * even lines are pairs there, but for those that stand for more. */
#ifndef WEFT_DEVICE_CPU_LAID_H
#define WEFT_DEVICE_CPU_LAID_H

#include "device/cpu/engine.h"

/* A rectangle of elements that is copied, the places of its rows and columns so many bytes apart.
 * By the bytes of an element. */
struct laid_move {
    int64_t from_row, from_column, to_row, to_column;
    int64_t rows, columns;
};
typedef void laid_mover(const struct laid_move *, const char *from, char *to);
#if defined(__x86_64__)
laid_mover laid_move_4_avx2, laid_move_8_avx2, laid_move_16_avx2;
#endif
/* The same between pairs and planes; from_row and from_column are those of the planes, whichever
 * are read. */
typedef void laid_joiner(const struct laid_move *, const char *re, const char *im, char *pairs);
typedef void laid_parter(const struct laid_move *, const char *pairs, char *re, char *im);
#if defined(__x86_64__)
laid_joiner laid_join_4_avx2, laid_join_8_avx2;
laid_parter laid_part_4_avx2, laid_part_8_avx2;
#endif

/* An end of the pass. Strides count elements of the caller's array. */
struct laid_end {
    bool laid;                         /* otherwise lines are where the caller has them */
    bool planes;                       /* the caller has an element's parts there */
    int bytes;                         /* of an element: a pair or a real */
    int64_t elements, element, column; /* of a line; from one to the next, and of lines */
    size_t start;                      /* of the copy in a workspace, where lines touch */
    laid_mover *mover; /* of planes one of the others: */
    laid_joiner *join;
    laid_parter *part;
    struct laid_move move; /* of the lines of a straight kernel, or of all copied at once */
};

/* Of an element where the caller has it: of planes, in each. */
static inline int64_t laid_caller_bytes(const struct laid_end *end)
{
    return end->planes ? end->bytes / 2 : end->bytes;
}

struct cpu_laid {
    struct laid_end end[2];
    int64_t tiles; /* of loop[0] whose lines are copied at once */
};

/* Whether the caller has planes at an end of a kernel. */
static inline bool laid_caller_has_planes(const struct kernel *kernel, enum cpu_operand end)
{
    if (kernel->laid && kernel->laid->end[end].planes) return true;
    return kernel->format[end] == WEFT_PLANAR && !kernel->real_place[end];
}

/* Whether lines of the pass are, in which case the kernel gets a pass over what is laid. Before the
 * tiles are chosen. False: no memory. */
bool laid_describe(struct kernel *kernel);

/* Most columns of a tile. */
int64_t laid_columns(const struct kernel *kernel);

/* What depends on the tiles, once they are chosen. */
void laid_finish(struct kernel *kernel);

/* Bytes from where such memory begins, an array of reals being counted in reals up to its element
 * 0, to an element of an end that is laid. */
int64_t laid_bytes_to(const struct kernel *kernel, enum cpu_operand end,
                      const struct device_memory *memory, int64_t element);

/* An end's lines, of a plane or two, to the copy, and back. */
static inline void laid_bring(const struct laid_end *end, const struct laid_move *move,
                              const char *re, const char *im, char *copy)
{
    if (end->planes) end->join(move, re, im, copy);
    else end->mover(move, re, copy);
}

static inline void laid_take(const struct laid_end *end, const struct laid_move *move,
                             const char *copy, char *re, char *im)
{
    if (end->planes) end->part(move, copy, re, im);
    else end->mover(move, copy, re);
}

/* Copies so many lines that begin at an element of the caller's memory to a workspace, and back, if
 * that end is laid. */
void laid_gather(const struct kernel *kernel, const struct device_memory *from, int64_t element,
                 char *workspace, int64_t lines);
void laid_scatter(const struct kernel *kernel, const struct device_memory *to, int64_t element,
                  char *workspace, int64_t lines);

#endif

/* What a compiled codelet looks like to the CPU engine. See src/kernel/codelet.h for what each kind
 * computes. This header is included by generated code. */
#ifndef WEFT_DEVICE_CPU_CODELET_H
#define WEFT_DEVICE_CPU_CODELET_H

#include <stdint.h>

#include "kernel/codelet.h"
#include "kernel/line.h"

/* What a codelet asks the second-level cache for, some rows before it reads them: runs that lie far
 * apart, which no processor fetches by itself. Strides and lengths in bytes. */
struct codelet_fetch {
    int64_t rows, row, ahead; /* how many, from one to the next, how many before it comes to them */
    int64_t legs, leg, run;   /* how many runs a row has, from one to the next, of each */
    int64_t next;             /* from row 0 to that of the tile that comes next */
};

/* What processors fetch at once; where it is more, some of it is asked for twice. */
#define CODELET_LINE_BYTES 64

/* im: of planar ends; NULL: the end is interleaved. */
static inline void codelet_fetch(const struct codelet_fetch *f, int64_t row, const void *re,
                                 const void *im)
{
    const int64_t wanted = row + f->ahead;
    const int64_t place =
        wanted < f->rows ? wanted * f->row : f->next + (wanted - f->rows) * f->row;
    __asm__ volatile(""); /* gcc drops calls of functions that do nothing but ask */
    for (int64_t leg = 0; leg < f->legs; leg++) {
        const int64_t first = place + leg * f->leg, end = first + f->run;
        for (int64_t i = first; i < end; i += CODELET_LINE_BYTES) {
            __builtin_prefetch((const void *)((uintptr_t)re + (uintptr_t)i), 0, 2);
            if (im) __builtin_prefetch((const void *)((uintptr_t)im + (uintptr_t)i), 0, 2);
        }
    }
}

/* What a codelet asks the second-level cache for of the tile that comes next, some lines with each
 * butterfly, so that memory has work while there is arithmetic. It moves on as it asks. */
struct codelet_onward {
    uintptr_t place;        /* the line that comes next */
    uintptr_t plane;        /* bytes from a line to that of the other plane; 0: there is none */
    int64_t lines;          /* for each butterfly */
    int64_t run, left, gap; /* lines of a run, of this one still to come; bytes to the next run */
};

static inline void codelet_onward(struct codelet_onward *onward)
{
    uintptr_t place = onward->place;
    int64_t left = onward->left;
    for (int64_t i = 0; i < onward->lines; i++) {
        __builtin_prefetch((const void *)place, 0, 2);
        if (onward->plane) __builtin_prefetch((const void *)(place + onward->plane), 0, 2);
        place += CODELET_LINE_BYTES;
        if (--left > 0) continue;
        left = onward->run;
        place += (uintptr_t)onward->gap;
    }
    onward->place = place;
    onward->left = left;
}

struct codelet_set;

/* The rectangle a codelet works on; strides in complex elements. Made at plan time. See
 * src/kernel/codelet.h. */
struct codelet_shape {
    int64_t rows, lanes;
    int64_t in_count; /* of reals that a product with a matrix reads (matrix.h) */
    int64_t in_row, in_leg;
    int64_t out_row, out_leg;
    int64_t turn; /* of legs but the first, at an interleaved end */
    int64_t twiddle_row, twiddle_leg, twiddle_plane; /* in reals of the table */
    int64_t fine_row, fine_leg, fine_plane;          /* likewise of the fine one */
    const struct codelet_fetch *fetch; /* of kinds that fetch (codelet_kinds); NULL: nothing */
    struct codelet_onward *onward;     /* likewise of kinds that go onward */
    const void *exchange; /* codelet_set.exchange, of codelets that serve both directions by it */
    uint32_t absent; /* of narrow ones: a bit for each real that a leg's second vector lacks */
    /* Which codelet it is, for functions that are many (core.h, legs.h). */
    const struct codelet_set *set;
    enum codelet_kind kind;
    int radix;
};

/* in_im, out_im: unused for interleaved and packed ends. */
typedef void codelet_function(const struct codelet_shape *shape, const void *in_re,
                              const void *in_im, void *out_re, void *out_im, const void *twiddles,
                              const void *fine);

#define CODELET_MAX_RADIX 127

/* A butterfly as a function on arrays of vectors: x_j as x[2 j] and x[2 j + 1], its k-th result as
 * y[place[2 k]] and y[place[2 k + 1]]; y has room for 2 radix vectors. Or, if run is NULL, one of a
 * prime by sums of products: power[a] is g^a modulo the radix, a < (radix - 1) / 2, g a generator,
 * cosines[a] the cosine of 2 pi g^a / radix, a < radix - 1, and sines alike. */
struct codelet_core {
    void (*run)(const void *restrict x, void *restrict y);
    int radix;
    unsigned char place[2 * CODELET_MAX_RADIX];
    unsigned char power[CODELET_MAX_RADIX / 2];
    const void *cosines, *sines;
};

/* Those of kernel/line.h of one length. */
struct codelet_line {
    int n;
    codelet_function *function[LINE_KINDS];
};

/* The codelets of one instruction set and precision. function[kind][radix] is NULL where
 * !codelet_exists(kind, radix), also in sets that have few (tools/codelets.c). The scalar set has
 * all but kinds of pairs. */
struct codelet_set {
    const char *isa;
    int lanes;
    codelet_function *const (*function)[CODELET_MAX_RADIX + 1];
    const struct codelet_line *line; /* those that line_find() finds, by length; or none */
    int lines;
    /* Of the radices around whose cores codelets are made when they are called (core.h). */
    const struct codelet_core *const *core;
    /* By direction, what parts and joins numbers as it is transformed: [CODELET_PACK_EXCHANGE] of
     * CODELET_PACK, [width] of lines of that width. NULL there: codelets know their direction. */
    const void *const (*exchange)[2];
    uint32_t narrow; /* bits: radices whose codelets of narrow kinds are so */
    uint32_t woven;  /* likewise of woven kinds */
};

/* By kind; NULL: the set has none of that length. */
static inline codelet_function *const *codelet_line(const struct codelet_set *set, int64_t n)
{
    int first = 0, end = set->lines;
    while (first < end) {
        const int middle = (first + end) / 2;
        if (set->line[middle].n < n) first = middle + 1;
        else end = middle;
    }
    return first < set->lines && set->line[first].n == n ? set->line[first].function : NULL;
}

/* Whether the codelets of this kind and radix, if any, take fewer lanes than a vector's. */
static inline bool codelet_is_narrow(const struct codelet_set *set, enum codelet_kind kind,
                                     int radix)
{
    return codelet_kinds[kind].narrow && radix < 32 && (set->narrow >> radix & 1);
}

/* A prime beyond all butterflies written out: sets that have codelets around cores have it so. */
#define CODELET_OF_CORE 97

/* Whether it is made around a core when it is called (core.h). */
static inline bool codelet_is_by_core(const struct codelet_set *set, enum codelet_kind kind,
                                      int radix)
{
    return set->core[radix] &&
           set->function[kind][radix] == set->function[CODELET_WHOLE][CODELET_OF_CORE];
}

/* The fewest lanes of which such write no more than there are: half a vector's, where that is a
 * vector, too. */
static inline int64_t codelet_least_of_core(const struct codelet_set *set, int real_bytes)
{
    return set->lanes * real_bytes >= 32 ? set->lanes / 2 : set->lanes;
}

/* Lanes of the blocks in which twiddles of these codelets lie (table_lane()). */
static inline int codelet_block(const struct codelet_set *set, enum codelet_kind kind, int radix)
{
    const bool woven = codelet_kinds[kind].woven && radix < 32 && (set->woven >> radix & 1);
    return woven ? set->lanes : 1;
}

/* Whether those of this kind, if any, write their legs in turn. */
static inline bool codelet_in_turn(const struct codelet_set *set, enum codelet_kind kind)
{
    return codelet_kinds[kind].in_turn && set->narrow;
}

/* What their shape has of so many lanes. */
static inline uint32_t codelet_absent(const struct codelet_set *set, int64_t lanes)
{
    return lanes < set->lanes ? UINT32_MAX << (2 * lanes - set->lanes) : 0;
}

/* Generated; which of them exist depends on the processor family the library was built for. */
extern const struct codelet_set codelets_scalar_f32, codelets_scalar_f64;
#if defined(__x86_64__)
extern const struct codelet_set codelets_sse2_f32, codelets_sse2_f64;
extern const struct codelet_set codelets_avx2_f32, codelets_avx2_f64;
extern const struct codelet_set codelets_fma_f32, codelets_fma_f64; /* scalar, fused */
extern const struct codelet_set codelets_avx512_f32, codelets_avx512_f64;
extern const struct codelet_set codelets_avx512vl_f32, codelets_avx512vl_f64;
#elif defined(__aarch64__)
extern const struct codelet_set codelets_neon_f32, codelets_neon_f64;
#endif

#endif

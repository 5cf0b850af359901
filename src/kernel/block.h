/* Any pass as a kernel for a GPU: the IR of one thread of a block.
 *
 * A block transforms a tile: the lines of `columns` neighbouring counts of loop[0]. The data live
 * in registers; shared memory only exchanges them between two steps (Volkov and Kazian 2008,
 * section 5; Govindaraju et al. 2008, IV.A and IV.B):
 *
 *     gather, [step, exchange]..., step, scatter
 *
 * A step is a Stockham step: butterflies on elements i + j * n / radix, whose results go to
 * (i / l) * l * radix + i % l + j * l, l being the product of the radices before (Lloyd et al.
 * 2008, 4.1). Its butterflies are dealt to the threads either line by line or column by column;
 * the first step takes the order in which the gather is coalesced, the last the scatter's. Where
 * no step's order is, a step of radix 1 stands before or after: it only moves elements. */
#ifndef WEFT_KERNEL_BLOCK_H
#define WEFT_KERNEL_BLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "ir/ir.h"
#include "spec/limits.h"
#include "spec/program.h"

/* The kernel's launch parameters. Places are counted in complex elements. The bases are those of
 * the ends' buffers (struct ir_buffer). */
enum block_param {
    BLOCK_FIRST,    /* added to IR_BLOCK: a grid too large for the hardware is cut into launches */
    BLOCK_IN_BASE,  /* where in the bound input element 0 of line 0 lies */
    BLOCK_OUT_BASE, /* likewise of the output */
    BLOCK_SWAP,     /* the direction: 1, inverse, exchanges re and im of interleaved ends. Of planar
                     * ends whoever launches exchanges the buffers. */
    /* Of kernels with a hook alone (struct block_kernel, `params`), added to the positions of the
     * elements of either end: */
    BLOCK_IN_POSITION,
    BLOCK_OUT_POSITION,
    BLOCK_PARAM_COUNT
};

/* The first buffers of every kernel; its tables follow. Of an interleaved end RE is the pairs, and
 * IM is not used. */
enum block_buffer { BLOCK_IN_RE, BLOCK_IN_IM, BLOCK_OUT_RE, BLOCK_OUT_IM };

enum block_table_kind {
    BLOCK_ROOTS,    /* complex: exp(-2 pi i k step / order) */
    BLOCK_STEP_ROOTS, /* complex, for each step after the first of an axis, `before` being the
                       * product of the axis's radices before it:
                       * exp(-2 pi i j k / (before radix)) at row(j) before + k, 0 <= k < before,
                       * for the j < radix that have a row (block_root_row()). A convolution's
                       * inverse follows its forward transform, even if it has the same: compilers
                       * keep roots that are read twice in registers, which are few. */
    BLOCK_PROGRAM,  /* complex: the program's table `source` */
    BLOCK_SPECTRUM, /* complex: likewise, in the order of the pass's lines, so that neighbouring
                     * threads read neighbours (spec/spectrum_order.h) */
    BLOCK_SCALE,    /* real: the problem's scales by direction */
    BLOCK_POWERS,   /* integer: g^k mod order - 1, g the primitive root */
    BLOCK_INVERSE_POWERS /* integer: g^-k mod order - 1 */
};

/* A table that the kernel reads; complex entries are interleaved. */
struct block_table {
    enum block_table_kind kind;
    int64_t order, step;
    int64_t length; /* entries: the elements of its buffer */
    int source;
    int buffer; /* its index among the kernel's buffers */
};
/* One more would be a buffer more than a kernel can have, which is told where it is built. */
#define BLOCK_MAX_TABLES (IR_MAX_BUFFERS - 4)

/* What a device needs to launch the kernel. */
struct block_kernel {
    int pass;             /* its index in the program */
    int params;           /* it takes the first so many */
    int threads;          /* of a block */
    int columns;          /* of a tile */
    int cluster;          /* blocks that share a line: of `blocks`, so many at a time */
    int64_t blocks;       /* of the whole pass */
    int64_t shared_bytes; /* of a block */
    bool apart;           /* real and imaginary parts are exchanged one after the other */
    weft_precision precision;
    weft_format in_format, out_format;
    weft_storage in_storage, out_storage;
    struct texels in_texels, out_texels; /* of an end that is an image, which has one buffer */
    int tables;
    struct block_table table[BLOCK_MAX_TABLES];
    int spectrum;              /* the buffer that is PASS_SPECTRUM, of pairs, */
    int64_t spectrum_elements; /* ... so many; 0: there is none */
};

/* Builds the kernel of the program's pass in the arena and fills *info. NULL with an error:
 * UNSUPPORTED, the tile does not fit the limits; MEMORY. */
const struct ir *block_build(arena *a, const struct program *program, int pass_index,
                             const struct limits *limits, weft_format in_format,
                             weft_format out_format, struct block_kernel *info);

/* Whether its elements are complex numbers; otherwise reals, or integers. */
bool block_table_is_complex(const struct block_table *table);
/* Bytes of a table in the kernel's precision, and its contents (block_tables.c). tables: the
 * program's, as device_ops.pass_create gets them. */
size_t block_table_bytes(const struct block_kernel *info, const struct block_table *table);
weft_status block_table_fill(const struct block_kernel *info, const struct block_table *table,
                             const struct program *program, const void *const *tables,
                             void *data);

#endif

/* Prints finished kernels as the C of GPUs: one kernel a text. What the languages differ in is a
 * table of words; opencl.c and cuda.c hold one each. */
#ifndef WEFT_PRINT_C_LIKE_H
#define WEFT_PRINT_C_LIKE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "ir/ir.h"

/* The words of a language. Pairs of words are for float and for double. */
struct c_dialect {
    const char *prologue[2];
    const char *before_threads, *after_threads; /* around the number of threads, in the head */
    const char *resident; /* before how many blocks shall have room; NULL: that cannot be said */
    const char *global, *shared;                /* before the type of a buffer */
    const char *restricted; /* after its star: nothing else that is written is the same memory */
    const char *unsigned_narrow, *wide, *unsigned_wide; /* integer types; `int` is the narrow one */
    const char *wide_suffix;                            /* of a literal */
    const char *thread, *block;                         /* their indices, as int */
    const char *thread_anew[2]; /* around the variable that it goes to; NULL: as `thread` */
    const char *barrier;                                /* that orders global memory as well */
    const char *pair[2];                                /* before "(first, second)" */
    const char *fma[2];
    const char *rolled;         /* a line before a loop that is to remain one */
    /* For numbers stored otherwise than computed with: macros, what c_storage.c's functions are
     * written in; and the functions weft_load_f16 and weft_store_f16. */
    const char *storages[2], *halves;
    /* Blocks that reach one another's shared memory; NULL: there are none. Definitions; what stands
     * around the number of them, in the head; the halves of their barrier; the type of the place of
     * another's buffer, and before "(buffer, block)" what finds it; before "(place, index, value)"
     * what stores there. */
    const char *clusters, *before_cluster, *after_cluster, *arrive, *wait, *place, *find_place;
    const char *send, *send_pair;
    int64_t most_static_shared; /* bytes; more is declared by, and found behind, the following */
    const char *dynamic_shared, *dynamic_shared_name;
};

struct c_like_target {
    const struct c_dialect *dialect;
    bool single; /* float or double */
    bool fma;    /* the device has it; otherwise IR_FMA is a multiply and an add */
};

/* Appends the kernel `weft_<kernel's name>`. Its arguments are the buffers that its nodes use, but
 * for the shared and private ones, in their order, and then all params as 64-bit integers. Global
 * buffers that are read only and have no base are tables: nothing may write them meanwhile. A
 * kernel that there are no words for (a codelet) makes the text fail. */
void c_like_print(struct text *t, const struct c_like_target *target, const struct ir *kernel);

/* Bytes of shared memory that the kernel declares, and of those whoever launches it has to ask for:
 * all of them, or none where the declaration in the text is enough. */
int64_t c_like_shared_bytes(const struct c_like_target *target, const struct ir *kernel);
int64_t c_like_dynamic_bytes(const struct c_like_target *target, const struct ir *kernel);

#endif

/* What the kernel of a GPU's pass is expected to take of a thread's registers. */
#ifndef WEFT_SPEC_BLOCK_REGISTERS_H
#define WEFT_SPEC_BLOCK_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/pass.h"

/* 32-bit registers of a thread that holds so many elements, reals being so many words; `paired`:
 * its butterflies are two by two those of mirrored elements (block_half_pairs()). */
int64_t block_registers(const struct pass *pass, int64_t elements, int words, bool paired);

/* Likewise, of a compiler that has no more to give: a convolution's factors are not read ahead. */
int64_t block_registers_scarce(const struct pass *pass, int64_t elements, int words, bool paired);

#endif

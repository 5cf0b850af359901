/* Prints finished kernels as SPIR-V 1.0 modules, as any driver of Vulkan 1.0 takes them. */
#ifndef WEFT_PRINT_SPIRV_H
#define WEFT_PRINT_SPIRV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "ir/ir.h"

struct spirv_target {
    bool single; /* float or double */
    bool wide;   /* the device has shaderInt64 */
    /* By buffer, NULL: none is. Tables that lie in one storage buffer, whose binding is that of the
     * first of them, and where each begins: a byte that is a multiple of its elements' size. */
    const bool *joined;
    const uint32_t *start;
};

/* The parameters are push constants: the i-th, 64 bits wide, at byte 8 i. Of those that are used
 * in 32 bits the kernel reads the low half, which on every device of Vulkan comes first. */
#define SPIRV_MOST_PARAMS 16 /* 128 bytes, which every device has */

/* Numbers that are stored otherwise than computed with lie in arrays of 32-bit words, whatever they
 * are: no more is needed of a device, but shaderFloat64 for doubles. What is smaller than a word is
 * written by two atomic operations; a buffer's last word must be there as a whole. */

/* Appends the words of a module with the entry point `weft_<kernel's name>`. Descriptor set 0 holds
 * its buffers, but for the shared ones, that its nodes use, in their order, as storage buffers
 * (Uniform and BufferBlock, which Vulkan 1.0 has). Two that are no tables may be the same memory.
 *
 * A buffer that is an image is a storage image of two dimensions and of its texels' format; in
 * single precision alone. What is written leaves other channels as they are.
 * Formats beyond those of every device need shaderStorageImageExtendedFormats.
 *
 * Addresses are computed in 32 bits, whatever the kernel says: the range of a storage buffer has
 * no more. Only what is divided or compared, as it may exceed them, is 64 bits wide.
 *
 * Errors: UNSUPPORTED (a codelet; too many parameters; 64 bits are needed and not there), MEMORY.
 */
weft_status spirv_print(struct text *binary, const struct spirv_target *target,
                        const struct ir *kernel);

/* Appends a module that spirv_print() made as text, an instruction a line, in the notation of
 * spirv-as and spirv-dis. */
void spirv_disassemble(struct text *t, const void *binary, size_t bytes);

#endif

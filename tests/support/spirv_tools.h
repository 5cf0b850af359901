/* Modules of SPIR-V that Khronos' tools find no fault with: spirv-val takes them, and spirv-as
 * makes of their disassembly the same words again. */
#ifndef TESTS_SUPPORT_SPIRV_TOOLS_H
#define TESTS_SUPPORT_SPIRV_TOOLS_H

#include "base/text.h"
#include "ir/ir.h"
#include "print/spirv.h"

/* Before all else. Files are named after the test, of which there is one at a time. Where the tools
 * are missing that is said, and they are not asked. */
void spirv_tools_open(const char *test);

/* Fails with what the tools say. */
void spirv_assert_valid(const struct text *binary);

/* The text of the kernel's module, which is valid; to be freed. */
struct text spirv_words_of(const struct ir *kernel, const struct spirv_target *target);
void spirv_assert_has(const struct ir *kernel, const struct spirv_target *target,
                      const char *const *words);
void spirv_assert_lacks(const struct ir *kernel, const struct spirv_target *target,
                        const char *words);

#endif

/* Kernels of a few lines, for the tests of what prints kernels. */
#ifndef TESTS_SUPPORT_KERNELS_H
#define TESTS_SUPPORT_KERNELS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/text.h"
#include "ir/builder.h"

const struct ir *kernel_finish(struct ir_builder *b);

/* out[thread] = (root.x - in.x, -in.y), with a buffer that nothing uses. */
const struct ir *kernel_turn(arena *memory);

/* Constants that single precision must round by all their digits. */
const struct ir *kernel_numbers(arena *memory);

/* x x + y, x x - y and y - x x, each rounded once. */
const struct ir *kernel_fused(arena *memory);

/* Numbers and pairs through shared memory, `count` of each. */
const struct ir *kernel_exchange(arena *memory, int64_t count);

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* The text has these words in this order. */
void assert_text_has(const struct text *t, const char *const *words);

#endif

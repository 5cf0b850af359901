#include "support/kernels.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "ir/builder.h"

const struct ir *kernel_finish(struct ir_builder *b)
{
    const struct ir *kernel = ir_finish(b);
    assert_non_null(kernel);
    return kernel;
}

const struct ir *kernel_turn(arena *memory)
{
    struct ir_builder *b = ir_begin(memory, "turn", 64);
    ir_value base = ir_param(b, "base");
    int in = ir_pair_buffer(b, "in", IR_GLOBAL, false, 0);
    int out = ir_pair_buffer(b, "out", IR_GLOBAL, true, 0);
    ir_buffer(b, "unused", IR_GLOBAL, false, 0);
    int roots = ir_pair_buffer(b, "roots", IR_GLOBAL, false, 0);
    ir_set_base(b, in, base);
    ir_set_base(b, out, base);
    ir_value pair = ir_load_pair(b, in, ir_thread(b));
    ir_value root = ir_first(b, ir_load_pair(b, roots, ir_thread(b)));
    ir_value re = ir_sub(b, root, ir_first(b, pair));
    ir_store_pair(b, out, ir_thread(b), re, ir_neg(b, ir_second(b, pair)));
    return kernel_finish(b);
}

const struct ir *kernel_numbers(arena *memory)
{
    struct ir_builder *b = ir_begin(memory, "numbers", 1);
    int in = ir_buffer(b, "in", IR_GLOBAL, false, 0);
    int out = ir_buffer(b, "out", IR_GLOBAL, true, 0);
    ir_value x = ir_load(b, in, ir_int(b, 0));
    ir_store(b, out, ir_int(b, 0), ir_mul(b, x, ir_real(b, 0.70710678118654757, -4.8e-17)));
    ir_store(b, out, ir_int(b, 1), ir_real(b, -0.5, 0));
    /* half way between two floats, decided by what is behind the double */
    ir_store(b, out, ir_int(b, 2), ir_mul(b, x, ir_real(b, 1 + 0x1p-24, 0x1p-60)));
    return kernel_finish(b);
}

const struct ir *kernel_fused(arena *memory)
{
    struct ir_builder *b = ir_begin(memory, "fused", 1);
    int in = ir_buffer(b, "in", IR_GLOBAL, false, 0);
    int out = ir_buffer(b, "out", IR_GLOBAL, true, 0);
    ir_value x = ir_load(b, in, ir_int(b, 0)), y = ir_load(b, in, ir_int(b, 1));
    ir_store(b, out, ir_int(b, 0), ir_fma(b, x, x, y));
    ir_store(b, out, ir_int(b, 1), ir_fms(b, x, x, y));
    ir_store(b, out, ir_int(b, 2), ir_fma(b, ir_neg(b, x), x, y));
    return kernel_finish(b);
}

const struct ir *kernel_exchange(arena *memory, int64_t count)
{
    struct ir_builder *b = ir_begin(memory, "exchange", 32);
    int out = ir_buffer(b, "out", IR_GLOBAL, true, 0);
    int table = ir_buffer(b, "table", IR_TABLE, false, 0);
    int shared = ir_buffer(b, "shared", IR_SHARED, true, count);
    int pairs = ir_pair_buffer(b, "pairs", IR_SHARED, true, count);
    ir_value place = ir_load_int(b, table, ir_thread(b), count), x = ir_real(b, 1, 0);
    ir_store(b, shared, place, x);
    ir_store_pair(b, pairs, place, x, x);
    ir_barrier(b);
    ir_store(b, out, ir_thread(b), ir_load(b, shared, ir_thread(b)));
    return kernel_finish(b);
}

void assert_text_has(const struct text *t, const char *const *words)
{
    const char *rest = text_chars(t);
    for (; *words; words++) {
        const char *found = strstr(rest, *words);
        if (!found) fail_msg("no \"%s\" where it belongs in:\n%s", *words, text_chars(t));
        rest = found + strlen(*words);
    }
}

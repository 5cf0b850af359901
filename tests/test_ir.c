/* The kernel IR: folding, sharing, the verifier, and the evaluator's eye for defects. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "ir/ir.h"

/* A builder with a real buffer, and an unknown real and integer to work on. */
struct bench {
    arena *arena;
    struct ir_builder *b;
    int buffer;
    ir_value x, y, z; /* reals */
    ir_value n;       /* integer */
};

#define THREADS 64

static struct bench begin(void)
{
    struct bench t = {.arena = arena_create()};
    t.b = ir_begin(t.arena, "trial", THREADS);
    t.buffer = ir_buffer(t.b, "data", IR_GLOBAL, true, 0);
    t.n = ir_param(t.b, "n");
    t.x = ir_load(t.b, t.buffer, ir_int(t.b, 0));
    t.y = ir_load(t.b, t.buffer, ir_int(t.b, 1));
    t.z = ir_load(t.b, t.buffer, ir_int(t.b, 2));
    return t;
}

static void end(struct bench *t)
{
    arena_destroy(&t->arena);
}

static ir_value real(struct bench *t, double value)
{
    return ir_real(t->b, value, 0);
}

static ir_value integer(struct bench *t, int64_t value)
{
    return ir_int(t->b, value);
}

/* ---- folding ---- */

static void real_constants_are_folded(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value zero = real(&t, 0), one = real(&t, 1);
    assert_int_equal(ir_add(t.b, real(&t, 2), real(&t, 3)), real(&t, 5));
    assert_int_equal(ir_mul(t.b, real(&t, 2), real(&t, -3)), real(&t, -6));
    assert_int_equal(ir_add(t.b, t.x, zero), t.x);
    assert_int_equal(ir_sub(t.b, zero, t.x), ir_neg(t.b, t.x));
    assert_int_equal(ir_mul(t.b, one, t.x), t.x);
    assert_int_equal(ir_mul(t.b, t.x, zero), zero);
    assert_int_equal(ir_mul(t.b, t.x, real(&t, -1)), ir_neg(t.b, t.x));
    end(&t);
}

static void constants_keep_twice_the_precision(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value tiny = real(&t, 1e-20), one = real(&t, 1);
    assert_int_equal(ir_sub(t.b, ir_add(t.b, one, tiny), one), tiny);
    end(&t);
}

static void signs_move_outward(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value minus_x = ir_neg(t.b, t.x), minus_y = ir_neg(t.b, t.y), two = real(&t, 2);
    assert_int_equal(ir_neg(t.b, minus_x), t.x);
    assert_int_equal(ir_add(t.b, t.x, minus_y), ir_sub(t.b, t.x, t.y));
    assert_int_equal(ir_add(t.b, minus_x, t.y), ir_sub(t.b, t.y, t.x));
    assert_int_equal(ir_sub(t.b, t.x, minus_y), ir_add(t.b, t.x, t.y));
    assert_int_equal(ir_mul(t.b, minus_x, t.y), ir_neg(t.b, ir_mul(t.b, t.x, t.y)));
    assert_int_equal(ir_mul(t.b, minus_x, minus_y), ir_mul(t.b, t.x, t.y));
    assert_int_equal(ir_mul(t.b, t.x, real(&t, -2)), ir_neg(t.b, ir_mul(t.b, t.x, two)));
    assert_int_equal(ir_fma(t.b, minus_x, t.y, t.z), ir_fnma(t.b, t.x, t.y, t.z));
    assert_int_equal(ir_fma(t.b, t.x, t.y, ir_neg(t.b, t.z)), ir_fms(t.b, t.x, t.y, t.z));
    end(&t);
}

static void fused_operations_with_trivial_factors_are_sums(void **state)
{
    (void)state;
    struct bench t = begin();
    assert_int_equal(ir_fma(t.b, t.x, real(&t, 1), t.z), ir_add(t.b, t.x, t.z));
    assert_int_equal(ir_fms(t.b, t.x, real(&t, -1), t.z),
                     ir_neg(t.b, ir_add(t.b, t.x, t.z)));
    assert_int_equal(ir_fma(t.b, t.x, real(&t, 0), t.z), t.z);
    assert_int_equal(ir_fnma(t.b, t.x, t.y, real(&t, 0)), ir_neg(t.b, ir_mul(t.b, t.x, t.y)));
    end(&t);
}

static void index_arithmetic_is_folded(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value thread = ir_thread(t.b), eight = integer(&t, 8), one = integer(&t, 1);
    ir_value row = ir_int_div(t.b, thread, eight), column = ir_int_mod(t.b, thread, eight);
    assert_int_equal(ir_int_div(t.b, t.n, one), t.n);
    assert_int_equal(ir_int_mod(t.b, t.n, one), integer(&t, 0));
    assert_int_equal(ir_int_mul(t.b, ir_int_mul(t.b, t.n, eight), eight),
                     ir_int_mul(t.b, t.n, integer(&t, 64)));
    assert_int_equal(ir_int_add(t.b, ir_int_add(t.b, t.n, one), eight),
                     ir_int_add(t.b, t.n, integer(&t, 9)));
    assert_int_equal(ir_int_div(t.b, ir_int_mul(t.b, t.n, eight), eight), t.n);
    assert_int_equal(ir_int_mod(t.b, ir_int_mul(t.b, t.n, eight), eight), integer(&t, 0));
    assert_int_equal(ir_int_add(t.b, ir_int_mul(t.b, row, eight), column), thread);
    assert_int_equal(ir_int_mod(t.b, ir_int_mod(t.b, t.n, integer(&t, 16)), eight),
                     ir_int_mod(t.b, t.n, eight));
    assert_int_equal(ir_int_div(t.b, row, eight), integer(&t, 0));
    end(&t);
}

static void known_ranges_decide(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value thread = ir_thread(t.b), block = ir_block(t.b), threads = integer(&t, THREADS);
    ir_value place = ir_int_add(t.b, ir_int_mul(t.b, block, threads), thread);
    assert_int_equal(ir_int_div(t.b, thread, threads), integer(&t, 0));
    assert_int_equal(ir_int_mod(t.b, thread, threads), thread);
    assert_int_equal(ir_int_div(t.b, place, threads), block);
    assert_int_equal(ir_int_mod(t.b, place, threads), thread);
    ir_value always = ir_less(t.b, thread, threads), never = ir_less(t.b, thread, integer(&t, 0));
    assert_int_equal(ir_select(t.b, always, t.x, t.y), t.x);
    assert_int_equal(ir_select(t.b, never, t.x, t.y), t.y);
    ir_value unknown = ir_less(t.b, thread, integer(&t, 9));
    assert_int_equal(ir_and(t.b, always, unknown), unknown);
    assert_int_equal(ir_and(t.b, unknown, never), never);
    assert_int_equal(ir_select(t.b, unknown, t.x, t.x), t.x);
    end(&t);
}

/* ---- sharing ---- */

static void equal_values_exist_once(void **state)
{
    (void)state;
    struct bench t = begin();
    assert_int_equal(ir_add(t.b, t.x, t.y), ir_add(t.b, t.y, t.x));
    assert_int_equal(ir_mul(t.b, t.x, t.y), ir_mul(t.b, t.y, t.x));
    assert_int_not_equal(ir_sub(t.b, t.x, t.y), ir_sub(t.b, t.y, t.x));
    assert_int_not_equal(ir_load(t.b, t.buffer, t.n), ir_load(t.b, t.buffer, t.n));
    end(&t);
}

static void values_of_an_ended_scope_are_not_used_after_it(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value before = ir_mul(t.b, t.x, t.y);
    ir_if(t.b, ir_less(t.b, ir_thread(t.b), t.n));
    assert_int_equal(ir_mul(t.b, t.x, t.y), before);
    ir_value inside = ir_add(t.b, t.x, t.y);
    ir_store(t.b, t.buffer, t.n, inside);
    ir_end(t.b);
    ir_value after = ir_add(t.b, t.x, t.y);
    assert_int_not_equal(after, inside);
    assert_int_equal(ir_add(t.b, t.x, t.y), after);
    ir_store(t.b, t.buffer, t.n, after);
    assert_non_null(ir_finish(t.b));
    end(&t);
}

static void what_nothing_uses_is_removed(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_mul(t.b, t.x, t.y);
    ir_if(t.b, ir_less(t.b, ir_thread(t.b), integer(&t, 0)));
    ir_store(t.b, t.buffer, t.n, t.y);
    ir_end(t.b);
    ir_for(t.b, integer(&t, 1));
    ir_store(t.b, t.buffer, t.n, t.x);
    ir_end(t.b);
    const struct ir *kernel = ir_finish(t.b);
    assert_non_null(kernel);
    struct ir_counts counts = ir_count(kernel);
    assert_int_equal(counts.multiplies, 0);
    assert_int_equal(counts.stores, 1);
    assert_int_equal(counts.loads, 1);
    for (int32_t v = 0; v < kernel->count; v++) assert_true(kernel->node[v].op != IR_FOR);
    end(&t);
}

static void products_used_once_are_fused(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value once = ir_mul(t.b, t.x, t.y), twice = ir_mul(t.b, t.x, t.z);
    ir_store(t.b, t.buffer, integer(&t, 0), ir_add(t.b, once, t.z));
    ir_store(t.b, t.buffer, integer(&t, 1), ir_sub(t.b, t.y, twice));
    ir_store(t.b, t.buffer, integer(&t, 2), ir_add(t.b, twice, t.x));
    const struct ir *kernel = ir_form_fma(t.arena, ir_finish(t.b));
    assert_non_null(kernel);
    assert_true(ir_verify(kernel));
    struct ir_counts counts = ir_count(kernel);
    assert_int_equal(counts.fmas, 1);
    assert_int_equal(counts.multiplies, 1);
    assert_int_equal(counts.adds, 2);
    end(&t);
}

/* ---- malformed kernels ---- */

static void misuse_sticks_and_is_told_at_the_end(void **state)
{
    (void)state;
    struct bench t = begin();
    assert_int_equal(ir_add(t.b, t.x, t.n), IR_NONE); /* a real and an integer */
    assert_int_equal(ir_add(t.b, t.x, t.y), IR_NONE);
    assert_null(ir_finish(t.b));
    assert_non_null(strstr(error_last(), "wrong type"));
    end(&t);
    t = begin();
    ir_for(t.b, t.n);
    assert_null(ir_finish(t.b));
    assert_non_null(strstr(error_last(), "no end"));
    end(&t);
    t = begin();
    ir_end(t.b);
    assert_null(ir_finish(t.b));
    end(&t);
    t = begin();
    ir_store(t.b, 7, t.n, t.x);
    assert_null(ir_finish(t.b));
    end(&t);
    t = begin();
    ir_int_div(t.b, t.n, integer(&t, 0));
    assert_null(ir_finish(t.b));
    end(&t);
}

static void the_verifier_refuses_what_breaks_the_rules(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value loop = ir_for(t.b, t.n);
    ir_value inside = ir_load(t.b, t.buffer, loop);
    ir_end(t.b);
    ir_store(t.b, t.buffer, t.n, inside); /* its scope has ended */
    assert_null(ir_finish(t.b));
    assert_non_null(strstr(error_last(), "out of scope"));
    end(&t);
    t = begin();
    ir_value counter = ir_for(t.b, t.n);
    ir_store(t.b, t.buffer, counter, t.x);
    ir_end(t.b);
    ir_store(t.b, t.buffer, counter, t.x); /* so has the loop of the counter */
    assert_null(ir_finish(t.b));
    end(&t);
    t = begin();
    ir_if(t.b, ir_less(t.b, ir_thread(t.b), t.n));
    ir_barrier(t.b);
    ir_end(t.b);
    assert_null(ir_finish(t.b));
    assert_non_null(strstr(error_last(), "barrier"));
    end(&t);
    t = begin();
    int constant = ir_buffer(t.b, "constant", IR_GLOBAL, false, 0);
    ir_store(t.b, constant, t.n, t.x);
    assert_null(ir_finish(t.b));
    assert_non_null(strstr(error_last(), "read-only"));
    end(&t);
    t = begin();
    int table = ir_buffer(t.b, "table", IR_TABLE, false, 0);
    ir_store(t.b, t.buffer, t.n, ir_load(t.b, table, t.n));
    assert_null(ir_finish(t.b));
    end(&t);
}

/* ---- the evaluator ---- */

/* A kernel over a global buffer of 256 and a shared one of 1024 reals. */
struct machine {
    arena *arena;
    struct ir_builder *b;
    int global, shared, table;
    ir_value n, thread;
    float data[256];
    int32_t entries[64];
    struct ir_report report;
};

static struct machine start(void)
{
    struct machine m = {.arena = arena_create()};
    m.b = ir_begin(m.arena, "machine", THREADS);
    m.global = ir_buffer(m.b, "global", IR_GLOBAL, true, 0);
    m.shared = ir_buffer(m.b, "shared", IR_SHARED, true, 1024);
    m.table = ir_buffer(m.b, "table", IR_TABLE, false, 0);
    m.n = ir_param(m.b, "n");
    m.thread = ir_thread(m.b);
    for (int i = 0; i < 256; i++) m.data[i] = (float)i;
    for (int i = 0; i < 64; i++) m.entries[i] = 63 - i;
    return m;
}

static void run(struct machine *m, int64_t blocks, int64_t n)
{
    const struct ir *kernel = ir_finish(m->b);
    assert_non_null(kernel);
    struct ir_launch launch = {
        .blocks = blocks, .threads = THREADS, .single = true, .coalescing_bytes = 64,
        .simd_width = 32, .banks = 32, .params = &n,
        .buffer = {m->data, NULL, m->entries}, .buffer_count = {256, 0, 64},
    };
    assert_int_equal(ir_evaluate(kernel, &launch, &m->report), WEFT_OK);
    arena_destroy(&m->arena);
}

/* Neighbours exchange through shared memory, with or without the barrier they need. */
static struct ir_report exchange(bool barrier)
{
    struct machine m = start();
    ir_value next = ir_int_mod(m.b, ir_int_add(m.b, m.thread, ir_int(m.b, 1)),
                               ir_int(m.b, THREADS));
    ir_store(m.b, m.shared, m.thread, ir_load(m.b, m.global, m.thread));
    if (barrier) ir_barrier(m.b);
    ir_store(m.b, m.global, m.thread, ir_load(m.b, m.shared, next));
    run(&m, 1, 0);
    for (int i = 0; i < THREADS; i++) assert_true(m.data[i] == (float)((i + 1) % THREADS));
    return m.report;
}

static void a_missing_barrier_is_a_race(void **state)
{
    (void)state;
    struct ir_report good = exchange(true), bad = exchange(false);
    assert_int_equal(good.races, 0);
    assert_string_equal(good.first, "");
    assert_int_equal(bad.races, THREADS);
    assert_non_null(strstr(bad.first, "another thread"));
}

static void overwriting_what_another_thread_read_is_a_race(void **state)
{
    (void)state;
    struct machine m = start();
    ir_value zero = ir_int(m.b, 0);
    ir_value x = ir_load(m.b, m.global, zero);
    ir_if(m.b, ir_equal(m.b, m.thread, ir_int(m.b, 5)));
    ir_store(m.b, m.global, zero, x);
    ir_end(m.b);
    run(&m, 1, 0);
    assert_int_equal(m.report.races, 1);
}

static void blocks_race_for_global_memory_but_not_for_shared(void **state)
{
    (void)state;
    struct machine m = start();
    ir_value x = ir_load(m.b, m.global, m.thread);
    ir_store(m.b, m.shared, m.thread, x);
    ir_store(m.b, m.global, ir_int_add(m.b, m.thread, ir_int_mul(m.b, ir_block(m.b), m.n)), x);
    run(&m, 2, 0);
    assert_int_equal(m.report.races, 2 * THREADS); /* what the other block wrote is read, written */
    struct machine apart = start();
    ir_value place = ir_int_add(apart.b, apart.thread,
                                ir_int_mul(apart.b, ir_block(apart.b), ir_int(apart.b, THREADS)));
    ir_store(apart.b, apart.shared, apart.thread, ir_load(apart.b, apart.global, place));
    ir_store(apart.b, apart.global, place, ir_load(apart.b, apart.shared, apart.thread));
    run(&apart, 4, 0);
    assert_int_equal(apart.report.races, 0);
}

static void accesses_outside_a_buffer_are_counted_and_not_made(void **state)
{
    (void)state;
    struct machine m = start();
    ir_value far = ir_int_add(m.b, ir_int_mul(m.b, m.thread, ir_int(m.b, 5)), m.n);
    ir_store(m.b, m.global, far, ir_real(m.b, -1, 0));
    run(&m, 1, -10); /* -10, -5, 0, 5, ..., 305: two below, ten above */
    assert_int_equal(m.report.out_of_bounds, 2 + 10);
    assert_true(m.data[0] == -1 && m.data[255] == -1 && m.data[1] == 1);
    assert_non_null(strstr(m.report.first, "thread 0"));
}

static void barriers_in_uneven_loops_diverge(void **state)
{
    (void)state;
    struct machine m = start();
    ir_for(m.b, ir_int_add(m.b, ir_int_mod(m.b, m.thread, ir_int(m.b, 2)), m.n));
    ir_barrier(m.b);
    ir_end(m.b);
    run(&m, 1, 3);
    assert_int_equal(m.report.divergent_barriers, 1);
}

static void loops_and_conditions_mask_threads(void **state)
{
    (void)state;
    struct machine m = start();
    ir_value count = ir_for(m.b, m.thread);
    ir_if(m.b, ir_less(m.b, count, m.n));
    ir_value x = ir_load(m.b, m.global, m.thread);
    ir_store(m.b, m.global, m.thread, ir_add(m.b, x, ir_real(m.b, 1, 0)));
    ir_end(m.b);
    ir_end(m.b);
    run(&m, 1, 10);
    for (int i = 0; i < THREADS; i++) assert_true(m.data[i] == (float)(i + (i < 10 ? i : 10)));
}

static void integer_tables_permute(void **state)
{
    (void)state;
    struct machine m = start();
    ir_value from = ir_load_int(m.b, m.table, m.thread);
    ir_value x = ir_load(m.b, m.global, from);
    ir_barrier(m.b);
    ir_store(m.b, m.global, m.thread, x);
    run(&m, 1, 0);
    assert_string_equal(m.report.first, "");
    for (int i = 0; i < THREADS; i++) assert_true(m.data[i] == (float)(63 - i));
}

static int64_t conflicts_of_stride(int64_t stride)
{
    struct machine m = start();
    ir_value place = ir_int_mod(m.b, ir_int_mul(m.b, m.thread, m.n), ir_int(m.b, 1024));
    ir_store(m.b, m.shared, place, ir_real(m.b, 1, 0));
    run(&m, 1, stride);
    assert_int_equal(m.report.shared_accesses, 2);
    return m.report.bank_conflicts;
}

static void strides_meet_bank_conflicts(void **state)
{
    (void)state;
    assert_int_equal(conflicts_of_stride(0), 0); /* one word is broadcast */
    assert_int_equal(conflicts_of_stride(1), 0);
    assert_int_equal(conflicts_of_stride(2), 2 * 1);
    assert_int_equal(conflicts_of_stride(8), 2 * 7);
    assert_int_equal(conflicts_of_stride(17), 0);
    assert_int_equal(conflicts_of_stride(32), 2 * 31);
}

static struct ir_report loads_of_stride(int64_t stride)
{
    struct machine m = start();
    ir_value x = ir_load(m.b, m.global, ir_int_mul(m.b, m.thread, m.n));
    ir_barrier(m.b);
    ir_store(m.b, m.shared, m.thread, x);
    run(&m, 1, stride);
    return m.report;
}

static void strides_need_transactions(void **state)
{
    (void)state;
    assert_int_equal(loads_of_stride(1).transactions, 4); /* 64 floats in 64-byte pieces */
    assert_int_equal(loads_of_stride(1).ideal_transactions, 4);
    assert_int_equal(loads_of_stride(4).transactions, 16);
    assert_int_equal(loads_of_stride(0).transactions, 2);
}

static void reals_are_rounded_after_every_operation(void **state)
{
    (void)state;
    struct machine m = start();
    ir_value x = ir_load(m.b, m.global, ir_int(m.b, 3));
    ir_value third = ir_real(m.b, 1.0 / 3, 0), product = ir_mul(m.b, x, third);
    ir_if(m.b, ir_equal(m.b, m.thread, ir_int(m.b, 0)));
    ir_store(m.b, m.global, ir_int(m.b, 100), ir_sub(m.b, product, x));
    ir_store(m.b, m.global, ir_int(m.b, 101), ir_fms(m.b, x, third, product));
    ir_store(m.b, m.global, ir_int(m.b, 102), ir_fnma(m.b, x, third, product));
    ir_end(m.b);
    run(&m, 1, 0);
    float f = (float)(1.0 / 3);
    assert_true(m.data[100] == 3.0f * f - 3.0f);
    assert_true(m.data[101] == fmaf(3.0f, f, -(3.0f * f)));
    assert_true(m.data[102] == -m.data[101]);
}

/* ---- memory ---- */

static void no_memory_is_an_error_and_nothing_leaks(void **state)
{
    (void)state;
    int64_t blocks = memory_live_blocks();
    bool done = false;
    for (int64_t after = 0; !done; after++) {
        memory_fail_after(after);
        arena *a = arena_create();
        struct ir_builder *b = a ? ir_begin(a, "large", THREADS) : NULL;
        int buffer = ir_buffer(b, "data", IR_GLOBAL, true, 0);
        ir_value sum = ir_load(b, buffer, ir_thread(b));
        for (int i = 0; i < 2000; i++) sum = ir_add(b, ir_mul(b, sum, sum), ir_real(b, i, 0));
        ir_store(b, buffer, ir_thread(b), sum);
        const struct ir *kernel = ir_finish(b);
        if (kernel) kernel = ir_form_fma(a, kernel);
        float data[THREADS] = {0};
        struct ir_launch launch = {.blocks = 1, .threads = THREADS, .single = true,
                                   .coalescing_bytes = 64, .simd_width = 32, .banks = 32,
                                   .buffer = {data}, .buffer_count = {THREADS}};
        struct ir_report report;
        done = kernel && ir_evaluate(kernel, &launch, &report) == WEFT_OK;
        memory_fail_after(-1);
        if (!done) assert_non_null(strstr(error_last(), "memory"));
        arena_destroy(&a);
        assert_int_equal(memory_live_blocks(), blocks);
        assert_true(after < 1000);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_constants_are_folded),
        cmocka_unit_test(constants_keep_twice_the_precision),
        cmocka_unit_test(signs_move_outward),
        cmocka_unit_test(fused_operations_with_trivial_factors_are_sums),
        cmocka_unit_test(index_arithmetic_is_folded),
        cmocka_unit_test(known_ranges_decide),
        cmocka_unit_test(equal_values_exist_once),
        cmocka_unit_test(values_of_an_ended_scope_are_not_used_after_it),
        cmocka_unit_test(what_nothing_uses_is_removed),
        cmocka_unit_test(products_used_once_are_fused),
        cmocka_unit_test(misuse_sticks_and_is_told_at_the_end),
        cmocka_unit_test(the_verifier_refuses_what_breaks_the_rules),
        cmocka_unit_test(a_missing_barrier_is_a_race),
        cmocka_unit_test(overwriting_what_another_thread_read_is_a_race),
        cmocka_unit_test(blocks_race_for_global_memory_but_not_for_shared),
        cmocka_unit_test(accesses_outside_a_buffer_are_counted_and_not_made),
        cmocka_unit_test(barriers_in_uneven_loops_diverge),
        cmocka_unit_test(loops_and_conditions_mask_threads),
        cmocka_unit_test(integer_tables_permute),
        cmocka_unit_test(strides_meet_bank_conflicts),
        cmocka_unit_test(strides_need_transactions),
        cmocka_unit_test(reals_are_rounded_after_every_operation),
        cmocka_unit_test(no_memory_is_an_error_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

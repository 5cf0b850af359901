/* The evaluator: what it computes, and its eye for defects. */
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

#define THREADS 64

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

/* Both blocks of a cluster send what they have to each other, who knows when to read it; or not. */
static struct ir_report send_over(bool arrives, bool waits)
{
    struct machine m = start();
    ir_set_cluster(m.b, 2, 0);
    ir_value place = ir_int_add(m.b, m.thread,
                                ir_int_mul(m.b, ir_block(m.b), ir_int(m.b, THREADS)));
    ir_value x = ir_load(m.b, m.global, place);
    ir_value second = ir_int_mod(m.b, ir_block(m.b), ir_int(m.b, 2));
    for (int peer = 0; peer < 2; peer++) {
        ir_if(m.b, ir_equal(m.b, second, ir_int(m.b, 1 - peer)));
        ir_send(m.b, peer, m.shared, m.thread, x);
        ir_end(m.b);
    }
    if (arrives) ir_arrive(m.b);
    ir_barrier(m.b);
    if (waits) ir_wait(m.b);
    ir_store(m.b, m.global, place, ir_load(m.b, m.shared, m.thread));
    run(&m, 4, 0);
    for (int i = 0; i < 4 * THREADS; i++)
        assert_true(m.data[i] == (float)(i / THREADS % 2 ? i - THREADS : i + THREADS));
    return m.report;
}

static void blocks_of_a_cluster_reach_one_another(void **state)
{
    (void)state;
    struct ir_report good = send_over(true, true), bad = send_over(false, false);
    assert_string_equal(good.first, "");
    assert_int_equal(bad.races, 4 * THREADS); /* a barrier of their own is not enough */
    bad = send_over(false, true);
    assert_int_equal(bad.races, 4 * THREADS);
}

/* A block reads what lies in its own memory while the other one sends there. */
static void sending_to_a_block_that_still_reads_is_a_race(void **state)
{
    (void)state;
    struct machine m = start();
    ir_set_cluster(m.b, 2, 0);
    ir_store(m.b, m.shared, m.thread, ir_real(m.b, 1, 0));
    ir_store(m.b, m.global, ir_int_add(m.b, m.thread, ir_int_mul(m.b, ir_block(m.b), m.n)),
             ir_load(m.b, m.shared, m.thread));
    ir_barrier(m.b);
    ir_if(m.b, ir_equal(m.b, ir_block(m.b), ir_int(m.b, 0)));
    ir_send(m.b, 1, m.shared, m.thread, ir_real(m.b, 2, 0));
    ir_end(m.b);
    run(&m, 2, THREADS);
    assert_int_equal(m.report.races, THREADS);
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

/* 32 threads turn pairs round, through shared memory, of which each has a place of 8 bytes. */
static void pairs_move_at_once_from_a_base(void **state)
{
    (void)state;
    struct machine m = start();
    int pairs = ir_pair_buffer(m.b, "pairs", IR_GLOBAL, true, 0);
    int shared = ir_pair_buffer(m.b, "shared_pairs", IR_SHARED, true, THREADS);
    ir_set_base(m.b, pairs, m.n);
    ir_value x = ir_load_pair(m.b, pairs, m.thread);
    ir_store_pair(m.b, shared, m.thread, ir_second(m.b, x), ir_first(m.b, x));
    ir_value turned = ir_load_pair(m.b, shared, m.thread);
    ir_store_pair(m.b, pairs, m.thread, ir_first(m.b, turned), ir_second(m.b, turned));
    const struct ir *kernel = ir_finish(m.b);
    assert_non_null(kernel);
    int64_t base = 16;
    struct ir_launch launch = {
        .blocks = 1, .threads = THREADS, .single = true, .coalescing_bytes = 64,
        .simd_width = 32, .banks = 32, .params = &base,
        .buffer = {NULL, NULL, NULL, m.data}, .buffer_count = {0, 0, 0, 128},
    };
    assert_int_equal(ir_evaluate(kernel, &launch, &m.report), WEFT_OK);
    for (int i = 0; i < 128; i++) {
        bool moved = i >= 16 && i < 16 + THREADS;
        assert_true(m.data[2 * i] == (float)(2 * i + moved));
        assert_true(m.data[2 * i + 1] == (float)(2 * i + !moved));
    }
    assert_string_equal(m.report.first, "");
    assert_int_equal(m.report.bank_conflicts, 0);
    assert_int_equal(m.report.transactions, m.report.ideal_transactions);
    arena_destroy(&m.arena);
}

static void private_memory_is_each_threads_own(void **state)
{
    (void)state;
    struct machine m = start();
    int kept = ir_buffer(m.b, "kept", IR_PRIVATE, true, 3);
    ir_store(m.b, kept, ir_int(m.b, 2), ir_load(m.b, m.global, m.thread));
    ir_for(m.b, m.n);
    ir_value x = ir_load(m.b, kept, ir_int(m.b, 2));
    ir_store(m.b, kept, ir_int(m.b, 2), ir_add(m.b, x, ir_real(m.b, 1, 0)));
    ir_end(m.b);
    ir_store(m.b, m.global, ir_thread_anew(m.b), ir_load(m.b, kept, ir_int(m.b, 2)));
    run(&m, 1, 5);
    assert_string_equal(m.report.first, "");
    assert_int_equal(m.report.shared_accesses, 0);
    for (int i = 0; i < THREADS; i++) assert_true(m.data[i] == (float)(i + 5));
}

static void places_outside_private_memory_are_reported(void **state)
{
    (void)state;
    struct machine m = start();
    int kept = ir_buffer(m.b, "kept", IR_PRIVATE, true, 3);
    ir_store(m.b, kept, ir_int(m.b, 3), ir_real(m.b, 1, 0));
    run(&m, 1, 1);
    assert_int_equal(m.report.out_of_bounds, THREADS);
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
    ir_value from = ir_load_int(m.b, m.table, m.thread, THREADS);
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
    ir_store(m.b, m.global, ir_int(m.b, 102), ir_fma(m.b, ir_neg(m.b, x), third, product));
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
        cmocka_unit_test(a_missing_barrier_is_a_race),
        cmocka_unit_test(overwriting_what_another_thread_read_is_a_race),
        cmocka_unit_test(blocks_race_for_global_memory_but_not_for_shared),
        cmocka_unit_test(blocks_of_a_cluster_reach_one_another),
        cmocka_unit_test(sending_to_a_block_that_still_reads_is_a_race),
        cmocka_unit_test(accesses_outside_a_buffer_are_counted_and_not_made),
        cmocka_unit_test(pairs_move_at_once_from_a_base),
        cmocka_unit_test(private_memory_is_each_threads_own),
        cmocka_unit_test(places_outside_private_memory_are_reported),
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

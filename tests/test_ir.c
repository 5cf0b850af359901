/* The kernel IR: folding, sharing and the verifier. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
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
    assert_int_equal(ir_fma(t.b, minus_x, t.y, t.z), ir_fma(t.b, t.x, minus_y, t.z));
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
    assert_int_equal(ir_fma(t.b, ir_neg(t.b, t.x), t.y, real(&t, 0)),
                     ir_neg(t.b, ir_mul(t.b, t.x, t.y)));
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

static void constants_of_sums_are_outermost(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value thread = ir_thread(t.b), two = integer(&t, 2), three = integer(&t, 3);
    ir_value sum = ir_int_add(t.b, t.n, thread);
    assert_int_equal(ir_int_add(t.b, t.n, ir_int_add(t.b, thread, three)),
                     ir_int_add(t.b, sum, three));
    assert_int_equal(ir_int_add(t.b, ir_int_add(t.b, t.n, two), ir_int_add(t.b, thread, three)),
                     ir_int_add(t.b, sum, integer(&t, 5)));
    assert_int_equal(ir_int_mul(t.b, ir_int_add(t.b, thread, two), three),
                     ir_int_add(t.b, ir_int_mul(t.b, thread, three), integer(&t, 6)));
    end(&t);
}

static void differences_are_counted_in_multiples(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value thread = ir_thread(t.b), two = integer(&t, 2), hundred = integer(&t, 100);
    ir_value twice = ir_int_mul(t.b, thread, two), thrice = ir_int_mul(t.b, thread, integer(&t, 3));
    ir_value mirror = ir_int_sub(t.b, hundred, ir_int_add(t.b, thread, integer(&t, 4)));

    assert_int_equal(ir_int_sub(t.b, thrice, twice), thread);
    assert_int_equal(ir_int_sub(t.b, ir_int_add(t.b, twice, two), twice), two);
    assert_int_equal(mirror, ir_int_sub(t.b, integer(&t, 96), thread));
    /* (200 - 2 x + 1) / 2 */
    ir_value odd = ir_int_sub(t.b, integer(&t, 201), twice);
    assert_int_equal(ir_int_div(t.b, odd, two), ir_int_sub(t.b, hundred, thread));
    end(&t);
}

static void what_cannot_carry_is_no_part_of_a_quotient(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value thread = ir_thread(t.b), four = integer(&t, 4), sixteen = integer(&t, 16);
    ir_value low = ir_int_mod(t.b, ir_block(t.b), four), rows = ir_int_mul(t.b, thread, four);
    ir_value place = ir_int_add(t.b, rows, low), next = ir_int_add(t.b, rows, integer(&t, 3));
    assert_int_equal(ir_int_div(t.b, place, sixteen), ir_int_div(t.b, thread, four));
    assert_int_equal(ir_int_div(t.b, next, sixteen), ir_int_div(t.b, thread, four));
    ir_value rest = ir_int_mul(t.b, ir_int_mod(t.b, thread, four), four);
    assert_int_equal(ir_int_mod(t.b, place, sixteen), ir_int_add(t.b, rest, low));
    /* This one can. */
    ir_value far = ir_int_div(t.b, ir_int_add(t.b, place, integer(&t, 1)), sixteen);
    assert_int_not_equal(far, ir_int_div(t.b, thread, four));
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

static void products_that_only_sums_use_are_fused(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value once = ir_mul(t.b, t.x, t.y), twice = ir_mul(t.b, t.x, t.z);
    ir_value stored = ir_mul(t.b, t.y, t.z);
    ir_store(t.b, t.buffer, integer(&t, 0), ir_add(t.b, once, t.z));
    ir_store(t.b, t.buffer, integer(&t, 1), ir_sub(t.b, t.y, twice));
    ir_store(t.b, t.buffer, integer(&t, 2), ir_add(t.b, twice, t.x));
    ir_store(t.b, t.buffer, integer(&t, 3), ir_add(t.b, stored, t.x));
    ir_store(t.b, t.buffer, integer(&t, 4), stored);
    const struct ir *kernel = ir_form_fma(t.arena, ir_finish(t.b));
    assert_non_null(kernel);
    assert_true(ir_verify(kernel));
    struct ir_counts counts = ir_count(kernel);
    assert_int_equal(counts.fmas, 3);
    assert_int_equal(counts.multiplies, 1);
    assert_int_equal(counts.adds, 1);
    end(&t);
}

static void of_two_products_sum_and_difference_take_the_same(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value left = ir_mul(t.b, t.x, t.y), right = ir_mul(t.b, t.x, t.z);
    ir_store(t.b, t.buffer, integer(&t, 0), ir_add(t.b, left, right));
    ir_store(t.b, t.buffer, integer(&t, 1), ir_sub(t.b, right, left));
    const struct ir *kernel = ir_form_fma(t.arena, ir_finish(t.b));
    assert_non_null(kernel);
    struct ir_counts counts = ir_count(kernel);
    assert_int_equal(counts.fmas, 2);
    assert_int_equal(counts.multiplies, 1);
    assert_int_equal(counts.adds, 0);
    end(&t);
}

static void a_sum_of_products_with_one_constant_is_a_product(void **state)
{
    (void)state;
    struct bench t = begin();
    const ir_value left = ir_mul(t.b, t.x, real(&t, 0.3)), right = ir_mul(t.b, real(&t, 0.3), t.y);
    const ir_value sum = ir_mul(t.b, ir_add(t.b, t.x, t.y), real(&t, 0.3));
    const ir_value difference = ir_mul(t.b, ir_sub(t.b, t.x, t.y), real(&t, 0.3));
    const ir_value opposite = ir_mul(t.b, t.y, real(&t, -0.3));
    assert_int_equal(ir_add_scaled(t.b, left, right), sum);
    assert_int_equal(ir_sub_scaled(t.b, left, right), difference);
    assert_int_equal(ir_add_scaled(t.b, left, opposite), difference);
    assert_int_equal(ir_add_scaled(t.b, left, t.z), ir_add(t.b, left, t.z));
    assert_int_not_equal(ir_add(t.b, left, right), sum); /* it is rounded as it is written */
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
    int kept = ir_buffer(t.b, "kept", IR_PRIVATE, true, 4);
    ir_store(t.b, kept, t.n, t.x);
    assert_null(ir_finish(t.b));
    assert_non_null(strstr(error_last(), "not constant"));
    end(&t);
    t = begin();
    int table = ir_buffer(t.b, "table", IR_TABLE, false, 0);
    ir_store(t.b, t.buffer, t.n, ir_load(t.b, table, t.n));
    assert_null(ir_finish(t.b));
    end(&t);
}

static void a_store_to_another_block_needs_a_cluster_and_shared_memory(void **state)
{
    (void)state;
    for (int blocks = 1; blocks <= 4; blocks *= 2) {
        struct bench t = begin();
        ir_set_cluster(t.b, blocks, 0);
        int shared = ir_buffer(t.b, "shared", IR_SHARED, true, 64);
        ir_send(t.b, 3, shared, t.n, t.x);
        assert_int_equal(ir_finish(t.b) != NULL, blocks == 4);
        if (blocks < 4) assert_non_null(strstr(error_last(), "no such block"));
        end(&t);
    }
    struct bench t = begin();
    ir_set_cluster(t.b, 4, 0);
    ir_send(t.b, 3, t.buffer, t.n, t.x);
    assert_null(ir_finish(t.b));
    end(&t);
}

/* Stores each value, finishes, and tells by place which of the stored values are wide. */
static void wide_integers_are_those_that_may_pass_32_bits(void **state)
{
    (void)state;
    struct bench t = begin();
    ir_value small = ir_param_within(t.b, "small", 0, 1 << 20), thread = ir_thread(t.b);
    const ir_value index[] = {
        thread,                                              /* below 64 */
        ir_int_mul(t.b, thread, integer(&t, -30000000)),     /* above -2^31 */
        ir_int_mul(t.b, thread, integer(&t, -40000000)),     /* beyond it */
        ir_int_add(t.b, small, thread),
        ir_int_mul(t.b, small, integer(&t, 4096)),
        ir_int_mod(t.b, t.n, integer(&t, 1000)),
        t.n,
    };
    const bool wide[] = {false, false, true, false, true, false, true};
    for (size_t i = 0; i < sizeof index / sizeof *index; i++)
        ir_store(t.b, t.buffer, index[i], t.x);
    const struct ir *kernel = ir_finish(t.b);
    assert_non_null(kernel);
    size_t stores = 0;
    for (ir_value v = 0; v < kernel->count; v++) {
        if (kernel->node[v].op != IR_STORE) continue;
        assert_int_equal(kernel->node[kernel->node[v].b].wide, wide[stores++]);
    }
    assert_int_equal(stores, sizeof wide / sizeof *wide);
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(real_constants_are_folded),
        cmocka_unit_test(wide_integers_are_those_that_may_pass_32_bits),
        cmocka_unit_test(constants_keep_twice_the_precision),
        cmocka_unit_test(signs_move_outward),
        cmocka_unit_test(fused_operations_with_trivial_factors_are_sums),
        cmocka_unit_test(index_arithmetic_is_folded),
        cmocka_unit_test(constants_of_sums_are_outermost),
        cmocka_unit_test(differences_are_counted_in_multiples),
        cmocka_unit_test(what_cannot_carry_is_no_part_of_a_quotient),
        cmocka_unit_test(known_ranges_decide),
        cmocka_unit_test(equal_values_exist_once),
        cmocka_unit_test(values_of_an_ended_scope_are_not_used_after_it),
        cmocka_unit_test(what_nothing_uses_is_removed),
        cmocka_unit_test(products_that_only_sums_use_are_fused),
        cmocka_unit_test(of_two_products_sum_and_difference_take_the_same),
        cmocka_unit_test(a_sum_of_products_with_one_constant_is_a_product),
        cmocka_unit_test(misuse_sticks_and_is_told_at_the_end),
        cmocka_unit_test(the_verifier_refuses_what_breaks_the_rules),
        cmocka_unit_test(a_store_to_another_block_needs_a_cluster_and_shared_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

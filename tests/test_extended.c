/* Kernels in extended precision: what the evaluator makes of them, beside 113 bits. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/memory.h"
#include "ir/ir.h"
#include "math/roots.h"
#include "support/quad.h"
#include "support/random.h"

#define THREADS 32

/* What the kernels work on: reals, and pairs of them from element 1 on, for they have a base. */
struct data {
    struct extended real[THREADS];
    struct extended pair[THREADS + 1][2];
    struct extended out[THREADS];
};

struct machine {
    arena *arena;
    struct ir_builder *b;
    int real, pair, out, shared;
    ir_value thread;
};

static struct machine start(void)
{
    struct machine m = {.arena = arena_create()};
    m.b = ir_begin(m.arena, "machine", THREADS);
    ir_value base = ir_param(m.b, "base");
    m.real = ir_buffer(m.b, "real", IR_GLOBAL, false, 0);
    m.pair = ir_pair_buffer(m.b, "pair", IR_GLOBAL, true, 0);
    m.out = ir_buffer(m.b, "out", IR_GLOBAL, true, 0);
    m.shared = ir_pair_buffer(m.b, "shared", IR_SHARED, true, THREADS);
    ir_set_base(m.b, m.pair, base);
    m.thread = ir_thread(m.b);
    return m;
}

static void run(struct machine *m, struct data *data, bool fma)
{
    const struct ir *kernel = ir_form_extended(m->arena, ir_finish(m->b), fma);
    assert_non_null(kernel);
    assert_int_equal(ir_count(kernel).fmas > 0, fma);
    const int64_t base = 1;
    struct ir_launch launch = {
        .blocks = 1, .threads = THREADS, .coalescing_bytes = 64, .simd_width = 32, .banks = 32,
        .params = &base, .buffer = {data->real, data->pair, data->out},
        .buffer_count = {THREADS, 2 * (THREADS + 1), THREADS},
    };
    struct ir_report report;
    assert_int_equal(ir_evaluate(kernel, &launch, &report), WEFT_OK);
    assert_string_equal(report.first, "");
    arena_destroy(&m->arena);
}

static struct extended any_extended(struct random *random)
{
    const double hi = 0.5 * random_number(random);
    return extended_sum(hi, hi * 0x1p-53 * (0.5 * random_number(random)));
}

static void fill(struct random *random, struct data *data)
{
    for (int i = 0; i < THREADS; i++) {
        data->real[i] = any_extended(random);
        for (int j = 0; j < 2; j++) data->pair[i + 1][j] = any_extended(random);
    }
}

static void assert_near(struct extended is, quad exact, quad scale)
{
    assert_true(fabs(is.lo) <= ldexp(fabs(is.hi), -53));
    const quad error = quad_of(is) - exact;
    assert_true((error < 0 ? -error : error) <= scale * (quad)0x1p-102);
}

/* ---- arithmetic ---- */

static ir_value negative_product(struct ir_builder *b, ir_value x, ir_value y, ir_value z)
{
    return ir_fma(b, ir_neg(b, x), y, z);
}

static ir_value (*const operation[])(struct ir_builder *, ir_value, ir_value, ir_value) = {
    ir_fma, ir_fms, negative_product};

static void fused_operations_have_all_bits(void **state)
{
    (void)state;
    struct random random = {1};
    struct data data;
    for (int i = 0; i < 12; i++) {
        struct machine m = start();
        fill(&random, &data);
        ir_value pair = ir_load_pair(m.b, m.pair, m.thread);
        ir_value x = ir_first(m.b, pair), y = ir_second(m.b, pair);
        ir_value z = ir_load(m.b, m.real, m.thread);
        ir_store(m.b, m.out, m.thread, operation[i / 4](m.b, x, y, z));
        run(&m, &data, i % 2);
        for (int t = 0; t < THREADS; t++) {
            const quad product = quad_of(data.pair[t + 1][0]) * quad_of(data.pair[t + 1][1]);
            const quad addend = quad_of(data.real[t]);
            const quad exact = i / 4 == 0   ? product + addend
                               : i / 4 == 1 ? product - addend
                                            : addend - product;
            assert_near(data.out[t], exact, 1);
        }
    }
}

static void products_with_constants_have_all_bits(void **state)
{
    (void)state;
    const struct extended eighth = root_extended(-1, 8).re;
    const struct extended constant[] = {eighth, {3, 0}, {0.25, 0}, {-2, 0}, {-1, 0}};
    struct random random = {2};
    struct data data;
    for (int i = 0; i < 10; i++) {
        const struct extended c = constant[i / 2];
        struct machine m = start();
        fill(&random, &data);
        ir_value x = ir_load(m.b, m.real, m.thread);
        ir_value product = ir_mul(m.b, x, ir_real(m.b, c.hi, c.lo));
        ir_store(m.b, m.out, m.thread, ir_mul(m.b, product, x));
        run(&m, &data, i % 2);
        for (int t = 0; t < THREADS; t++) {
            const quad real = quad_of(data.real[t]), exact = real * real * quad_of(c);
            assert_near(data.out[t], exact, exact < 0 ? -exact : exact);
        }
    }
}

static void nearly_equal_numbers_cancel_without_loss(void **state)
{
    (void)state;
    struct random random = {3};
    struct data data;
    struct machine m = start();
    fill(&random, &data);
    for (int t = 0; t < THREADS; t++) {
        data.pair[t + 1][0].hi = data.real[t].hi;
        data.pair[t + 1][0].lo = -data.real[t].lo * 0.75;
    }
    ir_value x = ir_first(m.b, ir_load_pair(m.b, m.pair, m.thread));
    ir_store(m.b, m.out, m.thread, ir_sub(m.b, x, ir_load(m.b, m.real, m.thread)));
    run(&m, &data, false);
    for (int t = 0; t < THREADS; t++) {
        const quad exact = quad_of(data.pair[t + 1][0]) - quad_of(data.real[t]);
        assert_true(quad_of(data.out[t]) == exact);
    }
}

/* ---- memory and control ---- */

/* x is added to its neighbour's by way of shared memory, then doubled in a loop that keeps it in
 * private memory, unless it is the first's. */
static void every_kind_of_memory_holds_both_parts(void **state)
{
    (void)state;
    struct random random = {4};
    struct data data, before;
    struct machine m = start();
    struct ir_builder *b = m.b;
    fill(&random, &data);
    before = data;
    ir_value zero = ir_int(b, 0), x = ir_load(b, m.real, m.thread);
    ir_value pair = ir_load_pair(b, m.pair, m.thread);
    ir_store_pair(b, m.shared, m.thread, ir_neg(b, x), ir_second(b, pair));
    ir_barrier(b);
    ir_value other = ir_load_pair(b, m.shared, ir_int_sub(b, ir_int(b, THREADS - 1), m.thread));
    const int kept = ir_buffer(b, "kept", IR_PRIVATE, true, 2);
    ir_store(b, kept, zero, ir_add(b, ir_first(b, other), ir_second(b, other)));
    ir_for(b, ir_int(b, 3));
    ir_value now = ir_load(b, kept, zero);
    ir_store(b, kept, zero, ir_add(b, now, now));
    ir_end(b);
    ir_value is_first = ir_equal(b, m.thread, zero), last = ir_load(b, kept, zero);
    ir_store(b, m.out, m.thread, ir_select(b, is_first, x, last));
    ir_if(b, is_first);
    ir_store_pair(b, m.pair, ir_int(b, 1), last, x);
    ir_end(b);
    run(&m, &data, false);
    const struct data *d = &before;
    for (int t = 0; t < THREADS; t++) {
        const int o = THREADS - 1 - t;
        const quad sum = 8 * (quad_of(d->pair[o + 1][1]) - quad_of(d->real[o]));
        assert_near(t ? data.out[t] : data.pair[2][0], sum, 8);
    }
    assert_memory_equal(&data.out[0], &d->real[0], sizeof data.out[0]);
    assert_memory_equal(&data.pair[2][1], &d->real[0], sizeof data.out[0]);
    assert_memory_equal(&data.pair[3], &d->pair[3], sizeof data.pair[3]);
}

static void no_memory_is_an_error(void **state)
{
    (void)state;
    bool done = false;
    for (int64_t after = 0; !done; after++) {
        struct machine m = start();
        ir_value x = ir_load(m.b, m.real, m.thread), sum = x;
        for (int i = 0; i < 100; i++) sum = ir_add(m.b, ir_mul(m.b, sum, x), ir_real(m.b, i, 0));
        ir_store(m.b, m.out, m.thread, sum);
        const struct ir *kernel = ir_finish(m.b);
        memory_fail_after(after);
        done = ir_form_extended(m.arena, kernel, false) != NULL;
        memory_fail_after(-1);
        if (!done) assert_non_null(strstr(error_last(), "memory"));
        arena_destroy(&m.arena);
        assert_true(after < 100);
    }
    assert_int_equal(memory_live_blocks(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fused_operations_have_all_bits),
        cmocka_unit_test(products_with_constants_have_all_bits),
        cmocka_unit_test(nearly_equal_numbers_cancel_without_loss),
        cmocka_unit_test(every_kind_of_memory_holds_both_parts),
        cmocka_unit_test(no_memory_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

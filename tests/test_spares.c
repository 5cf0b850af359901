/* Freed blocks that are kept for the next plan: which, how many, and how long. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/spares.h"
#include "weft/weft.h"

#define KIB ((size_t)1 << 10)
enum { MANY = 64 };

static void skip_without_spares(void)
{
#ifdef WEFT_NO_SPARES
    skip();
#endif
}

static void free_many(int count, size_t bytes)
{
    void *block[MANY];
    for (int i = 0; i < count; i++) {
        block[i] = memory_alloc(bytes);
        assert_non_null(block[i]);
    }
    for (int i = 0; i < count; i++)
        memory_free(block[i]);
}

/* How many blocks for `bytes` are kept; they are kept no longer. */
static int take_all(size_t bytes)
{
    int count = 0;
    for (void *block; (block = spares_take(bytes)); count++)
        free(block);
    return count;
}

static void a_freed_block_is_given_again(void **state)
{
    (void)state;
    skip_without_spares();
    spares_open();
    void *block = memory_alloc(100 * KIB);
    memory_free(block);
    void *again = memory_alloc(90 * KIB);
    assert_ptr_equal(again, block);
    memory_free(again);
    spares_close();
}

static void what_does_not_fit_is_not_given(void **state)
{
    (void)state;
    skip_without_spares();
    spares_open();
    free_many(1, 100 * KIB);
    assert_null(spares_take(101 * KIB));
    assert_null(spares_take(75 * KIB));
    assert_int_equal(take_all(100 * KIB), 1);
    spares_close();
}

static void the_smallest_that_fits_is_given(void **state)
{
    (void)state;
    skip_without_spares();
    spares_open();
    void *block[3];
    for (size_t i = 0; i < 3; i++)
        block[i] = memory_alloc((100 + i * 5) * KIB);
    memory_free(block[1]);
    memory_free(block[2]);
    memory_free(block[0]);
    void *again = memory_alloc(102 * KIB);
    assert_ptr_equal(again, block[1]);
    memory_free(again);
    spares_close();
}

static void small_and_large_blocks_are_not_kept(void **state)
{
    (void)state;
    spares_open();
    free_many(1, 8 * KIB);
    free_many(1, 1024 * KIB);
    assert_int_equal(take_all(8 * KIB), 0);
    assert_int_equal(take_all(1024 * KIB), 0);
    spares_close();
}

static void few_are_kept_the_newest(void **state)
{
    (void)state;
    skip_without_spares();
    spares_open();
    free_many(MANY, 600 * KIB);
    assert_int_equal(take_all(600 * KIB), 6);
    free_many(MANY, 16 * KIB);
    assert_int_equal(take_all(16 * KIB), 32);
    free_many(MANY, 500 * KIB);
    void *newest = memory_alloc(20 * KIB);
    memory_free(newest);
    assert_ptr_equal(memory_alloc(20 * KIB), newest);
    memory_free(newest);
    spares_close();
}

static void nothing_is_kept_while_nobody_asks(void **state)
{
    (void)state;
    free_many(1, 100 * KIB);
    assert_null(spares_take(100 * KIB));
    spares_open();
    spares_open();
    free_many(1, 100 * KIB);
    spares_close();
    spares_close();
    assert_null(spares_take(100 * KIB));
}

static void a_spare_may_fail_and_counts_as_any_block(void **state)
{
    (void)state;
    spares_open();
    const int64_t before = memory_live_blocks();
    free_many(1, 100 * KIB);
    assert_int_equal(memory_live_blocks(), before);
    memory_fail_after(0);
    assert_null(memory_alloc(100 * KIB));
    memory_fail_after(-1);
    void *block = memory_alloc(100 * KIB);
    assert_int_equal(memory_live_blocks(), before + 1);
    memory_free(block);
    spares_close();
}

/* Each writes what is its own, and finds it. */
static void *write_blocks(void *mark)
{
    for (size_t i = 0; i < 2000; i++) {
        const size_t bytes = (16 + i * 7 % 90) * KIB;
        unsigned char *block = memory_alloc(bytes);
        if (!block) return NULL;
        memset(block, *(unsigned char *)mark, 256);
        memset(block + bytes - 256, *(unsigned char *)mark, 256);
        for (size_t j = 0; j < 256; j++) {
            if (block[j] != block[bytes - 256 + j]) return NULL;
        }
        if (block[0] != *(unsigned char *)mark) return NULL;
        memory_free(block);
    }
    return mark;
}

static void threads_never_share_a_block(void **state)
{
    (void)state;
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    unsigned char mark[THREADS];
    spares_open();
    for (int i = 0; i < THREADS; i++) {
        mark[i] = (unsigned char)(i + 1);
        assert_int_equal(pthread_create(&thread[i], NULL, write_blocks, &mark[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *well;
        pthread_join(thread[i], &well);
        assert_ptr_equal(well, &mark[i]);
    }
    spares_close();
}

static void plan_once(weft_device *device)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = 4093;
    weft_plan *plan = NULL;
    assert_int_equal(weft_plan_create(device, &params, &plan), WEFT_OK);
    weft_plan_destroy(&plan);
}

static int kept_now(void)
{
    int count = 0;
    for (size_t bytes = 640 * KIB; bytes >= 16 * KIB; bytes -= KIB)
        count += take_all(bytes);
    return count;
}

static void devices_keep_spares_until_the_last_is_closed(void **state)
{
    (void)state;
    skip_without_spares();
    weft_device *device[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(weft_device_open("cpu", &device[i]), WEFT_OK);
        plan_once(device[i]);
    }
    weft_device_close(&device[0]);
    assert_true(kept_now() > 0);
    weft_device_close(&device[1]);
    assert_int_equal(kept_now(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_freed_block_is_given_again),
        cmocka_unit_test(what_does_not_fit_is_not_given),
        cmocka_unit_test(the_smallest_that_fits_is_given),
        cmocka_unit_test(small_and_large_blocks_are_not_kept),
        cmocka_unit_test(few_are_kept_the_newest),
        cmocka_unit_test(nothing_is_kept_while_nobody_asks),
        cmocka_unit_test(a_spare_may_fail_and_counts_as_any_block),
        cmocka_unit_test(threads_never_share_a_block),
        cmocka_unit_test(devices_keep_spares_until_the_last_is_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What src/base promises, but for its threads (test_threads.c). */
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/checked.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"

/* Errors. */

static void an_error_keeps_its_message_and_status(void **state)
{
    (void)state;
    weft_status status = error_set(WEFT_ERROR_SIZE, "size[%d] is %s", 3, "zero");
    assert_int_equal(status, WEFT_ERROR_SIZE);
    assert_string_equal(error_last(), "size[3] is zero");
    error_set(WEFT_ERROR_SIZE, "again: %s", error_last());
    assert_string_equal(error_last(), "again: size[3] is zero");
    assert_int_equal(error_memory("tables"), WEFT_ERROR_MEMORY);
    assert_string_equal(error_last(), "out of memory: tables");
}

static void *read_error(void *first_byte)
{
    *(char *)first_byte = error_last()[0];
    return NULL;
}

static void an_error_belongs_to_its_thread(void **state)
{
    (void)state;
    char first_byte = 'x';
    pthread_t thread;
    error_set(WEFT_ERROR_SIZE, "mine");
    assert_int_equal(pthread_create(&thread, NULL, read_error, &first_byte), 0);
    pthread_join(thread, NULL);
    assert_int_equal(first_byte, 0);
}

static void an_endless_error_is_cut(void **state)
{
    (void)state;
    char words[5000];
    memset(words, 'a', sizeof words);
    words[sizeof words - 1] = 0;
    error_set(WEFT_ERROR_SIZE, "%s", words);
    assert_true(strlen(error_last()) > 100 && strlen(error_last()) < sizeof words - 1);
}

/* Memory. */

static void memory_is_aligned_zeroed_and_counted(void **state)
{
    (void)state;
    int64_t before = memory_live_blocks();
    for (size_t bytes = 0; bytes < 300; bytes++) {
        unsigned char *block = memory_alloc_zeroed(bytes);
        assert_non_null(block);
        assert_int_equal((uintptr_t)block % MEMORY_ALIGNMENT, 0);
        for (size_t i = 0; i < bytes; i++)
            assert_int_equal(block[i], 0);
        assert_int_equal(memory_live_blocks(), before + 1);
        memory_free(block);
    }
    memory_free(NULL);
    assert_int_equal(memory_live_blocks(), before);
}

static void large_memory_is_usable_to_its_last_byte(void **state)
{
    (void)state;
    int64_t before = memory_live_blocks();
    const size_t sizes[] = {1, (2 << 20) - 1, 2 << 20, (2 << 20) + 1, (5 << 20) + 17};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *block = memory_alloc_large(sizes[i]);
        assert_non_null(block);
        block[0] = block[sizes[i] - 1] = 1;
        memory_free(block);
    }
    assert_int_equal(memory_live_blocks(), before);
}

static void impossible_amounts_of_memory_are_refused(void **state)
{
    (void)state;
    const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 62, SIZE_MAX / 2, PTRDIFF_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        assert_null(memory_alloc(sizes[i]));
        assert_null(memory_alloc_zeroed(sizes[i]));
        assert_null(memory_alloc_large(sizes[i]));
    }
}

static void allocations_fail_when_told(void **state)
{
    (void)state;
    memory_fail_after(2);
    void *first = memory_alloc(1), *second = memory_alloc_large(3 << 20);
    void *third = memory_alloc(1), *fourth = memory_alloc_zeroed(1);
    memory_fail_after(-1);
    assert_true(first && second && !third && !fourth);
    memory_free(first);
    memory_free(second);
}

/* Checked arithmetic and hashes. */

static void checked_arithmetic_reports_overflow(void **state)
{
    (void)state;
    int64_t result = 7;
    assert_false(checked_add(INT64_MAX, 1, &result));
    assert_false(checked_multiply(INT64_MAX / 2, 3, &result));
    assert_int_equal(result, 7);
    assert_true(checked_add(INT64_MAX, -1, &result) && result == INT64_MAX - 1);
    assert_true(checked_multiply(-4, 5, &result) && result == -20);
}

static void hashes_tell_every_changed_bit_and_length_apart(void **state)
{
    (void)state;
    enum { MOST = 40 };
    unsigned char data[MOST] = {0};
    assert_true(hash_bytes(HASH_START, data, 0) == HASH_START);
    for (size_t length = 1; length <= MOST; length++) {
        const uint64_t hash = hash_bytes(HASH_START, data, length);
        assert_true(hash != hash_bytes(HASH_START, data, length - 1));
        assert_true(hash != hash_bytes(HASH_START + 1, data, length));
        for (size_t bit = 0; bit < 8 * length; bit++) {
            data[bit / 8] ^= (unsigned char)(1 << bit % 8);
            const uint64_t other = hash_bytes(HASH_START, data, length);
            assert_true(other != hash);
            assert_true((uint32_t)other != (uint32_t)hash);
            data[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
    }
}

/* Arenas. */

static void arena_blocks_are_zeroed_aligned_and_apart(void **state)
{
    (void)state;
    int64_t before = memory_live_blocks();
    arena *a = arena_create();
    unsigned char *blocks[400];
    for (int i = 0; i < 400; i++) {
        size_t bytes = (size_t)(i * 7 % 1000) + (i % 97 == 0 ? 20000 : 0);
        blocks[i] = arena_alloc(a, bytes);
        assert_non_null(blocks[i]);
        assert_int_equal((uintptr_t)blocks[i] % 16, 0);
        for (size_t j = 0; j < bytes; j++)
            assert_int_equal(blocks[i][j], 0);
        memset(blocks[i], 0xff, bytes);
    }
    assert_string_equal(arena_printf(a, "%d-%s", 12, "x"), "12-x");
    assert_non_null(arena_array(a, 10, 8));
    assert_false(arena_failed(a));
    arena_destroy(&a);
    assert_null(a);
    arena_destroy(&a);
    assert_int_equal(memory_live_blocks(), before);
}

static void arena_failure_sticks(void **state)
{
    (void)state;
    arena *a = arena_create();
    assert_null(arena_array(a, SIZE_MAX / 4, 8));
    assert_true(arena_failed(a));
    assert_null(arena_alloc(a, 1));
    assert_null(arena_printf(a, "x"));
    arena_destroy(&a);
}

/* Returns true if all went well. */
static bool fill_arena(void)
{
    arena *a = arena_create();
    if (!a) return false;
    for (int i = 0; i < 50; i++) {
        arena_alloc(a, 3000);
        arena_printf(a, "%d", i);
    }
    bool well = !arena_failed(a);
    arena_destroy(&a);
    return well;
}

static bool fill_text(void)
{
    struct text t = TEXT_EMPTY;
    for (int i = 0; i < 1000; i++)
        text_append(&t, "line %d\n", i);
    text_real(&t, 0.1);
    bool well = !text_failed(&t);
    if (!well) assert_string_equal(text_chars(&t), "");
    text_free(&t);
    return well;
}

static bool make_pool(void)
{
    thread_pool *pool = thread_pool_create(3);
    bool well = pool != NULL;
    thread_pool_destroy(&pool);
    return well;
}

/* Fails every allocation of `action` in turn. */
static void fail_each_allocation(bool (*action)(void))
{
    int64_t before = memory_live_blocks();
    bool well = false;
    for (int64_t successes = 0; !well; successes++) {
        assert_true(successes < 1000);
        memory_fail_after(successes);
        well = action();
        memory_fail_after(-1);
        assert_int_equal(memory_live_blocks(), before);
    }
}

static void nothing_leaks_at_any_failing_allocation(void **state)
{
    (void)state;
    fail_each_allocation(fill_arena);
    fail_each_allocation(fill_text);
    fail_each_allocation(make_pool);
}

/* Text. */

static void text_grows(void **state)
{
    (void)state;
    struct text t = TEXT_EMPTY;
    assert_string_equal(text_chars(&t), "");
    size_t length = 0;
    for (int i = 0; i < 3000; i++) {
        text_append(&t, "%d,", i);
        length += (size_t)snprintf(NULL, 0, "%d,", i);
        assert_int_equal(t.length, length);
        assert_int_equal(strlen(text_chars(&t)), length);
    }
    char pattern[1000];
    memset(pattern, 'p', sizeof pattern);
    pattern[sizeof pattern - 1] = 0;
    text_append(&t, "%s", pattern);
    assert_string_equal(text_chars(&t) + length, pattern);
    assert_memory_equal(text_chars(&t), "0,1,2,", 6);
    text_free(&t);
}

static void assert_printed(void (*print)(struct text *, double), double value, const char *wanted)
{
    struct text t = TEXT_EMPTY;
    print(&t, value);
    assert_string_equal(text_chars(&t), wanted);
    text_free(&t);
}

static void amounts_print_with_three_digits_and_a_unit(void **state)
{
    (void)state;
    assert_printed(text_bytes, 0, "0 B");
    assert_printed(text_bytes, 512, "512 B");
    assert_printed(text_bytes, 1.5e6, "1.5 MB");
    assert_printed(text_bytes, 999.9e3, "1 MB");
    assert_printed(text_bytes, 123456789, "123 MB");
    assert_printed(text_bytes, 5e21, "5000 EB");
    assert_printed(text_seconds, 12.34e-6, "12.3 us");
    assert_printed(text_seconds, 5e-10, "0.5 ns");
    assert_printed(text_seconds, 0.25, "250 ms");
    assert_printed(text_seconds, 1, "1 s");
    assert_printed(text_seconds, 4321.4, "4321 s");
}

static void integers_and_strings_are_appended(void **state)
{
    (void)state;
    struct text t = TEXT_EMPTY;
    text_string(&t, "");
    text_integer(&t, 0);
    text_string(&t, " ");
    text_integer(&t, INT64_MAX);
    text_string(&t, " ");
    text_integer(&t, INT64_MIN);
    assert_string_equal(text_chars(&t), "0 9223372036854775807 -9223372036854775808");
    text_free(&t);
}

static void single_constants_read_back_exactly(void **state)
{
    (void)state;
    static const float values[] = {0.5f, -1, 0.1f, 0.707106769f, 1e-45f, 3.4028235e38f};
    static const char *const words[] = {"0.5f", "-1.0f", "0.100000001f", "0.707106769f"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct text t = TEXT_EMPTY;
        text_single(&t, values[i]);
        assert_true(strtof(text_chars(&t), NULL) == values[i]);
        if (i < sizeof words / sizeof *words) assert_string_equal(text_chars(&t), words[i]);
        text_free(&t);
    }
}

static void real_constants_are_c_literals(void **state)
{
    (void)state;
    assert_printed(text_real, 0, "0.0");
    assert_printed(text_real, -0.0, "-0.0");
    assert_printed(text_real, 1, "1.0");
    assert_printed(text_real, -0.5, "-0.5");
    assert_printed(text_real, 0.1, "0.1");
    assert_printed(text_real, 1e300, "1e+300");
    assert_printed(text_real, 0.70710678118654752, "0.7071067811865476");
    assert_printed(text_real, INFINITY, "(1.0/0.0)");
    assert_printed(text_real, -INFINITY, "(-1.0/0.0)");
    assert_printed(text_real, NAN, "(0.0/0.0)");
}

static void assert_reads_back(double value)
{
    struct text t = TEXT_EMPTY;
    text_real(&t, value);
    double back = strtod(text_chars(&t), NULL);
    assert_memory_equal(&back, &value, sizeof value);
    text_free(&t);
}

static void real_constants_read_back_exactly(void **state)
{
    (void)state;
    assert_reads_back(5e-324);
    assert_reads_back(1.7976931348623157e308);
    uint64_t bits = 88172645463325252u;
    for (int i = 0; i < 20000; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        double value;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) assert_reads_back(value);
    }
}

/* Skipped where no such locale is installed. */
static void numbers_ignore_the_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE",
                                        "ps_AF.UTF-8"};
    const char *name = NULL;
    for (size_t i = 0; !name && i < sizeof names / sizeof *names; i++) {
        name = setlocale(LC_NUMERIC, names[i]);
    }
    if (!name) skip();
    struct text t = TEXT_EMPTY;
    text_real(&t, 2.5);
    text_append(&t, " ");
    text_number(&t, -1234.5678, 6);
    text_append(&t, " ");
    text_bytes(&t, 1.5e6);
    setlocale(LC_NUMERIC, "C");
    assert_string_equal(text_chars(&t), "2.5 -1234.57 1.5 MB");
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_keeps_its_message_and_status),
        cmocka_unit_test(an_error_belongs_to_its_thread),
        cmocka_unit_test(an_endless_error_is_cut),
        cmocka_unit_test(memory_is_aligned_zeroed_and_counted),
        cmocka_unit_test(large_memory_is_usable_to_its_last_byte),
        cmocka_unit_test(impossible_amounts_of_memory_are_refused),
        cmocka_unit_test(allocations_fail_when_told),
        cmocka_unit_test(checked_arithmetic_reports_overflow),
        cmocka_unit_test(hashes_tell_every_changed_bit_and_length_apart),
        cmocka_unit_test(arena_blocks_are_zeroed_aligned_and_apart),
        cmocka_unit_test(arena_failure_sticks),
        cmocka_unit_test(nothing_leaks_at_any_failing_allocation),
        cmocka_unit_test(text_grows),
        cmocka_unit_test(amounts_print_with_three_digits_and_a_unit),
        cmocka_unit_test(integers_and_strings_are_appended),
        cmocka_unit_test(single_constants_read_back_exactly),
        cmocka_unit_test(real_constants_are_c_literals),
        cmocka_unit_test(real_constants_read_back_exactly),
        cmocka_unit_test(numbers_ignore_the_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

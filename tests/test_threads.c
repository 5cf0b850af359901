/* What the thread pool promises. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pthread_setattr_default_np */
#endif
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/threads.h"

#define COUNT 10007

struct visits {
    thread_pool *pool;
    int threads;
    int64_t count, grain;
    atomic_int *of_index;
    atomic_int inside[8]; /* calls running now, by worker */
    atomic_int ranges, wrong;
};

static void visit(void *context, int64_t begin, int64_t end, int worker)
{
    struct visits *v = context;
    bool known = worker >= 0 && worker < v->threads;
    const bool whole = begin == 0 && end == v->count;
    if (!known || begin < 0 || end > v->count || begin >= end ||
        (!whole && end - begin < v->grain / 2)) {
        atomic_fetch_add(&v->wrong, 1);
        return;
    }
    atomic_fetch_add(&v->ranges, 1);
    if (atomic_fetch_add(&v->inside[worker], 1) != 0) atomic_fetch_add(&v->wrong, 1);
    for (int64_t i = begin; i < end; i++)
        atomic_fetch_add(&v->of_index[i], 1);
    atomic_fetch_sub(&v->inside[worker], 1);
}

static void assert_covers_once(thread_pool *pool, int threads, int64_t count, int64_t grain)
{
    struct visits v = {.pool = pool, .threads = threads, .count = count, .grain = grain};
    v.of_index = calloc((size_t)count + 1, sizeof *v.of_index);
    thread_pool_run(pool, count, grain, visit, &v);
    assert_int_equal(atomic_load(&v.wrong), 0);
    const int ranges = atomic_load(&v.ranges);
    assert_true(ranges < threads || ranges % threads == 0 || ranges == count);
    for (int64_t i = 0; i < count; i++)
        assert_int_equal(atomic_load(&v.of_index[i]), 1);
    free(v.of_index);
}

static void a_loop_covers_every_index_once(void **state)
{
    (void)state;
    static const int64_t counts[] = {0, 1, 2, 3, 63, 64, 65, 1000, COUNT};
    for (int threads = 1; threads <= 5; threads++) {
        thread_pool *pool = thread_pool_create(threads);
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
            for (int64_t grain = 1; grain <= 100; grain = grain * 3 + 1) {
                assert_covers_once(pool, threads, counts[i], grain);
            }
        }
        thread_pool_destroy(&pool);
    }
}

struct total {
    _Atomic int64_t iterations;
};

static void add_up(void *context, int64_t begin, int64_t end, int worker)
{
    struct total *t = context;
    (void)worker;
    atomic_fetch_add(&t->iterations, end - begin);
}

static void a_loop_may_be_as_long_as_int64_allows(void **state)
{
    (void)state;
    static const int64_t grains[] = {1, 1000, INT64_MAX / 3, INT64_MAX / 2 + 1, INT64_MAX};
    thread_pool *pool = thread_pool_create(3);
    for (size_t i = 0; i < sizeof grains / sizeof *grains; i++) {
        struct total t = {0};
        thread_pool_run(pool, INT64_MAX, grains[i], add_up, &t);
        assert_true(atomic_load(&t.iterations) == INT64_MAX);
    }
    thread_pool_destroy(&pool);
}

static void run_inner_loop(void *context, int64_t begin, int64_t end, int worker)
{
    struct visits *v = context;
    (void)worker;
    struct total inner = {0};
    for (int64_t i = begin; i < end; i++) {
        thread_pool_run(v->pool, 10, 1, add_up, &inner);
        atomic_fetch_add(&v->of_index[i], 1);
    }
    if (atomic_load(&inner.iterations) != 10 * (end - begin)) atomic_fetch_add(&v->wrong, 1);
}

static void a_loop_may_run_another_inside(void **state)
{
    (void)state;
    atomic_int of_index[100] = {0};
    struct visits v = {.pool = thread_pool_create(3), .of_index = of_index};
    thread_pool_run(v.pool, 100, 1, run_inner_loop, &v);
    assert_int_equal(atomic_load(&v.wrong), 0);
    for (int i = 0; i < 100; i++)
        assert_int_equal(atomic_load(&of_index[i]), 1);
    thread_pool_destroy(&v.pool);
}

static void *run_many_loops(void *argument)
{
    thread_pool *pool = argument;
    int64_t missing = 0;
    for (int i = 0; i < 300; i++) {
        struct total t = {0};
        thread_pool_run(pool, 100 + i, 1, add_up, &t);
        missing += 100 + i - atomic_load(&t.iterations);
    }
    return missing ? argument : NULL;
}

static void several_threads_share_a_pool(void **state)
{
    (void)state;
    thread_pool *pool = thread_pool_create(3);
    pthread_t callers[3];
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&callers[i], NULL, run_many_loops, pool), 0);
    }
    for (int i = 0; i < 3; i++) {
        void *result;
        pthread_join(callers[i], &result);
        assert_null(result);
    }
    thread_pool_destroy(&pool);
}

static void sleeping_workers_wake(void **state)
{
    (void)state;
    thread_pool *pool = thread_pool_create(3);
    for (int i = 0; i < 20; i++) {
        assert_covers_once(pool, 3, 500, 1);
        usleep(2000);
    }
    thread_pool_destroy(&pool);
}

struct meeting {
    atomic_int present;
    atomic_int met;
};

/* Waits for a second thread, for a second at most. */
static void meet(void *context, int64_t begin, int64_t end, int worker)
{
    struct meeting *m = context;
    (void)begin, (void)end, (void)worker;
    atomic_fetch_add(&m->present, 1);
    for (int i = 0; i < 1000 && atomic_load(&m->present) < 2; i++)
        usleep(1000);
    if (atomic_load(&m->present) >= 2) atomic_store(&m->met, 1);
}

static void a_loop_runs_on_several_threads_at_once(void **state)
{
    (void)state;
    thread_pool *pool = thread_pool_create(2);
    for (int i = 0; i < 3; i++) {
        struct meeting m = {0};
        thread_pool_run(pool, 2, 1, meet, &m);
        assert_int_equal(atomic_load(&m.met), 1);
    }
    thread_pool_destroy(&pool);
}

static void a_forked_child_works_alone(void **state)
{
    (void)state;
    thread_pool *pool = thread_pool_create(3);
    assert_covers_once(pool, 3, 1000, 1);
    pid_t child = fork();
    if (child == 0) {
        alarm(10);
        struct total t = {0};
        thread_pool_run(pool, 1000, 1, add_up, &t);
        thread_pool_destroy(&pool);
        _exit(atomic_load(&t.iterations) == 1000 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_covers_once(pool, 3, 1000, 1);
    thread_pool_destroy(&pool);
}

static void a_pool_works_where_no_thread_can_be_started(void **state)
{
    (void)state;
    pthread_attr_t usual, impossible;
    assert_int_equal(pthread_getattr_default_np(&usual), 0);
    pthread_attr_init(&impossible);
    pthread_attr_setstacksize(&impossible, (size_t)1 << 50);
    assert_int_equal(pthread_setattr_default_np(&impossible), 0);
    thread_pool *pool = thread_pool_create(3);
    assert_covers_once(pool, 3, 100, 100);
    struct total t = {0};
    for (int i = 0; i < 3; i++)
        thread_pool_run(pool, 100, 1, add_up, &t);
    pthread_setattr_default_np(&usual);
    assert_int_equal(atomic_load(&t.iterations), 300);
    thread_pool_destroy(&pool);
    pthread_attr_destroy(&impossible);
    pthread_attr_destroy(&usual);
}

static void some_processor_is_available(void **state)
{
    (void)state;
    assert_true(threads_available() >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_covers_every_index_once),
        cmocka_unit_test(a_loop_may_be_as_long_as_int64_allows),
        cmocka_unit_test(a_loop_may_run_another_inside),
        cmocka_unit_test(several_threads_share_a_pool),
        cmocka_unit_test(sleeping_workers_wake),
        cmocka_unit_test(a_loop_runs_on_several_threads_at_once),
        cmocka_unit_test(a_forked_child_works_alone),
        cmocka_unit_test(a_pool_works_where_no_thread_can_be_started),
        cmocka_unit_test(some_processor_is_available),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

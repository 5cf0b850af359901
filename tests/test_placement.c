/* Which processors the workers of a pool are sent to, and that they are let go again. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* cpu_set_t */
#endif
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/placement.h"
#include "base/threads.h"

#define TRIES 1000

/* A thread that sleeps, or is busy, until it is stopped. */
struct fixture {
    struct placement worker;
    atomic_bool busy, stop;
    cpu_set_t before; /* of the caller, which then stays on one processor: */
    int here;
};

static void *worker_main(void *argument)
{
    struct fixture *f = argument;
    while (!atomic_load(&f->stop))
        if (!atomic_load(&f->busy)) usleep(100000);
    return NULL;
}

static void set_up(struct fixture *f)
{
    *f = (struct fixture){.worker.came = true};
    if (threads_available() < 2) skip();
    assert_int_equal(sched_getaffinity(0, sizeof f->before, &f->before), 0);
    assert_int_equal(pthread_create(&f->worker.thread, NULL, worker_main, f), 0);
    f->here = sched_getcpu();
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)f->here, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    atomic_store(&f->worker.processor, f->here);
}

static void tear_down(struct fixture *f)
{
    atomic_store(&f->stop, true);
    pthread_join(f->worker.thread, NULL);
    assert_int_equal(sched_setaffinity(0, sizeof f->before, &f->before), 0);
}

static cpu_set_t allowed(const struct fixture *f)
{
    cpu_set_t set;
    assert_int_equal(pthread_getaffinity_np(f->worker.thread, sizeof set, &set), 0);
    return set;
}

static void assert_released(struct fixture *f)
{
    placement_release(&f->worker);
    const cpu_set_t set = allowed(f);
    assert_true(CPU_EQUAL(&set, &f->before));
}

/* Whether the worker is bound in the next loop, to which it then comes or not. */
static bool is_sent(struct fixture *f, bool comes)
{
    placement_part(&f->worker, 1);
    const bool sent = f->worker.bound;
    const cpu_set_t set = allowed(f);
    assert_int_equal(CPU_COUNT(&set), CPU_COUNT(&f->before) - sent);
    assert_int_equal(CPU_ISSET((size_t)f->here, &set) != 0, !sent);
    assert_released(f);
    placement_judge(&f->worker, comes);
    return sent;
}

static void a_worker_in_the_way_is_sent_to_another_processor(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    for (int i = 0; i < TRIES; i++)
        assert_true(is_sent(&f, true));
    tear_down(&f);
}

static void one_that_is_elsewhere_stays(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    atomic_store(&f.worker.processor, f.here + 1);
    for (int i = 0; i < TRIES; i++)
        assert_false(is_sent(&f, true));
    tear_down(&f);
}

static void sleepers_are_left_to_the_kernel_until_one_does_not_come(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    atomic_store(&f.worker.processor, f.here + 1);
    atomic_store(&f.worker.asleep, true);
    assert_false(is_sent(&f, true));
    assert_false(is_sent(&f, false));
    int sent = 0;
    for (int i = 0; i < TRIES; i++)
        sent += is_sent(&f, true);
    assert_in_range(sent, 1, TRIES / 2);
    tear_down(&f);
}

static void moving_a_worker_in_vain_becomes_rare(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    int sent = 0;
    for (int i = 0; i < TRIES; i++)
        sent += is_sent(&f, false);
    assert_in_range(sent, 2, TRIES / 32);
    tear_down(&f);
}

static void too_few_processors_move_nobody(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)f.here, &one);
    assert_int_equal(pthread_setaffinity_np(f.worker.thread, sizeof one, &one), 0);
    for (int i = 0; i < TRIES; i++) {
        placement_part(&f.worker, 1);
        assert_false(f.worker.bound);
        placement_judge(&f.worker, true);
    }
    const cpu_set_t set = allowed(&f);
    assert_true(CPU_EQUAL(&set, &one));
    tear_down(&f);
}

/* Only one that does not run, here because it sleeps. */
static void a_worker_that_waits_is_fetched(void **state)
{
    (void)state;
    struct fixture f;
    set_up(&f);
    for (int busy = 0; busy < 2; busy++) {
        atomic_store(&f.busy, busy != 0);
        usleep(busy ? 200000 : 50000); /* it looks every 100000 */
        placement_note_time(&f.worker);
        usleep(busy ? 200000 : 0);
        placement_fetch(&f.worker);
        const cpu_set_t set = allowed(&f);
        assert_int_equal(f.worker.bound, !busy);
        if (!busy) assert_true(CPU_COUNT(&set) == 1 && CPU_ISSET((size_t)f.here, &set));
        assert_released(&f);
    }
    tear_down(&f);
}

struct visit {
    cpu_set_t allowed;
    int caller;         /* the processor that it is on */
    atomic_int comes;   /* how often a worker came, */
    atomic_int is_here; /* of which to that processor */
};

/* The caller is busy until a worker comes, for a second at most; that goes to the caller's
 * processor, to be in its way in the next loop. */
static void visit(void *context, int64_t begin, int64_t end, int worker)
{
    struct visit *v = context;
    (void)begin, (void)end;
    if (worker == 0) {
        const double start = (double)clock();
        while (!atomic_load(&v->comes) && (double)clock() - start < CLOCKS_PER_SEC) {}
        return;
    }
    atomic_fetch_add(&v->is_here, sched_getcpu() == v->caller);
    atomic_fetch_add(&v->comes, 1);
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)v->caller, &one);
    sched_setaffinity(0, sizeof one, &one);
    sched_setaffinity(0, sizeof v->allowed, &v->allowed);
}

static void a_pool_finds_its_worker_another_processor(void **state)
{
    (void)state;
    if (threads_available() < 2) skip();
    thread_pool *pool = thread_pool_create(2);
    int elsewhere = 0;
    for (int i = 0; i < 50; i++) {
        struct visit v = {.caller = sched_getcpu()};
        assert_int_equal(sched_getaffinity(0, sizeof v.allowed, &v.allowed), 0);
        thread_pool_run(pool, 2, 1, visit, &v);
        elsewhere += atomic_load(&v.comes) > atomic_load(&v.is_here);
    }
    assert_in_range(elsewhere, 10, 50);
    thread_pool_destroy(&pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_worker_in_the_way_is_sent_to_another_processor),
        cmocka_unit_test(one_that_is_elsewhere_stays),
        cmocka_unit_test(sleepers_are_left_to_the_kernel_until_one_does_not_come),
        cmocka_unit_test(moving_a_worker_in_vain_becomes_rare),
        cmocka_unit_test(too_few_processors_move_nobody),
        cmocka_unit_test(a_worker_that_waits_is_fetched),
        cmocka_unit_test(a_pool_finds_its_worker_another_processor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

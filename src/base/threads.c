#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/memory.h"

/* How often a thread looks before it sleeps: some 10 us, about what waking it would cost. */
#define SPINS 1000
/* Pieces a thread gets on average: enough that one delayed thread does not delay the loop. */
#define PIECES_PER_THREAD 8
/* Flag in thread_pool.entrants. */
#define CLOSED (1 << 30)

struct loop {
    int64_t count;
    int64_t piece; /* iterations handed out at once: a multiple of the grain */
    int64_t pieces;
    thread_loop_body *body;
    void *context;
};

struct worker {
    thread_pool *pool;
    int index;
    pthread_t thread;
};

struct thread_pool {
    int threads;
    struct worker *workers; /* threads - 1 */
    int started;            /* workers that run */
    bool start_tried;
    pid_t owner;      /* the process the workers run in */
    atomic_flag busy; /* held by the thread whose loop it is; guards everything above and `loop` */

    /* The loop may be read by who entered while it was not closed, until they leave; it is written
     * only while closed and empty. A worker that wakes too late finds it closed and keeps out, so
     * nobody waits for sleepers. */
    struct loop loop;
    atomic_int entrants; /* workers inside, + CLOSED */
    _Atomic int64_t next_piece;

    atomic_uint generation; /* of loops; a change wakes the workers */
    atomic_bool stop;
    pthread_mutex_t lock; /* only for sleeping: changes of generation, and the last leaving */
    pthread_cond_t wake, left;
};

int threads_available(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    /* More processors than the set has bits. */
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (int)online : 1;
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static void work(thread_pool *pool, int worker)
{
    const struct loop *loop = &pool->loop;
    for (;;) {
        int64_t piece = atomic_fetch_add(&pool->next_piece, 1);
        if (piece >= loop->pieces) return;
        int64_t begin = piece * loop->piece;
        int64_t rest = loop->count - begin;
        int64_t end = rest < loop->piece ? loop->count : begin + loop->piece;
        loop->body(loop->context, begin, end, worker);
    }
}

static void leave(thread_pool *pool)
{
    if (atomic_fetch_sub(&pool->entrants, 1) != CLOSED + 1) return;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->left);
    pthread_mutex_unlock(&pool->lock);
}

/* Returns the generation that differs from `seen`. */
static unsigned await_generation(thread_pool *pool, unsigned seen)
{
    for (int i = 0; i < SPINS; i++) {
        unsigned generation = atomic_load(&pool->generation);
        if (generation != seen) return generation;
        relax();
    }
    pthread_mutex_lock(&pool->lock);
    unsigned generation;
    while ((generation = atomic_load(&pool->generation)) == seen) {
        pthread_cond_wait(&pool->wake, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    return generation;
}

static void *worker_main(void *argument)
{
    const struct worker *self = argument;
    thread_pool *pool = self->pool;
    unsigned seen = 0;
    for (;;) {
        seen = await_generation(pool, seen);
        if (atomic_load(&pool->stop)) return NULL;
        if (!(atomic_fetch_add(&pool->entrants, 1) & CLOSED)) work(pool, self->index);
        leave(pool);
    }
}

static void wake_all(thread_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->generation, 1);
    pthread_cond_broadcast(&pool->wake);
    pthread_mutex_unlock(&pool->lock);
}

/* Signals of the program are for the program's own threads. */
static void start_workers(thread_pool *pool)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (int i = 0; i < pool->threads - 1; i++) {
        struct worker *w = &pool->workers[i];
        *w = (struct worker){.pool = pool, .index = i + 1};
        if (pthread_create(&w->thread, NULL, worker_main, w) != 0) break;
        pool->started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pool->owner = getpid();
    pool->start_tried = true;
}

/* After a fork the child has the pool but not its workers. */
static bool has_workers(const thread_pool *pool)
{
    return pool->started > 0 && pool->owner == getpid();
}

thread_pool *thread_pool_create(int threads)
{
    thread_pool *pool = memory_alloc_zeroed(sizeof *pool);
    if (!pool) return NULL;
    pool->threads = threads > 1 ? threads : 1;
    if (pool->threads > 1) {
        pool->workers = memory_alloc_zeroed((size_t)(pool->threads - 1) * sizeof *pool->workers);
        if (!pool->workers) {
            memory_free(pool);
            return NULL;
        }
    }
    atomic_flag_clear(&pool->busy);
    atomic_store(&pool->entrants, CLOSED);
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->wake, NULL);
    pthread_cond_init(&pool->left, NULL);
    return pool;
}

void thread_pool_destroy(thread_pool **address)
{
    if (!address || !*address) return;
    thread_pool *pool = *address;
    bool forked = pool->start_tried && pool->owner != getpid();
    if (has_workers(pool)) {
        atomic_store(&pool->stop, true);
        wake_all(pool);
        for (int i = 0; i < pool->started; i++)
            pthread_join(pool->workers[i].thread, NULL);
    }
    /* In a forked child the parent's workers still seem to wait on these. */
    if (!forked) {
        pthread_cond_destroy(&pool->left);
        pthread_cond_destroy(&pool->wake);
        pthread_mutex_destroy(&pool->lock);
    }
    memory_free(pool->workers);
    memory_free(pool);
    *address = NULL;
}

static struct loop cut(const thread_pool *pool, int64_t count, int64_t grain)
{
    int64_t grains = count / grain + (count % grain != 0);
    int64_t wanted = (int64_t)pool->threads * PIECES_PER_THREAD;
    int64_t piece = grain * (grains / wanted + (grains % wanted != 0));
    return (struct loop){
        .count = count, .piece = piece, .pieces = count / piece + (count % piece != 0)};
}

/* Closes the loop and returns when the last worker is out of it. */
static void await_workers(thread_pool *pool)
{
    atomic_fetch_or(&pool->entrants, CLOSED);
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load(&pool->entrants) == CLOSED) return;
        relax();
    }
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->entrants) != CLOSED)
        pthread_cond_wait(&pool->left, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

void thread_pool_run(thread_pool *pool, int64_t count, int64_t grain, thread_loop_body *body,
                     void *context)
{
    if (count <= 0) return;
    if (grain < 1) grain = 1;
    bool alone = pool->threads == 1 || count <= grain || atomic_flag_test_and_set(&pool->busy);
    if (alone) {
        body(context, 0, count, 0);
        return;
    }
    if (!pool->start_tried) start_workers(pool);
    if (!has_workers(pool)) {
        atomic_flag_clear(&pool->busy);
        body(context, 0, count, 0);
        return;
    }
    pool->loop = cut(pool, count, grain);
    pool->loop.body = body;
    pool->loop.context = context;
    atomic_store(&pool->next_piece, 0);
    atomic_fetch_and(&pool->entrants, ~CLOSED);
    wake_all(pool);
    work(pool, 0);
    await_workers(pool);
    atomic_flag_clear(&pool->busy);
}

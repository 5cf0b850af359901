#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "base/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/placement.h"

/* How often a worker looks for work, some 10 us; and how often again, giving way to whoever wants
 * the processor, another 100 us, before it sleeps. Waking it takes its waker 8 us. (Experiment
 * "threads" in docs/experiments.) */
#define SPINS  500
#define YIELDS 300
/* Where the loop before came within so long of the one before that, ns, a worker looks for as long
 * before it sleeps, giving way. (Experiment "patience" in docs/experiments.) */
#define PATIENT 1000000
/* ... unless another program had the processor for so long, ns: who sleeps is preferred to it when
 * woken. */
#define GIVEN_AWAY 20000
/* For so long, ns, a caller looks whether its workers are done before it sleeps, and gives way to
 * them alone, for others would take milliseconds. Asleep it looks after them as often. (Experiment
 * "placement".) */
#define PATIENCE 100000
/* Pieces a thread gets on average: enough that one delayed thread does not delay the loop. */
#define PIECES_PER_THREAD 8
/* Of its share, what helpers leave to a thread that has begun: they would have to fetch what lies
 * in its caches, and it to fetch that back in the next loop. */
#define LEFT_TO_OWNER 4 /* a quarter */
/* Between what different threads write, so that they do not take cache lines from each other. */
#define APART 128
/* Flag in thread_pool.entrants. */
#define CLOSED (1 << 30)

struct loop {
    int64_t count;
    int64_t pieces; /* of equal size but for one iteration */
    thread_loop_body *body;
    void *context;
};

/* The pieces that a thread begins with, from loop to loop the same part of the count, so that it
 * finds in its caches what it left there. Who is done helps the others. */
struct share {
    _Atomic int64_t next; /* piece */
    int64_t end, pieces;
    atomic_bool begun; /* by its own thread */
    char apart[APART];
};

struct worker {
    thread_pool *pool;
    int index;
    pthread_t thread;
};

struct thread_pool {
    int threads;
    struct worker *workers;      /* threads - 1 */
    struct placement *placement; /* of each worker */
    struct share *share;         /* of each thread */
    int started;                 /* workers that run */
    bool start_tried;
    pid_t owner;      /* the process the workers run in */
    atomic_flag busy; /* held by the thread whose loop it is; guards everything above and `loop` */

    /* The loop may be read by who entered while it was not closed, until they leave; it is written
     * only while closed and empty. A worker that wakes too late finds it closed and keeps out, so
     * nobody waits for sleepers. */
    struct loop loop;
    char before_entrants[APART];
    atomic_int entrants; /* workers inside, + CLOSED */
    char before_generation[APART];
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

static int64_t piece_begin(const struct loop *loop, int64_t piece)
{
    const int64_t least = loop->count / loop->pieces, more = loop->count % loop->pieces;
    return piece * least + piece * more / loop->pieces;
}

static void run_piece(const struct loop *loop, int64_t piece, int worker)
{
    loop->body(loop->context, piece_begin(loop, piece), piece_begin(loop, piece + 1), worker);
}

/* The end of what a thread may take of a share. */
static int64_t share_end(const struct share *share, bool own)
{
    const bool all = own || !atomic_load_explicit(&share->begun, memory_order_relaxed);
    return share->end - (all ? 0 : share->pieces / LEFT_TO_OWNER);
}

static void work(thread_pool *pool, int worker)
{
    atomic_store_explicit(&pool->share[worker].begun, true, memory_order_relaxed);
    for (int i = 0; i < pool->threads; i++) {
        struct share *share = &pool->share[(worker + i) % pool->threads];
        const int64_t end = share_end(share, i == 0);
        while (atomic_load_explicit(&share->next, memory_order_relaxed) < end) {
            int64_t piece = atomic_fetch_add_explicit(&share->next, 1, memory_order_relaxed);
            if (piece < share->end) run_piece(&pool->loop, piece, worker);
        }
    }
}

static void leave(thread_pool *pool)
{
    if (atomic_fetch_sub(&pool->entrants, 1) != CLOSED + 1) return;
    pthread_mutex_lock(&pool->lock);
    pthread_cond_signal(&pool->left);
    pthread_mutex_unlock(&pool->lock);
}

/* One look at what is waited for went by in vain, the i-th. False: enough. */
static bool keep_waiting(int i)
{
    if (i < SPINS)
        relax();
    else
        sched_yield();
    return i < SPINS + YIELDS;
}

static int64_t read_clock(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Looks for a generation that differs from `seen`. */
static bool spin_for_generation(thread_pool *pool, struct placement *self, unsigned seen)
{
    for (int i = 0; keep_waiting(i); i++) {
        placement_note(self);
        if (atomic_load(&pool->generation) != seen) return true;
    }
    return false;
}

/* Goes on looking. */
static bool yield_for_generation(thread_pool *pool, struct placement *self, int64_t until,
                                 unsigned seen)
{
    int64_t now = read_clock(), before = now;
    for (; now < until && now - before < GIVEN_AWAY; now = read_clock()) {
        before = now;
        placement_note(self);
        if (atomic_load(&pool->generation) != seen) return true;
        sched_yield();
    }
    return false;
}

static unsigned sleep_for_generation(thread_pool *pool, struct placement *self, unsigned seen)
{
    unsigned generation;
    atomic_store(&self->asleep, true);
    pthread_mutex_lock(&pool->lock);
    while ((generation = atomic_load(&pool->generation)) == seen) {
        pthread_cond_wait(&pool->wake, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
    atomic_store(&self->asleep, false);
    return generation;
}

/* Returns the generation that differs from `seen`. *patient: loops follow one another soon. */
static unsigned await_generation(thread_pool *pool, struct placement *self, bool *patient,
                                 unsigned seen)
{
    const int64_t soon = read_clock() + PATIENT;
    if (spin_for_generation(pool, self, seen) ||
        (*patient && yield_for_generation(pool, self, soon, seen))) {
        return atomic_load(&pool->generation);
    }
    const unsigned generation = sleep_for_generation(pool, self, seen);
    *patient = read_clock() < soon;
    return generation;
}

static void *worker_main(void *argument)
{
    const struct worker *self = argument;
    thread_pool *pool = self->pool;
    struct placement *placement = &pool->placement[self->index - 1];
    unsigned seen = 0;
    bool patient = false;
    for (;;) {
        seen = await_generation(pool, placement, &patient, seen);
        placement_note(placement);
        if (atomic_load(&pool->stop)) return NULL;
        atomic_store(&placement->inside, true);
        if (!(atomic_fetch_add(&pool->entrants, 1) & CLOSED)) work(pool, self->index);
        leave(pool);
        atomic_store(&placement->inside, false);
    }
}

static void wake_all(thread_pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    atomic_fetch_add(&pool->generation, 1);
    pthread_mutex_unlock(&pool->lock);
    pthread_cond_broadcast(&pool->wake);
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
        atomic_store(&pool->placement[i].processor, -1);
        if (pthread_create(&w->thread, NULL, worker_main, w) != 0) break;
        pool->placement[i].thread = w->thread;
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

static void free_pool(thread_pool *pool)
{
    memory_free(pool->share);
    memory_free(pool->placement);
    memory_free(pool->workers);
    memory_free(pool);
}

thread_pool *thread_pool_create(int threads)
{
    thread_pool *pool = memory_alloc_zeroed(sizeof *pool);
    if (!pool) return NULL;
    pool->threads = threads > 1 ? threads : 1;
    if (pool->threads > 1) {
        pool->workers = memory_alloc_zeroed((size_t)(pool->threads - 1) * sizeof *pool->workers);
        pool->placement =
            memory_alloc_zeroed((size_t)(pool->threads - 1) * sizeof *pool->placement);
        pool->share = memory_alloc_zeroed((size_t)pool->threads * sizeof *pool->share);
        if (!pool->workers || !pool->placement || !pool->share) {
            free_pool(pool);
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
    free_pool(pool);
    *address = NULL;
}

/* As many pieces for each thread, unless each is one iteration. (Experiment "threads".) */
static struct loop cut(const thread_pool *pool, int64_t count, int64_t grain)
{
    int64_t pieces = count / grain + (count % grain != 0);
    const int64_t most = (int64_t)pool->threads * PIECES_PER_THREAD;
    if (pieces > most) pieces = most;
    if (pieces < count && pieces > pool->threads) pieces -= pieces % pool->threads;
    return (struct loop){.count = count, .pieces = pieces};
}

/* While the loop is closed and empty: opening it shows workers the shares. */
static void share_out(thread_pool *pool)
{
    const int64_t threads = pool->threads, pieces = pool->loop.pieces;
    const int64_t each = pieces / threads, more = pieces % threads;
    int64_t begin = 0;
    for (int64_t t = 0; t < threads; t++) {
        struct share *share = &pool->share[t];
        atomic_store_explicit(&share->next, begin, memory_order_relaxed);
        share->pieces = each + (t < more);
        begin = share->end = begin + share->pieces;
        atomic_store_explicit(&share->begun, false, memory_order_relaxed);
    }
}

static void release_workers(thread_pool *pool)
{
    for (int i = 0; i < pool->started; i++)
        placement_release(&pool->placement[i]);
}

/* Those that are still in the loop. */
static void each_laggard(thread_pool *pool, void what(struct placement *worker))
{
    for (int i = 0; i < pool->started; i++)
        if (atomic_load(&pool->placement[i].inside)) what(&pool->placement[i]);
}

static void judge_workers(thread_pool *pool)
{
    for (int i = 0; i < pool->started; i++)
        placement_judge(&pool->placement[i], atomic_load(&pool->share[i + 1].begun));
}

static void give_way(struct placement *worker)
{
    if (placement_is_here(worker)) sched_yield();
}

/* False: the last worker is not out of the loop for long. */
static bool spin_for_workers(thread_pool *pool)
{
    int64_t until = 0; /* short waits read no clock */
    for (int i = 1;; i++) {
        if (atomic_load(&pool->entrants) == CLOSED) return true;
        relax();
        if (i % SPINS != 0) continue;
        each_laggard(pool, give_way);
        const int64_t now = read_clock();
        if (until == 0) until = now + PATIENCE;
        if (now >= until) return false;
    }
}

static void sleep_for_workers(thread_pool *pool)
{
    struct timespec until;
    each_laggard(pool, placement_note_time);
    pthread_mutex_lock(&pool->lock);
    while (atomic_load(&pool->entrants) != CLOSED) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += PATIENCE;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&pool->left, &pool->lock, &until) != 0)
            each_laggard(pool, placement_fetch);
    }
    pthread_mutex_unlock(&pool->lock);
    release_workers(pool);
}

/* Closes the loop and returns when the last worker is out of it. */
static void await_workers(thread_pool *pool)
{
    atomic_fetch_or(&pool->entrants, CLOSED);
    if (!spin_for_workers(pool)) sleep_for_workers(pool);
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
    share_out(pool);
    placement_part(pool->placement, pool->started);
    atomic_fetch_and(&pool->entrants, ~CLOSED);
    wake_all(pool);
    release_workers(pool);
    work(pool, 0);
    await_workers(pool);
    judge_workers(pool);
    atomic_flag_clear(&pool->busy);
}

#include "base/placement.h"

#include <time.h>

/* How often a worker rests at most after moves that did not help: on a machine that has other work
 * to do each costs time, one in so many does not. */
#define MOST_REST 63
/* After how many wakes the kernel gets another try to find a processor. */
#define DISTRUST 63
/* A worker that got less of a processor since its time was noted waits for one, ns. */
#define LITTLE 20000

void placement_note(struct placement *self)
{
    const int here = sched_getcpu();
    /* The caller reads it in every loop: written only when it changes. */
    if (atomic_load_explicit(&self->processor, memory_order_relaxed) != here)
        atomic_store_explicit(&self->processor, here, memory_order_relaxed);
}

static int processor(const struct placement *worker)
{
    return atomic_load_explicit(&worker->processor, memory_order_relaxed);
}

bool placement_is_here(const struct placement *worker)
{
    return processor(worker) == sched_getcpu();
}

static bool get_allowed(struct placement *worker)
{
    return pthread_getaffinity_np(worker->thread, sizeof worker->allowed, &worker->allowed) == 0;
}

static void bind_to(struct placement *worker, const cpu_set_t *set)
{
    worker->bound = pthread_setaffinity_np(worker->thread, sizeof *set, set) == 0;
    worker->moved |= worker->bound;
}

static void send_away(struct placement *workers, int count, int i, int here)
{
    struct placement *worker = &workers[i];
    if (!get_allowed(worker) || CPU_COUNT(&worker->allowed) <= count) {
        worker->rest = MOST_REST;
        return;
    }
    cpu_set_t set = worker->allowed;
    CPU_CLR((size_t)here, &set);
    for (int k = 0; k < count; k++)
        if (k != i) CPU_CLR((size_t)processor(&workers[k]), &set);
    bind_to(worker, &set);
    if (!worker->bound) worker->rest = MOST_REST;
}

/* One that did not come may have been woken here, and not have run since. */
static bool is_in_the_way(const struct placement *worker, int here)
{
    return processor(worker) == here || !worker->came ||
           (worker->was_asleep && worker->distrust > 0);
}

void placement_part(struct placement *workers, int count)
{
    const int here = sched_getcpu();
    for (int i = 0; i < count; i++) {
        struct placement *worker = &workers[i];
        worker->moved = worker->fetched = false;
        worker->was_asleep = atomic_load_explicit(&worker->asleep, memory_order_relaxed);
        if (!is_in_the_way(worker, here)) continue;
        if (worker->rest > 0)
            worker->rest--;
        else
            send_away(workers, count, i, here);
    }
}

void placement_note_time(struct placement *worker)
{
    clockid_t clock;
    struct timespec time;
    worker->time = -1;
    if (pthread_getcpuclockid(worker->thread, &clock) != 0) return;
    if (clock_gettime(clock, &time) != 0) return;
    worker->time = (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void placement_fetch(struct placement *worker)
{
    if (worker->bound) return;
    const int64_t before = worker->time;
    placement_note_time(worker);
    const bool waits = before >= 0 && worker->time >= 0 && worker->time - before < LITTLE;
    if (!waits || !get_allowed(worker)) return;
    const size_t here = (size_t)sched_getcpu();
    if (!CPU_ISSET(here, &worker->allowed)) return;
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(here, &set);
    bind_to(worker, &set);
    worker->fetched = worker->bound;
}

void placement_release(struct placement *worker)
{
    if (!worker->bound) return;
    pthread_setaffinity_np(worker->thread, sizeof worker->allowed, &worker->allowed);
    worker->bound = false;
}

static void rest_longer(struct placement *worker)
{
    worker->next_rest = 2 * worker->next_rest + 1;
    if (worker->next_rest > MOST_REST) worker->next_rest = MOST_REST;
    worker->rest = worker->next_rest;
}

static void judge_kernel(struct placement *worker)
{
    if (!worker->was_asleep) return;
    if (!worker->came && !worker->moved)
        worker->distrust = DISTRUST;
    else if (worker->distrust > 0)
        worker->distrust--;
}

void placement_judge(struct placement *worker, bool came)
{
    worker->came = came;
    judge_kernel(worker);
    if (came && !worker->fetched) {
        if (worker->next_rest > 0) worker->next_rest--;
    } else if (worker->moved) {
        rest_longer(worker);
    }
}

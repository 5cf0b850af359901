/* The processors that the workers of a pool are on. The kernel may wake a worker on the processor
 * that its caller is busy on, and let it wait there while others are idle, for seconds; and a
 * worker whose processor another program was given holds up its loop for milliseconds. (Experiment
 * "placement" in docs/experiments.) */
#ifndef WEFT_BASE_PLACEMENT_H
#define WEFT_BASE_PLACEMENT_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* cpu_set_t */
#endif
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Of a worker; zero but for `processor` at first. The thread whose loop it is reads and writes all
 * above the gap, the worker all below it. */
struct placement {
    pthread_t thread;
    bool bound;
    cpu_set_t allowed;   /* while it is bound: what it may run on otherwise */
    bool came;           /* to the loop before this */
    bool moved, fetched; /* in this loop */
    bool was_asleep;     /* when this loop began */
    int64_t time;        /* of a processor that it had used, ns; -1: unknown */
    int rest;            /* times that it stays where the kernel has it */
    int next_rest;       /* when moving it does not help once more */
    int distrust;        /* times that it is not left to the kernel where it is woken */
    char gap[128];
    atomic_int processor; /* that it last knew itself on; -1: none yet */
    atomic_bool asleep;   /* or about to be */
    atomic_bool inside;   /* a loop, or about to be */
    char end[128];
};

/* By the worker: it is awake, on some processor. */
void placement_note(struct placement *self);

/* The rest by the thread whose loop it is. */

/* Before it wakes the workers: binds those that are in its way, or would wake there, to processors
 * that no thread of the pool is on, if there is one for each. After waking they are where they were
 * sent, and to be released; what a program sets their affinity to in between is lost. */
void placement_part(struct placement *workers, int count);
/* Whether it waits for the caller's processor, if it is not done. */
bool placement_is_here(const struct placement *worker);
/* Binds a worker to the caller's processor, which has nothing to do, if it hardly ran since its
 * time was noted. */
void placement_note_time(struct placement *worker);
void placement_fetch(struct placement *worker);
/* Allows it all that it was allowed before it was bound. */
void placement_release(struct placement *worker);
/* After the loop, to which it came or not: whether moving it helped. */
void placement_judge(struct placement *worker, bool came);

#endif

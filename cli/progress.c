#include "progress.h"

#include "engine.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { BAR_WIDTH = 40, REDRAW_NANOSECONDS = 100000000, SECOND_NANOSECONDS = 1000000000 };

#define PATIENCE_SECONDS 1.0

/* How long a stage takes is mostly not known: within it the bar creeps ever more slowly to its end.
 */
static double share_done(const progress *p, double now)
{
    double spent = now - p->stage_started;
    if (p->reached >= 0) return (p->stage - 1 + p->reached) / p->stages;
    return (p->stage - 1 + spent / (spent + PATIENCE_SECONDS)) / p->stages;
}

static void draw(progress *p)
{
    static const char full[] = "########################################";
    static const char empty[] = "........................................";
    double now = engine_clock();
    if (now - p->started < PATIENCE_SECONDS) return;
    int filled = (int)(share_done(p, now) * BAR_WIDTH);
    fprintf(stderr, "\r[%.*s%.*s] %-9s %5.1f s", filled, full, BAR_WIDTH - filled, empty, p->doing,
            now - p->started);
    fflush(stderr);
    p->drawn = true;
}

static void wait_for_redraw(progress *p)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += REDRAW_NANOSECONDS;
    until.tv_sec += until.tv_nsec / SECOND_NANOSECONDS;
    until.tv_nsec %= SECOND_NANOSECONDS;
    pthread_cond_timedwait(&p->changed, &p->lock, &until);
}

static void *draw_until_finished(void *argument)
{
    progress *p = argument;
    pthread_mutex_lock(&p->lock);
    while (!p->finished) {
        draw(p);
        wait_for_redraw(p);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

void progress_start(progress *p, int stages)
{
    double now = engine_clock();
    *p = (progress){.stages = stages, .doing = "", .started = now, .stage_started = now,
                    .reached = -1};
    if (!isatty(STDERR_FILENO)) return;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    p->running = pthread_create(&p->thread, NULL, draw_until_finished, p) == 0;
    if (p->running) return;
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
}

void progress_next(progress *p, const char *doing)
{
    if (!p->running) return;
    pthread_mutex_lock(&p->lock);
    p->doing = doing;
    if (p->stage < p->stages) p->stage++;
    p->stage_started = engine_clock();
    p->reached = -1;
    pthread_mutex_unlock(&p->lock);
}

void progress_reach(progress *p, double share)
{
    if (!p->running) return;
    pthread_mutex_lock(&p->lock);
    p->reached = share < 1 ? share : 1;
    pthread_mutex_unlock(&p->lock);
}

void progress_hide(progress *p)
{
    if (!p->running) return;
    pthread_mutex_lock(&p->lock);
    if (p->drawn) fprintf(stderr, "\r\033[K");
    p->drawn = false;
}

void progress_show(progress *p)
{
    if (p->running) pthread_mutex_unlock(&p->lock);
}

void progress_stop(progress *p)
{
    if (!p->running) return;
    pthread_mutex_lock(&p->lock);
    p->finished = true;
    pthread_cond_signal(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    if (p->drawn) fprintf(stderr, "\r\033[K");
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
    p->running = false;
}

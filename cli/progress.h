/* A bar on the terminal for work that takes over a second. */
#ifndef WEFT_CLI_PROGRESS_H
#define WEFT_CLI_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>

typedef struct progress {
    bool running; /* there is a thread that draws; everything below is guarded by the lock */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int stage, stages;
    const char *doing; /* the stage in a word */
    double started, stage_started;
    double reached; /* of the stage, 0 to 1; negative: unknown */
    bool finished, drawn;
} progress;

/* Starts to watch work of so many stages. It draws only if stderr is a terminal, and not during the
 * first second; where no thread can be had it draws nothing. */
void progress_start(progress *p, int stages);

/* The next stage begins. doing: a word for it, which must outlive the stage. */
void progress_next(progress *p, const char *doing);

/* So much of the stage is done, from 0 to 1. Without it the bar creeps. */
void progress_reach(progress *p, double share);

/* Takes the bar off the terminal and keeps it off, so that something can be printed; and lets it
 * come back. */
void progress_hide(progress *p);
void progress_show(progress *p);

/* Removes the bar. */
void progress_stop(progress *p);

#endif

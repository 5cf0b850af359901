/* A pool of worker threads for loops whose iterations are independent. */
#ifndef WEFT_BASE_THREADS_H
#define WEFT_BASE_THREADS_H

#include <stdint.h>

/* Bytes to leave between runs of memory that different threads write to over and over: what a
 * processor fetches ahead beyond the end of one takes lines from who works on the next. (Experiment
 * "threads" in docs/experiments.) */
#define THREADS_APART 512

typedef struct thread_pool thread_pool;

/* Processors this process may run on (its affinity mask). At least 1. */
int threads_available(void);

/* A pool that runs loops on up to `threads` threads, the caller's own among them: `threads` - 1
 * workers, started at the first loop that wants them. NULL: no memory. */
thread_pool *thread_pool_create(int threads);
/* Joins the workers. No loop may be running. */
void thread_pool_destroy(thread_pool **pool);

/* Calls body(context, begin, end, worker) on disjoint ranges that cover [0, count) and returns when
 * all are done. Ranges are equally long but for one iteration; of several each has at least half as
 * many as `grain`. worker is 0 .. threads-1, and no two calls of one loop with the same worker run
 * at once. When the pool is busy with a loop (of another thread, or one whose body this is), in the
 * child after a fork, or if no worker could be started, the caller does all the work itself as
 * worker 0: never an error. */
typedef void thread_loop_body(void *context, int64_t begin, int64_t end, int worker);
void thread_pool_run(thread_pool *pool, int64_t count, int64_t grain, thread_loop_body *body,
                     void *context);

#endif

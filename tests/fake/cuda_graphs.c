/* Graphs of the fake driver: launches captured. An executable graph is the graph itself. */
#include <stdlib.h>

#include "fake/cuda.h"

static __thread int capture_mode; /* 0: streams that are captured forbid allocating */
static int capturing;             /* streams that are captured */

EXPORTED int cuThreadExchangeStreamCaptureMode(int *mode);
EXPORTED int cuStreamBeginCapture_v2(struct CUstream_st *stream, int mode);
EXPORTED int cuStreamEndCapture(struct CUstream_st *stream, struct CUgraph_st **graph);
EXPORTED int cuGraphInstantiateWithFlags(struct CUgraph_st **executable, struct CUgraph_st *graph,
                                         unsigned long long flags);
EXPORTED int cuGraphLaunch(struct CUgraph_st *graph, struct CUstream_st *stream);
EXPORTED int cuGraphExecDestroy(struct CUgraph_st *graph);
EXPORTED int cuGraphDestroy(struct CUgraph_st *graph);
EXPORTED int cuLaunchKernel(struct CUfunc_st *function, unsigned blocks_x, unsigned blocks_y,
                            unsigned blocks_z, unsigned threads_x, unsigned threads_y,
                            unsigned threads_z, unsigned shared_bytes, struct CUstream_st *stream,
                            void **arguments, void **extra);

bool forbids_allocating(void)
{
    return capturing && capture_mode == 0;
}

int cuThreadExchangeStreamCaptureMode(int *mode)
{
    int before = capture_mode;
    capture_mode = *mode;
    *mode = before;
    return OK;
}

int cuStreamBeginCapture_v2(struct CUstream_st *stream, int mode)
{
    (void)mode;
    stream->graph = calloc(1, sizeof *stream->graph);
    if (!stream->graph) return OUT_OF_MEMORY;
    stream->graph->last = &stream->graph->first;
    capturing++;
    return OK;
}

int cuStreamEndCapture(struct CUstream_st *stream, struct CUgraph_st **graph)
{
    *graph = stream->graph;
    stream->graph = NULL;
    capturing--;
    return *graph ? OK : INVALID_HANDLE;
}

int cuGraphInstantiateWithFlags(struct CUgraph_st **executable, struct CUgraph_st *graph,
                                unsigned long long flags)
{
    (void)flags;
    *executable = graph;
    return OK;
}

int cuGraphLaunch(struct CUgraph_st *graph, struct CUstream_st *stream)
{
    (void)stream;
    int result = OK;
    for (const struct launch *launch = graph->first; launch && result == OK; launch = launch->next)
        result = run_launch(launch);
    return result;
}

int cuGraphExecDestroy(struct CUgraph_st *graph)
{
    for (struct launch *next, *launch = graph->first; launch; launch = next) {
        next = launch->next;
        free(launch);
    }
    free(graph);
    return OK;
}

int cuGraphDestroy(struct CUgraph_st *graph)
{
    (void)graph;
    return OK;
}

static int keep_launch(struct CUgraph_st *graph, const struct launch *launch)
{
    struct launch *kept = malloc(sizeof *kept);
    if (!kept) return OUT_OF_MEMORY;
    *kept = *launch;
    *graph->last = kept;
    graph->last = &kept->next;
    return OK;
}

static int put_off_launch(struct CUstream_st *stream, const struct launch *launch)
{
    struct launch *kept = malloc(sizeof *kept);
    if (!kept) return OUT_OF_MEMORY;
    *kept = *launch;
    return put_off(stream, &(struct work){.launch = kept});
}

int cuLaunchKernel(struct CUfunc_st *function, unsigned blocks_x, unsigned blocks_y,
                   unsigned blocks_z, unsigned threads_x, unsigned threads_y, unsigned threads_z,
                   unsigned shared_bytes, struct CUstream_st *stream, void **arguments,
                   void **extra)
{
    (void)shared_bytes;
    bool good = blocks_x > 0 && blocks_x <= 50 && threads_x > 0 && threads_x <= 256 &&
                blocks_y * blocks_z * threads_y * threads_z == 1 && !extra && current_context() &&
                (is_default(stream) || stream->context == current_context());
    if (!good) return INVALID_VALUE;
    struct launch launch = {.function = function, (int)blocks_x, (int)threads_x};
    for (int i = 0; i < count_arguments(function); i++)
        launch.argument[i] = *(int64_t *)arguments[i];
    if (puts_off(stream)) return put_off_launch(stream, &launch);
    return is_captured(stream) ? keep_launch(stream->graph, &launch) : run_launch(&launch);
}

/* How much of the link between host and GPU a transform of data beyond its memory uses: one line of
 * complex numbers, of which the device may hold a quarter, beside copies of the same memory both
 * ways at once. The result is compared with the transform of all of it in the device's memory.
 *
 * usage: stream [LOG2_OF_LENGTH]    default: 28 */
#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <weft/weft.h>

enum { ROUNDS = 5, CHUNK = 64 << 20 };

typedef unsigned long long address;
struct CUstream_st;

/* The driver's functions that copying takes. */
static int (*stream_create)(struct CUstream_st **, unsigned);
static int (*stream_wait)(struct CUstream_st *);
static int (*memory_alloc)(address *, size_t);
static int (*upload)(address, const void *, size_t, struct CUstream_st *);
static int (*download)(void *, address, size_t, struct CUstream_st *);

static const struct {
    const char *name;
    void *function; /* the address of the pointer to it */
} entries[] = {{"cuStreamCreate", &stream_create},
               {"cuStreamSynchronize", &stream_wait},
               {"cuMemAlloc_v2", &memory_alloc},
               {"cuMemcpyHtoDAsync_v2", &upload},
               {"cuMemcpyDtoHAsync_v2", &download}};

static void stop(const char *why)
{
    fprintf(stderr, "stream: %s\n", why);
    exit(1);
}

static void must(int failed, const char *what)
{
    if (failed) stop(what);
}

static void done(weft_status status)
{
    if (status) stop(weft_last_error());
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Opens the driver, in the context that the thread has: the device's. */
static void open_driver(void)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW);
    int (*get)(int *, int);
    int (*retain)(void **, int);
    int (*set)(void *);
    void *context;
    int device;
    if (!library) stop("no libcuda.so.1");
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        *(void **)entries[i].function = dlsym(library, entries[i].name);
    *(void **)&get = dlsym(library, "cuDeviceGet");
    *(void **)&retain = dlsym(library, "cuDevicePrimaryCtxRetain");
    *(void **)&set = dlsym(library, "cuCtxSetCurrent");
    must(get(&device, 0) || retain(&context, device) || set(context), "no context");
}

/* Bytes a second in and out together, `bytes` bytes each way. */
static double link_rate(void *in, void *out, size_t bytes)
{
    struct CUstream_st *stream[2];
    address memory[2];
    double seconds[ROUNDS];
    for (int i = 0; i < 2; i++)
        must(stream_create(&stream[i], 1) || memory_alloc(&memory[i], CHUNK), "no memory");
    for (int round = 0; round < ROUNDS; round++) {
        const double start = now();
        for (size_t at = 0; at + CHUNK <= bytes; at += CHUNK) {
            must(upload(memory[0], (char *)in + at, CHUNK, stream[0]), "a copy");
            must(download((char *)out + at, memory[1], CHUNK, stream[1]), "a copy");
        }
        must(stream_wait(stream[0]) || stream_wait(stream[1]), "copying");
        seconds[round] = now() - start;
    }
    qsort(seconds, ROUNDS, sizeof *seconds, compare);
    return 2 * (double)bytes / seconds[ROUNDS / 2];
}

static weft_plan *plan_of(weft_device *device, int64_t n, int64_t limit)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    weft_plan *plan;
    params.size[0] = n;
    params.memory_limit = limit;
    done(weft_plan_create(device, &params, &plan));
    return plan;
}

/* Seconds of an execute, the median; the first, which page-locks the memory, does not count. */
static double time_executes(const weft_plan *plan, weft_buffer *in, weft_buffer *out)
{
    double seconds[ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
        const double start = now();
        done(weft_execute(plan, WEFT_FORWARD, in, out));
        if (round >= 0) seconds[round] = now() - start;
    }
    qsort(seconds, ROUNDS, sizeof *seconds, compare);
    return seconds[ROUNDS / 2];
}

static double distance(const float *x, const float *exact, int64_t count)
{
    double difference = 0, sum = 0;
    for (int64_t i = 0; i < count; i++) {
        difference += ((double)x[i] - exact[i]) * ((double)x[i] - exact[i]);
        sum += (double)exact[i] * exact[i];
    }
    return sqrt(difference / sum);
}

static float *numbers(int64_t count)
{
    float *made = aligned_alloc(4096, (size_t)count * sizeof *made);
    if (!made) stop("no memory");
    uint32_t state = 1;
    for (int64_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        made[i] = (float)(int32_t)state * 0x1p-31f;
    }
    return made;
}

int main(int count, char **word)
{
    const int64_t n = INT64_C(1) << (count > 1 ? atoi(word[1]) : 28);
    const size_t bytes = (size_t)n * 2 * sizeof(float);
    float *data = numbers(2 * n), *result = numbers(2 * n), *whole = numbers(2 * n);
    weft_device *device;
    weft_buffer *in, *out, *all;
    weft_plan_info info;
    done(weft_device_open("cuda:0", &device));
    done(weft_buffer_wrap(device, data, bytes, &in));
    done(weft_buffer_wrap(device, result, bytes, &out));
    done(weft_buffer_wrap(device, whole, bytes, &all));
    weft_plan *streamed = plan_of(device, n, (int64_t)bytes / 4), *held = plan_of(device, n, 0);
    const double seconds = time_executes(streamed, in, out);
    done(weft_execute(held, WEFT_FORWARD, in, all));
    done(weft_plan_describe(streamed, &info));
    const double error = distance(result, whole, 2 * n);
    open_driver();
    const double rate = link_rate(data, result, bytes);
    printf("%lld points through %.0f MB: %.3f s, %d sweeps, %.1f GB/s of %.1f both ways: %.0f%%; "
           "from the transform in memory %.2g\n",
           (long long)n, (double)bytes / 4e6, seconds, info.passes, info.bytes / seconds / 1e9,
           rate / 1e9, 100 * info.bytes / seconds / rate, error);
    return !(error < 1e-6);
}

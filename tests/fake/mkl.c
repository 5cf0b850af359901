/* A library in the place of MKL, which Debian has not: DFTI's calls for one axis of packed data,
 * by direct sums. Whatever is asked for otherwise, or before the layer of threads was chosen,
 * fails. */
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>

#define EXPORTED __attribute__((visibility("default")))

enum { OK = 0, REFUSED = 1 };
enum { NUMBER_OF_TRANSFORMS = 7, EVEN_STORAGE = 10, PLACEMENT = 11, THREAD_LIMIT = 27 };
enum { FORWARD_DISTANCE = 58, BACKWARD_DISTANCE = 59 };
enum { COMPLEX = 32, REAL = 33, SINGLE = 35, DOUBLE = 36, COMPLEX_COMPLEX = 39, NOT_IN_PLACE = 44 };
enum { LAYER_SEQUENTIAL = 1, LAYER_GNU = 3 };

struct descriptor {
    bool wide, real, out_of_place, complex_storage, committed;
    long n, batch, threads, forward_distance, backward_distance;
};

EXPORTED int MKL_Set_Threading_Layer(int layer);
EXPORTED void MKL_Set_Num_Threads(int threads);
EXPORTED long DftiCreateDescriptor(struct descriptor **handle, int precision, int domain,
                                   long rank, ...);
EXPORTED long DftiSetValue(struct descriptor *descriptor, int parameter, ...);
EXPORTED long DftiCommitDescriptor(struct descriptor *descriptor);
EXPORTED long DftiComputeForward(struct descriptor *descriptor, void *in, ...);
EXPORTED long DftiComputeBackward(struct descriptor *descriptor, void *in, ...);
EXPORTED long DftiFreeDescriptor(struct descriptor **handle);

static int chosen_layer, most_threads;

int MKL_Set_Threading_Layer(int layer)
{
    chosen_layer = layer;
    return layer;
}

void MKL_Set_Num_Threads(int threads)
{
    most_threads = threads;
}

long DftiCreateDescriptor(struct descriptor **handle, int precision, int domain, long rank, ...)
{
    va_list rest;
    va_start(rest, rank);
    const long n = rank == 1 ? va_arg(rest, long) : 0;
    va_end(rest);
    if (rank != 1 || (precision != SINGLE && precision != DOUBLE) ||
        (domain != COMPLEX && domain != REAL))
        return REFUSED;
    *handle = calloc(1, sizeof **handle);
    if (!*handle) return REFUSED;
    **handle = (struct descriptor){.wide = precision == DOUBLE, .real = domain == REAL, .n = n};
    return OK;
}

long DftiSetValue(struct descriptor *descriptor, int parameter, ...)
{
    long status = OK;
    va_list rest;
    va_start(rest, parameter);
    switch (parameter) {
    case NUMBER_OF_TRANSFORMS: descriptor->batch = va_arg(rest, long); break;
    case THREAD_LIMIT: descriptor->threads = va_arg(rest, long); break;
    case FORWARD_DISTANCE: descriptor->forward_distance = va_arg(rest, long); break;
    case BACKWARD_DISTANCE: descriptor->backward_distance = va_arg(rest, long); break;
    case EVEN_STORAGE: descriptor->complex_storage = va_arg(rest, int) == COMPLEX_COMPLEX; break;
    case PLACEMENT: descriptor->out_of_place = va_arg(rest, int) == NOT_IN_PLACE; break;
    default: status = REFUSED;
    }
    va_end(rest);
    return status;
}

long DftiCommitDescriptor(struct descriptor *descriptor)
{
    const int layer = most_threads > 1 ? LAYER_GNU : LAYER_SEQUENTIAL;
    const long half = descriptor->n / 2 + 1;
    const bool good = chosen_layer == layer && descriptor->threads >= 1 &&
                      descriptor->threads <= most_threads && descriptor->batch >= 1 &&
                      descriptor->forward_distance >= descriptor->n &&
                      descriptor->backward_distance >= (descriptor->real ? half : descriptor->n) &&
                      (descriptor->complex_storage || !descriptor->real);
    descriptor->committed = good;
    return good ? OK : REFUSED;
}

static double get(const struct descriptor *descriptor, const void *data, long i)
{
    return descriptor->wide ? ((const double *)data)[i] : (double)((const float *)data)[i];
}

static void put(const struct descriptor *descriptor, void *data, long i, double value)
{
    if (descriptor->wide)
        ((double *)data)[i] = value;
    else
        ((float *)data)[i] = (float)value;
}

/* Element j of one array, whose first number is `first`; half a spectrum is extended. */
static void load(const struct descriptor *descriptor, const void *in, long first, long j, int sign,
                 double element[2])
{
    const bool half = descriptor->real && sign > 0, mirrored = half && j > descriptor->n / 2;
    const long at = mirrored ? descriptor->n - j : j;
    if (descriptor->real && sign < 0) {
        element[0] = get(descriptor, in, first + j);
        element[1] = 0.0;
        return;
    }
    element[0] = get(descriptor, in, first + 2 * at);
    element[1] = get(descriptor, in, first + 2 * at + 1) * (mirrored ? -1.0 : 1.0);
}

static void transform_one(const struct descriptor *descriptor, const void *in, long in_first,
                          void *out, long out_first, int sign, double *result)
{
    const long n = descriptor->n;
    for (long k = 0; k < n; k++) {
        result[2 * k] = result[2 * k + 1] = 0.0;
        for (long j = 0; j < n; j++) {
            double x[2];
            load(descriptor, in, in_first, j, sign, x);
            const double angle = sign * 2.0 * acos(-1.0) * (double)(j * k % n) / (double)n;
            result[2 * k] += x[0] * cos(angle) - x[1] * sin(angle);
            result[2 * k + 1] += x[0] * sin(angle) + x[1] * cos(angle);
        }
    }
    const bool reals = descriptor->real && sign > 0;
    const long count = descriptor->real && sign < 0 ? n / 2 + 1 : n;
    for (long k = 0; k < count; k++) {
        put(descriptor, out, out_first + (reals ? k : 2 * k), result[2 * k]);
        if (!reals) put(descriptor, out, out_first + 2 * k + 1, result[2 * k + 1]);
    }
}

static long transform(const struct descriptor *descriptor, const void *in, void *out, int sign)
{
    const long forward = descriptor->forward_distance * (descriptor->real ? 1 : 2);
    const long backward = descriptor->backward_distance * 2;
    double *result = calloc((size_t)(2 * descriptor->n), sizeof *result);
    if (!result) return REFUSED;
    for (long i = 0; i < descriptor->batch; i++)
        transform_one(descriptor, in, i * (sign < 0 ? forward : backward), out,
                      i * (sign < 0 ? backward : forward), sign, result);
    free(result);
    return OK;
}

long DftiComputeForward(struct descriptor *descriptor, void *in, ...)
{
    va_list rest;
    va_start(rest, in);
    void *out = descriptor->out_of_place ? va_arg(rest, void *) : in;
    va_end(rest);
    return descriptor->committed ? transform(descriptor, in, out, -1) : REFUSED;
}

long DftiComputeBackward(struct descriptor *descriptor, void *in, ...)
{
    va_list rest;
    va_start(rest, in);
    void *out = descriptor->out_of_place ? va_arg(rest, void *) : in;
    va_end(rest);
    return descriptor->committed ? transform(descriptor, in, out, 1) : REFUSED;
}

long DftiFreeDescriptor(struct descriptor **handle)
{
    free(*handle);
    *handle = NULL;
    return OK;
}

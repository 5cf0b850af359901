/* weft: fast Fourier transforms of any size and layout.
 *
 * The public interface. A device is opened, a plan is made for it from
 * parameters, and the plan is executed on buffers, any number of times:
 *
 *     weft_device *device; weft_plan *plan; weft_buffer *in, *out;
 *     weft_params params = WEFT_PARAMS_DEFAULT;
 *     params.rank = 1; params.size[0] = 1000;
 *     weft_device_open(NULL, &device);
 *     weft_plan_create(device, &params, &plan);
 *     weft_buffer_wrap(device, x, sizeof x, &in);
 *     weft_buffer_wrap(device, y, sizeof y, &out);
 *     weft_execute(plan, WEFT_FORWARD, in, out);
 *
 * Conventions that hold for every function here:
 *  - Sizes and strides count elements (a complex number is one element) unless
 *    the name says bytes. Arrays of dimensions run from the slowest axis to the
 *    fastest, as in C.
 *  - The forward transform is X[k] = sum_j x[j] exp(-2 pi i j k / n); the inverse
 *    has the other sign. Neither is scaled unless the parameters say so.
 *  - A function that returns weft_status writes its results only on WEFT_OK; on
 *    failure weft_last_error() tells what was wrong and what would be accepted.
 *  - A destroy or close function takes the handle's address, frees it and sets
 *    the handle to NULL; a NULL handle is left alone.
 *  - Functions may be called from any thread. A device, plan or buffer may be
 *    used by several threads at once, but must outlive every use of it.
 */
#ifndef WEFT_WEFT_H
#define WEFT_WEFT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define WEFT_API
#else
#define WEFT_API __attribute__((visibility("default")))
#endif

#define WEFT_VERSION_MAJOR 0
#define WEFT_VERSION_MINOR 1
#define WEFT_VERSION_PATCH 0

/* The most axes a problem may have. */
#define WEFT_MAX_RANK 8

/* What a call came to. */
typedef enum weft_status {
    WEFT_OK = 0,
    WEFT_ERROR_ARGUMENT = 1,   /* an argument means nothing: NULL, rank out of range, ... */
    WEFT_ERROR_SIZE = 2,       /* a size is zero, negative, or its product overflows */
    WEFT_ERROR_LAYOUT = 3,     /* strides that alias in the output, or do not fit the buffers */
    WEFT_ERROR_MEMORY = 4,     /* no memory on the host or on the device */
    WEFT_ERROR_DEVICE = 5,     /* no such device, or its driver failed */
    WEFT_ERROR_UNSUPPORTED = 6 /* the device lacks what the problem needs */
} weft_status;

/* The transform. What is real has a spectrum X with X[n - k] = conj(X[k]) in every transformed
 * axis at once, so of the last transformed axis, of length n, only the elements 0 to n / 2 (rounded
 * down) are stored: a half-complex array, n / 2 + 1 elements long in that axis and of full length
 * in all others. */
typedef enum weft_kind {
    WEFT_C2C = 0, /* complex to complex */
    WEFT_R2C = 1, /* real to half-complex, usually forward */
    WEFT_C2R = 2, /* half-complex to real, usually inverse. What only spectra of complex data could
                   * have counts as 0: imaginary parts of elements 0 and n / 2, in one dimension. */
    /* Real to real, n values each, every transformed axis by itself, by a kind of its own if
     * weft_params.axis_kind says so. Forward, of x[j] with all sums
     * over j = 0 .. n-1 but where it says otherwise, Y[k] is (as FFTW's REDFT00, 10, 01, 11,
     * RODFT00, 10, 01, 11 and DHT): */
    WEFT_DCT1 = 3,  /* x[0] + (-1)^k x[n-1] + 2 sum_(0<j<n-1) x[j] cos(pi j k / (n - 1)); n >= 2 */
    WEFT_DCT2 = 4,  /* 2 sum x[j] cos(pi (j + 1/2) k / n) */
    WEFT_DCT3 = 5,  /* x[0] + 2 sum_(j>0) x[j] cos(pi j (k + 1/2) / n) */
    WEFT_DCT4 = 6,  /* 2 sum x[j] cos(pi (j + 1/2) (k + 1/2) / n) */
    WEFT_DST1 = 7,  /* 2 sum x[j] sin(pi (j + 1) (k + 1) / (n + 1)) */
    WEFT_DST2 = 8,  /* 2 sum x[j] sin(pi (j + 1/2) (k + 1) / n) */
    WEFT_DST3 = 9,  /* (-1)^k x[n-1] + 2 sum_(j<n-1) x[j] sin(pi (j + 1) (k + 1/2) / n) */
    WEFT_DST4 = 10, /* 2 sum x[j] sin(pi (j + 1/2) (k + 1/2) / n) */
    WEFT_DHT = 11   /* sum x[j] (cos(2 pi j k / n) + sin(2 pi j k / n)) (Hartley) */
    /* The inverse direction of WEFT_DCT2 is WEFT_DCT3 and the other way round, likewise WEFT_DST2
     * and WEFT_DST3; that of each other one is itself. Forward, then inverse, multiplies by 2 n for
     * each axis; by 2 (n - 1) with WEFT_DCT1, 2 (n + 1) with WEFT_DST1, n with WEFT_DHT. */
} weft_kind;

/* What a plan computes. */
typedef enum weft_operation {
    WEFT_TRANSFORM = 0, /* what the kind says */
    /* Of an input x and each of some kernels h, along every transformed axis cyclically, in one
     * program: forward transforms, product, inverse transforms. The kind says what x, h and the
     * output y are: WEFT_C2C, all complex; WEFT_R2C, all real. */
    WEFT_CONVOLUTION = 1, /* y[j] = sum_i h[i] x[(j - i) mod n] */
    WEFT_CORRELATION = 2  /* y[j] = sum_i conj(h[i]) x[(j + i) mod n] */
} weft_operation;

/* What is computed with, and the type of the real and of the imaginary part of every element unless
 * in_storage or out_storage say otherwise. */
typedef enum weft_precision {
    WEFT_F32 = 0, /* IEEE single */
    WEFT_F64 = 1, /* IEEE double */
    WEFT_F16 = 2, /* IEEE half in memory, computed in single */
    WEFT_BF16 = 3, /* bfloat16 in memory, computed in single */
    WEFT_DD = 4   /* double-double, some 31 digits: every real number is the unevaluated sum of two
                   * doubles that lie side by side, first the one that is the sum rounded, then the
                   * rest. An interleaved complex number is 4 doubles; a plane holds 2 for each. */
} weft_precision;

/* The type of a real number, or of the real and of the imaginary part, in a buffer. What is read
 * becomes the same number where the arithmetic has it, and the nearest otherwise; what is written
 * is rounded to nearest, ties to even, by integers to whole numbers: what is beyond an integer's
 * range becomes the nearest end of it, and NaN 0. Integers stand for themselves: a byte is 0 to
 * 255, not 0 to 1. */
typedef enum weft_storage {
    WEFT_STORED_AS_COMPUTED = 0, /* as the precision says */
    WEFT_STORED_F16 = 1,         /* IEEE half */
    WEFT_STORED_BF16 = 2,        /* bfloat16: the upper half of an IEEE single */
    WEFT_STORED_F32 = 3,
    WEFT_STORED_F64 = 4,
    WEFT_STORED_U8 = 5, /* integers without a sign, and with one, */
    WEFT_STORED_I8 = 6,
    WEFT_STORED_U16 = 7, /* of 8 and of 16 bits */
    WEFT_STORED_I16 = 8
} weft_storage;

/* How complex numbers lie in a buffer. */
typedef enum weft_format {
    WEFT_INTERLEAVED = 0, /* re im re im ...: one array of pairs */
    WEFT_PLANAR = 1       /* two arrays, one of real and one of imaginary parts */
} weft_format;

typedef enum weft_direction {
    WEFT_FORWARD = 0, /* exp(-2 pi i j k / n) */
    WEFT_INVERSE = 1  /* exp(+2 pi i j k / n) */
} weft_direction;

/* How much effort goes into choosing a plan. */
typedef enum weft_effort {
    WEFT_ESTIMATE = 0, /* by the cost model alone: microseconds to milliseconds */
    WEFT_MEASURE = 1   /* unless wisdom knows: the likeliest candidates are timed on the device, and
                        * the fastest becomes wisdom */
} weft_effort;

/* How the elements of a transformed axis follow one another where frequencies are: in the output of
 * the forward direction, in the input of the inverse one. */
typedef enum weft_order {
    WEFT_NATURAL = 0,   /* element k at place k */
    WEFT_TRANSPOSED = 1 /* as it suits the plan, which tells by weft_plan_order() */
} weft_order;

typedef struct weft_device weft_device;
typedef struct weft_plan weft_plan;
typedef struct weft_buffer weft_buffer;

/* A problem. Start from WEFT_PARAMS_DEFAULT and set rank and size. */
typedef struct weft_params {
    weft_kind kind;              /* default WEFT_C2C */
    weft_precision precision;    /* default WEFT_F32 */
    weft_format format;          /* of all complex data; default WEFT_INTERLEAVED */
    int rank;                    /* 1 to WEFT_MAX_RANK */
    int64_t size[WEFT_MAX_RANK]; /* the first `rank` entries, each at least 1; of a real kind those
                                  * of the real side */
    uint32_t axes;               /* bit i: transform along axis i; 0: along all. An axis left out
                               * is repeated over, so it serves as a batch dimension. */
    int64_t batch;               /* how many arrays of this size; default 1; 0: an empty batch, on
                               * which executing does nothing */
    const int64_t *in_stride;    /* `rank` strides of the input in its elements (reals where it is
                               * real), any sign; 0 repeats one element (broadcast). NULL: packed
                               * row-major. Read during the call only. */
    const int64_t *out_stride;   /* likewise of the output; two output elements must never share
                                * a place. NULL: packed row-major. */
    int64_t in_distance;         /* from one array of the batch to the next, any sign. 0: the
                               * product of all lengths of this side, whatever the strides. (One
                               * input for the whole batch: an axis outside `axes` with stride 0
                               * instead.) */
    int64_t out_distance;        /* likewise of the output */
    int64_t in_offset;           /* place of element (0, ..., 0) in the input buffer; default 0 */
    int64_t out_offset;          /* likewise of the output */
    double forward_scale;        /* the forward result is multiplied by this; 0 stands for 1 */
    double inverse_scale;        /* likewise the inverse; e.g. 1.0 / n makes round trips exact */
    int threads;                 /* CPU threads an execute may use; default 1; 0: one a processor.
                               * Other devices ignore it. */
    weft_effort effort;          /* default WEFT_ESTIMATE */
    int orthonormal;             /* default 0; 1: the transform's matrix is orthonormal in both
                                  * directions, so that round trips are exact. All results are
                                  * multiplied by one over the square root of what forward and
                                  * inverse would multiply by, with complex kinds the points; and of
                                  * WEFT_DCT1 to 3, WEFT_DST2 and 3 what the formulas count once is
                                  * counted sqrt(2) times, and results made of terms that others
                                  * count once are divided by sqrt(2). Scales come on top. */
    weft_storage in_storage;  /* of the input; default 0, as the precision says. Strides, distances
                               * and offsets count elements of it. */
    weft_storage out_storage; /* likewise of the output. In place both must be equally large. Of
                               * WEFT_DD default, or WEFT_STORED_F64: the results rounded once */
    double forward_scale_rest; /* WEFT_DD: added to forward_scale, whose digits beyond a double's */
    double inverse_scale_rest; /* these are; likewise the inverse. Default 0; of 1 / n it is
                                * fma(-n, 1.0 / n, 1) / n. */
    int64_t memory_limit; /* bytes of the device's memory (on the CPU, the host's) that an execute
                           * may use for the data and its scratch; tables come on top. Default 0: as
                           * much as there is. With a limit, and on a GPU wherever input and output
                           * are more than it holds, the plan streams: it works on memory of the
                           * host and on what weft_buffer_wrap_calls() wraps, a band at a time. Axes
                           * are transformed in as many sweeps as that takes, and those that are
                           * longer than a band in two, or, with a large prime factor, six. */
    const char *load_hook;    /* an expression that each element of the input is replaced by as it
                               * is read, in whichever direction: "x * sin(pi * k / n)". NULL or
                               * "": none. docs/hooks.md describes the language. */
    const char *store_hook;   /* likewise each element of the output, scaled, before it is
                               * written. Both texts are copied. A convolution's are for its
                               * data, not for its kernels. */
    weft_operation operation; /* default WEFT_TRANSFORM. Of the others the forward direction is
                               * what there is, scaled by forward_scale and nothing else (no 1 / n
                               * is owed), and orthonormal is 0. The kernels come with an execute:
                               * see weft_plan_transform_kernels(). */
    int kernels;              /* of a convolution: as many results for one input; 0 stands for 1 */
    int64_t kernel_distance;  /* in the output, from one kernel's result to the next, any sign. 0:
                               * the product of all lengths, and out_distance 0 is `kernels` times
                               * that */
    weft_order out_order;     /* default WEFT_NATURAL. WEFT_TRANSPOSED allows the plan to leave the
                               * frequencies of long axes as they come, which takes less scratch and
                               * shuffling; the inverse direction takes them so. Whoever goes back
                               * again need not know how, and multiplies spectra of equal plans
                               * place by place. Of other kinds than WEFT_C2C, of convolutions, and
                               * where a plan streams or has ranges (below) the order stays
                               * natural. */
    /* Which elements there are, `rank` entries each, read during the call only. Of the input those
     * along axis i from in_first[i] on, in_count[i] of them, where 0 follows the last one (modulo
     * the input's length of the axis); all others count as 0 and are not computed with, and behind
     * the last of them memory need not exist. NULL: from 0 on; all. So zeros may stand behind,
     * in front, on both sides, or in the middle. Work on zeros is left out. An axis that is not
     * transformed has all its elements. Load hooks are not applied to what is left out, which stays
     * 0. A plan that streams takes no ranges that go on at 0. */
    const int64_t *in_first;
    const int64_t *in_count;
    /* Likewise of the output: others are neither computed nor written; in place they keep what they
     * had. Strides need no room for them. */
    const int64_t *out_first;
    const int64_t *out_count;
    weft_kind axis_kind[WEFT_MAX_RANK]; /* default 0, and always of complex kinds and half spectra.
                                         * Of the kinds from WEFT_DCT1 on: another of these, by
                                         * which axis i is transformed in place of `kind`. */
} weft_params;

/* Every field in order, since C++17 knows no names here. */
#define WEFT_PARAMS_DEFAULT                                                                        \
    {                                                                                              \
        WEFT_C2C, WEFT_F32, WEFT_INTERLEAVED, 1, {0}, 0, 1, NULL, NULL, 0, 0, 0, 0, 0, 0, 1,       \
            WEFT_ESTIMATE, 0, WEFT_STORED_AS_COMPUTED, WEFT_STORED_AS_COMPUTED, 0, 0, 0,           \
            NULL, NULL, WEFT_TRANSFORM, 0, 0, WEFT_NATURAL, NULL, NULL, NULL, NULL, {WEFT_C2C}     \
    }

/* What an execute may be given beyond its buffers; all zero is the default. */
typedef struct weft_execution {
    weft_buffer *scratch; /* one array, not planes, of at least weft_plan_scratch_bytes(plan)
                           * bytes, used by no other execute meanwhile; NULL: the plan keeps
                           * scratch of its own. A plan that streams has no scratch in the device's
                           * memory but, for axes in two sweeps, an array in the host's: memory that
                           * is wrapped, or what calls reach. */
    const weft_buffer *spectrum; /* of a convolution's plan: the kernels' spectra, as
                                  * weft_plan_transform_kernels() leaves them, in memory of the
                                  * plan's device, or, of one that streams, of the sorts that in
                                  * and out may be; NULL for a transform */
} weft_execution;

/* What a plan will do, as numbers. */
typedef struct weft_plan_info {
    int passes;              /* sweeps over memory in one execute; where the inverse direction has
                              * others, those of both */
    double bytes;            /* bytes read and written by those of a forward execute */
    double bound_seconds;    /* the time of one read and one write of the data at the speed of the
                              * memory that holds it: no plan can be faster */
    double expected_seconds; /* the cost model's estimate of one execute; both 0 of a plan that
                              * streams, whose passes and bytes are those between host and device */
    size_t scratch_bytes;    /* see weft_plan_scratch_bytes */
    size_t table_bytes;      /* twiddles, chirps and the like that the plan holds */
} weft_plan_info;

/* A device that weft_device_open would accept. */
typedef struct weft_device_info {
    char name[64];         /* for weft_device_open: "cpu", "null", ... */
    char description[160]; /* the chip, the instruction set or driver, for people */
    uint32_t precisions;   /* bit p: weft_precision p is supported */
    uint64_t memory_bytes; /* the memory its arrays live in; 0: unknown */
    uint32_t storages;     /* bit s: weft_storage s is supported */
} weft_device_info;

/* The version of the library in use, "major.minor.patch". Never NULL. */
WEFT_API const char *weft_version(void);

/* A status in words. Never NULL. */
WEFT_API const char *weft_status_name(weft_status status);

/* What the last failed call of this thread found wrong: what, where, and what would be accepted.
 * Never NULL; "" if none failed yet. Valid until the thread's next call that fails. */
WEFT_API const char *weft_last_error(void);

/* How many devices there are, and the index-th of them; the first one that can be used is what a
 * NULL name opens. One that is there but cannot be used has no precisions, and the reason for its
 * description. Errors of the latter: ARGUMENT (no such index), MEMORY. */
WEFT_API int weft_device_count(void);
WEFT_API weft_status weft_device_describe(int index, weft_device_info *info);

/* Opens a device. name: "cpu", "cuda:0", "opencl:0" (counted over all of OpenCL's platforms),
 * "vulkan:0" (over all that its loader lists; "vulkan:0,rpi5" with no more than a Raspberry Pi
 * 5 has), or "null" (the host evaluates the GPU
 * kernels: slow, and exact about every race and out-of-bounds access),
 * "null:shared=16384,threads=256" (with invented limits), or NULL for the best there is: a GPU,
 * otherwise the CPU. *device is the caller's to close. */
WEFT_API weft_status weft_device_open(const char *name, weft_device **device);

/* Closes it. Its plans and buffers must have been destroyed before. */
WEFT_API void weft_device_close(weft_device **device);

/* Wraps memory of the caller's, `bytes` bytes at `data`: reals, or real and imaginary parts
 * interleaved.
 * The memory stays the caller's and must outlive the buffer; alignment to one real number is
 * enough. *buffer is the caller's to destroy. On the CPU an execute works in that memory; on a GPU
 * it copies from and to it, through as much memory of the device as the data span; a plan that
 * streams goes through less, and its first execute on CUDA has the memory page-locked, until the
 * buffer is destroyed. */
WEFT_API weft_status weft_buffer_wrap(weft_device *device, void *data, size_t bytes,
                                      weft_buffer **buffer);

/* Likewise for planar data: `bytes` bytes at each of `re` and `im`. */
WEFT_API weft_status weft_buffer_wrap_planar(weft_device *device, void *re, void *im, size_t bytes,
                                             weft_buffer **buffer);

/* How an array is reached that no memory holds, as one in a file: functions of the caller's that
 * copy `bytes` bytes at `offset` of it. They return WEFT_OK, or what the execute is to return. A
 * plan calls them from the thread that executes it, one at a time. */
typedef struct weft_calls {
    weft_status (*read)(void *context, uint64_t offset, void *data, size_t bytes);
    weft_status (*write)(void *context, uint64_t offset, const void *data, size_t bytes);
    void *context; /* given to both; buffers with one context are one memory */
} weft_calls;

/* Wraps such an array of `bytes` bytes, reals or interleaved numbers, for plans that stream (see
 * memory_limit in weft_params). `calls` is copied. */
WEFT_API weft_status weft_buffer_wrap_calls(weft_device *device, const weft_calls *calls,
                                            size_t bytes, weft_buffer **buffer);

/* Allocates `bytes` bytes on the device, zeroed, as one array: for interleaved data and scratch.
 * Planar data are wrapped. The memory goes with the buffer. */
WEFT_API weft_status weft_buffer_create(weft_device *device, size_t bytes, weft_buffer **buffer);

/* Copies `bytes` bytes at `offset` of the buffer from or to the caller's memory.
 * Errors: ARGUMENT (a planar buffer has no one order of bytes), LAYOUT (beyond the buffer). */
WEFT_API weft_status weft_buffer_write(weft_buffer *buffer, size_t offset, const void *data,
                                       size_t bytes);
WEFT_API weft_status weft_buffer_read(const weft_buffer *buffer, size_t offset, void *data,
                                      size_t bytes);

/* Frees the buffer, with the memory that it allocated; wrapped memory stays the caller's. *buffer
 * becomes NULL, and may be. No execute may still use it. */
WEFT_API void weft_buffer_destroy(weft_buffer **buffer);

/* Makes a plan. The parameters are copied; the device must outlive the plan. The plan never
 * changes afterwards. *plan is the caller's to destroy. What plans of equal problems have in common
 * is made once, and the device keeps some of it (tables of up to 64 MB) when they are destroyed:
 * the next of them takes a microsecond.
 * Errors: ARGUMENT, SIZE, LAYOUT for parameters that mean nothing; UNSUPPORTED; MEMORY. */
WEFT_API weft_status weft_plan_create(weft_device *device, const weft_params *params,
                                      weft_plan **plan);

/* Transforms `in` to `out`, and returns when the result is there. Nothing is written but the
 * output's elements: neither the memory between them nor, out of place, the input, which may serve
 * several executes at once.
 *
 * If in == out (or both wrap the same memory) and strides, distances and offsets are equal on both
 * sides, the transform is in place. So it is with WEFT_R2C and WEFT_C2R if lines are contiguous on
 * both sides and every other stride, distance and offset of the reals is twice that of the complex
 * side: rows of n reals padded to 2 (n / 2 + 1). Otherwise no element of the input may share a byte
 * with one of the output. They may interlock: two channels of one array, two halves of a picture.
 * Overlapping ranges are accepted if places modulo some stride of the plan tell the two apart, and
 * are an error if not.
 *
 * Errors: ARGUMENT; LAYOUT (a buffer too small or of the wrong format, partial overlap); MEMORY (no
 * scratch). They leave the output untouched. On "null" alone a pass may fail after others have
 * written to the output: by MEMORY, since the evaluator takes notes of every access, or by DEVICE,
 * if it finds a defect; and so may one of a plan that streams, by what a call of the caller's or
 * the device's driver returns. */
WEFT_API weft_status weft_execute(const weft_plan *plan, weft_direction direction,
                                  const weft_buffer *in, weft_buffer *out);

/* Likewise, with options. */
WEFT_API weft_status weft_execute_with(const weft_plan *plan, weft_direction direction,
                                       const weft_buffer *in, weft_buffer *out,
                                       const weft_execution *execution);

/* ---- convolutions ----
 *
 *     params.operation = WEFT_CONVOLUTION;
 *     weft_plan_create(device, &params, &plan);
 *     weft_buffer_create(device, weft_plan_spectrum_bytes(plan), &spectrum);
 *     weft_plan_transform_kernels(plan, kernels, spectrum);
 *     weft_execution execution = {.spectrum = spectrum};
 *     weft_execute_with(plan, WEFT_FORWARD, in, out, &execution);
 *
 * A kernel has the transformed axes alone; what else there is, other axes and the batch, is
 * repeated over with the same kernels. Spectra may be replaced between executes, be computed by the
 * caller, and serve every plan that has the same kind, precision, transformed sizes and number of
 * kernels, a correlation as well as a convolution. */

/* Bytes of the kernels' spectra: `kernels` arrays one behind the other, each packed row-major,
 * interleaved complex numbers as they are computed with, unscaled: of WEFT_C2C as long as the
 * transformed sizes, of WEFT_R2C a half-complex array. 0: the plan is a transform's. */
WEFT_API size_t weft_plan_spectrum_bytes(const weft_plan *plan);

/* Transforms kernels to their spectra. kernels: as many arrays, packed row-major, one behind the
 * other, interleaved complex numbers or reals as they are computed with, each as long as the
 * transformed sizes; element 0 is the one that leaves data in their place. spectrum: one array of
 * weft_plan_spectrum_bytes(plan) bytes, apart from the kernels.
 * Errors: ARGUMENT (the plan is a transform's), LAYOUT, MEMORY. */
WEFT_API weft_status weft_plan_transform_kernels(const weft_plan *plan, const weft_buffer *kernels,
                                                 weft_buffer *spectrum);

/* ---- wisdom ----
 *
 * The plans that were found fastest, by problem. What is wisdom is chosen by weft_plan_create()
 * from then on, whatever the effort, in this process and in later ones: wisdom is kept in a text
 * file in $WEFT_CACHE_DIR, else $XDG_CACHE_HOME/weft, else ~/.cache/weft, one for each device;
 * nowhere if WEFT_CACHE_DIR is set and empty. */

/* What measuring came to. */
typedef struct weft_tuning {
    int candidates;          /* plans that were timed */
    double estimate_seconds; /* one execute of the plan that the cost model likes best, */
    double tuned_seconds;    /* and of the fastest */
    int kept;                /* 1: it is in the file; 0: only in this process */
} weft_tuning;

/* Times the likeliest plans for a problem on the device, on memory of its own, even if wisdom has
 * one, and makes the fastest wisdom. Errors: those of weft_plan_create; ARGUMENT also for an empty
 * batch. */
WEFT_API weft_status weft_tune(weft_device *device, const weft_params *params, weft_tuning *tuning);

/* Writes the device's wisdom to a file.
 * Errors: ARGUMENT (it cannot be written), MEMORY. */
WEFT_API weft_status weft_wisdom_export(weft_device *device, const char *path);

/* Adds what a file has to the device's wisdom.
 * Errors: UNSUPPORTED (it is of another device or version: ignored), ARGUMENT (it cannot be read or
 * is damaged, and which line is), MEMORY. Nothing was added by the first two. */
WEFT_API weft_status weft_wisdom_import(weft_device *device, const char *path);

/* The scratch one execute needs, in bytes: 0 where one pass or an order in place allows it. */
WEFT_API size_t weft_plan_scratch_bytes(const weft_plan *plan);

/* The plan in numbers. Errors: ARGUMENT (NULL). */
WEFT_API weft_status weft_plan_describe(const weft_plan *plan, weft_plan_info *info);

/* The order of an axis's n1 n2 elements where frequencies are: element k is at place
 * k % n1 * n2 + k / n1 of the axis. n1 = 1: the natural order. */
typedef struct weft_axis_order {
    int64_t n1, n2;
} weft_axis_order;

/* Tells the order of an axis, counted as in weft_params: natural unless out_order allowed another.
 * It depends on the plan, so on device, strides, batch, wisdom, version: plans share their spectra
 * if it is the same. Errors: ARGUMENT (NULL, no such axis). */
WEFT_API weft_status weft_plan_order(const weft_plan *plan, int axis, weft_axis_order *order);

/* The plan in words: its tree, and a line for every pass with the bytes it moves and the time
 * expected. Writes at most `capacity` bytes with the final 0 and returns the length that the
 * whole text has without it, as snprintf does. */
WEFT_API size_t weft_plan_text(const weft_plan *plan, char *text, size_t capacity);

/* What the device runs for the pass (counted from 0, as in the plan's text from 1): the source of
 * its kernel, or on a CPU the codelets that it calls. Writes and returns a length as weft_plan_text
 * does; 0: there is no such pass, or nothing to show. */
WEFT_API size_t weft_plan_source(const weft_plan *plan, int pass, char *text, size_t capacity);

/* Frees the plan; the device keeps what an equal one could use for a while. *plan becomes NULL, and
 * may be. No execute may still use it. */
WEFT_API void weft_plan_destroy(weft_plan **plan);

#ifdef __cplusplus
}
#endif

#endif

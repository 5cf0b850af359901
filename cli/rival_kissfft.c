/* KISS FFT: M. Borgerding's small library, in the builds for single and for double precision. Its
 * headers are not used; the declarations below are those of its manual. */
#include "rival.h"

#include <limits.h>
#include <stdlib.h>

#include "shared_library.h"

/* A prime factor p takes p multiplications an element. What takes so many is left out: seconds. */
static const double most_multiplications = 0x1p28;

/* Of a transform of complex data and of reals, of one axis and of several. */
typedef void *kissfft_alloc(int n, int inverse, void *memory, size_t *bytes);
typedef void *kissfft_alloc_axes(const int *sizes, int rank, int inverse, void *memory,
                                 size_t *bytes);
typedef void kissfft_run(void *plan, const void *in, void *out);

/* The functions of one precision; all NULL: it is not there. */
struct kissfft_library {
    kissfft_alloc *alloc, *alloc_real;
    kissfft_alloc_axes *alloc_axes, *alloc_axes_real;
    kissfft_run *c2c, *r2c, *c2r;
    kissfft_run *c2c_axes, *r2c_axes, *c2r_axes;
};

static struct kissfft_library libraries[2];

#define KISSFFT_ENTRIES(functions)                                                                 \
    {                                                                                              \
        {"kiss_fft_alloc", &(functions).alloc}, {"kiss_fftr_alloc", &(functions).alloc_real},      \
            {"kiss_fftnd_alloc", &(functions).alloc_axes},                                         \
            {"kiss_fftndr_alloc", &(functions).alloc_axes_real}, {"kiss_fft", &(functions).c2c},   \
            {"kiss_fftr", &(functions).r2c}, {"kiss_fftri", &(functions).c2r},                     \
            {"kiss_fftnd", &(functions).c2c_axes}, {"kiss_fftndr", &(functions).r2c_axes},         \
        {                                                                                          \
            "kiss_fftndri", &(functions).c2r_axes                                                  \
        }                                                                                          \
    }

enum { ENTRIES = 10 };

static const struct library_entry entries[2][ENTRIES] = {
    [WEFT_F32] = KISSFFT_ENTRIES(libraries[WEFT_F32]),
    [WEFT_F64] = KISSFFT_ENTRIES(libraries[WEFT_F64]),
};

static const char *const names[2][2] = {
    [WEFT_F32] = {"libkissfft-float.so.131", "libkissfft-float.so"},
    [WEFT_F64] = {"libkissfft-double.so.131", "libkissfft-double.so"},
};

struct kissfft_rival_plan {
    kissfft_run *run;
    void *handle;
    const char *in;
    char *out;
    int64_t batch;
    size_t in_bytes, out_bytes; /* from one array to the next */
};

static bool open_precision(weft_precision precision)
{
    void *library = library_open(NULL, names[precision], 2);
    if (library && library_find(library, entries[precision], ENTRIES)) return true;
    libraries[precision] = (struct kissfft_library){.alloc = NULL};
    return false;
}

/* Debian has it in single precision alone. */
static const char *kissfft_open(int threads)
{
    (void)threads;
    const bool single = open_precision(WEFT_F32), wide = open_precision(WEFT_F64);
    return single || wide ? NULL
                          : "KISS FFT is not installed: libkissfft-float.so.131 is needed (Debian: "
                            "libkissfft-float131), libkissfft-double.so.131 in double precision";
}

static int64_t largest_prime(int64_t n)
{
    int64_t largest = 1;
    for (int64_t p = 2; p * p <= n; p++) {
        for (; n % p == 0; n /= p)
            largest = p;
    }
    return n > largest ? n : largest;
}

static bool is_possible(const struct rival_problem *problem)
{
    const struct size_case *dims = &problem->dims;
    double multiplications = 0.0;
    for (int i = 0; i < dims->rank; i++) {
        if (dims->size[i] > INT_MAX) return false;
        multiplications += (double)size_case_elements(dims) * (double)largest_prime(dims->size[i]);
    }
    if (multiplications > most_multiplications) return false;
    if (dims->kind == WEFT_C2C) return true;
    /* Reals of even length, and rows without gaps. */
    return dims->size[dims->rank - 1] % 2 == 0 && (dims->rank == 1 || problem->in != problem->out);
}

static kissfft_run *find_run(const struct kissfft_library *library, const struct size_case *dims)
{
    if (dims->kind == WEFT_C2C) return dims->rank == 1 ? library->c2c : library->c2c_axes;
    if (dims->kind == WEFT_R2C) return dims->rank == 1 ? library->r2c : library->r2c_axes;
    return dims->rank == 1 ? library->c2r : library->c2r_axes;
}

static void *make(const struct kissfft_library *library, const struct size_case *dims)
{
    const bool real = dims->kind != WEFT_C2C;
    const int inverse = dims->kind == WEFT_C2R;
    int sizes[WEFT_MAX_RANK];
    for (int i = 0; i < dims->rank; i++)
        sizes[i] = (int)dims->size[i];
    if (dims->rank == 1)
        return (real ? library->alloc_real : library->alloc)(sizes[0], inverse, NULL, NULL);
    return (real ? library->alloc_axes_real : library->alloc_axes)(sizes, dims->rank, inverse, NULL,
                                                                   NULL);
}

static void *kissfft_plan(const struct rival_problem *problem)
{
    const struct kissfft_library *library = &libraries[problem->precision];
    const struct size_case *dims = &problem->dims;
    const bool in_place = problem->in == problem->out;
    const size_t number = problem->precision == WEFT_F64 ? sizeof(double) : sizeof(float);
    const size_t in = (size_t)size_case_side(dims, false, in_place).numbers;
    const size_t out = (size_t)size_case_side(dims, true, in_place).numbers;
    if (!library->alloc || !is_possible(problem)) return NULL;
    struct kissfft_rival_plan *plan = malloc(sizeof *plan);
    if (!plan) return NULL;
    *plan = (struct kissfft_rival_plan){.run = find_run(library, dims),
                                        .handle = make(library, dims),
                                        .in = problem->in,
                                        .out = problem->out,
                                        .batch = dims->batch,
                                        .in_bytes = in * number / (size_t)dims->batch,
                                        .out_bytes = out * number / (size_t)dims->batch};
    if (plan->handle) return plan;
    free(plan);
    return NULL;
}

static bool kissfft_execute(void *handle, int64_t repeats)
{
    const struct kissfft_rival_plan plan = *(const struct kissfft_rival_plan *)handle;
    for (int64_t repeat = 0; repeat < repeats; repeat++) {
        for (int64_t i = 0; i < plan.batch; i++)
            plan.run(plan.handle, plan.in + (size_t)i * plan.in_bytes,
                     plan.out + (size_t)i * plan.out_bytes);
    }
    return true;
}

static void kissfft_destroy(void *handle)
{
    struct kissfft_rival_plan *plan = handle;
    free(plan->handle);
    free(plan);
}

const struct rival rival_kissfft = {
    .name = "kissfft",
    .title = "KISS FFT",
    .place = &place_host,
    .kinds = RIVAL_COMPLEX | RIVAL_HALF_COMPLEX,
    .one_thread = true,
    .open = kissfft_open,
    .plan = kissfft_plan,
    .execute = kissfft_execute,
    .destroy = kissfft_destroy,
};

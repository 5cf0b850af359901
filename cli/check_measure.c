/* The error of one transform. */
#include "check.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reference/policy.h"
#include "reference/reference.h"
#include "samples.h"

/* A transform is repeated until so many elements have been compared. */
static const int64_t fewest_elements = 1024;

/* Bytes for each element in double precision, arrays and reference together: where all primes are
 * small, and at most where Bluestein's algorithm quadruples the length. */
static const double smooth_element_bytes = 160.0, large_prime_element_bytes = 700.0;

/* `repeats` inputs and outputs, one behind the other. */
struct comparison {
    const struct check_case *current;
    int64_t repeats;
    int64_t elements; /* of all repeats */
    void *in, *out;
};

static weft_status execute_one(weft_device *device, const weft_plan *plan,
                               const struct comparison *comparison, int64_t index)
{
    const struct check_case *current = comparison->current;
    size_t bytes = size_case_bytes(current->dims, current->precision);
    size_t offset = (size_t)index * bytes;
    weft_buffer *in = NULL, *out = NULL;
    weft_status status = weft_buffer_wrap(device, (char *)comparison->in + offset, bytes, &in);
    if (status == WEFT_OK)
        status = weft_buffer_wrap(device, (char *)comparison->out + offset, bytes, &out);
    if (status == WEFT_OK) status = weft_execute(plan, current->direction, in, out);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    return status;
}

static weft_status execute_all(weft_device *device, int threads,
                               const struct comparison *comparison)
{
    const struct check_case *current = comparison->current;
    weft_params params = size_case_params(current->dims, current->precision, threads);
    weft_plan *plan = NULL;
    weft_status status = weft_plan_create(device, &params, &plan);
    for (int64_t i = 0; status == WEFT_OK && i < comparison->repeats; i++)
        status = execute_one(device, plan, comparison, i);
    weft_plan_destroy(&plan);
    return status;
}

/* The reference takes repeats and batch as a first axis that is not transformed. */
struct reference_shape {
    int rank;
    int64_t size[WEFT_MAX_RANK + 1];
    uint32_t axes;
    int sign;
};

static struct reference_shape reference_shape(const struct comparison *comparison)
{
    const struct size_case *dims = comparison->current->dims;
    struct reference_shape shape = {.rank = dims->rank + 1};
    shape.size[0] = dims->batch * comparison->repeats;
    memcpy(shape.size + 1, dims->size, (size_t)dims->rank * sizeof dims->size[0]);
    shape.axes = ((1u << dims->rank) - 1) << 1;
    shape.sign = comparison->current->direction == WEFT_FORWARD ? -1 : 1;
    return shape;
}

static bool error_f32(const struct comparison *comparison, double *error)
{
    struct reference_shape shape = reference_shape(comparison);
    const float *in = comparison->in;
    double *exact = samples_create((size_t)comparison->elements * 2 * sizeof *exact);
    if (!exact) return false;
    for (int64_t i = 0; i < 2 * comparison->elements; i++)
        exact[i] = (double)in[i];
    bool done =
        reference_dft_axes_double(shape.rank, shape.size, shape.axes, shape.sign, exact, exact);
    if (done) *error = reference_error_f32(comparison->elements, comparison->out, exact);
    free(exact);
    return done;
}

static bool error_f64(const struct comparison *comparison, double *error)
{
    struct reference_shape shape = reference_shape(comparison);
    struct reference_extended *exact =
        samples_create((size_t)comparison->elements * 2 * sizeof *exact);
    if (!exact) return false;
    bool done = reference_dft_axes_extended(shape.rank, shape.size, shape.axes, shape.sign,
                                            comparison->in, exact);
    if (done) *error = reference_error_f64(comparison->elements, comparison->out, exact);
    free(exact);
    return done;
}

static const char *compare(weft_device *device, int threads, const struct comparison *comparison,
                           double *error)
{
    weft_precision precision = comparison->current->precision;
    samples_randomize(comparison->in, precision, 2 * comparison->elements,
                      (uint64_t)comparison->elements);
    if (execute_all(device, threads, comparison) != WEFT_OK) return weft_last_error();
    bool done = (precision == WEFT_F64 ? error_f64 : error_f32)(comparison, error);
    return done ? NULL : "no memory for the reference";
}

static bool fits_memory(const struct size_case *dims, int64_t elements)
{
    bool smooth = policy_is_smooth(dims->rank, dims->size);
    double element_bytes = smooth ? smooth_element_bytes : large_prime_element_bytes;
    return samples_fit(element_bytes * (double)elements);
}

const char *check_measure(weft_device *device, int threads, const struct check_case *current,
                          double *error)
{
    const struct size_case *dims = current->dims;
    struct comparison comparison = {.current = current};
    int64_t elements = size_case_elements(dims);
    comparison.repeats = (fewest_elements + elements - 1) / elements;
    comparison.elements = elements * comparison.repeats;
    if (!fits_memory(dims, comparison.elements)) return "needs more memory than this machine has";
    size_t bytes = size_case_bytes(dims, current->precision) * (size_t)comparison.repeats;
    comparison.in = samples_create(bytes);
    comparison.out = samples_create(bytes);
    const char *problem = "no memory for the arrays";
    if (comparison.in && comparison.out) problem = compare(device, threads, &comparison, error);
    free(comparison.in);
    free(comparison.out);
    return problem;
}

/* The error of one transform. */
#include "check.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "reference/half.h"
#include "reference/policy.h"
#include "reference/reference.h"
#include "samples.h"

/* A transform is repeated until so many elements have been compared; beside another library, whose
 * errors may differ by a per cent, more. */
static const int64_t fewest_elements = 1024, fewest_beside_rival = 65536;

/* Bytes for each element in double precision, arrays and reference together: where all primes are
 * small, and at most where Bluestein's algorithm quadruples the length. */
static const double smooth_element_bytes = 160.0, large_prime_element_bytes = 700.0;

/* `repeats` inputs and outputs, one behind the other. */
struct comparison {
    const struct check_case *current;
    int64_t repeats;
    int64_t elements; /* of all repeats */
    weft_params params;
    struct ranges ranges;
    void *in, *out;
    void *rival_out; /* NULL: there is no rival */
};

size_t check_side_bytes(const struct check_case *current, bool out)
{
    return (size_t)size_case_numbers(current->dims, out) * samples_number_bytes(current->precision);
}

static weft_status execute_one(weft_device *device, const weft_plan *plan,
                               const struct comparison *comparison, int64_t index)
{
    const struct check_case *current = comparison->current;
    size_t in_bytes = check_side_bytes(current, false), out_bytes = check_side_bytes(current, true);
    char *from = (char *)comparison->in + (size_t)index * in_bytes;
    char *to = (char *)comparison->out + (size_t)index * out_bytes;
    weft_buffer *in = NULL, *out = NULL;
    weft_status status = weft_buffer_wrap(device, from, in_bytes, &in);
    if (status == WEFT_OK) status = weft_buffer_wrap(device, to, out_bytes, &out);
    if (status == WEFT_OK) status = weft_execute(plan, current->direction, in, out);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    return status;
}

static weft_status execute_all(weft_device *device, const struct comparison *comparison)
{
    weft_plan *plan = NULL;
    weft_status status = weft_plan_create(device, &comparison->params, &plan);
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

/* Number i of an array in the precision of the case. */
static double number_at(const struct comparison *comparison, const void *data, int64_t i)
{
    return samples_number(data, comparison->current->precision, i);
}

static struct reference_extended extended_at(const struct comparison *comparison, const void *data,
                                             int64_t i)
{
    const bool pairs = comparison->current->precision == WEFT_DD;
    return (struct reference_extended){number_at(comparison, data, i),
                                       pairs ? ((const double *)data)[2 * i + 1] : 0};
}

/* The complex numbers that the input stands for. NULL: no memory. */
static double *whole_input(const struct comparison *comparison, const struct reference_shape *shape)
{
    const weft_kind kind = comparison->current->dims->kind;
    const int64_t numbers =
        comparison->repeats * size_case_numbers(comparison->current->dims, false);
    double *given = samples_create((size_t)comparison->elements * 2 * sizeof *given);
    double *whole = samples_create((size_t)comparison->elements * 2 * sizeof *whole);
    for (int64_t i = 0; given && whole && i < numbers; i++) {
        const double x = number_at(comparison, comparison->in, i);
        if (kind == WEFT_R2C || kind >= WEFT_DCT1) {
            whole[2 * i] = x;
            whole[2 * i + 1] = 0;
        } else {
            (kind == WEFT_C2R ? given : whole)[i] = x;
        }
    }
    if (given && whole && kind == WEFT_C2R)
        half_extend(shape->rank, shape->size, shape->axes, given, whole);
    free(given);
    if (given) return whole;
    free(whole);
    return NULL;
}

/* Whether the output has the element, and both parts of it. */
static bool is_output(const struct comparison *comparison, const struct reference_shape *shape,
                      int64_t element, bool imaginary)
{
    const weft_kind kind = comparison->current->dims->kind;
    if (kind == WEFT_C2R || kind >= WEFT_DCT1) return !imaginary;
    return kind == WEFT_C2C || half_has(shape->rank, shape->size, shape->axes, element);
}

/* ||out - exact|| / ||exact|| over the numbers that the output has and that are wanted, exact in
 * double precision. */
static double error_narrow(const struct comparison *comparison, const struct reference_shape *shape,
                           const double *exact, const void *out)
{
    double off = 0.0, norm = 0.0;
    int64_t to = 0;
    for (int64_t i = 0; i < 2 * comparison->elements; i++) {
        if (!is_output(comparison, shape, i / 2, i % 2)) continue;
        const int64_t at = to++;
        if (!ranges_have(&comparison->ranges, true, shape->size + 1, i / 2)) continue;
        const double difference = number_at(comparison, out, at) - exact[i];
        off += difference * difference;
        norm += exact[i] * exact[i];
    }
    return norm == 0 && off == 0 ? 0 : sqrt(off / norm);
}

/* Likewise, exact as a sum of two doubles. */
static double error_wide(const struct comparison *comparison, const struct reference_shape *shape,
                         const struct reference_extended *exact, const void *out)
{
    double off = 0.0, norm = 0.0;
    int64_t to = 0;
    for (int64_t i = 0; i < 2 * comparison->elements; i++) {
        if (!is_output(comparison, shape, i / 2, i % 2)) continue;
        const int64_t at = to++;
        if (!ranges_have(&comparison->ranges, true, shape->size + 1, i / 2)) continue;
        const struct reference_extended x = extended_at(comparison, out, at);
        const double difference = (x.hi - exact[i].hi) + (x.lo - exact[i].lo);
        off += difference * difference;
        norm += exact[i].hi * exact[i].hi;
    }
    return norm == 0 && off == 0 ? 0 : sqrt(off / norm);
}

/* What the direction computes of reals to reals along an axis, as the reference names it. */
static enum reference_kind real_kind(const struct check_case *current, int axis)
{
    weft_kind kind = size_case_kind(current->dims, axis);
    if (current->direction == WEFT_INVERSE) {
        const weft_kind given = kind;
        if (given == WEFT_DCT2 || given == WEFT_DST2) kind = given + 1;
        if (given == WEFT_DCT3 || given == WEFT_DST3) kind = given - 1;
    }
    return REFERENCE_DCT1 + (kind - WEFT_DCT1);
}

/* ... along those of a shape, the last of which are the case's. */
static struct reference_real real_kinds(const struct check_case *current,
                                        const struct reference_shape *shape,
                                        enum reference_kind kind[])
{
    const int before = shape->rank - current->dims->rank;
    for (int i = before; i < shape->rank; i++) kind[i] = real_kind(current, i - before);
    return (struct reference_real){kind, false};
}

static bool transform_wide(const struct comparison *comparison, const struct reference_shape *shape,
                           const double *whole, struct reference_extended *exact)
{
    enum reference_kind kind[WEFT_MAX_RANK + 1];
    if (comparison->current->dims->kind >= WEFT_DCT1) {
        return reference_real_axes_extended(shape->rank, shape->size, shape->axes,
                                            real_kinds(comparison->current, shape, kind), whole,
                                            exact);
    }
    return reference_dft_axes_extended(shape->rank, shape->size, shape->axes, shape->sign, whole,
                                       exact);
}

static bool transform_narrow(const struct comparison *comparison,
                             const struct reference_shape *shape, double *whole)
{
    enum reference_kind kind[WEFT_MAX_RANK + 1];
    if (comparison->current->dims->kind >= WEFT_DCT1) {
        return reference_real_axes_double(shape->rank, shape->size, shape->axes,
                                          real_kinds(comparison->current, shape, kind), whole,
                                          whole);
    }
    return reference_dft_axes_double(shape->rank, shape->size, shape->axes, shape->sign, whole,
                                     whole);
}

/* What the transforms should have made: `wide` is NULL where doubles are exact enough. */
struct exact {
    double *narrow;
    struct reference_extended *wide;
};

static double error_of(const struct comparison *comparison, const struct exact *exact,
                       const void *out)
{
    const struct reference_shape shape = reference_shape(comparison);
    return exact->wide ? error_wide(comparison, &shape, exact->wide, out)
                       : error_narrow(comparison, &shape, exact->narrow, out);
}

static bool make_exact(const struct comparison *comparison, struct exact *exact)
{
    const struct reference_shape shape = reference_shape(comparison);
    const weft_precision precision = comparison->current->precision;
    exact->narrow = whole_input(comparison, &shape);
    if (!exact->narrow) return false;
    if (precision != WEFT_F64 && precision != WEFT_DD)
        return transform_narrow(comparison, &shape, exact->narrow);
    exact->wide = samples_create((size_t)comparison->elements * 2 * sizeof *exact->wide);
    return exact->wide && transform_wide(comparison, &shape, exact->narrow, exact->wide);
}

static bool judge(const struct comparison *comparison, struct check_errors *errors)
{
    struct exact exact = {0};
    const bool done = make_exact(comparison, &exact);
    if (done) {
        errors->weft = error_of(comparison, &exact, comparison->out);
        errors->rival =
            comparison->rival_out ? error_of(comparison, &exact, comparison->rival_out) : NAN;
    }
    free(exact.narrow);
    free(exact.wide);
    return done;
}

/* What there is none of counts as zero. */
static void clear_input(const struct comparison *comparison, int64_t numbers)
{
    const struct check_case *current = comparison->current;
    const int parts = size_case_side(current->dims, false, false).parts;
    for (int64_t i = 0; i < numbers && comparison->ranges.given[0]; i++) {
        const int64_t element = i / parts;
        if (!ranges_have(&comparison->ranges, false, comparison->ranges.length[0], element))
            samples_set_number(comparison->in, current->precision, i, 0);
    }
}

/* Leaves no rival_out where the rival has no such transform. */
static const char *run_rival(struct comparison *comparison, const struct rival *rival, size_t bytes)
{
    const char *problem = NULL;
    comparison->rival_out = samples_create(bytes);
    if (!comparison->rival_out) return "no memory for the rival";
    if (check_run_rival(rival, comparison->current, comparison->params.threads, comparison->repeats,
                        comparison->in, comparison->rival_out, &problem))
        return problem;
    free(comparison->rival_out);
    comparison->rival_out = NULL;
    return problem;
}

static const char *compare(weft_device *device, struct comparison *comparison,
                           const struct rival *rival, struct check_errors *errors)
{
    const struct check_case *current = comparison->current;
    const int64_t numbers = comparison->repeats * size_case_numbers(current->dims, false);
    const char *problem = ranges_make(current->ranges, &comparison->params, &comparison->ranges);
    if (problem) return problem;
    ranges_take(&comparison->ranges, &comparison->params);
    samples_randomize(comparison->in, current->precision, numbers, (uint64_t)comparison->elements);
    clear_input(comparison, numbers);
    if (execute_all(device, comparison) != WEFT_OK) return weft_last_error();
    const size_t out_bytes = (size_t)comparison->repeats * check_side_bytes(current, true);
    if (rival) problem = run_rival(comparison, rival, out_bytes);
    if (problem) return problem;
    return judge(comparison, errors) ? NULL : "no memory for the reference";
}

static bool fits_memory(const struct size_case *dims, int64_t elements)
{
    bool smooth = policy_is_smooth(dims->rank, dims->size);
    double element_bytes = smooth ? smooth_element_bytes : large_prime_element_bytes;
    return samples_fit(element_bytes * (double)elements);
}

const char *check_measure(weft_device *device, int threads, const struct check_case *current,
                          const struct rival *rival, struct check_errors *errors)
{
    const struct size_case *dims = current->dims;
    struct comparison comparison = {.current = current,
                                    .params = size_case_params(dims, current->precision, threads)};
    int64_t elements = size_case_elements(dims);
    const int64_t fewest = rival ? fewest_beside_rival : fewest_elements;
    comparison.repeats = (fewest + elements - 1) / elements;
    comparison.elements = elements * comparison.repeats;
    if (!fits_memory(dims, comparison.elements)) return "needs more memory than this machine has";
    size_t bytes = size_case_bytes(dims, current->precision) * (size_t)comparison.repeats;
    comparison.in = samples_create(bytes);
    comparison.out = samples_create(bytes);
    const char *problem = "no memory for the arrays";
    if (comparison.in && comparison.out) problem = compare(device, &comparison, rival, errors);
    free(comparison.in);
    free(comparison.out);
    free(comparison.rival_out);
    return problem;
}

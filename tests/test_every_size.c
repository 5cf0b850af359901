/* One-dimensional transforms of every small size, of random large ones and of large primes, within
 * the error policy, on every instruction set of this machine.
 *
 * WEFT_TEST_LONG=1 in the environment tries all 200 random sizes in both precisions on all sets. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "reference/policy.h"
#include "reference/reference.h"
#include "support/devices.h"
#include "support/random.h"

enum { MOST_DEVICES = 8, MOST_COMPLAINTS = 20 };

/* A transform is repeated until so many elements have been compared: the policy is for the mean. */
enum { FEWEST_ELEMENTS = 2048 };

static struct test_device devices[MOST_DEVICES];
static int device_count;
static struct random state_of_random;
static int complaints;

/* Random inputs, one behind the other, and what their forward transforms must be. */
struct expectation {
    int64_t n, repeats;
    int64_t elements; /* of them all */
    weft_precision precision;
    double *in; /* numbers of the precision */
    double *single;
    struct reference_extended *extended;
    double limit;
};

static void *checked(void *memory)
{
    if (!memory) abort();
    return memory;
}

static struct expectation expect(int64_t n, weft_precision precision)
{
    struct expectation e = {.n = n, .precision = precision};
    e.repeats = (FEWEST_ELEMENTS + n - 1) / n;
    e.elements = n * e.repeats;
    const int64_t size[] = {e.repeats, n};
    e.in = checked(malloc((size_t)e.elements * 2 * sizeof(double)));
    for (int64_t i = 0; i < 2 * e.elements; i++) {
        const double x = random_number(&state_of_random);
        e.in[i] = precision == WEFT_F32 ? (double)(float)x : x;
    }
    if (precision == WEFT_F32) {
        e.single = checked(malloc((size_t)e.elements * 2 * sizeof *e.single));
        assert_true(reference_dft_axes_double(2, size, 2, -1, e.in, e.single));
        e.limit = policy_limit_f32(NULL, 1, &n);
    } else {
        e.extended = checked(malloc((size_t)e.elements * 2 * sizeof *e.extended));
        assert_true(reference_dft_axes_extended(2, size, 2, -1, e.in, e.extended));
        e.limit = policy_limit_f64(NULL, 1, &n);
    }
    return e;
}

static void forget(struct expectation *e)
{
    free(e->in);
    free(e->single);
    free(e->extended);
}

/* The data in the caller's precision. */
static unsigned char *convert(const struct expectation *e)
{
    void *data = checked(malloc((size_t)e->elements * 2 * sizeof(double)));
    float *single = data;
    double *twice = data;
    for (int64_t i = 0; i < 2 * e->elements; i++) {
        if (e->precision == WEFT_F32) single[i] = (float)e->in[i];
        else twice[i] = e->in[i];
    }
    return data;
}

static size_t element_bytes(const struct expectation *e)
{
    return e->precision == WEFT_F32 ? 2 * sizeof(float) : 2 * sizeof(double);
}

/* The inverse transform is the forward one with its results backwards from the second on. */
static void turn_round(const struct expectation *e, unsigned char *data)
{
    const size_t bytes = element_bytes(e);
    for (int64_t a = 1, b = e->n - 1; a < b; a++, b--) {
        unsigned char kept[2 * sizeof(double)];
        memcpy(kept, data + (size_t)a * bytes, bytes);
        memcpy(data + (size_t)a * bytes, data + (size_t)b * bytes, bytes);
        memcpy(data + (size_t)b * bytes, kept, bytes);
    }
}

static double error_of(const struct expectation *e, const void *result)
{
    return e->single ? reference_error_f32(e->elements, result, e->single)
                     : reference_error_f64(e->elements, result, e->extended);
}

static void complain(const struct expectation *e, const struct test_device *device,
                     const char *what, double error)
{
    if (complaints++ >= MOST_COMPLAINTS) return;
    print_error("%" PRId64 " %s on %s: %s, error %.3g, limit %.3g\n", e->n,
                e->single ? "f32" : "f64", device->name, what, error, e->limit);
}

/* One input to the transform of its own, turned round if inverse. */
static weft_status execute(const struct expectation *e, const struct test_device *device,
                           const weft_plan *plan, weft_direction direction, unsigned char *in,
                           unsigned char *out)
{
    weft_buffer *from, *to;
    const size_t bytes = (size_t)e->n * element_bytes(e);
    assert_int_equal(weft_buffer_wrap(device->device, in, bytes, &from), WEFT_OK);
    assert_int_equal(weft_buffer_wrap(device->device, out, bytes, &to), WEFT_OK);
    const weft_status status = weft_execute(plan, direction, from, to);
    weft_buffer_destroy(&from);
    weft_buffer_destroy(&to);
    if (direction == WEFT_INVERSE) turn_round(e, out);
    return status;
}

static void try_direction(const struct expectation *e, const struct test_device *device,
                          const weft_plan *plan, weft_direction direction)
{
    unsigned char *in = convert(e);
    unsigned char *out = checked(malloc((size_t)e->elements * 2 * sizeof(double)));
    weft_status status = WEFT_OK;
    for (int64_t i = 0; i < e->repeats && !status; i++) {
        const size_t start = (size_t)(i * e->n) * element_bytes(e);
        status = execute(e, device, plan, direction, in + start, out + start);
    }
    const double error = status ? NAN : error_of(e, out);
    if (status) complain(e, device, weft_last_error(), error);
    else if (!(error <= e->limit))
        complain(e, device, direction == WEFT_INVERSE ? "inverse" : "forward", error);
    free(in);
    free(out);
}

static void try_size(const struct expectation *e, const struct test_device *device)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.size[0] = e->n;
    params.precision = e->precision;
    weft_plan *plan;
    if (weft_plan_create(device->device, &params, &plan)) {
        complain(e, device, weft_last_error(), NAN);
        return;
    }
    try_direction(e, device, plan, WEFT_FORWARD);
    try_direction(e, device, plan, WEFT_INVERSE);
    weft_plan_destroy(&plan);
}

static void try_everywhere(int64_t n, weft_precision precision)
{
    struct expectation e = expect(n, precision);
    for (int d = 0; d < device_count; d++) try_size(&e, &devices[d]);
    forget(&e);
}

static void every_size_to_2048_matches_the_reference(void **state)
{
    (void)state;
    complaints = 0;
    for (int64_t n = 1; n <= 2048; n++) {
        try_everywhere(n, WEFT_F32);
        try_everywhere(n, WEFT_F64);
    }
    assert_int_equal(complaints, 0);
}

/* As many small ones as large ones: uniform in the logarithm. */
static int64_t random_size(void)
{
    const double exponent = 0.5 + 0.5 * random_number(&state_of_random);
    return (int64_t)(2049 * pow(1e6 / 2049, exponent));
}

static void random_sizes_to_a_million_match_the_reference(void **state)
{
    (void)state;
    complaints = 0;
    const bool all = getenv("WEFT_TEST_LONG") != NULL;
    const int count = all ? 200 : 60;
    for (int i = 0; i < count; i++) {
        const int64_t n = random_size();
        try_everywhere(n, WEFT_F32);
        /* The reference for doubles takes longest of all. */
        if (all || i % 4 == 0) try_everywhere(n, WEFT_F64);
    }
    assert_int_equal(complaints, 0);
}

static void large_primes_match_the_reference(void **state)
{
    (void)state;
    static const int64_t primes[] = {10007, 65537, 100003, 999983, 1000003};
    complaints = 0;
    for (size_t i = 0; i < sizeof primes / sizeof *primes; i++) {
        try_everywhere(primes[i], WEFT_F32);
        try_everywhere(primes[i], WEFT_F64);
    }
    assert_int_equal(complaints, 0);
}

/* Their last steps may be done a group of lanes at a time. */
static void long_lines_match_the_reference(void **state)
{
    (void)state;
    static const int64_t sizes[] = {6480, 8192, 12800, 14400, 16384, 20480, 32768, 36000};
    complaints = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        try_everywhere(sizes[i], WEFT_F32);
        try_everywhere(sizes[i], WEFT_F64);
    }
    assert_int_equal(complaints, 0);
}

/* Columns leave scratch in blocks for rows, of which the last may be narrow, and so may the rows'
 * last tile be. */
static void splits_match_the_reference(void **state)
{
    (void)state;
    static const int64_t sizes[] = {65536,  100000, 117649, 131072, 177147, 250000,
                                    262144, 390625, 510510, 524288, 531441, 1000000};
    complaints = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        try_everywhere(sizes[i], WEFT_F32);
        try_everywhere(sizes[i], WEFT_F64);
    }
    assert_int_equal(complaints, 0);
}

/* Their splits have a column of one step, which takes other codelets. */
static void products_of_a_small_and_a_large_prime_match_the_reference(void **state)
{
    (void)state;
    static const int64_t small[] = {17, 19, 23, 29, 31}, large[] = {179, 439, 1009};
    static const int64_t nested[] = {3 * 19 * 5063, 4 * 17 * 5003, 8 * 31 * 1009};
    complaints = 0;
    for (size_t i = 0; i < sizeof nested / sizeof *nested; i++)
        try_everywhere(nested[i], WEFT_F32);
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        for (size_t j = 0; j < sizeof large / sizeof *large; j++) {
            try_everywhere(small[i] * large[j], WEFT_F32);
            try_everywhere(small[i] * large[j], WEFT_F64);
        }
    }
    assert_int_equal(complaints, 0);
}

static int open_devices(void **state)
{
    (void)state;
    state_of_random.state = random_seed();
    device_count = devices_open_cpus(MOST_DEVICES, devices);
    return device_count > 0 ? 0 : -1;
}

static int close_devices(void **state)
{
    (void)state;
    devices_close(device_count, devices);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_size_to_2048_matches_the_reference),
        cmocka_unit_test(random_sizes_to_a_million_match_the_reference),
        cmocka_unit_test(long_lines_match_the_reference),
        cmocka_unit_test(splits_match_the_reference),
        cmocka_unit_test(large_primes_match_the_reference),
        cmocka_unit_test(products_of_a_small_and_a_large_prime_match_the_reference),
    };
    return cmocka_run_group_tests(tests, open_devices, close_devices);
}

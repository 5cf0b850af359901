/* weft/configure.h: rectangles of random widths, origins and channels against the defining sum. */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "support/random.h"
#include "weft/configure.h"

#define PI 3.14159265358979323846
#define UNTOUCHED 12345.0f
#define TOLERANCE 1e-5

enum { TRIALS = 60, EVALUATED_TRIALS = 12, LONGEST = 9 };

static uint64_t seed;

/* One domain: its rectangle in memory, and where the data lie in it. */
struct domain {
    weft_domain_format format;
    weft_rectangle rectangle;
    int64_t width, columns, rows; /* of the rectangle; of the data */
    size_t count;                 /* reals */
    float *data;
    weft_buffer *buffer;
};

struct attempt {
    weft_device *device;
    int64_t size[2];
    unsigned mask;
    struct domain spatial, frequency;
    weft_configuration *configuration;
};

static const weft_domain_format formats[][2] = {{WEFT_REAL, WEFT_HALF_COMPLEX},
                                                {WEFT_REAL, WEFT_COMPLEX},
                                                {WEFT_COMPLEX, WEFT_COMPLEX}};

static int parts(const struct domain *d)
{
    return d->format == WEFT_REAL ? 1 : 2;
}

static int channels(const struct domain *d)
{
    return d->rectangle.channels ? d->rectangle.channels : parts(d);
}

static float *element(const struct domain *d, int64_t row, int64_t column)
{
    const int64_t *origin = d->rectangle.origin;
    const int64_t texel = (origin[1] + row) * d->width + origin[0] + column;
    return d->data + texel * channels(d) + d->rectangle.channel;
}

static double complex value(const struct domain *d, int64_t row, int64_t column)
{
    const float *at = element(d, row, column);
    return d->format == WEFT_REAL ? at[0] : at[0] + I * at[1];
}

static void make_domain(struct random *random, struct domain *d, bool placed)
{
    d->rectangle = (weft_rectangle){0};
    d->width = d->columns + random_between(random, 0, 3);
    if (placed) {
        const int more = (int)random_between(random, 1, 3);
        d->rectangle.channels = parts(d) * more;
        d->rectangle.channel = parts(d) * (int)random_between(random, 0, more - 1);
        d->rectangle.origin[0] = random_between(random, 0, d->width - d->columns);
        d->rectangle.origin[1] = random_between(random, 0, 2);
    }
    d->count = (size_t)(d->width * (d->rectangle.origin[1] + d->rows) * channels(d));
    d->data = malloc(d->count * sizeof *d->data);
    if (!d->data) abort();
    for (size_t i = 0; i < d->count; i++) d->data[i] = UNTOUCHED;
}

static void wrap(weft_device *device, struct domain *d)
{
    assert_done(weft_buffer_wrap(device, d->data, d->count * sizeof *d->data, &d->buffer));
}

static void make_data(struct attempt *a, struct random *random)
{
    for (int64_t y = 0; y < a->spatial.rows; y++) {
        for (int64_t x = 0; x < a->spatial.columns; x++) {
            for (int part = 0; part < parts(&a->spatial); part++)
                element(&a->spatial, y, x)[part] = (float)random_number(random);
        }
    }
}

/* The defining sum at one frequency, along the dimensions of the mask. */
static double complex exact_at(const struct attempt *a, int64_t v, int64_t u)
{
    const bool rows = a->mask & WEFT_ROWS, columns = a->mask & WEFT_COLUMNS;
    const double w = (double)a->size[0], h = (double)a->size[1];
    double complex sum = 0;
    for (int64_t y = columns ? 0 : v; y < (columns ? a->size[1] : v + 1); y++) {
        for (int64_t x = rows ? 0 : u; x < (rows ? a->size[0] : u + 1); x++) {
            const double turn = (rows ? (double)(x * u) / w : 0) +
                                (columns ? (double)(y * v) / h : 0);
            sum += value(&a->spatial, y, x) * cexp(-2 * PI * I * turn);
        }
    }
    return sum;
}

static void start(struct attempt *a, weft_device *device, struct random *random, bool placed)
{
    const weft_domain_format *format = formats[random_between(random, 0, 2)];
    *a = (struct attempt){.device = device};
    for (int i = 0; i < 2; i++) a->size[i] = random_between(random, 1, LONGEST);
    a->mask = (unsigned)random_between(random, 1, 3);
    a->spatial = (struct domain){.format = format[0], .columns = a->size[0], .rows = a->size[1]};
    a->frequency = (struct domain){.format = format[1], .columns = a->size[0], .rows = a->size[1]};
    if (format[1] == WEFT_HALF_COMPLEX) {
        int64_t *halved = a->mask & WEFT_ROWS ? &a->frequency.columns : &a->frequency.rows;
        *halved = *halved / 2 + 1;
    }
    make_domain(random, &a->spatial, placed);
    make_domain(random, &a->frequency, placed);
    make_data(a, random);
    wrap(device, &a->spatial);
    wrap(device, &a->frequency);
    assert_done(weft_configure(device, format[0], format[1], a->size, a->spatial.width,
                               a->frequency.width, a->mask, &a->configuration));
}

static void compute(const struct attempt *a, bool inverse, bool placed, weft_buffer *temporary)
{
    weft_buffer *in = inverse ? a->frequency.buffer : a->spatial.buffer;
    weft_buffer *out = inverse ? a->spatial.buffer : a->frequency.buffer;
    const weft_computation how = {a->spatial.rectangle, a->frequency.rectangle, temporary};
    assert_done(placed ? weft_compute_with(a->configuration, inverse, in, out, &how)
                       : weft_compute(a->configuration, inverse, in, out));
}

/* Everything in the domain's memory but its elements is as it was. */
static void assert_untouched(const struct domain *d)
{
    size_t written = 0;
    for (size_t i = 0; i < d->count; i++) written += d->data[i] != UNTOUCHED;
    assert_int_equal(written, d->rows * d->columns * parts(d));
}

static void assert_spectrum(const struct attempt *a)
{
    for (int64_t v = 0; v < a->frequency.rows; v++) {
        for (int64_t u = 0; u < a->frequency.columns; u++) {
            const double error = cabs(value(&a->frequency, v, u) - exact_at(a, v, u));
            assert_true(error < TOLERANCE * (double)(a->size[0] * a->size[1]));
        }
    }
    assert_untouched(&a->frequency);
}

/* Clears the spatial domain and has the inverse fill it again. */
static void assert_round_trip(const struct attempt *a, bool placed, weft_buffer *temporary)
{
    const size_t bytes = a->spatial.count * sizeof(float);
    float *before = malloc(bytes);
    if (!before) abort();
    memcpy(before, a->spatial.data, bytes);
    for (int64_t y = 0; y < a->spatial.rows; y++) {
        for (int64_t x = 0; x < a->spatial.columns; x++)
            memset(element(&a->spatial, y, x), 0, (size_t)parts(&a->spatial) * sizeof(float));
    }
    compute(a, true, placed, temporary);
    for (size_t i = 0; i < a->spatial.count; i++)
        assert_true(fabs((double)a->spatial.data[i] - (double)before[i]) < TOLERANCE);
    assert_untouched(&a->spatial);
    free(before);
}

static void finish(struct attempt *a)
{
    weft_configuration_destroy(&a->configuration);
    weft_buffer_destroy(&a->spatial.buffer);
    weft_buffer_destroy(&a->frequency.buffer);
    free(a->spatial.data);
    free(a->frequency.data);
}

static void try_many(const char *name, int trials, bool placed, bool with_temporary)
{
    weft_device *device = NULL;
    assert_done(weft_device_open(name, &device));
    struct random random = {seed};
    for (int i = 0; i < trials; i++) {
        struct attempt a;
        weft_buffer *temporary = NULL;
        start(&a, device, &random, placed);
        const size_t bytes = weft_configuration_temporary_bytes(a.configuration);
        if (with_temporary) assert_done(weft_buffer_create(device, bytes, &temporary));
        compute(&a, false, placed, temporary);
        assert_spectrum(&a);
        assert_round_trip(&a, placed, temporary);
        weft_buffer_destroy(&temporary);
        finish(&a);
    }
    weft_device_close(&device);
}

static void spectra_are_the_sums_and_inverses_give_the_data_back(void **state)
{
    (void)state;
    try_many("cpu", TRIALS, false, false);
    try_many("null", EVALUATED_TRIALS, false, false);
}

static void data_may_lie_anywhere_in_their_rectangles_and_in_any_channel(void **state)
{
    (void)state;
    try_many("cpu", TRIALS, true, false);
    try_many("null", EVALUATED_TRIALS, true, false);
}

static void temporaries_may_be_the_callers(void **state)
{
    (void)state;
    try_many("cpu", TRIALS, true, true);
    try_many("null", EVALUATED_TRIALS, true, true);
}

/* ---- refusals ---- */

static void assert_not_configured(weft_domain_format spatial, weft_domain_format frequency,
                                  int64_t width, unsigned mask, weft_status status,
                                  const char *words)
{
    weft_device *device = NULL;
    weft_configuration *configuration = NULL;
    const int64_t size[2] = {8, 4};
    assert_done(weft_device_open("cpu", &device));
    assert_refused(weft_configure(device, spatial, frequency, size, 8, width, mask, &configuration),
                   status, words);
    assert_null(configuration);
    weft_device_close(&device);
}

static void what_means_nothing_is_not_configured(void **state)
{
    (void)state;
    assert_not_configured(WEFT_COMPLEX, WEFT_HALF_COMPLEX, 8, 3, WEFT_ERROR_ARGUMENT, "formats");
    assert_not_configured(WEFT_REAL, WEFT_REAL, 8, 3, WEFT_ERROR_ARGUMENT, "formats");
    assert_not_configured(WEFT_HALF_COMPLEX, WEFT_REAL, 8, 3, WEFT_ERROR_ARGUMENT, "formats");
    assert_not_configured(WEFT_COMPLEX, WEFT_COMPLEX, 8, 0, WEFT_ERROR_ARGUMENT, "dim_mask");
    assert_not_configured(WEFT_COMPLEX, WEFT_COMPLEX, 8, 4, WEFT_ERROR_ARGUMENT, "dim_mask");
    assert_not_configured(WEFT_COMPLEX, WEFT_COMPLEX, 7, 3, WEFT_ERROR_LAYOUT, "8");
    assert_not_configured(WEFT_REAL, WEFT_HALF_COMPLEX, 4, 1, WEFT_ERROR_LAYOUT, "5");
    assert_refused(weft_compute(NULL, 0, NULL, NULL), WEFT_ERROR_ARGUMENT, "NULL");
}

static void data_beyond_their_rectangle_are_refused(void **state)
{
    (void)state;
    weft_device *device = NULL;
    weft_configuration *c = NULL;
    weft_buffer *buffer = NULL;
    const int64_t size[2] = {8, 4};
    assert_done(weft_device_open("cpu", &device));
    assert_done(weft_configure(device, WEFT_REAL, WEFT_HALF_COMPLEX, size, 9, 5, 3, &c));
    assert_done(weft_buffer_create(device, 4096, &buffer));
    weft_computation how = {.spatial = {.origin = {2, 0}}};
    assert_refused(weft_compute_with(c, 0, buffer, buffer, &how), WEFT_ERROR_LAYOUT, "column");
    how = (weft_computation){.spatial = {.channels = 3, .channel = 3}};
    assert_refused(weft_compute_with(c, 0, buffer, buffer, &how), WEFT_ERROR_ARGUMENT, "channel");
    how = (weft_computation){.frequency = {.channels = 4, .channel = 1}};
    assert_refused(weft_compute_with(c, 0, buffer, buffer, &how), WEFT_ERROR_ARGUMENT, "channel");
    how = (weft_computation){.frequency = {.origin = {0, INT64_MAX / 4}}};
    assert_refused(weft_compute_with(c, 0, buffer, buffer, &how), WEFT_ERROR_SIZE, "2^63");
    weft_buffer_destroy(&buffer);
    weft_configuration_destroy(&c);
    weft_device_close(&device);
}

int main(void)
{
    seed = random_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spectra_are_the_sums_and_inverses_give_the_data_back),
        cmocka_unit_test(data_may_lie_anywhere_in_their_rectangles_and_in_any_channel),
        cmocka_unit_test(temporaries_may_be_the_callers),
        cmocka_unit_test(what_means_nothing_is_not_configured),
        cmocka_unit_test(data_beyond_their_rectangle_are_refused),
    };
    return cmocka_run_group_tests_name("configure", tests, NULL, NULL);
}

/* The strongest frequencies of a spectrum, and the pictures of it. */
#include "cli/colour_map.h"
#include "cli/output.h"
#include "cli/picture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

/* An array of zeros, to be filled with a spectrum. */
static array make_array(int rank, const int64_t *size)
{
    array a;
    failure why;
    assert_true(array_create(&a, rank, size, WEFT_F64, &why));
    return a;
}

static spectrum make_spectrum(const array *a, uint32_t axes, bool is_real)
{
    spectrum s;
    failure why;
    assert_true(spectrum_create(&s, a, axes, 0, is_real, &why));
    return s;
}

static void peaks_come_by_strength_without_frequency_zero_and_mirrors(void **state)
{
    (void)state;
    const int64_t size[] = {16};
    array a = make_array(1, size);
    array_set(&a, 0, 100, 0);
    array_set(&a, 3, 0, 5);
    array_set(&a, 13, 0, -5);
    array_set(&a, 6, 7, 0);
    array_set(&a, 10, 7, 0);
    spectrum s = make_spectrum(&a, 1, true);
    peak peaks[5];
    assert_int_equal(spectrum_peaks(&s, peaks, 5), 2);
    assert_int_equal(peaks[0].bin[0], 6);
    assert_int_equal(peaks[1].bin[0], 3);
    assert_true(peaks[1].power == 25);
    s.is_real = false;
    assert_int_equal(spectrum_peaks(&s, peaks, 5), 4);
    assert_int_equal(spectrum_peaks(&s, peaks, 1), 1);
    spectrum_destroy(&s);
    array_destroy(&a);
}

static void a_flank_of_a_peak_is_no_peak(void **state)
{
    (void)state;
    const int64_t size[] = {8, 8};
    array a = make_array(2, size);
    array_set(&a, 2 * 8 + 3, 10, 0);
    array_set(&a, 2 * 8 + 4, 9, 0);
    array_set(&a, 1 * 8 + 3, 8, 0);
    spectrum s = make_spectrum(&a, 3, false);
    peak peaks[5];
    assert_int_equal(spectrum_peaks(&s, peaks, 5), 1);
    assert_int_equal(peaks[0].bin[0], 2);
    assert_int_equal(peaks[0].bin[1], 3);
    spectrum_destroy(&s);
    array_destroy(&a);
}

static void power_is_the_mean_over_axes_left_out(void **state)
{
    (void)state;
    const int64_t size[] = {2, 3, 2};
    array a = make_array(3, size);
    for (int64_t i = 0; i < a.count; i++) array_set(&a, i, i / 2 % 3 == 1 ? 2 : 0, 0);
    spectrum s = make_spectrum(&a, 2, false);
    assert_int_equal(s.rank, 1);
    assert_int_equal(s.count, 3);
    assert_true(s.power[0] == 0 && s.power[2] == 0);
    assert_true(fabs(s.power[1] - 4) < 1e-12);
    spectrum_destroy(&s);
    array_destroy(&a);
}

static void silence_and_no_numbers_have_no_peaks(void **state)
{
    (void)state;
    const int64_t size[] = {9};
    array a = make_array(1, size);
    spectrum s = make_spectrum(&a, 1, true);
    peak peaks[5];
    assert_int_equal(spectrum_peaks(&s, peaks, 5), 0);
    for (int64_t i = 0; i < s.count; i++) s.power[i] = NAN;
    assert_int_equal(spectrum_peaks(&s, peaks, 5), 0);
    spectrum_destroy(&s);
    array_destroy(&a);
}

/* Relative luminance of sRGB (IEC 61966-2-1). */
static double luminance(colour c)
{
    const double weights[] = {0.2126, 0.7152, 0.0722};
    const unsigned char parts[] = {c.red, c.green, c.blue};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double value = parts[i] / 255.0;
        sum += weights[i] * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static void colours_grow_lighter_with_the_value(void **state)
{
    (void)state;
    double last = -1;
    for (int i = 0; i <= 64; i++) {
        double now = luminance(colour_map(i / 64.0));
        assert_true(now > last);
        last = now;
    }
    colour low = colour_map(0), below = colour_map(-3), none = colour_map(NAN);
    assert_memory_equal(&low, &below, sizeof low);
    assert_memory_equal(&low, &none, sizeof low);
}

static void draw(int rank, const int64_t *size, double fill)
{
    array a = make_array(rank, size);
    for (int64_t i = 0; i < a.count; i++) array_set(&a, i, fill * (double)i, 0);
    for (int is_real = 0; is_real < 2; is_real++) {
        spectrum s = make_spectrum(&a, (1u << rank) - 1, is_real);
        frame f;
        failure why;
        assert_true(picture_of_spectrum(&f, &s, ARRAY_PLAIN, "a name that \xff is odd", &why));
        assert_true(f.canvas.width >= 100 && f.canvas.height >= 100);
        frame_destroy(&f);
        spectrum_destroy(&s);
    }
    array_destroy(&a);
}

static void every_shape_and_value_can_be_drawn(void **state)
{
    (void)state;
    static const int64_t lines[] = {2, 3, 100, 101, 1801, 5000};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        for (int value = 0; value < 4; value++) {
            draw(1, &lines[i], (const double[]){0, 1, INFINITY, 1e-200}[value]);
        }
    }
    static const int64_t planes[][2] = {{2, 2}, {3, 1000}, {1000, 2}, {37, 53}, {1, 9}};
    for (size_t i = 0; i < sizeof planes / sizeof planes[0]; i++) {
        draw(2, planes[i], 0);
        draw(2, planes[i], 1);
    }
}

static void only_one_or_two_axes_make_a_picture(void **state)
{
    (void)state;
    const int64_t size[] = {4, 1, 5, 6};
    assert_true(picture_is_possible(4, size, 1));
    assert_true(picture_is_possible(4, size, 1 | 2 | 4));
    assert_false(picture_is_possible(4, size, 15));
    assert_false(picture_is_possible(4, size, 2));
}

static void an_output_appears_only_when_it_is_complete(void **state)
{
    (void)state;
    char folder[] = "/tmp/weft_output_XXXXXX", path[64];
    struct stat about;
    failure why;
    output out;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/file", folder);
    assert_true(output_open(&out, path, &why));
    assert_int_not_equal(stat(path, &about), 0);
    output_discard(&out);
    assert_int_equal(rmdir(folder), 0); /* nothing is left in it */
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_true(output_open(&out, path, &why));
    fputs("text", out.file);
    assert_true(output_finish(&out, &why));
    assert_int_not_equal(stat(path, &about), 0);
    assert_true(output_commit(&out, &why));
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_size, 4);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_false(output_open(&out, path, &why));
    assert_null(out.file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(peaks_come_by_strength_without_frequency_zero_and_mirrors),
        cmocka_unit_test(a_flank_of_a_peak_is_no_peak),
        cmocka_unit_test(power_is_the_mean_over_axes_left_out),
        cmocka_unit_test(silence_and_no_numbers_have_no_peaks),
        cmocka_unit_test(colours_grow_lighter_with_the_value),
        cmocka_unit_test(every_shape_and_value_can_be_drawn),
        cmocka_unit_test(only_one_or_two_axes_make_a_picture),
        cmocka_unit_test(an_output_appears_only_when_it_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "support/vulkan_picture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "support/random.h"

struct test_vulkan picture_vulkan;
bool picture_there;
static struct random numbers; /* that texels and arrays are drawn from */

void pictures_open(const char *test)
{
    test_vulkan_prepare(WEFT_BINARY_DIR, test);
    numbers.state = random_seed();
    picture_there = test_vulkan_open(&picture_vulkan);
}

int pictures_close(int failures)
{
    if (picture_there) test_vulkan_close(&picture_vulkan);
    return failures + (test_vulkan_is_silent(NULL) != 0);
}

static float random_real(void)
{
    return (float)random_number(&numbers);
}

void *picture_random_texels(const struct test_format *format, int count)
{
    const size_t bytes = (size_t)test_format_bytes(format) * (size_t)count;
    unsigned char *texels = malloc(bytes);
    assert_non_null(texels);
    for (size_t i = 0; i < bytes; i++)
        texels[i] = (unsigned char)random_bits(&numbers);
    if (format->coding != TEST_FLOAT) return texels;
    for (size_t i = 0; i + 3 < bytes; i += 4) {
        uint32_t word = (uint32_t)random_bits(&numbers);
        const float number = random_real();
        if (format->bits[0] == 16) word &= 0xbfffbfff;
        if (format->bits[0] == 11) word &= 0xdfeffdff & 0x7ffbfdff;
        memcpy(texels + i, format->bits[0] == 32 ? (const void *)&number : (const void *)&word, 4);
    }
    for (size_t i = bytes / 4 * 4; i < bytes; i++)
        texels[i] = 0;
    return texels;
}

weft_vulkan_image picture_image(const struct test_image *image, int channel)
{
    return (weft_vulkan_image){(int32_t)image->format->format, channel, image->width,
                               image->height};
}

weft_buffer *picture_wrap(const struct test_image *image)
{
    const weft_vulkan_image side = picture_image(image, 0);
    weft_buffer *buffer = NULL;
    assert_done(weft_vulkan_image_wrap(picture_vulkan.weft, image->view, &side, &buffer));
    return buffer;
}

weft_buffer *picture_wrap_memory(const struct test_vulkan_memory *memory)
{
    return test_vulkan_wrap(&picture_vulkan, memory, 0, memory->bytes);
}

void picture_run(const weft_plan *plan, weft_direction direction, weft_buffer *in, weft_buffer *out)
{
    VkCommandBuffer commands = test_vulkan_begin(&picture_vulkan);
    assert_done(weft_vulkan_record(plan, direction, in, out, NULL, commands));
    test_vulkan_end(&picture_vulkan, commands);
    test_vulkan_run(&picture_vulkan, commands);
}

static bool is_real(const struct picture *picture, bool out)
{
    return picture->kind == (out ? WEFT_C2R : WEFT_R2C);
}

int picture_row_length(const struct picture *picture, bool out)
{
    const bool half = picture->kind != WEFT_C2C && !is_real(picture, out);
    return half ? picture->width / 2 + 1 : picture->width;
}

static size_t side_bytes(const struct picture *picture, bool out)
{
    const size_t element = is_real(picture, out) ? sizeof(float) : PICTURE_PAIR;
    return (size_t)(picture->height * picture_row_length(picture, out)) * element;
}

weft_params picture_params(const struct picture *picture)
{
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.kind = picture->kind;
    params.rank = 2;
    params.size[0] = picture->height;
    params.size[1] = picture->width;
    params.forward_scale = params.inverse_scale = 1.0 / (picture->height * picture->width);
    return params;
}

static void take_ranges(const struct picture *picture, weft_params *params)
{
    const struct picture_range *in = &picture->range[0], *out = &picture->range[1];
    if (in->count[0]) params->in_first = in->first;
    if (in->count[0]) params->in_count = in->count;
    if (out->count[0]) params->out_first = out->first;
    if (out->count[0]) params->out_count = out->count;
}

static bool has(const struct picture *picture, bool out, int row, int column)
{
    const struct picture_range *range = &picture->range[out];
    const int64_t height = picture->height, width = picture_row_length(picture, out);
    return range->count[0] == 0 || ((row - range->first[0] + height) % height < range->count[0] &&
                                    (column - range->first[1] + width) % width < range->count[1]);
}

/* What has no place in the ranges of a side. */
static void clear_missing(const struct picture *picture, bool out, float *array)
{
    const int parts = is_real(picture, out) ? 1 : 2, length = picture_row_length(picture, out);
    for (int i = 0; i < picture->height * length * parts; i++)
        if (!has(picture, out, i / parts / length, i / parts % length)) array[i] = 0;
}

/* The array's element that lies at a place of the image's rectangle, and that texel. */
static const char *texel_at(const struct test_image *image, const void *texels,
                            const struct picture *picture, int row, int column)
{
    const int place = (picture->y + row) * image->width + picture->x + column;
    return (const char *)texels + (ptrdiff_t)place * test_format_bytes(image->format);
}

/* What the transform of arrays makes of `in`. */
float *picture_expected(const struct picture *picture, const void *in)
{
    const weft_params params = picture_params(picture);
    weft_plan *plan = NULL;
    struct test_vulkan_memory *from =
        test_vulkan_memory(&picture_vulkan, side_bytes(picture, false), in);
    struct test_vulkan_memory *to =
        test_vulkan_memory(&picture_vulkan, side_bytes(picture, true), NULL);
    weft_buffer *source = picture_wrap_memory(from), *target = picture_wrap_memory(to);
    assert_done(weft_plan_create(picture_vulkan.weft, &params, &plan));
    picture_run(plan, picture->direction, source, target);
    float *result = malloc(to->bytes);
    assert_non_null(result);
    memcpy(result, to->data, to->bytes);
    weft_buffer_destroy(&source);
    weft_buffer_destroy(&target);
    weft_plan_destroy(&plan);
    test_vulkan_release(&picture_vulkan, from);
    test_vulkan_release(&picture_vulkan, to);
    return result;
}

float *picture_array(const struct picture *picture, const struct test_image *image)
{
    const int parts = is_real(picture, false) ? 1 : 2, length = picture_row_length(picture, false);
    float *array = malloc(side_bytes(picture, false));
    assert_non_null(array);
    for (int i = 0; i < picture->height * length * parts; i++) {
        const int row = i / parts / length, column = i / parts % length;
        array[i] = 0;
        if (!has(picture, false, row, column)) continue;
        const char *texel = texel_at(image, image->texels->data, picture, row, column);
        array[i] = (float)test_channel(image->format, texel, picture->channel + i % parts);
    }
    return array;
}

static double norm(const float *a, size_t bytes)
{
    double sum = 0;
    for (size_t i = 0; i < bytes / sizeof *a; i++)
        sum += (double)a[i] * (double)a[i];
    return sqrt(sum);
}

void picture_assert_near(const float *a, const float *b, size_t bytes, const char *name)
{
    double sum = 0;
    for (size_t i = 0; i < bytes / sizeof *a; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    if (!(sqrt(sum) < 1e-6 * norm(b, bytes))) fail_msg("%s: wrong by %g", name, sqrt(sum));
}

void picture_try_reading(const struct picture *picture, const struct test_format *format, int width,
                         int height)
{
    void *texels = picture_random_texels(format, width * height);
    struct test_image *image = test_image(&picture_vulkan, format, width, height, texels);
    struct test_vulkan_memory *to =
        test_vulkan_memory(&picture_vulkan, side_bytes(picture, true), NULL);
    const weft_vulkan_image side = picture_image(image, picture->channel);
    weft_params params = picture_params(picture);
    weft_plan *plan = NULL;
    weft_buffer *in = picture_wrap(image), *out = picture_wrap_memory(to);
    params.in_offset = picture->y * width + picture->x;
    take_ranges(picture, &params);
    assert_done(weft_vulkan_plan_create(picture_vulkan.weft, &params, &side, NULL, &plan));
    picture_run(plan, picture->direction, in, out);
    float *array = picture_array(picture, image), *expected = picture_expected(picture, array);
    clear_missing(picture, true, to->data);
    clear_missing(picture, true, expected);
    picture_assert_near(to->data, expected, to->bytes, format->name);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    test_vulkan_release(&picture_vulkan, to);
    test_image_release(&picture_vulkan, image);
    free(texels);
    free(array);
    free(expected);
}

/* Within a unit of the last place, and all other channels and texels as they were. */
static void check_written(const struct picture *picture, const struct test_image *image,
                          const void *before, const void *after, const float *expected)
{
    const struct test_format *f = image->format;
    const int parts = is_real(picture, true) ? 1 : 2, length = picture_row_length(picture, true);
    for (int place = 0; place < image->width * image->height; place++) {
        const ptrdiff_t byte = (ptrdiff_t)place * test_format_bytes(f);
        const int column = place % image->width - picture->x;
        const int row = place / image->width - picture->y;
        const bool inside = column >= 0 && column < length && row >= 0 && row < picture->height &&
                            has(picture, true, row, column);
        for (int c = 0; c < f->channels; c++) {
            const bool ours = inside && c >= picture->channel && c < picture->channel + parts;
            const double is = test_channel(f, (const char *)after + byte, c);
            const double was = test_channel(f, (const char *)before + byte, c);
            double should = was;
            if (ours) should = expected[(row * length + column) * parts + c - picture->channel];
            if (f->coding != TEST_FLOAT) should = fmin(should, 1);
            if (f->coding == TEST_UNORM || f->bits[0] == 11) should = fmax(should, 0);
            const double allowed = ours ? 1.01 * test_channel_step(f, c, should) + 1e-6 : 0;
            if (!(fabs(is - should) <= allowed))
                fail_msg("%s: texel %d, %d, channel %d is %g, not %g", f->name, column, row, c, is,
                         should);
        }
    }
}

void picture_try_writing(const struct picture *picture, const struct test_format *format, int width,
                         int height)
{
    void *texels = picture_random_texels(format, width * height);
    struct test_image *image = test_image(&picture_vulkan, format, width, height, texels);
    const size_t bytes = side_bytes(picture, false);
    const weft_vulkan_image side = picture_image(image, picture->channel);
    weft_params params = picture_params(picture);
    weft_plan *plan = NULL;
    struct test_vulkan_memory *from = test_vulkan_memory(&picture_vulkan, bytes, NULL);
    float *data = from->data;
    for (size_t i = 0; i < bytes / sizeof *data; i++)
        data[i] = random_real();
    data[0] = (float)(picture->height * picture->width) / 2; /* most results are from 0 to 1 */
    float *all = malloc(bytes);
    assert_non_null(all);
    memcpy(all, data, bytes);
    clear_missing(picture, false, all);
    float *expected = picture_expected(picture, all);
    weft_buffer *in = picture_wrap_memory(from), *out = picture_wrap(image);
    params.out_offset = picture->y * width + picture->x;
    take_ranges(picture, &params);
    assert_done(weft_vulkan_plan_create(picture_vulkan.weft, &params, NULL, &side, &plan));
    picture_run(plan, picture->direction, in, out);
    check_written(picture, image, texels, test_image_read(&picture_vulkan, image), expected);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    test_vulkan_release(&picture_vulkan, from);
    test_image_release(&picture_vulkan, image);
    free(texels);
    free(all);
    free(expected);
}

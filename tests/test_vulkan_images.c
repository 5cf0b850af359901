/* Transforms that read from images or write to them: they come to what the same transforms of
 * arrays come to. The validation layer watches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "support/assert_status.h"
#include "support/vulkan_picture.h"

static void every_format_is_read_and_written(void **state)
{
    (void)state;
    if (!picture_there) skip();
    int tried = 0;
    for (int i = 0; i < test_format_count; i++) {
        const struct test_format *format = &test_formats[i];
        if (!test_format_is_stored(&picture_vulkan, format)) continue;
        const int last = format->channels - 1;
        const struct picture forward = {WEFT_R2C, WEFT_FORWARD, 4, 3, 0, 0, last, PICTURE_WHOLE};
        const int channel = tried++ % (last + 1), before = last ? last - 1 : 0;
        const struct picture backward = {WEFT_C2R, WEFT_INVERSE, 4, 3, 0, 0,
                                         channel,  PICTURE_WHOLE};
        const struct picture pairs = {WEFT_C2C, WEFT_INVERSE, 4, 3, 0, 0, before, PICTURE_WHOLE};
        picture_try_reading(&forward, format, 20, 12);
        picture_try_writing(&backward, format, 20, 12);
        if (last == 0) continue;
        picture_try_reading(&pairs, format, 20, 12);
        picture_try_writing(&pairs, format, 20, 12);
    }
    print_message("%d formats\n", tried);
    assert_true(tried >= 5); /* those that every device has */
}

/* One pass and several, rows and columns of primes, odd rows, lines too long for a block. */
static void every_kind_of_plan_reads_and_writes_images(void **state)
{
    (void)state;
    if (!picture_there) skip();
    static const int size[][2] = {{1, 1},   {1, 7},  {2, 2},    {16, 16},
                                  {37, 13}, {9, 50}, {3, 8192}, {2, 1031}};
    const struct test_format *format = test_format_of(VK_FORMAT_R32G32B32A32_SFLOAT);
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        for (int kind = WEFT_C2C; kind <= WEFT_C2R; kind++) {
            const struct picture picture = {
                (weft_kind)kind, (weft_direction)(i % 2), size[i][0], size[i][1], 3, 2, 1,
                PICTURE_WHOLE};
            picture_try_reading(&picture, format, size[i][1] + 5, size[i][0] + 3);
            picture_try_writing(&picture, format, size[i][1] + 5, size[i][0] + 3);
        }
    }
}

/* A part of n that begins so many quarters of it on. */
static void choose_part(struct picture_range *range, int axis, int64_t n, int64_t quarters)
{
    range->first[axis] = n * quarters / 4;
    range->count[axis] = (n + 1) / 2;
}

/* Images need but hold the ranges: those that do not go on at 0 end with the image. */
static void try_ranges(struct picture picture, int quarters, int sides)
{
    const struct test_format *format = test_format_of(VK_FORMAT_R32G32B32A32_SFLOAT);
    int height[2], width[2];
    for (int out = 0; out < 2; out++) {
        struct picture_range *range = &picture.range[out];
        const int64_t length = picture_row_length(&picture, out);
        height[out] = picture.height;
        width[out] = (int)length;
        if (!(sides >> out & 1)) continue;
        choose_part(range, 0, picture.height, quarters);
        choose_part(range, 1, length, quarters);
        if (range->first[0] + range->count[0] > picture.height) continue;
        height[out] = (int)(range->first[0] + range->count[0]);
        if (range->first[1] + range->count[1] <= length)
            width[out] = (int)(range->first[1] + range->count[1]);
    }
    picture_try_reading(&picture, format, width[0] + picture.x, height[0] + picture.y);
    picture_try_writing(&picture, format, width[1] + picture.x, height[1] + picture.y);
    picture_try_writing(&picture, format, width[1] + picture.x + 40, height[1] + picture.y + 40);
}

/* Blocks and splits, images as wide as what is wanted of them: what is out of range is neither read
 * nor written. */
static void images_have_ranges(void **state)
{
    (void)state;
    if (!picture_there) skip();
    static const int size[][2] = {{16, 16}, {37, 13}, {1, 40}, {3, 4096}, {48, 64}};
    int tried = 0;
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        for (int kind = WEFT_C2C; kind <= WEFT_C2R; kind++) {
            for (int begun = tried; tried < begun + 2; tried++) {
                const struct picture picture = {(weft_kind)kind,
                                                (weft_direction)(tried / 2 % 2),
                                                size[i][0],
                                                size[i][1],
                                                3,
                                                2,
                                                1,
                                                PICTURE_WHOLE};
                try_ranges(picture, tried % 4, 1 + tried % 3);
            }
        }
    }
}

/* To a wide image, there and back in place, and back to the narrow one. */
static void go_round(int side)
{
    const struct test_format *wide = test_format_of(VK_FORMAT_R32G32B32A32_SFLOAT);
    const struct test_format *small = test_format_of(VK_FORMAT_R8G8B8A8_UNORM);
    void *texels = picture_random_texels(small, side * side);
    struct test_image *photo = test_image(&picture_vulkan, small, side, side, texels);
    struct test_image *spectrum = test_image(&picture_vulkan, wide, side, side, NULL);
    const weft_vulkan_image in = picture_image(photo, 1), out = picture_image(spectrum, 2);
    const struct picture picture = {WEFT_C2C, WEFT_FORWARD, side, side, 0, 0, 0, PICTURE_WHOLE};
    weft_params params = picture_params(&picture);
    params.forward_scale = 1;
    params.inverse_scale = 1.0 / (side * side);
    weft_plan *to = NULL, *within = NULL, *from = NULL;
    weft_buffer *shown = picture_wrap(photo), *hidden = picture_wrap(spectrum);
    assert_done(weft_vulkan_plan_create(picture_vulkan.weft, &params, &in, &out, &to));
    assert_done(weft_vulkan_plan_create(picture_vulkan.weft, &params, &out, &out, &within));
    assert_done(weft_vulkan_plan_create(picture_vulkan.weft, &params, &out, &in, &from));
    VkCommandBuffer commands = test_vulkan_begin(&picture_vulkan);
    assert_done(weft_vulkan_record(to, WEFT_FORWARD, shown, hidden, NULL, commands));
    assert_done(weft_vulkan_record(within, WEFT_INVERSE, hidden, hidden, NULL, commands));
    assert_done(weft_vulkan_record(within, WEFT_FORWARD, hidden, hidden, NULL, commands));
    assert_done(weft_vulkan_record(from, WEFT_INVERSE, hidden, shown, NULL, commands));
    test_vulkan_end(&picture_vulkan, commands);
    test_vulkan_run(&picture_vulkan, commands);
    assert_memory_equal(test_image_read(&picture_vulkan, photo), texels, (size_t)(4 * side * side));
    weft_buffer_destroy(&shown);
    weft_buffer_destroy(&hidden);
    weft_plan_destroy(&to);
    weft_plan_destroy(&within);
    weft_plan_destroy(&from);
    test_image_release(&picture_vulkan, photo);
    test_image_release(&picture_vulkan, spectrum);
    free(texels);
}

/* In one pass, which a block does, and in several. */
static void images_are_transformed_in_place_and_to_each_other(void **state)
{
    (void)state;
    if (!picture_there) skip();
    go_round(16);
    go_round(128);
}

/* Planes at the other end, which an inverse exchanges. */
static void planes_are_written_from_an_image(void **state)
{
    (void)state;
    if (!picture_there) skip();
    enum { HEIGHT = 24, WIDTH = 40, COUNT = HEIGHT * WIDTH };
    const struct picture picture = {WEFT_C2C, WEFT_INVERSE, HEIGHT, WIDTH, 0, 0, 0, PICTURE_WHOLE};
    const struct test_format *format = test_format_of(VK_FORMAT_R8G8B8A8_SNORM);
    void *texels = picture_random_texels(format, COUNT);
    struct test_image *image = test_image(&picture_vulkan, format, WIDTH, HEIGHT, texels);
    struct test_vulkan_memory *re =
        test_vulkan_memory(&picture_vulkan, COUNT * sizeof(float), NULL);
    struct test_vulkan_memory *im =
        test_vulkan_memory(&picture_vulkan, COUNT * sizeof(float), NULL);
    const weft_vulkan_image side = picture_image(image, 0);
    weft_params params = picture_params(&picture);
    params.format = WEFT_PLANAR;
    weft_plan *plan = NULL;
    weft_buffer *in = picture_wrap(image), *out = NULL;
    assert_done(weft_vulkan_buffer_wrap(picture_vulkan.weft, re->buffer, 0, im->buffer, 0,
                                        re->bytes, &out));
    assert_done(weft_vulkan_plan_create(picture_vulkan.weft, &params, &side, NULL, &plan));
    picture_run(plan, WEFT_INVERSE, in, out);
    float *array = picture_array(&picture, image), *expected = picture_expected(&picture, array);
    float *found = malloc(COUNT * PICTURE_PAIR);
    assert_non_null(found);
    for (int i = 0; i < COUNT; i++) {
        found[2 * i] = ((const float *)re->data)[i];
        found[2 * i + 1] = ((const float *)im->data)[i];
    }
    picture_assert_near(found, expected, COUNT * PICTURE_PAIR, "planes");
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    test_vulkan_release(&picture_vulkan, re);
    test_vulkan_release(&picture_vulkan, im);
    test_image_release(&picture_vulkan, image);
    free(texels);
    free(array);
    free(found);
    free(expected);
}

#define WATCHED(test) cmocka_unit_test_teardown(test, test_vulkan_is_silent)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WATCHED(every_format_is_read_and_written),
        WATCHED(every_kind_of_plan_reads_and_writes_images),
        WATCHED(images_have_ranges),
        WATCHED(images_are_transformed_in_place_and_to_each_other),
        WATCHED(planes_are_written_from_an_image),
    };
    pictures_open("test_vulkan_images");
    return pictures_close(cmocka_run_group_tests(tests, NULL, NULL));
}

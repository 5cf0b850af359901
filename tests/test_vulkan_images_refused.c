/* What plans of images refuse, and memory that is missing. The validation layer watches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support/assert_status.h"
#include "support/vulkan_picture.h"

static void wrong_images_are_refused(void **state)
{
    (void)state;
    if (!picture_there) skip();
    enum { RGBA8 = VK_FORMAT_R8G8B8A8_UNORM, BGRA8 = VK_FORMAT_B8G8R8A8_UNORM };
    weft_device *own = NULL;
    weft_plan *plan = NULL;
    assert_done(weft_device_open("vulkan:0", &own));
    const struct {
        weft_device *device;
        weft_vulkan_image image;
        weft_precision precision;
        weft_effort effort;
        weft_status status;
        const char *words;
    } cases[] = {
        {NULL, {RGBA8, 0, 32, 32}, WEFT_F32, 0, WEFT_ERROR_ARGUMENT, "device is NULL"},
        {own, {RGBA8, 0, 32, 32}, WEFT_F32, 0, WEFT_ERROR_ARGUMENT, "a VkDevice of its own"},
        {picture_vulkan.weft,
         {BGRA8, 0, 32, 32},
         WEFT_F32,
         0,
         WEFT_ERROR_UNSUPPORTED,
         "accepted are 8"},
        {picture_vulkan.weft,
         {0, 0, 32, 32},
         WEFT_F32,
         0,
         WEFT_ERROR_UNSUPPORTED,
         "accepted are 8"},
        {picture_vulkan.weft, {RGBA8, 3, 32, 32}, WEFT_F32, 0, WEFT_ERROR_ARGUMENT, "there are 4"},
        {picture_vulkan.weft, {RGBA8, -1, 32, 32}, WEFT_F32, 0, WEFT_ERROR_ARGUMENT, "there are 4"},
        {picture_vulkan.weft,
         {RGBA8, 0, 32, 0},
         WEFT_F32,
         0,
         WEFT_ERROR_SIZE,
         "sides of 1 and more"},
        {picture_vulkan.weft,
         {RGBA8, 0, 65536, 65536},
         WEFT_F32,
         0,
         WEFT_ERROR_SIZE,
         "2^31 texels"},
        {picture_vulkan.weft,
         {RGBA8, 0, 32, 31},
         WEFT_F32,
         0,
         WEFT_ERROR_LAYOUT,
         "reaches texel 1023"},
        {picture_vulkan.weft, {RGBA8, 0, 32, 32}, WEFT_F64, 0, WEFT_ERROR_UNSUPPORTED, "WEFT_F32"},
        {picture_vulkan.weft,
         {RGBA8, 0, 32, 32},
         WEFT_F32,
         WEFT_MEASURE,
         WEFT_ERROR_UNSUPPORTED,
         "WEFT_ESTIMATE"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct picture picture = {WEFT_C2C, WEFT_FORWARD, 32, 32, 0, 0, 0, PICTURE_WHOLE};
        weft_params params = picture_params(&picture);
        params.precision = cases[i].precision;
        params.effort = cases[i].effort;
        assert_refused(
            weft_vulkan_plan_create(cases[i].device, &params, &cases[i].image, NULL, &plan),
            cases[i].status, cases[i].words);
        assert_refused(
            weft_vulkan_plan_create(cases[i].device, &params, NULL, &cases[i].image, &plan),
            cases[i].status, cases[i].words);
        assert_null(plan);
    }
    weft_device_close(&own);
}

static void images_cannot_be_read_backwards(void **state)
{
    (void)state;
    if (!picture_there) skip();
    const weft_vulkan_image image = {VK_FORMAT_R8G8B8A8_UNORM, 0, 32, 32};
    const int64_t strides[] = {-32, 1};
    const struct picture picture = {WEFT_C2C, WEFT_FORWARD, 32, 32, 0, 0, 0, PICTURE_WHOLE};
    weft_params params = picture_params(&picture);
    weft_plan *plan = NULL;
    params.in_stride = strides;
    params.in_offset = 31 * 32;
    assert_refused(weft_vulkan_plan_create(picture_vulkan.weft, &params, &image, NULL, &plan),
                   WEFT_ERROR_UNSUPPORTED, "strides");
}

/* Formats that few have need a feature, and none can be had that the device does not store. */
static void formats_need_their_features(void **state)
{
    (void)state;
    if (!picture_there) skip();
    const struct picture picture = {WEFT_R2C, WEFT_FORWARD, 8, 8, 0, 0, 0, PICTURE_WHOLE};
    const weft_params params = picture_params(&picture);
    weft_vulkan_context context = test_vulkan_context(&picture_vulkan);
    weft_device *device = NULL;
    context.shader_storage_image_extended_formats = 0;
    assert_done(weft_vulkan_device_open(&context, &device));
    for (int i = 0; i < test_format_count; i++) {
        const weft_vulkan_image image = {(int32_t)test_formats[i].format, 0, 8, 8};
        weft_plan *plan = NULL;
        const weft_status status = weft_vulkan_plan_create(device, &params, &image, NULL, &plan);
        if (!test_format_is_stored(&picture_vulkan, &test_formats[i]))
            assert_refused(status, WEFT_ERROR_UNSUPPORTED, "STORAGE_IMAGE_BIT");
        else if (status)
            assert_refused(status, WEFT_ERROR_UNSUPPORTED, "ExtendedFormats");
        weft_plan_destroy(&plan);
    }
    weft_device_close(&device);
}

static void images_and_buffers_are_not_taken_for_each_other(void **state)
{
    (void)state;
    if (!picture_there) skip();
    enum { SIDE = 16 };
    const struct picture picture = {WEFT_C2C, WEFT_FORWARD, SIDE, SIDE, 0, 0, 0, PICTURE_WHOLE};
    const weft_params params = picture_params(&picture);
    struct test_image *image =
        test_image(&picture_vulkan, test_format_of(VK_FORMAT_R8G8B8A8_UNORM), SIDE, SIDE, NULL);
    struct test_image *other =
        test_image(&picture_vulkan, test_format_of(VK_FORMAT_R8G8B8A8_SNORM), SIDE, SIDE, NULL);
    struct test_vulkan_memory *memory =
        test_vulkan_memory(&picture_vulkan, SIDE * SIDE * PICTURE_PAIR, NULL);
    const weft_vulkan_image side = picture_image(image, 0);
    weft_buffer *right = picture_wrap(image), *again = picture_wrap(image);
    weft_buffer *wrong = picture_wrap(other), *array = picture_wrap_memory(memory);
    weft_plan *plan = NULL, *within = NULL;
    char byte;
    assert_done(weft_vulkan_plan_create(picture_vulkan.weft, &params, &side, NULL, &plan));
    assert_done(weft_vulkan_plan_create(picture_vulkan.weft, &params, &side, &side, &within));
    assert_refused(weft_execute(plan, WEFT_FORWARD, array, array), WEFT_ERROR_LAYOUT,
                   "is a buffer, the plan is for an image");
    assert_refused(weft_execute(plan, WEFT_FORWARD, right, right), WEFT_ERROR_LAYOUT,
                   "is an image, the plan is for a buffer");
    assert_refused(weft_execute(plan, WEFT_FORWARD, wrong, array), WEFT_ERROR_LAYOUT,
                   "of another width or format");
    assert_refused(weft_execute(within, WEFT_FORWARD, right, again), WEFT_ERROR_LAYOUT, "overlap");
    assert_refused(weft_buffer_read(right, 0, &byte, 1), WEFT_ERROR_ARGUMENT, "an image");
    assert_refused(weft_buffer_write(right, 0, &byte, 1), WEFT_ERROR_ARGUMENT, "an image");
    assert_done(weft_execute(plan, WEFT_FORWARD, right, array));
    weft_buffer_destroy(&right);
    weft_buffer_destroy(&again);
    weft_buffer_destroy(&wrong);
    weft_buffer_destroy(&array);
    weft_plan_destroy(&plan);
    weft_plan_destroy(&within);
    test_image_release(&picture_vulkan, image);
    test_image_release(&picture_vulkan, other);
    test_vulkan_release(&picture_vulkan, memory);
}

static weft_status read_image_in(struct test_image *image, const struct test_vulkan_memory *memory)
{
    const struct picture picture = {WEFT_R2C, WEFT_FORWARD, image->height, image->width, 0, 0,
                                    0,        PICTURE_WHOLE};
    const weft_params params = picture_params(&picture);
    const weft_vulkan_image side = picture_image(image, 0);
    weft_vulkan_context context = test_vulkan_context(&picture_vulkan);
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_buffer *in = NULL, *out = NULL;
    weft_status status = weft_vulkan_device_open(&context, &device);
    if (!status) status = weft_vulkan_plan_create(device, &params, &side, NULL, &plan);
    if (!status) status = weft_vulkan_image_wrap(device, image->view, &side, &in);
    if (!status)
        status = weft_vulkan_buffer_wrap(device, memory->buffer, 0, NULL, 0, memory->bytes, &out);
    if (!status) status = weft_execute(plan, WEFT_FORWARD, in, out);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    return status;
}

static void whatever_memory_is_missing_is_told_and_nothing_is_left(void **state)
{
    (void)state;
    if (!picture_there) skip();
    const struct test_format *format = test_format_of(VK_FORMAT_R8G8B8A8_UNORM);
    struct test_image *image = test_image(&picture_vulkan, format, 32, 32, NULL);
    struct test_vulkan_memory *memory =
        test_vulkan_memory(&picture_vulkan, 32 * 17 * PICTURE_PAIR, NULL);
    const int64_t live = memory_live_blocks();
    weft_status status = WEFT_ERROR_MEMORY;
    for (int64_t successes = 0; status; successes++) {
        memory_fail_after(successes);
        status = read_image_in(image, memory);
        memory_fail_after(-1);
        if (status) assert_refused(status, WEFT_ERROR_MEMORY, "memory");
        assert_int_equal(memory_live_blocks(), live);
    }
    test_vulkan_release(&picture_vulkan, memory);
    test_image_release(&picture_vulkan, image);
}

#define WATCHED(test) cmocka_unit_test_teardown(test, test_vulkan_is_silent)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WATCHED(wrong_images_are_refused),
        WATCHED(images_cannot_be_read_backwards),
        WATCHED(formats_need_their_features),
        WATCHED(images_and_buffers_are_not_taken_for_each_other),
        WATCHED(whatever_memory_is_missing_is_told_and_nothing_is_left),
    };
    pictures_open("test_vulkan_images_refused");
    return pictures_close(cmocka_run_group_tests(tests, NULL, NULL));
}

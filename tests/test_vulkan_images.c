/* Transforms that read from images or write to them: they come to what the same transforms of
 * arrays come to. The validation layer watches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "support/assert_status.h"
#include "support/random.h"
#include "support/vulkan_image.h"

#define PAIR (2 * sizeof(float))

static struct test_vulkan vulkan;
static bool there;

/* ---- helpers ---- */

static struct random numbers;

static float random_real(void)
{
    return (float)random_number(&numbers);
}

/* Texels of any bits; floats of 32 bits from -1 to 1, smaller ones of no great exponent. */
static void *random_texels(const struct test_format *format, int count)
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

static weft_vulkan_image image_of(const struct test_image *image, int channel)
{
    return (weft_vulkan_image){(int32_t)image->format->format, channel, image->width,
                               image->height};
}

static weft_buffer *wrap_image(const struct test_image *image)
{
    const weft_vulkan_image side = image_of(image, 0);
    weft_buffer *buffer = NULL;
    assert_done(weft_vulkan_image_wrap(vulkan.weft, image->view, &side, &buffer));
    return buffer;
}

static weft_buffer *wrap(const struct test_vulkan_memory *memory)
{
    return test_vulkan_wrap(&vulkan, memory, 0, memory->bytes);
}

static void run(const weft_plan *plan, weft_direction direction, weft_buffer *in, weft_buffer *out)
{
    VkCommandBuffer commands = test_vulkan_begin(&vulkan);
    assert_done(weft_vulkan_record(plan, direction, in, out, NULL, commands));
    test_vulkan_end(&vulkan, commands);
    test_vulkan_run(&vulkan, commands);
}

/* ---- a transform of arrays, and one of which a side is an image ---- */

/* Rows and columns that there are, the first and how many; none: all of them. */
struct range {
    int64_t first[2], count[2];
};

#define WHOLE                                                                                      \
    {                                                                                              \
        {{0}, {0}},                                                                                \
        {                                                                                          \
            {0},                                                                                   \
            {                                                                                      \
                0                                                                                  \
            }                                                                                      \
        }                                                                                          \
    }

/* Of a picture of height x width; the rectangle lies at column x and row y of its image. */
struct picture {
    weft_kind kind;
    weft_direction direction;
    int height, width;
    int x, y;
    int channel;
    struct range range[2]; /* of the input, of the output */
};

static bool is_real(const struct picture *picture, bool out)
{
    return picture->kind == (out ? WEFT_C2R : WEFT_R2C);
}

static int row_length(const struct picture *picture, bool out)
{
    const bool half = picture->kind != WEFT_C2C && !is_real(picture, out);
    return half ? picture->width / 2 + 1 : picture->width;
}

static size_t side_bytes(const struct picture *picture, bool out)
{
    const size_t element = is_real(picture, out) ? sizeof(float) : PAIR;
    return (size_t)(picture->height * row_length(picture, out)) * element;
}

static weft_params params_of(const struct picture *picture)
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
    const struct range *in = &picture->range[0], *out = &picture->range[1];
    if (in->count[0]) params->in_first = in->first;
    if (in->count[0]) params->in_count = in->count;
    if (out->count[0]) params->out_first = out->first;
    if (out->count[0]) params->out_count = out->count;
}

static bool has(const struct picture *picture, bool out, int row, int column)
{
    const struct range *range = &picture->range[out];
    const int64_t height = picture->height, width = row_length(picture, out);
    return range->count[0] == 0 || ((row - range->first[0] + height) % height < range->count[0] &&
                                    (column - range->first[1] + width) % width < range->count[1]);
}

/* What has no place in the ranges of a side. */
static void clear_missing(const struct picture *picture, bool out, float *array)
{
    const int parts = is_real(picture, out) ? 1 : 2, length = row_length(picture, out);
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
static float *expected_of(const struct picture *picture, const void *in)
{
    const weft_params params = params_of(picture);
    weft_plan *plan = NULL;
    struct test_vulkan_memory *from = test_vulkan_memory(&vulkan, side_bytes(picture, false), in);
    struct test_vulkan_memory *to = test_vulkan_memory(&vulkan, side_bytes(picture, true), NULL);
    weft_buffer *source = wrap(from), *target = wrap(to);
    assert_done(weft_plan_create(vulkan.weft, &params, &plan));
    run(plan, picture->direction, source, target);
    float *result = malloc(to->bytes);
    assert_non_null(result);
    memcpy(result, to->data, to->bytes);
    weft_buffer_destroy(&source);
    weft_buffer_destroy(&target);
    weft_plan_destroy(&plan);
    test_vulkan_release(&vulkan, from);
    test_vulkan_release(&vulkan, to);
    return result;
}

static float *array_of(const struct picture *picture, const struct test_image *image)
{
    const int parts = is_real(picture, false) ? 1 : 2, length = row_length(picture, false);
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

static void assert_near(const float *a, const float *b, size_t bytes, const char *name)
{
    double sum = 0;
    for (size_t i = 0; i < bytes / sizeof *a; i++)
        sum += ((double)a[i] - (double)b[i]) * ((double)a[i] - (double)b[i]);
    if (!(sqrt(sum) < 1e-6 * norm(b, bytes))) fail_msg("%s: wrong by %g", name, sqrt(sum));
}

static void try_reading(const struct picture *picture, const struct test_format *format, int width,
                        int height)
{
    void *texels = random_texels(format, width * height);
    struct test_image *image = test_image(&vulkan, format, width, height, texels);
    struct test_vulkan_memory *to = test_vulkan_memory(&vulkan, side_bytes(picture, true), NULL);
    const weft_vulkan_image side = image_of(image, picture->channel);
    weft_params params = params_of(picture);
    weft_plan *plan = NULL;
    weft_buffer *in = wrap_image(image), *out = wrap(to);
    params.in_offset = picture->y * width + picture->x;
    take_ranges(picture, &params);
    assert_done(weft_vulkan_plan_create(vulkan.weft, &params, &side, NULL, &plan));
    run(plan, picture->direction, in, out);
    float *array = array_of(picture, image), *expected = expected_of(picture, array);
    clear_missing(picture, true, to->data);
    clear_missing(picture, true, expected);
    assert_near(to->data, expected, to->bytes, format->name);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    test_vulkan_release(&vulkan, to);
    test_image_release(&vulkan, image);
    free(texels);
    free(array);
    free(expected);
}

/* Within a unit of the last place, and all other channels and texels as they were. */
static void check_written(const struct picture *picture, const struct test_image *image,
                          const void *before, const void *after, const float *expected)
{
    const struct test_format *f = image->format;
    const int parts = is_real(picture, true) ? 1 : 2, length = row_length(picture, true);
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

static void try_writing(const struct picture *picture, const struct test_format *format, int width,
                        int height)
{
    void *texels = random_texels(format, width * height);
    struct test_image *image = test_image(&vulkan, format, width, height, texels);
    const size_t bytes = side_bytes(picture, false);
    const weft_vulkan_image side = image_of(image, picture->channel);
    weft_params params = params_of(picture);
    weft_plan *plan = NULL;
    struct test_vulkan_memory *from = test_vulkan_memory(&vulkan, bytes, NULL);
    float *data = from->data;
    for (size_t i = 0; i < bytes / sizeof *data; i++)
        data[i] = random_real();
    data[0] = (float)(picture->height * picture->width) / 2; /* most results are from 0 to 1 */
    float *all = malloc(bytes);
    assert_non_null(all);
    memcpy(all, data, bytes);
    clear_missing(picture, false, all);
    float *expected = expected_of(picture, all);
    weft_buffer *in = wrap(from), *out = wrap_image(image);
    params.out_offset = picture->y * width + picture->x;
    take_ranges(picture, &params);
    assert_done(weft_vulkan_plan_create(vulkan.weft, &params, NULL, &side, &plan));
    run(plan, picture->direction, in, out);
    check_written(picture, image, texels, test_image_read(&vulkan, image), expected);
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    test_vulkan_release(&vulkan, from);
    test_image_release(&vulkan, image);
    free(texels);
    free(all);
    free(expected);
}

/* ---- what holds ---- */

static void every_format_is_read_and_written(void **state)
{
    (void)state;
    if (!there) skip();
    int tried = 0;
    for (int i = 0; i < test_format_count; i++) {
        const struct test_format *format = &test_formats[i];
        if (!test_format_is_stored(&vulkan, format)) continue;
        const int last = format->channels - 1;
        const struct picture forward = {WEFT_R2C, WEFT_FORWARD, 4, 3, 0, 0, last, WHOLE};
        const int channel = tried++ % (last + 1), before = last ? last - 1 : 0;
        const struct picture backward = {WEFT_C2R, WEFT_INVERSE, 4, 3, 0, 0, channel, WHOLE};
        const struct picture pairs = {WEFT_C2C, WEFT_INVERSE, 4, 3, 0, 0, before, WHOLE};
        try_reading(&forward, format, 20, 12);
        try_writing(&backward, format, 20, 12);
        if (last == 0) continue;
        try_reading(&pairs, format, 20, 12);
        try_writing(&pairs, format, 20, 12);
    }
    print_message("%d formats\n", tried);
    assert_true(tried >= 5); /* those that every device has */
}

/* One pass and several, rows and columns of primes, odd rows, lines too long for a block. */
static void every_kind_of_plan_reads_and_writes_images(void **state)
{
    (void)state;
    if (!there) skip();
    static const int size[][2] = {{1, 1},   {1, 7},  {2, 2},    {16, 16},
                                  {37, 13}, {9, 50}, {3, 8192}, {2, 1031}};
    const struct test_format *format = test_format_of(VK_FORMAT_R32G32B32A32_SFLOAT);
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        for (int kind = WEFT_C2C; kind <= WEFT_C2R; kind++) {
            const struct picture picture = {
                (weft_kind)kind, (weft_direction)(i % 2), size[i][0], size[i][1], 3, 2, 1, WHOLE};
            try_reading(&picture, format, size[i][1] + 5, size[i][0] + 3);
            try_writing(&picture, format, size[i][1] + 5, size[i][0] + 3);
        }
    }
}

/* A part of n that begins so many quarters of it on. */
static void choose_part(struct range *range, int axis, int64_t n, int64_t quarters)
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
        struct range *range = &picture.range[out];
        const int64_t length = row_length(&picture, out);
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
    try_reading(&picture, format, width[0] + picture.x, height[0] + picture.y);
    try_writing(&picture, format, width[1] + picture.x, height[1] + picture.y);
    try_writing(&picture, format, width[1] + picture.x + 40, height[1] + picture.y + 40);
}

/* Blocks and splits, images as wide as what is wanted of them: what is out of range is neither read
 * nor written. */
static void images_have_ranges(void **state)
{
    (void)state;
    if (!there) skip();
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
                                                WHOLE};
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
    void *texels = random_texels(small, side * side);
    struct test_image *photo = test_image(&vulkan, small, side, side, texels);
    struct test_image *spectrum = test_image(&vulkan, wide, side, side, NULL);
    const weft_vulkan_image in = image_of(photo, 1), out = image_of(spectrum, 2);
    const struct picture picture = {WEFT_C2C, WEFT_FORWARD, side, side, 0, 0, 0, WHOLE};
    weft_params params = params_of(&picture);
    params.forward_scale = 1;
    params.inverse_scale = 1.0 / (side * side);
    weft_plan *to = NULL, *within = NULL, *from = NULL;
    weft_buffer *shown = wrap_image(photo), *hidden = wrap_image(spectrum);
    assert_done(weft_vulkan_plan_create(vulkan.weft, &params, &in, &out, &to));
    assert_done(weft_vulkan_plan_create(vulkan.weft, &params, &out, &out, &within));
    assert_done(weft_vulkan_plan_create(vulkan.weft, &params, &out, &in, &from));
    VkCommandBuffer commands = test_vulkan_begin(&vulkan);
    assert_done(weft_vulkan_record(to, WEFT_FORWARD, shown, hidden, NULL, commands));
    assert_done(weft_vulkan_record(within, WEFT_INVERSE, hidden, hidden, NULL, commands));
    assert_done(weft_vulkan_record(within, WEFT_FORWARD, hidden, hidden, NULL, commands));
    assert_done(weft_vulkan_record(from, WEFT_INVERSE, hidden, shown, NULL, commands));
    test_vulkan_end(&vulkan, commands);
    test_vulkan_run(&vulkan, commands);
    assert_memory_equal(test_image_read(&vulkan, photo), texels, (size_t)(4 * side * side));
    weft_buffer_destroy(&shown);
    weft_buffer_destroy(&hidden);
    weft_plan_destroy(&to);
    weft_plan_destroy(&within);
    weft_plan_destroy(&from);
    test_image_release(&vulkan, photo);
    test_image_release(&vulkan, spectrum);
    free(texels);
}

/* In one pass, which a block does, and in several. */
static void images_are_transformed_in_place_and_to_each_other(void **state)
{
    (void)state;
    if (!there) skip();
    go_round(16);
    go_round(128);
}

/* Planes at the other end, which an inverse exchanges. */
static void planes_are_written_from_an_image(void **state)
{
    (void)state;
    if (!there) skip();
    enum { HEIGHT = 24, WIDTH = 40, COUNT = HEIGHT * WIDTH };
    const struct picture picture = {WEFT_C2C, WEFT_INVERSE, HEIGHT, WIDTH, 0, 0, 0, WHOLE};
    const struct test_format *format = test_format_of(VK_FORMAT_R8G8B8A8_SNORM);
    void *texels = random_texels(format, COUNT);
    struct test_image *image = test_image(&vulkan, format, WIDTH, HEIGHT, texels);
    struct test_vulkan_memory *re = test_vulkan_memory(&vulkan, COUNT * sizeof(float), NULL);
    struct test_vulkan_memory *im = test_vulkan_memory(&vulkan, COUNT * sizeof(float), NULL);
    const weft_vulkan_image side = image_of(image, 0);
    weft_params params = params_of(&picture);
    params.format = WEFT_PLANAR;
    weft_plan *plan = NULL;
    weft_buffer *in = wrap_image(image), *out = NULL;
    assert_done(
        weft_vulkan_buffer_wrap(vulkan.weft, re->buffer, 0, im->buffer, 0, re->bytes, &out));
    assert_done(weft_vulkan_plan_create(vulkan.weft, &params, &side, NULL, &plan));
    run(plan, WEFT_INVERSE, in, out);
    float *array = array_of(&picture, image), *expected = expected_of(&picture, array);
    float *found = malloc(COUNT * PAIR);
    assert_non_null(found);
    for (int i = 0; i < COUNT; i++) {
        found[2 * i] = ((const float *)re->data)[i];
        found[2 * i + 1] = ((const float *)im->data)[i];
    }
    assert_near(found, expected, COUNT * PAIR, "planes");
    weft_buffer_destroy(&in);
    weft_buffer_destroy(&out);
    weft_plan_destroy(&plan);
    test_vulkan_release(&vulkan, re);
    test_vulkan_release(&vulkan, im);
    test_image_release(&vulkan, image);
    free(texels);
    free(array);
    free(found);
    free(expected);
}

/* ---- what is refused ---- */

static void wrong_images_are_refused(void **state)
{
    (void)state;
    if (!there) skip();
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
        {vulkan.weft, {BGRA8, 0, 32, 32}, WEFT_F32, 0, WEFT_ERROR_UNSUPPORTED, "accepted are 8"},
        {vulkan.weft, {0, 0, 32, 32}, WEFT_F32, 0, WEFT_ERROR_UNSUPPORTED, "accepted are 8"},
        {vulkan.weft, {RGBA8, 3, 32, 32}, WEFT_F32, 0, WEFT_ERROR_ARGUMENT, "there are 4"},
        {vulkan.weft, {RGBA8, -1, 32, 32}, WEFT_F32, 0, WEFT_ERROR_ARGUMENT, "there are 4"},
        {vulkan.weft, {RGBA8, 0, 32, 0}, WEFT_F32, 0, WEFT_ERROR_SIZE, "sides of 1 and more"},
        {vulkan.weft, {RGBA8, 0, 65536, 65536}, WEFT_F32, 0, WEFT_ERROR_SIZE, "2^31 texels"},
        {vulkan.weft, {RGBA8, 0, 32, 31}, WEFT_F32, 0, WEFT_ERROR_LAYOUT, "reaches texel 1023"},
        {vulkan.weft, {RGBA8, 0, 32, 32}, WEFT_F64, 0, WEFT_ERROR_UNSUPPORTED, "WEFT_F32"},
        {vulkan.weft,
         {RGBA8, 0, 32, 32},
         WEFT_F32,
         WEFT_MEASURE,
         WEFT_ERROR_UNSUPPORTED,
         "WEFT_ESTIMATE"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct picture picture = {WEFT_C2C, WEFT_FORWARD, 32, 32, 0, 0, 0, WHOLE};
        weft_params params = params_of(&picture);
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
    if (!there) skip();
    const weft_vulkan_image image = {VK_FORMAT_R8G8B8A8_UNORM, 0, 32, 32};
    const int64_t strides[] = {-32, 1};
    const struct picture picture = {WEFT_C2C, WEFT_FORWARD, 32, 32, 0, 0, 0, WHOLE};
    weft_params params = params_of(&picture);
    weft_plan *plan = NULL;
    params.in_stride = strides;
    params.in_offset = 31 * 32;
    assert_refused(weft_vulkan_plan_create(vulkan.weft, &params, &image, NULL, &plan),
                   WEFT_ERROR_UNSUPPORTED, "strides");
}

/* Formats that few have need a feature, and none can be had that the device does not store. */
static void formats_need_their_features(void **state)
{
    (void)state;
    if (!there) skip();
    const struct picture picture = {WEFT_R2C, WEFT_FORWARD, 8, 8, 0, 0, 0, WHOLE};
    const weft_params params = params_of(&picture);
    weft_vulkan_context context = test_vulkan_context(&vulkan);
    weft_device *device = NULL;
    context.shader_storage_image_extended_formats = 0;
    assert_done(weft_vulkan_device_open(&context, &device));
    for (int i = 0; i < test_format_count; i++) {
        const weft_vulkan_image image = {(int32_t)test_formats[i].format, 0, 8, 8};
        weft_plan *plan = NULL;
        const weft_status status = weft_vulkan_plan_create(device, &params, &image, NULL, &plan);
        if (!test_format_is_stored(&vulkan, &test_formats[i]))
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
    if (!there) skip();
    enum { SIDE = 16 };
    const struct picture picture = {WEFT_C2C, WEFT_FORWARD, SIDE, SIDE, 0, 0, 0, WHOLE};
    const weft_params params = params_of(&picture);
    struct test_image *image =
        test_image(&vulkan, test_format_of(VK_FORMAT_R8G8B8A8_UNORM), SIDE, SIDE, NULL);
    struct test_image *other =
        test_image(&vulkan, test_format_of(VK_FORMAT_R8G8B8A8_SNORM), SIDE, SIDE, NULL);
    struct test_vulkan_memory *memory = test_vulkan_memory(&vulkan, SIDE * SIDE * PAIR, NULL);
    const weft_vulkan_image side = image_of(image, 0);
    weft_buffer *right = wrap_image(image), *again = wrap_image(image);
    weft_buffer *wrong = wrap_image(other), *array = wrap(memory);
    weft_plan *plan = NULL, *within = NULL;
    char byte;
    assert_done(weft_vulkan_plan_create(vulkan.weft, &params, &side, NULL, &plan));
    assert_done(weft_vulkan_plan_create(vulkan.weft, &params, &side, &side, &within));
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
    test_image_release(&vulkan, image);
    test_image_release(&vulkan, other);
    test_vulkan_release(&vulkan, memory);
}

static weft_status read_image_in(struct test_image *image, const struct test_vulkan_memory *memory)
{
    const struct picture picture = {WEFT_R2C, WEFT_FORWARD, image->height, image->width, 0, 0,
                                    0,        WHOLE};
    const weft_params params = params_of(&picture);
    const weft_vulkan_image side = image_of(image, 0);
    weft_vulkan_context context = test_vulkan_context(&vulkan);
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
    if (!there) skip();
    const struct test_format *format = test_format_of(VK_FORMAT_R8G8B8A8_UNORM);
    struct test_image *image = test_image(&vulkan, format, 32, 32, NULL);
    struct test_vulkan_memory *memory = test_vulkan_memory(&vulkan, 32 * 17 * PAIR, NULL);
    const int64_t live = memory_live_blocks();
    weft_status status = WEFT_ERROR_MEMORY;
    for (int64_t successes = 0; status; successes++) {
        memory_fail_after(successes);
        status = read_image_in(image, memory);
        memory_fail_after(-1);
        if (status) assert_refused(status, WEFT_ERROR_MEMORY, "memory");
        assert_int_equal(memory_live_blocks(), live);
    }
    test_vulkan_release(&vulkan, memory);
    test_image_release(&vulkan, image);
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
        WATCHED(wrong_images_are_refused),
        WATCHED(images_cannot_be_read_backwards),
        WATCHED(formats_need_their_features),
        WATCHED(images_and_buffers_are_not_taken_for_each_other),
        WATCHED(whatever_memory_is_missing_is_told_and_nothing_is_left),
    };
    test_vulkan_prepare(WEFT_BINARY_DIR, "test_vulkan_images");
    numbers.state = random_seed();
    there = test_vulkan_open(&vulkan);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    if (there) test_vulkan_close(&vulkan);
    if (test_vulkan_is_silent(NULL)) failures++;
    return failures;
}

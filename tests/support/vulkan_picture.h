/* Transforms of which one side is an image of Vulkan, beside the same transforms of arrays. */
#ifndef TESTS_SUPPORT_VULKAN_PICTURE_H
#define TESTS_SUPPORT_VULKAN_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "support/vulkan_image.h"

#define PICTURE_PAIR (2 * sizeof(float))

/* Rows and columns that there are, the first and how many; none: all of them. */
struct picture_range {
    int64_t first[2], count[2];
};

#define PICTURE_WHOLE                                                                              \
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
    struct picture_range range[2]; /* of the input, of the output */
};

/* The device of all pictures, from pictures_open() to pictures_close(); false: there is none. */
extern struct test_vulkan picture_vulkan;
extern bool picture_there;
void pictures_open(const char *test);

/* The failures of the test and those that the validation layer found. */
int pictures_close(int failures);

/* Elements in a row of the input or the output. */
int picture_row_length(const struct picture *picture, bool out);

/* Both sides arrays, without the ranges. */
weft_params picture_params(const struct picture *picture);

/* Texels of any bits; floats of 32 bits from -1 to 1, smaller ones of no great exponent. To be
 * freed. */
void *picture_random_texels(const struct test_format *format, int count);

weft_vulkan_image picture_image(const struct test_image *image, int channel);
weft_buffer *picture_wrap(const struct test_image *image);
weft_buffer *picture_wrap_memory(const struct test_vulkan_memory *memory);
void picture_run(const weft_plan *plan, weft_direction direction, weft_buffer *in,
                 weft_buffer *out);

/* What the rectangle of an image holds, as the array that a transform reads; what the transform of
 * arrays makes of it. To be freed. */
float *picture_array(const struct picture *picture, const struct test_image *image);
float *picture_expected(const struct picture *picture, const void *in);
void picture_assert_near(const float *a, const float *b, size_t bytes, const char *name);

/* From an image of width x height to an array, and from an array to such an image: what comes out
 * is what the transform of arrays comes to, and nothing else is written. */
void picture_try_reading(const struct picture *picture, const struct test_format *format, int width,
                         int height);
void picture_try_writing(const struct picture *picture, const struct test_format *format, int width,
                         int height);

#endif

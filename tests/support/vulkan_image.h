/* Images of the tests' own, and what the host makes of their texels. */
#ifndef TESTS_SUPPORT_VULKAN_IMAGE_H
#define TESTS_SUPPORT_VULKAN_IMAGE_H

#include "support/vulkan.h"

/* How a channel's bits are a number. */
enum test_coding { TEST_UNORM, TEST_SNORM, TEST_FLOAT };

struct test_format {
    VkFormat format;
    const char *name;
    enum test_coding coding;
    int channels;
    int bits[4]; /* of each, from the lowest on */
};

extern const struct test_format test_formats[];
extern const int test_format_count;

int test_format_bytes(const struct test_format *format);
const struct test_format *test_format_of(VkFormat format);
bool test_format_is_stored(const struct test_vulkan *t, const struct test_format *format);

/* A channel of a texel, and the greatest distance of numbers near it. */
double test_channel(const struct test_format *format, const void *texel, int channel);
double test_channel_step(const struct test_format *format, int channel, double value);

/* An image in VK_IMAGE_LAYOUT_GENERAL with a view, whose texels are these or zeros. */
struct test_image {
    const struct test_format *format;
    int width, height;
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
    struct test_vulkan_memory *texels; /* what it is filled from, and read back to */
};

struct test_image *test_image(const struct test_vulkan *t, const struct test_format *format,
                              int width, int height, const void *texels);
/* Its texels as they are now. */
const void *test_image_read(const struct test_vulkan *t, struct test_image *image);
void test_image_release(const struct test_vulkan *t, struct test_image *image);

#endif

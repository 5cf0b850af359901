#include "support/vulkan_image.h"

#include <dlfcn.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- formats ---- */

#define SAME(n) {n, n, n, n}
#define ROW(name, coding, channels, ...)                                                           \
    {VK_FORMAT_##name, #name, TEST_##coding, channels, __VA_ARGS__}
const struct test_format test_formats[] = {
    ROW(R8_UNORM, UNORM, 1, SAME(8)),
    ROW(R8G8_UNORM, UNORM, 2, SAME(8)),
    ROW(R8G8B8A8_UNORM, UNORM, 4, SAME(8)),
    ROW(R8_SNORM, SNORM, 1, SAME(8)),
    ROW(R8G8_SNORM, SNORM, 2, SAME(8)),
    ROW(R8G8B8A8_SNORM, SNORM, 4, SAME(8)),
    ROW(R16_UNORM, UNORM, 1, SAME(16)),
    ROW(R16G16_UNORM, UNORM, 2, SAME(16)),
    ROW(R16G16B16A16_UNORM, UNORM, 4, SAME(16)),
    ROW(R16_SNORM, SNORM, 1, SAME(16)),
    ROW(R16G16_SNORM, SNORM, 2, SAME(16)),
    ROW(R16G16B16A16_SNORM, SNORM, 4, SAME(16)),
    ROW(R16_SFLOAT, FLOAT, 1, SAME(16)),
    ROW(R16G16_SFLOAT, FLOAT, 2, SAME(16)),
    ROW(R16G16B16A16_SFLOAT, FLOAT, 4, SAME(16)),
    ROW(R32_SFLOAT, FLOAT, 1, SAME(32)),
    ROW(R32G32_SFLOAT, FLOAT, 2, SAME(32)),
    ROW(R32G32B32A32_SFLOAT, FLOAT, 4, SAME(32)),
    ROW(A2B10G10R10_UNORM_PACK32, UNORM, 4, {10, 10, 10, 2}),
    ROW(B10G11R11_UFLOAT_PACK32, FLOAT, 3, {11, 11, 10}),
};
const int test_format_count = sizeof test_formats / sizeof *test_formats;

int test_format_bytes(const struct test_format *format)
{
    int bits = 0;
    for (int i = 0; i < format->channels; i++) bits += format->bits[i];
    return bits / 8;
}

const struct test_format *test_format_of(VkFormat format)
{
    int i = 0;
    while (test_formats[i].format != format) i++;
    return &test_formats[i];
}

bool test_format_is_stored(const struct test_vulkan *t, const struct test_format *format)
{
    VkFormatProperties has;
    t->vk->GetPhysicalDeviceFormatProperties(t->physical, format->format, &has);
    return has.optimalTilingFeatures & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT;
}

/* ---- texels ---- */

static uint32_t channel_bits(const struct test_format *format, const void *texel, int channel)
{
    const unsigned char *bytes = texel;
    int first = 0;
    uint32_t value = 0;
    for (int i = 0; i < channel; i++) first += format->bits[i];
    for (int i = format->bits[channel] - 1; i >= 0; i--)
        value = value << 1 | (bytes[(first + i) / 8] >> (first + i) % 8 & 1);
    return value;
}

/* Bits of the mantissa: numbers of fewer than 16 bits have no sign. */
static int mantissa_bits(int bits)
{
    return bits == 32 ? 23 : bits == 16 ? 10 : bits - 5;
}

static double small_float(uint32_t bits, int count)
{
    const int mantissa = mantissa_bits(count);
    const int exponent = (int)(bits >> mantissa & 31);
    const double fraction = ldexp((double)(bits & ((1u << mantissa) - 1)), -mantissa);
    const double size = exponent ? ldexp(1 + fraction, exponent - 15) : ldexp(fraction, -14);
    return count == 16 && bits >> 15 ? -size : size;
}

double test_channel(const struct test_format *format, const void *texel, int channel)
{
    const int count = format->bits[channel];
    const uint32_t bits = channel_bits(format, texel, channel);
    float single;
    memcpy(&single, &bits, sizeof single);
    if (format->coding == TEST_FLOAT)
        return count == 32 ? (double)single : small_float(bits, count);
    if (format->coding == TEST_UNORM) return bits / (ldexp(1, count) - 1);
    const double number = bits >> (count - 1) ? (double)bits - ldexp(1, count) : (double)bits;
    return fmax(number / (ldexp(1, count - 1) - 1), -1);
}

double test_channel_step(const struct test_format *format, int channel, double value)
{
    const int count = format->bits[channel];
    if (format->coding == TEST_UNORM) return 1 / (ldexp(1, count) - 1);
    if (format->coding == TEST_SNORM) return 1 / (ldexp(1, count - 1) - 1);
    return ldexp(fmax(fabs(value), ldexp(1, -14)), -mantissa_bits(count));
}

/* ---- images ---- */

static void check(VkResult result)
{
    if (result != VK_SUCCESS) abort();
}

#define CALL(name) ((PFN_##name)find(#name))
static PFN_vkVoidFunction find(const char *name)
{
    PFN_vkVoidFunction function = NULL;
    void *loader = dlopen("libvulkan.so.1", RTLD_NOW), *found = dlsym(loader, name);
    if (!found) abort();
    memcpy(&function, &found, sizeof function);
    return function;
}

static void create_image(const struct test_vulkan *t, struct test_image *image)
{
    const VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = image->format->format,
        .extent = {(uint32_t)image->width, (uint32_t)image->height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                 VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements needs;
    uint32_t type = 0;
    check(CALL(vkCreateImage)(t->device, &info, NULL, &image->image));
    CALL(vkGetImageMemoryRequirements)(t->device, image->image, &needs);
    while (!(needs.memoryTypeBits >> type & 1)) type++;
    const VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                             .allocationSize = needs.size,
                                             .memoryTypeIndex = type};
    check(t->vk->AllocateMemory(t->device, &allocation, NULL, &image->memory));
    check(CALL(vkBindImageMemory)(t->device, image->image, image->memory, 0));
}

static const VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

static void create_view(const struct test_vulkan *t, struct test_image *image)
{
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = image->image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = image->format->format,
                                        .subresourceRange = whole};
    check(CALL(vkCreateImageView)(t->device, &info, NULL, &image->view));
}

/* Around a copy: all that came before is done, and all that comes sees it. */
static void order(const struct test_vulkan *t, VkCommandBuffer commands,
                  const struct test_image *image, VkImageLayout from, VkImageLayout to)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                         VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->image,
        .subresourceRange = whole};
    const VkPipelineStageFlags stages =
        VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    t->vk->CmdPipelineBarrier(commands, stages, stages, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static VkBufferImageCopy whole_copy(const struct test_image *image)
{
    return (VkBufferImageCopy){
        .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .imageExtent = {(uint32_t)image->width, (uint32_t)image->height, 1}};
}

struct test_image *test_image(const struct test_vulkan *t, const struct test_format *format,
                              int width, int height, const void *texels)
{
    struct test_image *image = calloc(1, sizeof *image);
    if (!image) abort();
    *image = (struct test_image){.format = format, .width = width, .height = height};
    create_image(t, image);
    create_view(t, image);
    const VkBufferImageCopy copy = whole_copy(image);
    const size_t bytes = (size_t)(width * height * test_format_bytes(format));
    image->texels = test_vulkan_memory(t, bytes, texels);
    VkCommandBuffer commands = test_vulkan_begin(t);
    order(t, commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    CALL(vkCmdCopyBufferToImage)(commands, image->texels->buffer, image->image,
                                 VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    order(t, commands, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    test_vulkan_end(t, commands);
    test_vulkan_run(t, commands);
    return image;
}

const void *test_image_read(const struct test_vulkan *t, struct test_image *image)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    const VkBufferImageCopy copy = whole_copy(image);
    VkCommandBuffer commands = test_vulkan_begin(t);
    order(t, commands, image, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    CALL(vkCmdCopyImageToBuffer)(commands, image->image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                                 image->texels->buffer, 1, &copy);
    order(t, commands, image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, VK_IMAGE_LAYOUT_GENERAL);
    t->vk->CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT,
                              0, 1, &barrier, 0, NULL, 0, NULL);
    test_vulkan_end(t, commands);
    test_vulkan_run(t, commands);
    return image->texels->data;
}

void test_image_release(const struct test_vulkan *t, struct test_image *image)
{
    CALL(vkDestroyImageView)(t->device, image->view, NULL);
    CALL(vkDestroyImage)(t->device, image->image, NULL);
    t->vk->FreeMemory(t->device, image->memory, NULL);
    test_vulkan_release(t, image->texels);
    free(image);
}

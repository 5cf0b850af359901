/* Images at the ends of transforms: which formats there are, and the caller's views. */
#include "base/error.h"
#include "base/memory.h"
#include "device/vulkan/state.h"
#include "device/vulkan/vulkan.h"
#include "print/spirv_words.h"

/* A format and what kernels call it. */
struct named_format {
    VkFormat format;
    int channels;
    enum spirv_image_format name;
    bool everywhere; /* all devices read and write it in kernels: no feature is needed */
};

static const struct named_format named_formats[] = {
    {VK_FORMAT_R8_UNORM, 1, SPIRV_R8, false},
    {VK_FORMAT_R8G8_UNORM, 2, SPIRV_Rg8, false},
    {VK_FORMAT_R8G8B8A8_UNORM, 4, SPIRV_Rgba8, true},
    {VK_FORMAT_R8_SNORM, 1, SPIRV_R8Snorm, false},
    {VK_FORMAT_R8G8_SNORM, 2, SPIRV_Rg8Snorm, false},
    {VK_FORMAT_R8G8B8A8_SNORM, 4, SPIRV_Rgba8Snorm, true},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, 4, SPIRV_Rgb10A2, false},
    {VK_FORMAT_R16_UNORM, 1, SPIRV_R16, false},
    {VK_FORMAT_R16G16_UNORM, 2, SPIRV_Rg16, false},
    {VK_FORMAT_R16G16B16A16_UNORM, 4, SPIRV_Rgba16, false},
    {VK_FORMAT_R16_SNORM, 1, SPIRV_R16Snorm, false},
    {VK_FORMAT_R16G16_SNORM, 2, SPIRV_Rg16Snorm, false},
    {VK_FORMAT_R16G16B16A16_SNORM, 4, SPIRV_Rgba16Snorm, false},
    {VK_FORMAT_R16_SFLOAT, 1, SPIRV_R16f, false},
    {VK_FORMAT_R16G16_SFLOAT, 2, SPIRV_Rg16f, false},
    {VK_FORMAT_R16G16B16A16_SFLOAT, 4, SPIRV_Rgba16f, true},
    {VK_FORMAT_R32_SFLOAT, 1, SPIRV_R32f, true},
    {VK_FORMAT_R32G32_SFLOAT, 2, SPIRV_Rg32f, false},
    {VK_FORMAT_R32G32B32A32_SFLOAT, 4, SPIRV_Rgba32f, true},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, 3, SPIRV_R11fG11fB10f, false},
};

static const struct named_format *find_format(int32_t format)
{
    for (size_t i = 0; i < sizeof named_formats / sizeof *named_formats; i++)
        if ((int32_t)named_formats[i].format == format) return &named_formats[i];
    return NULL;
}

static weft_status check_format(const struct vulkan_state *state, const struct named_format *known)
{
    VkFormatProperties has;
    state->library->GetPhysicalDeviceFormatProperties(state->physical, known->format, &has);
    const VkFormatFeatureFlags features = has.optimalTilingFeatures | has.linearTilingFeatures;
    if (!(features & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT)) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "Vulkan: %s has no storage images of VkFormat %d "
                         "(VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT)",
                         state->name, (int)known->format);
    }
    if (known->everywhere || state->extended_formats) return WEFT_OK;
    return error_set(WEFT_ERROR_UNSUPPORTED,
                     "Vulkan: images of VkFormat %d need the feature "
                     "shaderStorageImageExtendedFormats, which the device was made without",
                     (int)known->format);
}

weft_status vulkan_image_texels(const struct device *device, const struct weft_vulkan_image *image,
                                struct texels *texels)
{
    const struct named_format *known = find_format(image->format);
    if (!known) {
        return error_set(WEFT_ERROR_UNSUPPORTED,
                         "Vulkan: images of VkFormat %d; accepted are 8 and 16 bits UNORM and "
                         "SNORM, 16 and 32 bits SFLOAT of R, RG and RGBA, A2B10G10R10_UNORM and "
                         "B10G11R11_UFLOAT",
                         (int)image->format);
    }
    if (image->width < 1 || image->height < 1 || image->width > INT32_MAX / image->height) {
        return error_set(WEFT_ERROR_SIZE, "Vulkan: an image of %lld x %lld texels; accepted are "
                                          "sides of 1 and more, and fewer than 2^31 texels",
                         (long long)image->width, (long long)image->height);
    }
    weft_status status = check_format(device->state, known);
    if (status) return status;
    *texels = (struct texels){(int)known->name, known->channels, image->channel, image->width};
    return WEFT_OK;
}

weft_status vulkan_image_wrap(weft_vulkan_image_view view, void **memory)
{
    struct vulkan_memory *made = memory_alloc_zeroed(sizeof *made);
    if (!made) return error_memory("a buffer");
    made->view = view;
    *memory = made;
    return WEFT_OK;
}

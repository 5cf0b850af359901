/* A band-pass filter in a Vulkan frame, without a window: the red of an image of 1024 x 1024 is
 * transformed, frequencies outside a ring are cleared, and what is left is transformed back into
 * the image, all in one command buffer and with no copy of the image. Writes the picture before and
 * after, side by side, as a PGM file.
 *     cc vulkan_band_pass.c $(pkg-config --cflags --libs weft) -lvulkan -lm
 *     ./a.out [FILE.pgm]
 *
 * The ring is cleared by fills of its rows' ranges, so that the example needs no shader of its own:
 * a renderer would multiply by any mask in a compute shader. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>
#include <weft/vulkan.h>

enum { SIDE = 1024, FROM = 40, TO = 100 }; /* the ring, in periods across the picture */

#define PAIR           (2 * sizeof(float))
#define HALF           (SIDE / 2 + 1) /* of the spectrum of real numbers suffices */
#define SPECTRUM_BYTES ((VkDeviceSize)SIDE * HALF * PAIR)
#define PICTURE_BYTES  ((VkDeviceSize)SIDE * SIDE * 4)

enum { RED, GREEN };

/* A buffer and its memory. */
struct store {
    VkBuffer buffer;
    VkDeviceMemory memory;
};

struct frame {
    VkInstance instance;
    VkPhysicalDevice physical;
    uint32_t family;
    VkDevice device;
    VkQueue queue;
    struct store spectrum, staging;
    unsigned char (*pixel)[4]; /* where the host sees the latter */
    VkImage image;
    VkDeviceMemory memory; /* of the image */
    VkImageView view;
    VkCommandPool pool;
    VkCommandBuffer commands;
};

static void check(int failed, const char *what)
{
    if (!failed) return;
    fprintf(stderr, "%s failed (%d)\n", what, failed);
    exit(1);
}

static void check_weft(weft_status status)
{
    if (!status) return;
    fprintf(stderr, "%s\n", weft_last_error());
    exit(1);
}

/* ---- what any renderer has ---- */

static void open_device(struct frame *f)
{
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_1};
    const VkInstanceCreateInfo instance = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                           .pApplicationInfo = &application};
    VkQueueFamilyProperties family[16];
    uint32_t devices = 1, families = 16;
    check(vkCreateInstance(&instance, NULL, &f->instance), "vkCreateInstance");
    check(vkEnumeratePhysicalDevices(f->instance, &devices, &f->physical) < 0 || devices == 0,
          "finding a device");
    vkGetPhysicalDeviceQueueFamilyProperties(f->physical, &families, family);
    while (f->family < families && !(family[f->family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        f->family++;
    check(f->family == families, "finding a queue for compute");
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = f->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo device = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .queueCreateInfoCount = 1,
                                       .pQueueCreateInfos = &queue};
    check(vkCreateDevice(f->physical, &device, NULL, &f->device), "vkCreateDevice");
    vkGetDeviceQueue(f->device, f->family, 0, &f->queue);
}

static uint32_t find_memory(const struct frame *f, uint32_t allowed, VkMemoryPropertyFlags wanted)
{
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(f->physical, &memory);
    uint32_t i = 0;
    while (!(allowed >> i & 1) || (memory.memoryTypes[i].propertyFlags & wanted) != wanted)
        i++; /* Vulkan promises that there is one */
    return i;
}

static void create_buffer(const struct frame *f, VkDeviceSize bytes, VkMemoryPropertyFlags wanted,
                          struct store *store)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = bytes,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements needs;
    check(vkCreateBuffer(f->device, &info, NULL, &store->buffer), "vkCreateBuffer");
    vkGetBufferMemoryRequirements(f->device, store->buffer, &needs);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex =
                                             find_memory(f, needs.memoryTypeBits, wanted)};
    check(vkAllocateMemory(f->device, &memory, NULL, &store->memory), "vkAllocateMemory");
    check(vkBindBufferMemory(f->device, store->buffer, store->memory, 0), "vkBindBufferMemory");
}

static void create_buffers(struct frame *f)
{
    void *data = NULL;
    create_buffer(f, SPECTRUM_BYTES, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, &f->spectrum);
    create_buffer(f, PICTURE_BYTES,
                  VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                  &f->staging);
    check(vkMapMemory(f->device, f->staging.memory, 0, VK_WHOLE_SIZE, 0, &data), "vkMapMemory");
    f->pixel = data;
}

static const VkImageSubresourceRange whole = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};

static void create_image(struct frame *f)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .extent = {SIDE, SIDE, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_STORAGE_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements needs;
    check(vkCreateImage(f->device, &info, NULL, &f->image), "vkCreateImage");
    vkGetImageMemoryRequirements(f->device, f->image, &needs);
    const VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex =
            find_memory(f, needs.memoryTypeBits, VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)};
    check(vkAllocateMemory(f->device, &memory, NULL, &f->memory), "vkAllocateMemory");
    check(vkBindImageMemory(f->device, f->image, f->memory, 0), "vkBindImageMemory");
    const VkImageViewCreateInfo view = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = f->image,
                                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                                        .format = VK_FORMAT_R8G8B8A8_UNORM,
                                        .subresourceRange = whole};
    check(vkCreateImageView(f->device, &view, NULL, &f->view), "vkCreateImageView");
}

static void begin_frame(struct frame *f)
{
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .queueFamilyIndex = f->family};
    check(vkCreateCommandPool(f->device, &pool, NULL, &f->pool), "vkCreateCommandPool");
    const VkCommandBufferAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = f->pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    check(vkAllocateCommandBuffers(f->device, &info, &f->commands), "vkAllocateCommandBuffers");
    check(vkBeginCommandBuffer(f->commands, &begin), "vkBeginCommandBuffer");
}

/* What `before` wrote is seen by `after`. */
static void hand_over(const struct frame *f, VkPipelineStageFlags before, VkAccessFlags written,
                      VkPipelineStageFlags after, VkAccessFlags access)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = written,
                                     .dstAccessMask = access};
    vkCmdPipelineBarrier(f->commands, before, after, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/* Likewise of the image, which changes its layout. */
static void change_layout(const struct frame *f, VkImageLayout from, VkImageLayout to,
                          VkPipelineStageFlags before, VkAccessFlags written,
                          VkPipelineStageFlags after, VkAccessFlags access)
{
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = written,
                                          .dstAccessMask = access,
                                          .oldLayout = from,
                                          .newLayout = to,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = f->image,
                                          .subresourceRange = whole};
    vkCmdPipelineBarrier(f->commands, before, after, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static const VkBufferImageCopy all_pixels = {
    .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1}, .imageExtent = {SIDE, SIDE, 1}};

/* Stands for whatever draws the frame. */
static void record_drawing(const struct frame *f)
{
    const VkImageLayout target = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    change_layout(f, VK_IMAGE_LAYOUT_UNDEFINED, target, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0,
                  VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    vkCmdCopyBufferToImage(f->commands, f->staging.buffer, f->image, target, 1, &all_pixels);
    change_layout(f, target, VK_IMAGE_LAYOUT_GENERAL, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                  VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
}

/* Stands for whatever shows it. */
static void record_showing(const struct frame *f)
{
    const VkImageLayout source = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    change_layout(f, VK_IMAGE_LAYOUT_GENERAL, source, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                  VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  VK_ACCESS_TRANSFER_READ_BIT);
    vkCmdCopyImageToBuffer(f->commands, f->image, source, f->staging.buffer, 1, &all_pixels);
    hand_over(f, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
              VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

static void run_frame(const struct frame *f)
{
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &f->commands};
    check(vkEndCommandBuffer(f->commands), "vkEndCommandBuffer");
    check(vkQueueSubmit(f->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
    check(vkQueueWaitIdle(f->queue), "vkQueueWaitIdle");
}

static void close_device(const struct frame *f)
{
    vkDestroyCommandPool(f->device, f->pool, NULL);
    vkDestroyBuffer(f->device, f->spectrum.buffer, NULL);
    vkFreeMemory(f->device, f->spectrum.memory, NULL);
    vkDestroyBuffer(f->device, f->staging.buffer, NULL);
    vkFreeMemory(f->device, f->staging.memory, NULL);
    vkDestroyImageView(f->device, f->view, NULL);
    vkDestroyImage(f->device, f->image, NULL);
    vkFreeMemory(f->device, f->memory, NULL);
    vkDestroyDevice(f->device, NULL);
    vkDestroyInstance(f->instance, NULL);
}

/* ---- the filter ---- */

struct filter {
    weft_device *device;
    weft_plan *forward, *backward;
    weft_buffer *picture, *spectrum;
};

/* The image's red to half a spectrum, and back. */
static void open_filter(const struct frame *f, struct filter *filter)
{
    const weft_vulkan_context context = {.physical_device = f->physical,
                                         .device = f->device,
                                         .queue = f->queue,
                                         .queue_family = f->family,
                                         .api_version = VK_API_VERSION_1_1};
    const weft_vulkan_image red = {VK_FORMAT_R8G8B8A8_UNORM, RED, SIDE, SIDE};
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.rank = 2;
    params.size[0] = params.size[1] = SIDE;
    params.inverse_scale = 1.0 / (SIDE * SIDE);
    check_weft(weft_vulkan_device_open(&context, &filter->device));
    params.kind = WEFT_R2C;
    check_weft(
        weft_vulkan_plan_create(filter->device, &params, &red, NULL, &filter->forward));
    params.kind = WEFT_C2R;
    check_weft(
        weft_vulkan_plan_create(filter->device, &params, NULL, &red, &filter->backward));
    check_weft(weft_vulkan_image_wrap(filter->device, f->view, &red, &filter->picture));
    check_weft(weft_vulkan_buffer_wrap(filter->device, f->spectrum.buffer, 0, NULL, 0,
                                       SPECTRUM_BYTES, &filter->spectrum));
}

static void close_filter(struct filter *filter)
{
    weft_buffer_destroy(&filter->picture);
    weft_buffer_destroy(&filter->spectrum);
    weft_plan_destroy(&filter->forward);
    weft_plan_destroy(&filter->backward);
    weft_device_close(&filter->device);
}

/* Columns `first` to `end` - 1 of a row of the spectrum, between two fills of which nothing needs
 * to be ordered. */
static void clear(const struct frame *f, int row, int first, int end)
{
    if (end <= first) return;
    vkCmdFillBuffer(f->commands, f->spectrum.buffer, (VkDeviceSize)(row * HALF + first) * PAIR,
                    (VkDeviceSize)(end - first) * PAIR, 0);
}

/* Frequency k down the picture lies in row k, and -k in row SIDE - k. The mean, element 0, stays:
 * without it half of the picture would be below 0, which no texel of UNORM is. */
static void clear_outside_ring(const struct frame *f)
{
    for (int row = 0; row < SIDE; row++) {
        const double y = row < SIDE / 2 ? row : SIDE - row;
        const int outer = y < TO ? (int)ceil(sqrt((double)TO * TO - y * y)) : 0;
        const int inner = y < FROM ? (int)ceil(sqrt((double)FROM * FROM - y * y)) : 0;
        clear(f, row, row == 0, inner);
        clear(f, row, outer, HALF);
    }
}

static void record_filter(const struct frame *f, const struct filter *filter)
{
    check_weft(weft_vulkan_record(filter->forward, WEFT_FORWARD, filter->picture,
                                  filter->spectrum, NULL, f->commands));
    hand_over(f, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
              VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    clear_outside_ring(f);
    check_weft(weft_vulkan_record(filter->backward, WEFT_INVERSE, filter->spectrum,
                                  filter->picture, NULL, f->commands));
}

/* ---- the picture ---- */

/* A shade, stripes of 16 pixels around the middle, and a chequer of single ones: all in grey. */
static void draw(unsigned char (*pixel)[4])
{
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const float far = hypotf((float)(x - SIDE / 2), (float)(y - SIDE / 2));
            const float stripes = 0.2f + 0.2f * sinf(far * 6.2831853f / 16);
            const float value = 0.4f * (float)x / SIDE + stripes + ((x + y) % 2 ? 0.05f : 0.15f);
            memset(pixel[y * SIDE + x], (int)(255 * value), 4);
        }
    }
}

/* What the filter left alone on the left, and what it made on the right. */
static void write_picture(const char *path, unsigned char (*pixel)[4])
{
    FILE *file = fopen(path, "wb");
    check(!file, path);
    fprintf(file, "P5 %d %d 255\n", 2 * SIDE, SIDE);
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < 2 * SIDE; x++)
            fputc(pixel[y * SIDE + x % SIDE][x < SIDE ? GREEN : RED], file);
    }
    check(ferror(file), path);
    check(fclose(file), path);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "band_pass.pgm";
    struct frame frame = {0};
    struct filter filter = {0};
    open_device(&frame);
    create_buffers(&frame);
    create_image(&frame);
    open_filter(&frame, &filter);
    draw(frame.pixel);

    begin_frame(&frame);
    record_drawing(&frame);
    record_filter(&frame, &filter);
    record_showing(&frame);
    run_frame(&frame);
    write_picture(path, frame.pixel);
    printf("%s: %d x %d, frequencies of %d to %d kept\n", path, SIDE, SIDE, FROM, TO);

    close_filter(&filter);
    close_device(&frame);
    return 0;
}

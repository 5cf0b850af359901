/* A band-pass filter in a Vulkan frame, without a window: a picture of 1024 x 1024 is transformed,
 * frequencies outside a ring are cleared, and what is left is transformed back, all in one command
 * buffer. Writes the picture before and after, side by side, as a PGM file.
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

#define PAIR  (2 * sizeof(float))
#define BYTES ((VkDeviceSize)SIDE * SIDE * PAIR)

struct frame {
    VkInstance instance;
    VkPhysicalDevice physical;
    uint32_t family;
    VkDevice device;
    VkQueue queue;
    VkBuffer buffer; /* the picture */
    VkDeviceMemory memory;
    float (*pixel)[2]; /* where the host sees it */
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

static uint32_t find_memory(const struct frame *f, uint32_t allowed)
{
    const VkMemoryPropertyFlags wanted =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkPhysicalDeviceMemoryProperties memory;
    vkGetPhysicalDeviceMemoryProperties(f->physical, &memory);
    uint32_t i = 0;
    while (!(allowed >> i & 1) || (memory.memoryTypes[i].propertyFlags & wanted) != wanted)
        i++; /* Vulkan promises that there is one */
    return i;
}

static void create_buffer(struct frame *f)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = BYTES,
                                     .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                              VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    check(vkCreateBuffer(f->device, &info, NULL, &f->buffer), "vkCreateBuffer");
    VkMemoryRequirements needs;
    vkGetBufferMemoryRequirements(f->device, f->buffer, &needs);
    const VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                         .allocationSize = needs.size,
                                         .memoryTypeIndex = find_memory(f, needs.memoryTypeBits)};
    void *data = NULL;
    check(vkAllocateMemory(f->device, &memory, NULL, &f->memory), "vkAllocateMemory");
    check(vkBindBufferMemory(f->device, f->buffer, f->memory, 0), "vkBindBufferMemory");
    check(vkMapMemory(f->device, f->memory, 0, VK_WHOLE_SIZE, 0, &data), "vkMapMemory");
    f->pixel = data;
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

/* What compute shaders wrote is seen by that stage. */
static void hand_over(const struct frame *f, VkPipelineStageFlags stage, VkAccessFlags access)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = access};
    vkCmdPipelineBarrier(f->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, stage, 0, 1, &barrier,
                         0, NULL, 0, NULL);
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
    vkDestroyBuffer(f->device, f->buffer, NULL);
    vkFreeMemory(f->device, f->memory, NULL);
    vkDestroyDevice(f->device, NULL);
    vkDestroyInstance(f->instance, NULL);
}

/* ---- the filter ---- */

/* Columns `first` to `end` - 1 of a row of the spectrum, between two fills of which nothing needs
 * to be ordered. */
static void clear(const struct frame *f, int row, int first, int end)
{
    if (end <= first) return;
    vkCmdFillBuffer(f->commands, f->buffer, (VkDeviceSize)(row * SIDE + first) * PAIR,
                    (VkDeviceSize)(end - first) * PAIR, 0);
}

/* Frequency k of a row of the spectrum lies at k, and -k at SIDE - k. */
static void clear_outside_ring(const struct frame *f)
{
    for (int row = 0; row < SIDE; row++) {
        const double y = row < SIDE / 2 ? row : SIDE - row;
        const int outer = y < TO ? (int)ceil(sqrt((double)TO * TO - y * y)) : 0;
        const int inner = y < FROM ? (int)ceil(sqrt((double)FROM * FROM - y * y)) : 0;
        clear(f, row, 0, inner);
        clear(f, row, outer, SIDE - outer + (outer > 0));
        clear(f, row, SIDE - inner + 1, SIDE);
    }
}

static void record_filter(const struct frame *f, const weft_plan *plan, weft_buffer *picture)
{
    check_weft(weft_vulkan_record(plan, WEFT_FORWARD, picture, picture, NULL, f->commands));
    hand_over(f, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT);
    clear_outside_ring(f);
    check_weft(weft_vulkan_record(plan, WEFT_INVERSE, picture, picture, NULL, f->commands));
    hand_over(f, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

/* ---- the picture ---- */

/* A shade, stripes of 16 pixels around the middle, and a chequer of single ones. */
static void draw(float (*pixel)[2])
{
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            const float far = hypotf((float)(x - SIDE / 2), (float)(y - SIDE / 2));
            float value = 0.5f * (float)x / SIDE + 0.2f * sinf(far * 6.2831853f / 16);
            pixel[y * SIDE + x][0] = value + ((x + y) % 2 ? 0.15f : 0.25f);
            pixel[y * SIDE + x][1] = 0;
        }
    }
}

static void keep(unsigned char *half, float (*pixel)[2], float zero)
{
    for (int i = 0; i < SIDE * SIDE; i++) {
        const float grey = 255 * (pixel[i][0] + zero);
        half[i / SIDE * 2 * SIDE + i % SIDE] =
            (unsigned char)(grey < 0 ? 0 : grey > 255 ? 255 : grey);
    }
}

static void write_picture(const char *path, const unsigned char *picture)
{
    FILE *file = fopen(path, "wb");
    check(!file, path);
    fprintf(file, "P5 %d %d 255\n", 2 * SIDE, SIDE);
    check(fwrite(picture, 2 * SIDE, SIDE, file) != SIDE, path);
    check(fclose(file), path);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "band_pass.pgm";
    struct frame frame = {0};
    weft_device *device = NULL;
    weft_plan *plan = NULL;
    weft_buffer *picture = NULL;
    weft_params params = WEFT_PARAMS_DEFAULT;
    params.rank = 2;
    params.size[0] = params.size[1] = SIDE;
    params.inverse_scale = 1.0 / (SIDE * SIDE);
    unsigned char *both = malloc((size_t)2 * SIDE * SIDE);
    check(!both, "malloc");

    open_device(&frame);
    create_buffer(&frame);
    const weft_vulkan_context context = {frame.physical, frame.device, frame.queue, frame.family,
                                         VK_API_VERSION_1_1, 0, 0, 0};
    check_weft(weft_vulkan_device_open(&context, &device));
    check_weft(weft_plan_create(device, &params, &plan));
    check_weft(weft_vulkan_buffer_wrap(device, frame.buffer, 0, NULL, 0, BYTES, &picture));

    draw(frame.pixel);
    keep(both, frame.pixel, 0);
    begin_frame(&frame);
    record_filter(&frame, plan, picture);
    run_frame(&frame);
    keep(both + SIDE, frame.pixel, 0.5f);
    write_picture(path, both);
    printf("%s: %d x %d, frequencies of %d to %d kept\n", path, SIDE, SIDE, FROM, TO);

    weft_buffer_destroy(&picture);
    weft_plan_destroy(&plan);
    weft_device_close(&device);
    close_device(&frame);
    free(both);
    return 0;
}

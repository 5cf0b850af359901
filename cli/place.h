/* Where the arrays of `weft bench` live: host memory, the memory of a CUDA device or buffers of a
 * Vulkan device, which rivals share, or buffers of whatever other device. */
#ifndef WEFT_CLI_PLACE_H
#define WEFT_CLI_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <weft/weft.h>

struct place_array {
    void *memory; /* for rivals: an address that they understand, or a VkBuffer *; NULL: they would
                   * not */
    weft_buffer *buffer;
    size_t bytes;
};

/* Work to be timed: one transform, so many times. The loop is the work's own, next to the library's
 * call, so that nothing but this is timed. */
typedef const char *place_work(const void *context, int64_t repeats);

struct place {
    /* Opens the device of that name. Returns NULL, or one line that says what is wrong. */
    const char *(*open)(const char *name, weft_device **device);
    /* Zeroed. NULL: no memory. */
    const char *(*create)(weft_device *device, size_t bytes, struct place_array *array);
    void (*destroy)(struct place_array *array);
    const char *(*write)(struct place_array *array, size_t offset, const void *data, size_t bytes);
    const char *(*read)(const struct place_array *array, size_t offset, void *data, size_t bytes);
    const char *(*execute)(const weft_plan *plan, weft_direction direction, const weft_buffer *in,
                           weft_buffer *out, int64_t repeats);
    /* Has the work done `repeats` times and stores the seconds that it took altogether. */
    const char *(*time)(place_work *work, const void *context, int64_t repeats, double *seconds);
    /* Starts copying one array to another. NULL: there is no such thing here. */
    const char *(*copy)(const struct place_array *to, const struct place_array *from);
    void *(*queue)(void); /* that rivals should work in; NULL: none */
    bool host;            /* arrays are this machine's memory */
};

/* That of a device's name; NULL stands for the default device. */
const struct place *place_find(const char *device_name);

extern const struct place place_host, place_cuda, place_vulkan, place_buffers;

#endif

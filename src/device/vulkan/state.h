/* What the parts of the Vulkan backend share. */
#ifndef WEFT_DEVICE_VULKAN_STATE_H
#define WEFT_DEVICE_VULKAN_STATE_H

#include <pthread.h>
#include <stdbool.h>

#include "device/device.h"
#include "device/vulkan/library.h"
#include "store/store.h"

/* ---- memory ---- */

/* A part of a buffer that kernels are bound to, or an image. */
struct vulkan_memory {
    VkBuffer buffer;
    VkImageView view;           /* VK_NULL_HANDLE: it is no image */
    VkDeviceMemory memory;      /* VK_NULL_HANDLE: the buffer is the caller's */
    VkDeviceSize offset;        /* where the part begins, as bindings must be aligned */
    VkDeviceSize shift;         /* bytes from there to element 0 */
    VkDeviceSize bytes;         /* from there on */
    void *mapped;               /* NULL: the host does not see it */
    bool cached;                /* the host reads it fast */
    uint64_t used;              /* the last batch that uses it */
    int references;             /* sets of bindings that name it */
    bool dead;                  /* it was freed: nothing runs on it any more */
    struct vulkan_memory *next; /* the plane that goes with it */
};

/* ---- commands ---- */

/* A command buffer of the device's own, on its way from being recorded to being done. */
enum vulkan_stage { VULKAN_FREE, VULKAN_OPEN, VULKAN_SUBMITTED };
struct vulkan_batch {
    enum vulkan_stage stage;
    VkCommandBuffer commands;
    VkFence fence;
    uint64_t number; /* counts up in the order of submission */
    int waiters;     /* threads that wait for the fence */
    int recorded;    /* passes and copies */
};
#define VULKAN_BATCHES 8

/* ---- the device ---- */

struct vulkan_state {
    const struct vulkan_library *library;
    VkPhysicalDevice physical;
    VkDevice device;
    bool owned; /* the VkDevice goes with the state */
    VkQueue queue;
    uint32_t family;
    uint32_t api_version; /* that calls may be of */
    bool doubles, wide;   /* shaderFloat64 and shaderInt64 are on, */
    bool extended_formats; /* and shaderStorageImageExtendedFormats */
    VkPhysicalDeviceProperties properties;
    VkPhysicalDeviceMemoryProperties memory;
    char name[128];   /* for messages */
    char driver[128]; /* its version and the identity of its pipeline caches */
    struct store *store;

    pthread_mutex_t lock; /* of the queue, the batches, and all kernels' bindings */
    pthread_cond_t freed; /* nobody waits for some batch any more */
    VkCommandPool pool;
    struct vulkan_batch batch[VULKAN_BATCHES];
    struct vulkan_batch *open; /* NULL: none */
    uint64_t batches;          /* numbers given so far */

    pthread_mutex_t staging_lock; /* taken before the other one */
    struct vulkan_memory *staging;
};

/* What a call came to, as a status with a message: MEMORY if the device or the host has no more,
 * otherwise DEVICE. call: the function; kernel: whose, or NULL. */
weft_status vulkan_check(const struct vulkan_state *state, VkResult result, const char *call,
                         const char *kernel);

/* limits.c */
void vulkan_limits(const struct vulkan_state *state, struct limits *limits);

/* memory.c */
weft_status vulkan_alloc(struct device *device, size_t bytes, void **memory);
void vulkan_free(struct device *device, void *memory);
weft_status vulkan_upload(struct device *device, void *memory, size_t offset, const void *data,
                          size_t bytes);
weft_status vulkan_download(struct device *device, const void *memory, size_t offset, void *data,
                            size_t bytes);
/* Forgets a handle that was freed once nothing names it. Under the lock. */
void vulkan_release_memory(struct vulkan_memory *memory);
void vulkan_free_staging(struct device *device);

/* commands.c; all under the lock but vulkan_sync(). */
weft_status vulkan_commands_create(struct vulkan_state *state);
void vulkan_commands_destroy(struct vulkan_state *state);
/* The batch that is being recorded, begun if there is none. */
weft_status vulkan_record(struct vulkan_state *state, struct vulkan_batch **batch);
/* Something more was recorded: the device is sent what has come together from time to time. */
weft_status vulkan_recorded(struct vulkan_state *state);
/* Makes what compute and copies wrote before seen by both, whatever comes next. */
void vulkan_barrier(const struct vulkan_state *state, VkCommandBuffer commands);
/* Sends what was recorded and waits until batch `number` is done; lets go of the lock meanwhile. */
weft_status vulkan_finish(struct vulkan_state *state, uint64_t number);
weft_status vulkan_sync(struct device *device, void *queue);

/* kernel.c */
weft_status vulkan_pass_create(struct device *device, const struct program *program, int index,
                               const void *const *tables, struct kernel **kernel);
void vulkan_pass_destroy(struct device *device, struct kernel **kernel);
size_t vulkan_pass_table_bytes(const struct kernel *kernel);
weft_status vulkan_pass_run(struct device *device, const struct kernel *kernel,
                            const struct pass_arguments *arguments);
weft_status vulkan_pass_source(struct device *device, const struct program *program, int index,
                               const struct kernel *kernel, struct text *text);

#endif

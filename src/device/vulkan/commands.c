/* What is recorded for the device's own queue, when it is sent there, and who waits for it.
 *
 * Passes and copies of all threads go into one command buffer, each behind a barrier; whoever waits
 * sends it. A queue's fences are signalled in the order of submission, so that a batch that is done
 * has none before it that is not. */
#include "base/error.h"
#include "device/vulkan/state.h"

/* A batch of so many is sent although nobody waits for it, to give the device something to do. */
#define MOST_RECORDED 256

/* ---- making ---- */

static weft_status create_batch(struct vulkan_state *state, struct vulkan_batch *batch)
{
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = state->pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    VkResult result =
        state->library->AllocateCommandBuffers(state->device, &commands, &batch->commands);
    if (result) return vulkan_check(state, result, "vkAllocateCommandBuffers", NULL);
    result = state->library->CreateFence(state->device, &fence, NULL, &batch->fence);
    if (result) batch->fence = VK_NULL_HANDLE;
    return vulkan_check(state, result, "vkCreateFence", NULL);
}

weft_status vulkan_commands_create(struct vulkan_state *state)
{
    const VkCommandPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = state->family};
    VkResult result = state->library->CreateCommandPool(state->device, &info, NULL, &state->pool);
    if (result) state->pool = VK_NULL_HANDLE;
    weft_status status = vulkan_check(state, result, "vkCreateCommandPool", NULL);
    for (int i = 0; i < VULKAN_BATCHES && !status; i++)
        status = create_batch(state, &state->batch[i]);
    return status;
}

void vulkan_commands_destroy(struct vulkan_state *state)
{
    for (int i = 0; i < VULKAN_BATCHES; i++) {
        struct vulkan_batch *batch = &state->batch[i];
        if (batch->stage == VULKAN_SUBMITTED)
            state->library->WaitForFences(state->device, 1, &batch->fence, VK_TRUE, UINT64_MAX);
        if (batch->fence) state->library->DestroyFence(state->device, batch->fence, NULL);
    }
    if (state->pool) state->library->DestroyCommandPool(state->device, state->pool, NULL);
}

/* ---- recording ---- */

static bool is_done(const struct vulkan_state *state, const struct vulkan_batch *batch)
{
    return batch->stage == VULKAN_FREE ||
           state->library->GetFenceStatus(state->device, batch->fence) == VK_SUCCESS;
}

/* One that may be recorded anew; NULL: the others wait for all of them. */
static struct vulkan_batch *find_batch(struct vulkan_state *state)
{
    struct vulkan_batch *oldest = NULL;
    for (int i = 0; i < VULKAN_BATCHES; i++) {
        struct vulkan_batch *batch = &state->batch[i];
        if (batch->waiters > 0) continue;
        if (is_done(state, batch)) return batch;
        if (!oldest || batch->number < oldest->number) oldest = batch;
    }
    return oldest;
}

static weft_status take_back(struct vulkan_state *state, struct vulkan_batch *batch)
{
    if (batch->stage == VULKAN_FREE) return WEFT_OK;
    VkResult result =
        state->library->WaitForFences(state->device, 1, &batch->fence, VK_TRUE, UINT64_MAX);
    if (result) return vulkan_check(state, result, "vkWaitForFences", NULL);
    result = state->library->ResetFences(state->device, 1, &batch->fence);
    if (!result) batch->stage = VULKAN_FREE;
    return vulkan_check(state, result, "vkResetFences", NULL);
}

static weft_status begin(struct vulkan_state *state, struct vulkan_batch *batch)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    weft_status status = take_back(state, batch);
    if (status) return status;
    VkResult result = state->library->BeginCommandBuffer(batch->commands, &info);
    if (result) return vulkan_check(state, result, "vkBeginCommandBuffer", NULL);
    batch->stage = VULKAN_OPEN;
    batch->number = ++state->batches;
    batch->recorded = 0;
    state->open = batch;
    return WEFT_OK;
}

weft_status vulkan_record(struct vulkan_state *state, struct vulkan_batch **batch)
{
    while (!state->open) {
        struct vulkan_batch *found = find_batch(state);
        weft_status status = WEFT_OK;
        if (found)
            status = begin(state, found);
        else
            pthread_cond_wait(&state->freed, &state->lock);
        if (status) return status;
    }
    *batch = state->open;
    return WEFT_OK;
}

static void barrier(const struct vulkan_state *state, VkCommandBuffer commands,
                    VkPipelineStageFlags after, VkAccessFlags access)
{
    const VkMemoryBarrier memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                    .srcAccessMask =
                                        VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT,
                                    .dstAccessMask = access};
    state->library->CmdPipelineBarrier(
        commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT, after, 0,
        1, &memory, 0, NULL, 0, NULL);
}

void vulkan_barrier(const struct vulkan_state *state, VkCommandBuffer commands)
{
    barrier(state, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_READ_BIT |
                VK_ACCESS_TRANSFER_WRITE_BIT);
}

/* ---- sending and waiting ---- */

static weft_status submit(struct vulkan_state *state)
{
    struct vulkan_batch *batch = state->open;
    if (!batch) return WEFT_OK;
    state->open = NULL;
    batch->stage = VULKAN_FREE; /* unless it is sent */
    barrier(state, batch->commands, VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT);
    VkResult result = state->library->EndCommandBuffer(batch->commands);
    if (result) return vulkan_check(state, result, "vkEndCommandBuffer", NULL);
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &batch->commands};
    result = state->library->QueueSubmit(state->queue, 1, &info, batch->fence);
    if (!result) batch->stage = VULKAN_SUBMITTED;
    return vulkan_check(state, result, "vkQueueSubmit", NULL);
}

weft_status vulkan_recorded(struct vulkan_state *state)
{
    return ++state->open->recorded < MOST_RECORDED ? WEFT_OK : submit(state);
}

static struct vulkan_batch *find_submitted(struct vulkan_state *state, uint64_t number)
{
    for (int i = 0; i < VULKAN_BATCHES; i++) {
        struct vulkan_batch *batch = &state->batch[i];
        if (batch->stage == VULKAN_SUBMITTED && batch->number == number) return batch;
    }
    return NULL; /* it is done, and was recorded anew or never sent */
}

weft_status vulkan_finish(struct vulkan_state *state, uint64_t number)
{
    weft_status status = WEFT_OK;
    if (state->open && state->open->number <= number) status = submit(state);
    struct vulkan_batch *batch = status ? NULL : find_submitted(state, number);
    if (!batch) return status;
    batch->waiters++;
    pthread_mutex_unlock(&state->lock);
    VkResult result =
        state->library->WaitForFences(state->device, 1, &batch->fence, VK_TRUE, UINT64_MAX);
    pthread_mutex_lock(&state->lock);
    batch->waiters--;
    pthread_cond_broadcast(&state->freed);
    return vulkan_check(state, result, "vkWaitForFences", NULL);
}

weft_status vulkan_sync(struct device *device, void *queue)
{
    (void)queue; /* nobody waits for a command buffer of the caller's */
    struct vulkan_state *state = device->state;
    pthread_mutex_lock(&state->lock);
    weft_status status = vulkan_finish(state, state->batches);
    pthread_mutex_unlock(&state->lock);
    return status;
}

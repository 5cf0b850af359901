/* Devices. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/spares.h"

/* ---- the list ---- */

/* A device that there is. */
struct listed {
    const struct device_ops *ops;
    int index; /* among its backend's */
};

static int count_of(const struct device_ops *ops)
{
    return ops->count ? ops->count() : 1;
}

static bool is_by_itself(const struct listed *listed)
{
    return !listed->ops->by_itself || listed->ops->by_itself(listed->index);
}

int weft_device_count(void)
{
    int count = 0;
    for (int i = 0; i < device_table_count; i++)
        count += count_of(device_table[i]);
    return count;
}

/* The number-th device: first those that are chosen by themselves. False: there are fewer. */
static bool find_listed(int number, struct listed *found)
{
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < device_table_count; i++) {
            const int count = count_of(device_table[i]);
            for (int index = 0; index < count; index++) {
                *found = (struct listed){device_table[i], index};
                if (is_by_itself(found) == (round == 0) && number-- == 0) return true;
            }
        }
    }
    return false;
}

/* ---- opening ---- */

static const struct device_ops *find_ops(const char *name, size_t length)
{
    for (int i = 0; i < device_table_count; i++) {
        const char *known = device_table[i]->name;
        if (strlen(known) == length && memcmp(known, name, length) == 0) return device_table[i];
    }
    return NULL;
}

static weft_status refuse_name(const char *name)
{
    char known[128] = "";
    for (int i = 0; i < device_table_count; i++) {
        const size_t length = strlen(known);
        snprintf(known + length, sizeof known - length, "%s%s%s", i ? ", " : "",
                 device_table[i]->name, device_table[i]->count ? ":N" : "");
    }
    return error_set(WEFT_ERROR_DEVICE, "no device is named \"%s\"; names are: %s", name, known);
}

weft_status device_check(const weft_device *device, const struct device_ops *ops,
                         const char *accepted, const char *function)
{
    if (!device) return error_set(WEFT_ERROR_ARGUMENT, "%s: device is NULL", function);
    if (device->device.ops == ops) return WEFT_OK;
    return error_set(WEFT_ERROR_ARGUMENT, "%s: the device is \"%s\", accepted are %s devices",
                     function, device->device.ops->name, accepted);
}

weft_status device_complete(weft_device *opened, weft_status status, weft_device **device)
{
    if (status) {
        memory_free(opened);
        return status;
    }
    spares_open();
    plan_cache_open(&opened->cache);
    status = wisdom_create(&opened->device, &opened->wisdom);
    if (status)
        weft_device_close(&opened);
    else
        *device = opened;
    return status;
}

static weft_status open_with(const struct device_ops *ops, const char *argument,
                             weft_device **device)
{
    weft_device *opened = memory_alloc_zeroed(sizeof *opened);
    if (!opened) return error_memory("a device");
    opened->device.ops = ops;
    return device_complete(opened, ops->open(argument, &opened->device), device);
}

static weft_status open_listed(const struct listed *listed, weft_device **device)
{
    char argument[16];
    snprintf(argument, sizeof argument, "%d", listed->index);
    return open_with(listed->ops, listed->ops->count ? argument : NULL, device);
}

static bool is_worth_asking(const struct device_ops *ops)
{
    return !ops->worth_asking || ops->worth_asking();
}

/* The first that opens; drivers of what comes later are left alone. */
static weft_status open_best(weft_device **device)
{
    weft_status status = WEFT_ERROR_DEVICE;
    for (int i = 0; status && i < device_table_count; i++) {
        const struct device_ops *ops = device_table[i];
        const int count = is_worth_asking(ops) ? count_of(ops) : 0;
        for (int index = 0; status && index < count; index++) {
            const struct listed listed = {ops, index};
            if (is_by_itself(&listed)) status = open_listed(&listed, device);
        }
    }
    return status;
}

weft_status weft_device_open(const char *name, weft_device **device)
{
    if (!device) return error_set(WEFT_ERROR_ARGUMENT, "weft_device_open: device is NULL");
    if (!name) return open_best(device);
    const char *colon = strchr(name, ':');
    const struct device_ops *ops = find_ops(name, colon ? (size_t)(colon - name) : strlen(name));
    return ops ? open_with(ops, colon ? colon + 1 : NULL, device) : refuse_name(name);
}

void weft_device_close(weft_device **device)
{
    if (!device || !*device) return;
    plan_cache_close(&(*device)->cache);
    wisdom_destroy(&(*device)->wisdom);
    (*device)->device.ops->close(&(*device)->device);
    memory_free(*device);
    *device = NULL;
    spares_close();
}

/* ---- describing ---- */

static void name_listed(const struct listed *listed, weft_device_info *info)
{
    const char *name = listed->ops->name;
    if (listed->ops->count)
        snprintf(info->name, sizeof info->name, "%s:%d", name, listed->index);
    else
        snprintf(info->name, sizeof info->name, "%s", name);
}

/* What is stored as halves is computed in single precision. */
static void describe_numbers(const struct limits *limits, weft_device_info *info)
{
    info->precisions = limits->precisions;
    info->storages = limits->storages | 1u << WEFT_STORED_AS_COMPUTED;
    for (int p = WEFT_F16; p <= WEFT_BF16; p++) {
        const bool stored = limits->storages >> storage_of_precision((weft_precision)p) & 1;
        if (stored && limits->precisions >> WEFT_F32 & 1) info->precisions |= 1u << p;
    }
}

weft_status weft_device_describe(int index, weft_device_info *info)
{
    if (!info) return error_set(WEFT_ERROR_ARGUMENT, "weft_device_describe: info is NULL");
    struct listed listed;
    if (index < 0 || !find_listed(index, &listed)) {
        return error_set(WEFT_ERROR_ARGUMENT, "device index is %d: accepted are 0 to %d", index,
                         weft_device_count() - 1);
    }
    weft_device *device;
    weft_status status = open_listed(&listed, &device);
    if (status == WEFT_ERROR_MEMORY) return status;
    memset(info, 0, sizeof *info);
    name_listed(&listed, info);
    if (status) { /* it is there, but of no use */
        snprintf(info->description, sizeof info->description, "%s", weft_last_error());
        return WEFT_OK;
    }
    snprintf(info->description, sizeof info->description, "%s", device->device.description);
    describe_numbers(&device->device.limits, info);
    info->memory_bytes = (uint64_t)device->device.limits.memory_bytes;
    weft_device_close(&device);
    return WEFT_OK;
}

#include "device/gpu/printed.h"

#include <string.h>

#include "base/memory.h"
#include "device/gpu/identity.h"

/* What stands before the source. The key tells builds apart, so it is kept as it is in memory. */
struct head {
    struct block_kernel info;
    char name[GPU_NAME_BYTES];
    int64_t dynamic_shared_bytes;
    int buffers;
    int buffer[IR_MAX_BUFFERS];
    struct gpu_tables tables;
};

/* Whole structs, so that no field that is added to them can be forgotten. Where bytes between their
 * fields should differ that would be a kernel printed once more, no worse. */
void gpu_printed_key(struct text *key, const struct device *device, const struct program *program,
                     int index, const struct gpu_printer *printer)
{
    text_append(key, "printed by %s\n%s%s scratch %d\n", gpu_identity, printer->name,
                printer->fma ? " fma" : "", (int)device->scratch_format);
    for (int t = 0; t < program->tables; t++) {
        const struct program_table *table = &program->table[t];
        text_append(key, "%d %lld %lld ", (int)table->kind, (long long)table->n,
                    (long long)table->m);
    }
    text_append_bytes(key, device_limits(device, program->problem.precision),
                      sizeof device->limits);
    text_append_bytes(key, &program->problem, sizeof program->problem);
    text_append_bytes(key, &program->pass[index], sizeof program->pass[index]);
}

bool gpu_printed_get(struct store *store, const struct text *key, struct gpu_pass *pass)
{
    void *data = NULL;
    size_t bytes = 0;
    if (!store_get(store, text_chars(key), key->length, &data, &bytes)) return false;
    struct head head;
    const bool whole = bytes > sizeof head;
    if (whole) {
        memcpy(&head, data, sizeof head);
        text_append_bytes(&pass->source, (char *)data + sizeof head, bytes - sizeof head);
    }
    memory_free(data);
    if (!whole || text_failed(&pass->source)) {
        text_free(&pass->source);
        return false;
    }
    head.info.pass = pass->info.pass;
    pass->info = head.info;
    memcpy(pass->name, head.name, sizeof pass->name);
    pass->dynamic_shared_bytes = head.dynamic_shared_bytes;
    pass->buffers = head.buffers;
    memcpy(pass->buffer, head.buffer, sizeof pass->buffer);
    pass->tables = head.tables;
    return true;
}

void gpu_printed_put(struct store *store, const struct text *key, const struct gpu_pass *pass)
{
    struct head head;
    memset(&head, 0, sizeof head);
    head.info = pass->info;
    memcpy(head.name, pass->name, sizeof head.name);
    head.dynamic_shared_bytes = pass->dynamic_shared_bytes;
    head.buffers = pass->buffers;
    memcpy(head.buffer, pass->buffer, sizeof head.buffer);
    head.tables = pass->tables;
    struct text data = TEXT_EMPTY;
    text_append_bytes(&data, &head, sizeof head);
    text_append_bytes(&data, text_chars(&pass->source), pass->source.length);
    if (!text_failed(&data))
        store_put(store, text_chars(key), key->length, text_chars(&data), data.length);
    text_free(&data);
}

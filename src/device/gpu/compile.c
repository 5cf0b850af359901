#include "device/gpu/compile.h"

#include <stdbool.h>

#include "base/memory.h"

/* Every part ends in a line break, and the source is last, so that no two recipes print alike. */
static void print_key(struct text *key, const struct gpu_recipe *recipe)
{
    text_append(key, "weft %d.%d.%d\n", WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR, WEFT_VERSION_PATCH);
    text_append(key, "%s\n%s\n%s\n%s\n", recipe->dialect, recipe->device, recipe->driver,
                recipe->options);
    text_append_bytes(key, text_chars(recipe->source), recipe->source->length);
}

static bool load_kept(struct store *store, const struct text *key,
                      const struct gpu_compiler *compiler)
{
    void *binary = NULL;
    size_t bytes = 0;
    if (!store_get(store, text_chars(key), key->length, &binary, &bytes)) return false;
    const bool loaded = compiler->load(compiler->context, binary, bytes) == WEFT_OK;
    memory_free(binary);
    return loaded;
}

weft_status gpu_compile(struct store *store, const struct gpu_recipe *recipe,
                        const struct gpu_compiler *compiler)
{
    struct text key = TEXT_EMPTY;
    if (store) print_key(&key, recipe);
    const bool keeps = store && !text_failed(&key);
    weft_status status = WEFT_OK;
    if (!keeps || !load_kept(store, &key, compiler)) {
        void *binary = NULL;
        size_t bytes = 0;
        status = compiler->compile(compiler->context, recipe->source, &binary, &bytes);
        if (keeps && !status && binary) {
            store_put(store, text_chars(&key), key.length, binary, bytes);
        }
        memory_free(binary);
    }
    text_free(&key);
    return status;
}

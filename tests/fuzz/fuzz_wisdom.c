/* Reads text as wisdom of a CPU and of a GPU: what is accepted is printed as it was read and can be
 * lowered; what is refused is told with its line. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "plan/planner.h"
#include "target.h"
#include "tune/wisdom_text.h"

static const char name[] = "wisdom";

/* Sound problems alone are lowered: the planner relies on them (src/api/params.c), and of what a
 * file says only what a sound problem equals is ever used. */
static bool is_sound(const struct problem *p)
{
    double elements = 1;
    for (int i = 0; i < p->axes + p->loops; i++) {
        const struct dim *dim = i < p->axes ? &p->axis[i] : &p->loop[i - p->axes];
        const int64_t far = INT64_C(1) << 40;
        if (dim->n < 2 || dim->n > far || dim->in_stride < -far || dim->in_stride > far ||
            dim->out_stride < -far || dim->out_stride > far)
            return false;
        elements *= (double)dim->n;
    }
    return elements < 1e12 && p->threads <= 4096;
}

static void use(const struct wisdom_entry *entry, const struct limits *limits)
{
    arena *a = arena_create();
    const char *words = entry->tree;
    const struct plan_node *tree;
    const struct program *program;
    if (!a || plan_parse(a, &words, &tree) || *words) abort();
    if (plan_check(&entry->problem, limits, tree)) abort();
    if (is_sound(&entry->problem)) {
        const weft_status status = plan_lower(a, &entry->problem, limits, tree, &program);
        if (status && status != WEFT_ERROR_UNSUPPORTED) abort();
    }
    arena_destroy(&a);
}

static void read_for(const struct limits *limits, const char *text)
{
    const struct device device = {.limits = *limits};
    struct wisdom_list list = {NULL}, again = {NULL};
    const weft_status status = wisdom_read(text, name, "fuzzed", &device, &list);
    if (status) {
        if (list.first || strncmp(error_last(), name, strlen(name)) != 0) abort();
        return;
    }
    struct text printed = TEXT_EMPTY, twice = TEXT_EMPTY;
    wisdom_write(&printed, "fuzzed", &list);
    if (wisdom_read(text_chars(&printed), name, "fuzzed", &device, &again)) abort();
    wisdom_write(&twice, "fuzzed", &again);
    if (strcmp(text_chars(&printed), text_chars(&twice)) != 0) abort();
    for (const struct wisdom_entry *e = list.first; e; e = e->next)
        use(e, limits);
    wisdom_list_free(&list);
    wisdom_list_free(&again);
    text_free(&printed);
    text_free(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct limits cpu, gpu;
    struct text text = TEXT_EMPTY;
    limits_default_cpu(&cpu);
    limits_default_gpu(&gpu);
    /* A head that fits, since few mutations would find it, unless the input begins with one. */
    const bool head = size >= 4 && memcmp(data, "weft", 4) == 0;
    const struct wisdom_list none = {NULL};
    if (!head) wisdom_write(&text, "fuzzed", &none);
    text_append(&text, "%.*s", (int)size, (const char *)data);
    read_for(&cpu, text_chars(&text));
    read_for(&gpu, text_chars(&text));
    text_free(&text);
    return 0;
}

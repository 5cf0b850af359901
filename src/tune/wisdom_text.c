#include "tune/wisdom_text.h"

#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "base/scan.h"
#include "plan/planner.h"

/* ---- lists ---- */

void wisdom_list_free(struct wisdom_list *list)
{
    while (list->first) {
        struct wisdom_entry *next = list->first->next;
        memory_free(list->first);
        list->first = next;
    }
}

static struct wisdom_entry **link_to(struct wisdom_list *list, const struct problem *problem)
{
    struct wisdom_entry **link = &list->first;
    while (*link && !problem_same_shape(&(*link)->problem, problem))
        link = &(*link)->next;
    return link;
}

const struct wisdom_entry *wisdom_list_find(const struct wisdom_list *list,
                                            const struct problem *problem)
{
    const struct wisdom_entry *entry = list->first;
    while (entry && !problem_same_shape(&entry->problem, problem))
        entry = entry->next;
    return entry;
}

bool wisdom_list_put(struct wisdom_list *list, const struct problem *problem, const char *tree,
                     size_t length)
{
    struct wisdom_entry *made = memory_alloc_zeroed(sizeof *made + length + 1);
    if (!made) return false;
    made->problem = *problem;
    made->problem.scale[0] = made->problem.scale[1] = 1;
    made->length = length;
    memcpy(made->tree, tree, length);
    struct wisdom_entry **link = link_to(list, problem);
    struct wisdom_entry *old = *link;
    if (old) made->next = old->next;
    *link = made;
    memory_free(old);
    return true;
}

bool wisdom_list_merge(struct wisdom_list *list, const struct wisdom_list *other, bool replacing)
{
    for (const struct wisdom_entry *e = other->first; e; e = e->next) {
        if (!replacing && wisdom_list_find(list, &e->problem)) continue;
        if (!wisdom_list_put(list, &e->problem, e->tree, e->length)) return false;
    }
    return true;
}

/* ---- writing ---- */

/* The version is of the planner: what it makes of the same tree may change. */
static void write_version(struct text *text)
{
    text_append(text, "weft wisdom %d.%d.%d", WEFT_VERSION_MAJOR, WEFT_VERSION_MINOR,
                WEFT_VERSION_PATCH);
}

void wisdom_write(struct text *text, const char *words, const struct wisdom_list *list)
{
    write_version(text);
    text_append(text, "\ndevice %s\n", words);
    for (const struct wisdom_entry *e = list->first; e; e = e->next) {
        problem_print_shape(text, &e->problem);
        text_append(text, " -> %s\n", e->tree);
    }
}

/* ---- reading ---- */

struct reader {
    const char *name, *rest;
    int line;
    const struct device *device;
    arena *arena; /* of the trees, which only their words outlive */
};

/* Moves behind the line if it is the one expected. */
static bool read_line(struct reader *r, const char *line)
{
    const char *rest = r->rest;
    if (!scan_word(&rest, line) || !scan_word(&rest, "\n")) return false;
    r->rest = rest;
    r->line++;
    return true;
}

/* Whether the line is the one expected; its words otherwise, for a message. */
static weft_status read_head_line(struct reader *r, const struct text *expected, const char *is,
                                  const char *otherwise)
{
    if (text_failed(expected)) return error_memory("wisdom");
    if (read_line(r, text_chars(expected))) return WEFT_OK;
    const size_t length = strcspn(r->rest, "\n");
    if (strncmp(r->rest, is, strlen(is)) != 0)
        return error_set(WEFT_ERROR_ARGUMENT, "%s:%d: %s", r->name, r->line, otherwise);
    return error_set(WEFT_ERROR_UNSUPPORTED, "%s is ignored: it is \"%.*s\", not \"%s\"", r->name,
                     length < 120 ? (int)length : 120, r->rest, text_chars(expected));
}

static weft_status read_head(struct reader *r, const char *device)
{
    struct text version = TEXT_EMPTY, key = TEXT_EMPTY;
    write_version(&version);
    text_append(&key, "device %s", device);
    weft_status status = read_head_line(r, &version, "weft wisdom ", "this is no wisdom");
    if (!status) status = read_head_line(r, &key, "device ", "no device is named");
    text_free(&version);
    text_free(&key);
    return status;
}

/* The message of the parser or the check, behind where it was. */
static weft_status refuse(const struct reader *r, weft_status status)
{
    if (status == WEFT_ERROR_MEMORY) return status;
    return error_set(WEFT_ERROR_ARGUMENT, "%s:%d: %s", r->name, r->line, error_last());
}

static weft_status read_entry(struct reader *r, struct wisdom_list *list)
{
    struct problem problem;
    const struct plan_node *tree;
    if (!problem_parse_shape(&r->rest, &problem) || !scan_word(&r->rest, " -> "))
        return error_set(WEFT_ERROR_ARGUMENT, "%s:%d: no problem and plan", r->name, r->line);
    const char *words = r->rest;
    weft_status status = plan_parse(r->arena, &r->rest, &tree);
    if (!status) status = plan_check(&problem, device_limits(r->device, problem.precision), tree);
    if (status) return refuse(r, status);
    const size_t length = (size_t)(r->rest - words);
    if (!scan_word(&r->rest, "\n"))
        return error_set(WEFT_ERROR_ARGUMENT, "%s:%d: the line does not end", r->name, r->line);
    r->line++;
    return wisdom_list_put(list, &problem, words, length) ? WEFT_OK : error_memory("wisdom");
}

weft_status wisdom_read(const char *text, const char *name, const char *words,
                        const struct device *device, struct wisdom_list *list)
{
    struct reader r = {name, text, 1, device, arena_create()};
    if (!r.arena) return error_memory("wisdom");
    weft_status status = read_head(&r, words);
    while (!status && *r.rest)
        status = read_entry(&r, list);
    arena_destroy(&r.arena);
    if (status) wisdom_list_free(list);
    return status;
}

/* What is known of a device's problems, and how it is written:
 *
 *     weft wisdom 0.1.0
 *     device cpu:avx512, a processor of some make, ...
 *     c2c f32 interleaved 1024:1:1 threads 1 -> block(1024: 16.8.8)
 */
#ifndef WEFT_TUNE_WISDOM_TEXT_H
#define WEFT_TUNE_WISDOM_TEXT_H

#include "base/arena.h"
#include "base/text.h"
#include "device/device.h"
#include "spec/plan.h"
#include "spec/problem.h"

/* A problem and its plan in words, which lie behind it. */
struct wisdom_entry {
    struct wisdom_entry *next;
    struct problem problem; /* with scales of 1 */
    size_t length;
    char tree[];
};

struct wisdom_list {
    struct wisdom_entry *first;
};

void wisdom_list_free(struct wisdom_list *list);

/* NULL: nothing is known. */
const struct wisdom_entry *wisdom_list_find(const struct wisdom_list *list,
                                            const struct problem *problem);

/* Puts an entry in place of the one of its problem, if there is one. False: no memory. */
bool wisdom_list_put(struct wisdom_list *list, const struct problem *problem, const char *tree,
                     size_t length);

/* Adds to a list what another has for other problems, or, replacing, for any. False: no memory. */
bool wisdom_list_merge(struct wisdom_list *list, const struct wisdom_list *other, bool replacing);

/* words: one line that says which device it is for. */
void wisdom_write(struct text *text, const char *words, const struct wisdom_list *list);

/* Reads what wisdom_write() wrote into an empty list. UNSUPPORTED: it is of another version or
 * device; ARGUMENT: it is damaged; each with a message that begins with `name`, and with the
 * number of the line. MEMORY. The list is then empty. */
weft_status wisdom_read(const char *text, const char *name, const char *words,
                        const struct device *device, struct wisdom_list *list);

#endif

/* Wisdom: the plans that measuring found fastest, by problem, of one device. It is kept in a text
 * file from run to run, and consulted before the cost model. May be used by several threads; the
 * file by several processes. */
#ifndef WEFT_TUNE_WISDOM_H
#define WEFT_TUNE_WISDOM_H

#include <stdbool.h>

#include "base/arena.h"
#include "device/device.h"
#include "spec/plan.h"
#include "spec/problem.h"

struct wisdom;

/* Of a device, which must outlive it. Its file, in folder_path() (store/folder.h), is read when
 * wisdom is first asked for; one that is damaged or of another version counts as none. MEMORY. */
weft_status wisdom_create(const struct device *device, struct wisdom **made);
void wisdom_destroy(struct wisdom **wisdom);

/* Grows whenever an answer of wisdom_find() may have changed. */
uint64_t wisdom_generation(struct wisdom *wisdom);

/* The plan for the problem, put into the arena; plan_check() accepts it. NULL: none is known, or no
 * memory. */
const struct plan_node *wisdom_find(struct wisdom *wisdom, const struct problem *problem, arena *a);

/* Keeps a plan in place of what was known, and merges all that is known into the file. False: it
 * could not be kept, or in memory only. */
bool wisdom_keep(struct wisdom *wisdom, const struct problem *problem,
                 const struct plan_node *tree);

/* Writes all that is known to a file, or into what is there and no file: a pipe, a link.
 * ARGUMENT: it cannot be written; MEMORY. */
weft_status wisdom_export(struct wisdom *wisdom, const char *path);

/* Adds what a file knows, in place of what was known, and merges all into the wisdom's own file.
 * UNSUPPORTED: the file is of another version or device, and nothing of it was used; ARGUMENT: it
 * cannot be read or is damaged, with the line; MEMORY. */
weft_status wisdom_import(struct wisdom *wisdom, const char *path);

#endif

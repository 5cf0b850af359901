/* Memory that is freed all at once: an arena per plan, freed at its root.
 * Failure sticks: after one allocation failed every later one returns NULL and arena_failed() is
 * true, so a builder checks once, at its end. */
#ifndef WEFT_BASE_ARENA_H
#define WEFT_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

typedef struct arena arena;

arena *arena_create(void);
/* Zeroed, aligned to 16. A request for 0 bytes returns a valid pointer. */
void *arena_alloc(arena *a, size_t bytes);
/* Likewise not zeroed: of what is large and used in part no page is touched in vain. */
void *arena_alloc_raw(arena *a, size_t bytes);
/* count * size bytes, with the product checked. */
void *arena_array(arena *a, size_t count, size_t size);
char *arena_printf(arena *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
bool arena_failed(const arena *a);
void arena_destroy(arena **a);

#endif

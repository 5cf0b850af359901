/* Blocks of memory that were freed and are kept for the next plan, while a device is open: plans
 * that come and go would have their pages cleared by the system each time. Few, and bounded. */
#ifndef WEFT_BASE_SPARES_H
#define WEFT_BASE_SPARES_H

#include <stdbool.h>
#include <stddef.h>

/* Between the first call and its counterpart blocks are kept; the last counterpart frees them. */
void spares_open(void);
void spares_close(void);

/* One of at least `bytes` bytes, aligned as it was; NULL: none that fits. Never waits. */
void *spares_take(size_t bytes);
/* Whether a block of the heap is kept now; the caller frees it otherwise. Never waits. */
bool spares_keep(void *block);

#endif

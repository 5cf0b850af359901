/* Real numbers as they lie in memory, whatever they are computed with. */
#ifndef WEFT_BASE_STORAGE_H
#define WEFT_BASE_STORAGE_H

#include <stddef.h>
#include <stdint.h>

#include "weft/weft.h"

#define STORAGE_COUNT (WEFT_STORED_I16 + 1)

/* "f16", "u8"; of WEFT_STORED_AS_COMPUTED, which has no type of its own, "as computed". */
extern const char *const storage_names[STORAGE_COUNT];

/* Of one number; 0 for WEFT_STORED_AS_COMPUTED, which the following do not take. */
int storage_bytes(weft_storage storage);
/* What numbers of the precision lie in memory as; WEFT_STORED_AS_COMPUTED where there is no other
 * word for it. */
weft_storage storage_of_precision(weft_precision precision);

/* The index-th number of an array, which need not be aligned. Exact. */
double storage_read(weft_storage storage, const void *array, int64_t index);
/* Writes it as enum weft_storage says. */
void storage_write(weft_storage storage, void *array, int64_t index, double value);

#endif

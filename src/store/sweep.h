/* Keeps a folder of entries from growing without end. */
#ifndef WEFT_STORE_SWEEP_H
#define WEFT_STORE_SWEEP_H

#include <stdint.h>

/* Removes what interrupted writers left, and, if the files come to more than `most` bytes, those
 * that were written longest ago until half of that is left. */
void sweep_folder(const char *folder, int64_t most);

#endif

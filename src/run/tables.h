/* The tables of a program: chirps, and the spectra of convolutions (run/spectrum.h). */
#ifndef WEFT_RUN_TABLES_H
#define WEFT_RUN_TABLES_H

#include "device/device.h"
#include "spec/program.h"

/* Makes the program's tables as device_ops.pass_create gets them, table[i] for i <
 * program->tables; the device is that of host_transform(). On an error some may have been made:
 * run_tables_free() all the same, of pointers that were NULL before. */
weft_status run_tables_make(struct device *device, const struct program *program, void **table);
void run_tables_free(const struct program *program, void **table);

/* Bytes of them all. */
size_t run_tables_bytes(const struct program *program);

#endif

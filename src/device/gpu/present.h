/* Whether there can be a GPU, told without opening drivers: those of processors take 50 ms. */
#ifndef WEFT_DEVICE_GPU_PRESENT_H
#define WEFT_DEVICE_GPU_PRESENT_H

#include <stdbool.h>

/* False if the system has no file of any GPU, and the variable, which names the library to open, is
 * not set either: who sets it has a reason. */
bool gpu_may_be_present(const char *variable);

/* The same with a folder in place of /dev. */
bool gpu_may_be_present_in(const char *folder, const char *variable);

#endif

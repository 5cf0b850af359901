/* Compiled for any processor. */
#define RESAMPLE     resample_basic
#define VECTOR_BYTES 16
#include "device/cpu/resample_template.h"

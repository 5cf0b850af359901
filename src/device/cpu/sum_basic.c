/* Compiled for any processor. */
#define SUMS         sums_basic
#define VECTOR_BYTES 16
#include "device/cpu/sum_template.h"

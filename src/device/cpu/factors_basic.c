/* Compiled for any processor. */
#define FACTORS      factors_basic
#define VECTOR_BYTES 16
#include "device/cpu/factors_template.h"

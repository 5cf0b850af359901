/* A number at a time. */
#define ISA          scalar
#define VECTOR_BYTES 0
#include "device/cpu/core_template.h"

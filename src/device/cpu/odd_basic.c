/* Compiled for any processor. */
#define ODD          odd_basic
#define VECTOR_BYTES 16
#include "device/cpu/odd_template.h"

/* Compiled for any processor. */
#define ODD_HALF     odd_half_basic
#define VECTOR_BYTES 16
#include "device/cpu/odd_half_template.h"

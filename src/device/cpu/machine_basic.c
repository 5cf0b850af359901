/* Compiled for any processor. */
#define MACHINE_ARITHMETIC machine_basic
#include "device/cpu/machine_arithmetic.h"

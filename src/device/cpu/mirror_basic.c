/* Compiled for any processor. */
#define MIRRORS      mirrors_basic
#define VECTOR_BYTES 16
#include "device/cpu/mirror_template.h"

/* Compiled for any processor. */
#define ABREAST      abreast_basic
#define VECTOR_BYTES 16
#include "device/cpu/abreast_template.h"

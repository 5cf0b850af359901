/* Compiled for any processor. */
#define MATRICES     matrices_basic
#define VECTOR_BYTES 16
#include "device/cpu/matrix_template.h"

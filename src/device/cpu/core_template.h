/* Codelets around cores of both precisions (core.h): included with ISA and VECTOR_BYTES. */
#include "device/cpu/core.h"

#define LINES_FILE "device/cpu/core_lanes.h"
#include "device/cpu/each_precision.h"

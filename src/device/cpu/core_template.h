/* Codelets around cores of both precisions (core.h): included with ISA and VECTOR_BYTES. */
#include "device/cpu/core.h"

/* Results of sums at once that registers hold. */
#if VECTOR_BYTES == 64
#define SUMS_AT_ONCE 5
#else
#define SUMS_AT_ONCE 3
#endif
#define UNROLLED _Pragma("GCC unroll 5")

#define LINES_FILE "device/cpu/core_lanes.h"
#include "device/cpu/each_precision.h"

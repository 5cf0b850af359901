/* Includes WIDTH_FILE with LANES for each width of vectors that MOST_LANES allows, the widest
 * first. EACH_WIDTH(step) is step(lanes) for all of them in the same order: narrower vectors go on
 * where wider ones do not fit any more. Included anew for each file. */
#undef WITH_16
#undef WITH_8
#undef WITH_4
#undef EACH_WIDTH

#if MOST_LANES >= 16
#define LANES 16
#include "device/cpu/lanes.h"
#include WIDTH_FILE
#undef LANES
#define WITH_16(statement) statement
#else
#define WITH_16(statement)
#endif
#if MOST_LANES >= 8
#define LANES 8
#include "device/cpu/lanes.h"
#include WIDTH_FILE
#undef LANES
#define WITH_8(statement) statement
#else
#define WITH_8(statement)
#endif
#if MOST_LANES >= 4
#define LANES 4
#include "device/cpu/lanes.h"
#include WIDTH_FILE
#undef LANES
#define WITH_4(statement) statement
#else
#define WITH_4(statement)
#endif
#define LANES 2
#include "device/cpu/lanes.h"
#include WIDTH_FILE
#undef LANES
#define EACH_WIDTH(step) WITH_16(step(16)) WITH_8(step(8)) WITH_4(step(4)) step(2)
#undef WIDTH_FILE

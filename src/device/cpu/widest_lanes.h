/* LANES as one token, for names: as many as MOST_LANES, and what lanes.h has of them. */
#undef LANES
#if MOST_LANES == 16
#define LANES 16
#elif MOST_LANES == 8
#define LANES 8
#elif MOST_LANES == 4
#define LANES 4
#elif MOST_LANES == 2
#define LANES 2
#else
#define LANES 1
#endif
#include "device/cpu/lanes.h"

/* Compiled for processors with FMA (cmake/library.cmake). */
#if defined(__x86_64__)
#define COMPENSATED_RUN compensated_run_fma
#include "run/compensated_run.h"
#endif

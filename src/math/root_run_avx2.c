/* Compiled for AVX2 (cmake/library.cmake). */
#if defined(__x86_64__)
#define ROOT_RUNS    root_runs_avx2
#define LANES        4
#define EACH_LANE(x) {x(0), x(1), x(2), x(3)}
#include "math/root_run_template.h"
#endif

/* Compiled for AVX2 (cmake/library.cmake). */
#if defined(__x86_64__)
#include <immintrin.h>

#define ROOT_RUNS    root_runs_avx2
#define ROOT_LIST    root_list_avx2
#define LANES        4
#define EACH_LANE(x) {x(0), x(1), x(2), x(3)}
#define ANY(flags)   (!_mm256_testz_si256((__m256i)(flags), (__m256i)(flags)))
#include "math/root_run_template.h"
#endif

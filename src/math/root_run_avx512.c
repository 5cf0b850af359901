/* Compiled for AVX-512 (cmake/library.cmake). */
#if defined(__x86_64__)
#include <immintrin.h>

#define ROOT_RUNS    root_runs_avx512
#define ROOT_LIST    root_list_avx2
#define LANES        8
#define ANY(flags)   (_mm512_test_epi64_mask((__m512i)(flags), (__m512i)(flags)) != 0)
#include "math/root_run_template.h"
#endif

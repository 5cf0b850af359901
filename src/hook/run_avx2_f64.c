/* Compiled for AVX2 (cmake/library.cmake). */
#if defined(__x86_64__)
#define REAL          double
#define BITS          int64_t
#define SQRT          sqrt
#define COPY_SIGN     copysign
#define WHOLE_FROM    0x1p52
#define HOOK_BEGIN    hook_begin_avx2_f64
#define HOOK_RUN_NAME hook_run_avx2_f64
#include "hook/run_template.h"
#endif

/* Compiled for AVX2 (cmake/library.cmake). */
#if defined(__x86_64__)
#define REAL          float
#define BITS          int32_t
#define SQRT          sqrtf
#define COPY_SIGN     copysignf
#define WHOLE_FROM    0x1p23f
#define HOOK_BEGIN    hook_begin_avx2_f32
#define HOOK_RUN_NAME hook_run_avx2_f32
#include "hook/run_template.h"
#endif

#define REAL          float
#define BITS          int32_t
#define SQRT          sqrtf
#define COPY_SIGN     copysignf
#define WHOLE_FROM    0x1p23f
#define HOOK_BEGIN    hook_begin_f32
#define HOOK_RUN_NAME hook_run_f32
#include "hook/run_template.h"

#define REAL          double
#define BITS          int64_t
#define SQRT          sqrt
#define COPY_SIGN     copysign
#define WHOLE_FROM    0x1p52
#define HOOK_BEGIN    hook_begin_f64
#define HOOK_RUN_NAME hook_run_f64
#include "hook/run_template.h"

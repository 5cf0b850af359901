#define REAL          float
#define OTHER         double
#define OTHER_STORAGE WEFT_STORED_F64
#define ROOTS_FILL    roots_fill_float
#define HOOK_BEGIN    hook_begin_f32
#define HOOK_APPLY    hook_run_f32
#define TABLE_FILL    root_table_fill_float
#define GENERAL_TABLE cpu_general_f32
#include "device/cpu/general_template.h"

/* Compiled for AVX2 (cmake/library.cmake). */
#include "device/cpu/general.h"

#if defined(__x86_64__)
#define REAL          float
#define HALVES_BY_F16C
#define OTHER         double
#define OTHER_STORAGE WEFT_STORED_F64
#define ROOTS_FILL    roots_fill_float
#define HOOK_BEGIN    hook_begin_avx2_f32
#define HOOK_APPLY    hook_run_avx2_f32
#define TABLE_FILL    root_table_fill_float
#define GENERAL_TABLE cpu_general_avx2_f32
#include "device/cpu/general_template.h"
#endif

/* Compiled for AVX2 (cmake/library.cmake). */
#include "device/cpu/general.h"

#if defined(__x86_64__)
#define REAL          double
#define OTHER         float
#define OTHER_STORAGE WEFT_STORED_F32
#define ROOTS_FILL    roots_fill_double
#define HOOK_BEGIN    hook_begin_avx2_f64
#define HOOK_APPLY    hook_run_avx2_f64
#define TABLE_FILL    root_table_fill_double
#define GENERAL_TABLE cpu_general_avx2_f64
#include "device/cpu/general_template.h"
#endif

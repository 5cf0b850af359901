/* Compiled for any processor. */
#if defined(__x86_64__)
#define ISA sse2
#elif defined(__aarch64__)
#define ISA neon
#endif
#if defined(ISA)
#define VECTOR_BYTES 16
#include "device/cpu/core_template.h"
#endif

/* CUDA C++ as NVRTC compiles it, without any header; with --fmad=false, for what is to be fused is
 * written so. */
#ifndef WEFT_PRINT_CUDA_H
#define WEFT_PRINT_CUDA_H

#include "print/c_like.h"

extern const struct c_dialect cuda_dialect;

#endif
